"""How a proof tells what it found: two columns, then what is wrong, then the verdict in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_MOST = 20


def print_table(title: str, rows: Mapping[str, object], wrong: Sequence[str]) -> int:
    """Print rows and faults (the first twenty); answers the exit code: 0 when nothing is wrong."""
    width = max(len(name) for name in rows)
    print(f"\n{title}")
    for name, value in rows.items():
        print(f"  {name:<{width}}  {value}")
    for fault in wrong[:_MOST]:
        print(f"  ! {fault}")
    if len(wrong) > _MOST:
        print(f"  ! and {len(wrong) - _MOST} more")
    print(f"  {'FAILED' if wrong else 'passed'}", flush=True)
    return 1 if wrong else 0
