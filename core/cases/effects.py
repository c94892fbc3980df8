"""What the process does to a record. Only this module and the functions that effects name change a record's status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from core import ports
from core.cases.case import Case, Effect
from core.cases.process import title_of
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Text
from core.kernel.texts import both
from core.ports import EffectInput


def apply(case: Case, effect: Effect, record: Any, said: EffectInput) -> None:
    """Carry the effect out on the record, which is locked; the caller stores it."""
    if effect.becomes is not None:
        become(record, effect.becomes)
    if effect.run is not None:
        effect.run(record, said)
    if effect.now:
        setattr(record, effect.now, said.now)
    for message in effect.tells:
        tell(record, message.people.find(record), message.title or title_of(case, effect), said)


def become(record: Any, status: int) -> None:
    """Give the record the status; the audit entry remembers the one that it had before."""
    entry = current_entry()
    entry.from_status = record.status if entry.from_status is None else entry.from_status
    entry.to_status = status
    record.status = status


def tell(record: Any, users: Iterable[int | None], title: Text, said: EffectInput) -> None:
    """Send a message about the record to these people, but not to the one who acts."""
    zh, en = both(title)
    ports.messages.send(
        [user for user in users if user != said.actor.user_id],
        (f"{zh}：{record.called}", f"{en}: {record.called}"),
        both(record.about),
        record._meta.model_name,
        record.pk,
    )


def write(record: Any, said: EffectInput) -> None:
    """Write the input of the command into the record's columns: the `run` of an effect whose command edits it."""
    put(record, said.data)


def put(record: Any, values: Mapping[str, Any]) -> None:
    """Write values into the record's columns: the `run` of a command that edits the record beside its process."""
    for name, value in values.items():
        setattr(record, name, value)
