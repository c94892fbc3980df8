"""Which of the tasks that a person has in sight have left the person's inbox, and who has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core import ports
from core.kernel.actor import Actor
from core.statements.compiled import Compiled
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

_COLUMNS = ("pk", "state", "assignee_id", "completed_by", "completed_by_name", "starter_id", "candidate_keys")


def _read(ids: Sequence[int]) -> QuerySet[Any]:
    return WorkItem.objects.filter(pk__in=ids).values_list(*_COLUMNS)


_READ = Compiled(_read)


def rows(actor: Actor, ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return those of the tasks that do not wait for the person any more, as LeftTask rows.

    One statement, and one for the names where another person holds some of them. Whoever had nothing to do with a
    task learns nothing of it: such a task is answered like one that does not exist.
    """
    known = {pk: rest for pk, *rest in _READ.rows(list(ids))}
    keys, me = ports.keys_of(actor), actor.user_id
    gone: dict[int, list[Any] | None] = {}
    for pk in ids:
        if pk not in known:
            gone[pk] = None
            continue
        state, holder, by, _name, starter, candidates = known[pk]
        is_asked = not keys.isdisjoint(candidates)
        if state == ItemState.OPEN and (holder == me or (holder is None and is_asked)):
            continue
        gone[pk] = known[pk] if is_asked or me in (by, starter) else None
    names = ports.people.names({one[1] for one in gone.values() if one and one[0] == ItemState.OPEN and one[1]})
    return [
        {"taskId": str(pk), "message": _sentence(one, names), "isOwn": one is not None and one[2] == me}
        for pk, one in gone.items()
    ]


def _sentence(row: list[Any] | None, names: Mapping[int, str]) -> str:
    if row is None:
        return _("该任务已不在您的待办中")
    state, holder, _by, done_by, *_rest = row
    if state == ItemState.DONE:
        return _("已由{name}处理").format(name=done_by)
    if state == ItemState.DROPPED:
        return _("流程已结束或已进入其他步骤")
    if state == ItemState.WAITING:
        return _("正在等待加签人处理")
    return _("已由{name}领取").format(name=names.get(holder, ""))
