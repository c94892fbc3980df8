"""The hash chain over audit events: batches are sealed afterwards, so that operations never wait for one another.

A seal holds the hash of its rows and of the seal before it. Whoever changes, removes, adds or reorders sealed rows
breaks a seal; whoever removes the last seals with their rows is given away by the copy of the newest ones, which lies
in DATA_DIR and in every backup. This module may write SQL: the rows are read as the database keeps them.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from core.audit.models import Event, Seal
from core.identity.models import Tenant
from core.kernel.ids import first_id_of
from core.kernel.tenancy import tenant_scope

log = logging.getLogger("xunwei.audit")
AT_ONCE = 1000
"""Rows of a seal, at most."""
BATCHES = 200
"""Seals of one tenant in one run, at most."""
SETTLED = timedelta(seconds=60)
"""Clocks of machines differ, and may be set back, by less."""
_PAGE = 5000
FORMS: Mapping[int, tuple[str, ...]] = {
    1: (
        "id", "tenant_id", "time", "operation", "user_id", "user_name", "client", "ip", "request_id", "business_type",
        "business_id", "from_status", "to_status", "remark", "instance_id", "work_item_id", "node", "round", "outcome",
        "from_holder", "to_holder", "to_key", "effects", "changes", "idempotency_key", "digest", "answer",
    ),
}  # fmt: skip
"""The columns that a seal covers. A column that comes later makes a new form; earlier seals keep theirs."""
FORM = max(FORMS)

Heads = dict[str, dict[str, Any]]
"""By tenant `number` and `hash` of its newest seal."""


@dataclass(frozen=True)
class BrokenSeal:
    """A seal that does not hold."""

    tenant_id: str
    number: int
    what: str

    def __str__(self) -> str:
        return f"tenant {self.tenant_id}, seal {self.number}: {self.what}"


@dataclass
class Verdict:
    """Says what a verification has found."""

    seals: int = 0
    rows: int = 0
    unsealed: int = 0
    heads: Heads = field(default_factory=dict)
    faults: list[BrokenSeal] = field(default_factory=list)


def tenants() -> list[str]:
    """Return the ids of all tenants, removed ones too: their events stay."""
    return list(Tenant._base_manager.order_by("tenant_id").values_list("tenant_id", flat=True))


def seal_all(settled: timedelta = SETTLED) -> int:
    """Seal what was stored since the last seals, and copy the newest ones; return the number of new seals."""
    before, upto = kept_heads(), first_id_of(_nothing_comes_before() - settled)
    made, heads = 0, dict(before)
    for tenant_id in tenants():
        with tenant_scope(tenant_id):
            fault = _broken_head(tenant_id, before)
        if fault is not None:
            log.error("the audit of %s; nothing of it is sealed until this is cleared up", fault)
            continue
        while (made_now := _seal(tenant_id, upto)) is not None:
            heads[tenant_id] = {"number": made_now.number, "hash": made_now.hash}
            made += 1
            if made % BATCHES == 0:
                break
    if heads != before:
        keep_heads(heads)
    return made


def _nothing_comes_before() -> datetime:
    """Return the moment before whose rows no running transaction can store any: then the oldest one began.

    On SQLite one transaction writes at a time, and the row's id is made in it.
    """
    if connection.vendor != "postgresql":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(min(xact_start), clock_timestamp()) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        found: datetime = cursor.fetchone()[0]
    return min(found, datetime.now(UTC))


def _seal(tenant_id: str, upto: int) -> Seal | None:
    """Store one more seal of the tenant; None where nothing is left, or somebody else seals at the same moment."""
    try:
        with tenant_scope(tenant_id), transaction.atomic():
            last = Seal.objects.order_by("-number").first()
            after = last.to_id if last else 0
            rows = list(_page(tenant_id, after, upto, AT_ONCE, FORM))
            if not rows:
                return None
            seal = Seal(
                number=last.number + 1 if last else 1, form=FORM, after_id=after, to_id=rows[-1][0],
                rows=len(rows), before=last.hash if last else "", time=datetime.now(UTC),
            )  # fmt: skip
            seal.hash = _hash(tenant_id, seal, rows)
            seal.save(force_insert=True)
            return seal
    except IntegrityError:  # of the number: the chain does not fork
        return None


def _page(tenant_id: str, after: int, upto: int, most: int, form: int) -> list[tuple[Any, ...]]:
    columns = ", ".join(connection.ops.quote_name(name) for name in FORMS[form])
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {columns} FROM {Event._meta.db_table} WHERE tenant_id = %s AND id > %s AND id <= %s"
            " ORDER BY id LIMIT %s",
            [tenant_id, after, upto, most],
        )
        return cursor.fetchall()  # type: ignore[no-any-return]


def _hash(tenant_id: str, seal: Seal, rows: Iterable[tuple[Any, ...]]) -> str:
    """Return the hash of the seal over its own columns, the hash of the seal before, and the rows in their order."""
    moment = seal.time.astimezone(UTC).isoformat()
    head = [seal.before, tenant_id, seal.number, seal.form, seal.after_id, seal.to_id, seal.rows, moment]
    found = hashlib.sha256(orjson.dumps(head))
    for row in rows:
        # JSON columns come as text; default is for what a driver gives that JSON does not know.
        found.update(b"\n" + orjson.dumps(row, default=str))
    return found.hexdigest()


def verify(heads: Heads | None = None) -> Verdict:
    """Hold every seal against its rows, and the newest seals against their copy (`heads`, else that in DATA_DIR)."""
    heads, verdict = kept_heads() if heads is None else heads, Verdict()
    for tenant_id in sorted({*tenants(), *heads}):
        with tenant_scope(tenant_id):
            _verify(tenant_id, verdict)
            fault = _broken_head(tenant_id, heads)
            if fault is not None:
                verdict.faults.append(fault)
    return verdict


def _verify(tenant_id: str, verdict: Verdict) -> None:
    last, after = Seal(number=0, to_id=0, hash=""), 0
    for form, seals in groupby(Seal.objects.order_by("number").iterator(_PAGE), key=lambda seal: seal.form):
        rows = _Rows(tenant_id, after, form)
        for seal in seals:
            found = rows.upto(seal.to_id)
            verdict.seals, verdict.rows = verdict.seals + 1, verdict.rows + len(found)
            what = _what_is_wrong(tenant_id, last, seal, found)
            if what:
                verdict.faults.append(BrokenSeal(tenant_id, seal.number, what))
            last, after = seal, max(after, seal.to_id)
    verdict.unsealed += Event.objects.filter(pk__gt=after).count()
    if last.number:
        verdict.heads[tenant_id] = {"number": last.number, "hash": last.hash}


def _what_is_wrong(tenant_id: str, last: Seal, seal: Seal, rows: list[tuple[Any, ...]]) -> str:
    """Return what a seal gives away; empty where it holds."""
    of_rows = f"(rows after {seal.after_id} up to {seal.to_id}, sealed {seal.time:%Y-%m-%d %H:%M} UTC)"
    if seal.number != last.number + 1:
        return f"the seals {last.number + 1} to {seal.number - 1} before it are missing"
    if seal.before != last.hash or seal.after_id != last.to_id:
        return "it does not follow from the seal before it, which was exchanged"
    if len(rows) < seal.rows:
        return f"{seal.rows - len(rows)} of {seal.rows} rows are missing {of_rows}"
    if len(rows) > seal.rows:
        return f"{len(rows) - seal.rows} rows were added to {seal.rows} {of_rows}"
    if _hash(tenant_id, seal, rows) != seal.hash:
        return f"rows, or the seal itself, were changed {of_rows}"
    return ""


class _Rows:
    """The events of a tenant in the order of their ids, read by pages and handed out seal by seal."""

    def __init__(self, tenant_id: str, after: int, form: int):
        self._stream = self._read(tenant_id, after, form)
        self._next = next(self._stream, None)

    @staticmethod
    def _read(tenant_id: str, after: int, form: int) -> Iterator[tuple[Any, ...]]:
        while page := _page(tenant_id, after, 2**63 - 1, _PAGE, form):
            yield from page
            after = page[-1][0]

    def upto(self, to_id: int) -> list[tuple[Any, ...]]:
        """Return the rows that come next, up to this id."""
        found = []
        while self._next is not None and self._next[0] <= to_id:
            found.append(self._next)
            self._next = next(self._stream, None)
        return found


def _broken_head(tenant_id: str, heads: Heads) -> BrokenSeal | None:
    """Return what is wrong where the seal that was copied is not there any more."""
    head = heads.get(tenant_id)
    if head is None or Seal.objects.filter(number=head["number"], hash=head["hash"]).exists():
        return None
    newest = Seal.objects.order_by("-number").values_list("number", flat=True).first() or 0
    if newest < head["number"]:
        return BrokenSeal(
            tenant_id, head["number"], f"the chain was cut after seal {newest}: this one was copied before"
        )
    return BrokenSeal(
        tenant_id, head["number"], "the chain was written anew: this seal had another hash when it was copied"
    )


def _file() -> Path:
    return Path(settings.DATA_DIR) / "audit" / "heads.json"


def kept_heads() -> Heads:
    """Return the copy of the newest seals in DATA_DIR; empty where there is none yet."""
    try:
        heads: Heads = orjson.loads(_file().read_bytes())
    except FileNotFoundError:
        return {}
    return heads


def keep_heads(heads: Heads) -> None:
    """Write the copy; a reader finds the former or this one, whole."""
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(orjson.dumps(heads, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2))
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)
