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
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Any, Self

import orjson
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from core.audit.models import Event, Seal
from core.identity.models import Tenant
from core.kernel.ids import first_id_of
from core.kernel.tenancy import PLATFORM, current_tenant, tenant_scope
from core.kernel.texts import plural

log = logging.getLogger("xunwei.audit")
AT_ONCE = 1000
"""Rows of a seal, at most."""
BATCHES = 200
"""Seals of one tenant in one run, at most."""
SETTLED = timedelta(seconds=60)
"""Clocks of machines differ, and may be set back, by less."""
SEALS_OF_PART, ROWS_OF_PART = 500, 5000
"""Seals and their rows that a check looks at in one part, at most; a seal is looked at whole."""
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


class Broken(StrEnum):
    """The ways in which a seal may not hold."""

    CHANGED = "changed"
    MISSING = "missing"
    ADDED = "added"
    GAP = "gap"
    """Seals before it are missing."""
    EXCHANGED = "exchanged"
    """The seal before it is another one."""
    CUT = "cut"
    """The newest seals are missing."""
    REWRITTEN = "rewritten"
    """All seals were made anew."""
    GONE = "gone"
    """The tenant itself is missing."""


@dataclass(frozen=True)
class BrokenSeal:
    """A seal that does not hold."""

    number: int
    kind: Broken
    values: Mapping[str, Any] = field(default_factory=dict)
    """The numbers and names of its sentence."""
    after_id: int | None = None
    """Its events are those after this id, up to and with `to_id`; None where the seal itself is missing."""
    to_id: int | None = None
    time: datetime | None = None
    """When it was made."""

    def what(self) -> str:
        """Return what is wrong, in the caller's language."""
        match self.kind:
            case Broken.MISSING:
                return plural("{rows}条记录中缺少{n}条", self.values["n"], rows=self.values["rows"])
            case Broken.ADDED:
                return plural("{rows}条记录之外多出{n}条", self.values["n"], rows=self.values["rows"])
            case Broken.GAP:
                return _("此前的批次{first}至{last}缺失").format(**self.values)
            case Broken.EXCHANGED:
                return _("与前一批次不衔接，前一批次已被替换")
            case Broken.CUT:
                return _("批次{newest}之后被截断，此批次曾存在").format(**self.values)
            case Broken.REWRITTEN:
                return _("所有批次被重新生成：此批次的哈希与其副本不同")
            case Broken.GONE:
                return _("租户{tenant}已不存在，但其批次有副本").format(**self.values)
            case Broken.CHANGED:
                return _("记录或批次本身被修改")

    def words(self) -> tuple[str, str]:
        """Return what is wrong in Chinese and in English."""
        with override("zh-hans"):
            zh = self.what()
        with override("en"):
            return zh, self.what()

    def kept(self) -> dict[str, Any]:
        """Return it as it is stored."""
        return {
            "number": self.number, "kind": str(self.kind), "values": dict(self.values), "afterId": self.after_id,
            "toId": self.to_id, "time": self.time.isoformat() if self.time else None,
        }  # fmt: skip

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Self:
        """Return it as it was stored."""
        time = datetime.fromisoformat(kept["time"]) if kept["time"] else None
        return cls(kept["number"], Broken(kept["kind"]), kept["values"], kept["afterId"], kept["toId"], time)

    def __str__(self) -> str:
        """Return it in a line, for the log and the command."""
        line = f"batch {self.number}: {self.words()[1]}"
        if self.after_id is None or self.time is None:
            return line
        made = f"{self.time.astimezone(UTC):%Y-%m-%d %H:%M}"
        return f"{line} (entries after {self.after_id} up to {self.to_id}, sealed {made} UTC)"


@dataclass(frozen=True)
class Place:
    """How far a check has come."""

    number: int = 0
    """The last seal that was looked at, with its hash and the end of its range."""
    hash: str = ""
    seal_to_id: int = 0
    read_id: int = 0
    """The id up to which all events were read."""


@dataclass
class Part:
    """Holds what was found in some of the seals."""

    place: Place
    from_id: int | None = None
    """The first event that was read."""
    seals: int = 0
    rows: int = 0
    faults: list[BrokenSeal] = field(default_factory=list)


@dataclass
class Verdict:
    """Says what a check of all tenants has found; the faults are by tenant."""

    seals: int = 0
    rows: int = 0
    unsealed: int = 0
    faults: list[tuple[str, BrokenSeal]] = field(default_factory=list)


def tenants() -> list[str]:
    """Return the ids of all tenants, removed ones too: their events stay."""
    return list(Tenant._base_manager.order_by("tenant_id").values_list("tenant_id", flat=True))


def seal_all(settled: timedelta = SETTLED) -> int:
    """Seal what was stored since the last seals, and copy the newest ones; return the number of new seals."""
    before, upto = kept_heads(), first_id_of(_nothing_comes_before() - settled)
    made, heads = 0, dict(before)
    for tenant_id in tenants():
        with tenant_scope(tenant_id):
            fault = _broken_head(before.get(tenant_id))
        if fault is not None:
            log.error("the audit of tenant %s, %s; nothing is sealed until this is cleared up", tenant_id, fault)
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
    """Hold every seal against its rows, and the newest seals against their copy (`heads`, else that in DATA_DIR).

    Nothing is stored; verifying.py does the same in parts and stores what it finds.
    """
    verdict = Verdict()
    for tenant_id in tenants():
        with tenant_scope(tenant_id):
            place, target = Place(), newest_number()
            while (part := look(place, target)) is not None:
                place = part.place
                verdict.seals, verdict.rows = verdict.seals + part.seals, verdict.rows + part.rows
                verdict.faults += [(tenant_id, fault) for fault in part.faults]
            verdict.faults += [(tenant_id, fault) for fault in at_the_end(place, target, heads)]
            verdict.unsealed += Event.objects.filter(pk__gt=place.read_id).count()
    return verdict


def newest_number() -> int:
    """Return the number of the newest seal of the tenant in scope; 0 where it has none."""
    return Seal.objects.order_by("-number").values_list("number", flat=True).first() or 0


def look(place: Place, target: int) -> Part | None:
    """Hold the next seals of the tenant in scope against their rows; None where all up to `target` were looked at.

    What is read at once is bounded, so that a part takes a fraction of a second however long the chain is.
    """
    tenant_id, part = current_tenant(), Part(place)
    chosen = _next_seals(place.number, target)
    for form, seals in groupby(chosen, key=lambda seal: seal.form):
        some = list(seals)
        rows = _Rows(tenant_id, part.place.read_id, max(seal.to_id for seal in some), form)
        for seal in some:
            found, number = rows.upto(seal.to_id, seal.rows)
            if found and part.from_id is None:
                part.from_id = found[0][0]
            part.seals, part.rows = part.seals + 1, part.rows + number
            fault = _what_is_wrong(tenant_id, part.place, seal, found, number)
            if fault is not None:
                part.faults.append(fault)
            part.place = Place(seal.number, seal.hash, seal.to_id, max(part.place.read_id, seal.to_id))
    return part if chosen else None


def _next_seals(after: int, target: int) -> list[Seal]:
    """Return the next seals, at most so many and with so many rows as are looked at in one part."""
    found: list[Seal] = []
    rows = 0
    for seal in Seal.objects.filter(number__gt=after, number__lte=target).order_by("number")[:SEALS_OF_PART]:
        rows += seal.rows
        if found and rows > ROWS_OF_PART:
            break
        found.append(seal)
    return found


def _what_is_wrong(
    tenant_id: str, last: Place, seal: Seal, rows: list[tuple[Any, ...]], number: int
) -> BrokenSeal | None:
    """Return what a seal gives away; None where it holds. `rows` are its own, of which there are `number`."""

    def broken(kind: Broken, **values: Any) -> BrokenSeal:
        return BrokenSeal(seal.number, kind, values, seal.after_id, seal.to_id, seal.time)

    if seal.number != last.number + 1:
        return broken(Broken.GAP, first=last.number + 1, last=seal.number - 1)
    if seal.before != last.hash or seal.after_id != last.seal_to_id:
        return broken(Broken.EXCHANGED)
    if number < seal.rows:
        return broken(Broken.MISSING, n=seal.rows - number, rows=seal.rows)
    if number > seal.rows:
        return broken(Broken.ADDED, n=number - seal.rows, rows=seal.rows)
    if _hash(tenant_id, seal, rows) != seal.hash:
        return broken(Broken.CHANGED)
    return None


class _Rows:
    """The events of a tenant in the order of their ids, read by pages and handed out seal by seal."""

    def __init__(self, tenant_id: str, after: int, upto: int, form: int):
        self._stream = self._read(tenant_id, after, upto, form)
        self._next = next(self._stream, None)

    @staticmethod
    def _read(tenant_id: str, after: int, upto: int, form: int) -> Iterator[tuple[Any, ...]]:
        while page := _page(tenant_id, after, upto, _PAGE, form):
            yield from page
            after = page[-1][0]

    def upto(self, to_id: int, most: int) -> tuple[list[tuple[Any, ...]], int]:
        """Return the rows that come next, up to this id, and their number; no more than `most` are kept in memory."""
        found, number = [], 0
        while self._next is not None and self._next[0] <= to_id:
            number += 1
            if number <= most:
                found.append(self._next)
            self._next = next(self._stream, None)
        return found, number


def at_the_end(place: Place, target: int, heads: Heads | None = None) -> list[BrokenSeal]:
    """Return what is wrong with the end of the chain of the tenant in scope, where a check has come to this place.

    `heads` are the copied seals, by default those in DATA_DIR.
    """
    tenant_id, heads = current_tenant(), kept_heads() if heads is None else heads
    found = []
    if fault := _broken_head(heads.get(tenant_id)):
        found.append(fault)
    elif place.number < target:
        found.append(BrokenSeal(target, Broken.CUT, {"newest": place.number}))
    if tenant_id == PLATFORM:  # a tenant that is not there has nobody else who would look
        gone = sorted(set(heads).difference(tenants()))
        found += [BrokenSeal(heads[one]["number"], Broken.GONE, {"tenant": one}) for one in gone]
    return found


def _broken_head(head: Mapping[str, Any] | None) -> BrokenSeal | None:
    """Return what is wrong where the seal that was copied is not there any more."""
    if head is None or Seal.objects.filter(number=head["number"], hash=head["hash"]).exists():
        return None
    newest = newest_number()
    if newest < head["number"]:
        return BrokenSeal(head["number"], Broken.CUT, {"newest": newest})
    return BrokenSeal(head["number"], Broken.REWRITTEN)


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
