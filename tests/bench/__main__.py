"""What the product costs beside its own statements; printed, never asserted.

Each request is logged with its statements. Then the server that the product runs in (granian, one worker) is asked in
turns, over one connection: for the request, through the whole application, and for exactly these statements, replayed
in one transaction by the driver without any framework. The medians of the turns make the ratio.

    python -m tests.bench --database sqlite --rows 5000
"""

from __future__ import annotations

import argparse
import os
import sys

from tests.bench.installation import installation

QUIET = 0.75
"""Load a core up to which the figures count; the measuring itself is most of one."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--times", type=int, default=40, help="requests in a round")
    parser.add_argument("--open", type=int, default=50_000, help="open items in the full queues")
    parser.add_argument(
        "--only", default="", help="this part alone: lists, steps, peers, queues, inbox, records, boards"
    )
    parser.add_argument("--companies", type=int, default=200, help="companies with as many open steps, for the inbox")
    parser.add_argument("--records", type=int, default=1_000_000, help="inspection results of the big company")
    parser.add_argument("--profile", default="", help="print where the time of this list, or of complete-task, goes")
    asked = parser.parse_args()
    with installation(asked.database):
        import django
        from django.db import connection

        django.setup()
        from tests.bench import boards, inbox, lists, peers, profile, queues, records, rows, steps

        rows.install(asked.rows)
        if asked.profile:
            profile.show(asked.profile)
        if not asked.profile and asked.only in ("", "lists"):
            lists.show(asked.database, asked.rows, lists.measure(asked.rounds, asked.times))
        if not asked.profile and asked.only in ("", "steps"):
            steps.show(asked.database, steps.measure(asked.rounds, asked.times))
        if not asked.profile and asked.only in ("", "peers"):
            peers.show_statements(peers.statements())
            if asked.database == "postgresql" and peers.THIN_NODE in os.environ:
                peers.show(*peers.measure(asked.rounds // 3, asked.times))
            elif asked.database == "postgresql":
                print(f"  No thin Node server beside it: {peers.THIN_NODE} is not set; see tests/bench/peers.py.")
        if not asked.profile and asked.only in ("", "queues"):
            queues.show(asked.database, rows.fill(asked.open), queues.measure(asked.rounds, asked.times))
        if not asked.profile and asked.only == "inbox" and asked.database == "postgresql":
            found = rows.spread(asked.companies - 1)
            inbox.show(asked.database, found, asked.companies, inbox.measure(asked.rounds * asked.times))
        if not asked.profile and asked.only == "records" and asked.database == "postgresql":
            records.show(records.install(asked.records), records.measure(asked.rounds * asked.times // 4))
        if not asked.profile and asked.only == "boards" and asked.database == "postgresql":
            boards.show(boards.install(100_000, 20_000), boards.measure(asked.rounds * asked.times // 4))
        _say_load()
        connection.close()
        if asked.database == "postgresql":
            connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's connections come from a pool


def _say_load() -> None:
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > QUIET * cores:
        # Waiting for a busy PostgreSQL makes the bare statements slow and the share high; on SQLite it is the reverse.
        print(f"  Others were at work (load {load:.1f} on {cores} cores): what the clock says proves nothing.")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
