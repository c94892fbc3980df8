"""The digest of a morning: to each person who wants one, what they can do, what runs out and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from core import ports
from core.desk.messages import Digest, store_digests
from core.desk.models import DigestChoice
from core.identity.authentication import actors_of
from core.kernel.tenancy import current_tenant
from core.kernel.texts import both, label
from core.metrics import home
from core.system import periods

_SECTIONS: Mapping[str, str] = {
    home.NOW: label("现在可做", "To do now"),
    home.SOON: label("即将到期", "Due soon"),
    home.WRONG: label("昨天以来的异常", "Went wrong since yesterday"),
}
_TASKS = (label("待我处理的任务", "Tasks for you to do"), label("可领取的任务", "Tasks to claim"))
_TITLE = label("每日摘要", "Daily digest")


def send() -> int:
    """Send the digests of today to the people of the tenant in scope who want one; return how many.

    Each person gets one a day, however often this runs, and none where there is nothing to tell. As many statements for
    a page of people as for one of them.
    """
    day, sent, after = periods.today(), 0, 0
    while True:
        with transaction.atomic():
            chosen = DigestChoice.objects.filter(is_wanted=True, pk__gt=after).order_by("pk")
            page = list(chosen.values_list("pk", "user_id")[: home.MOST_PEOPLE])
            if not page:
                return sent
            after = page[-1][0]
            actors = list(actors_of([user_id for _pk, user_id in page], current_tenant()).values())
            waiting = ports.processes.waiting_of_each(actors)
            told = [
                _digest(actor.user_id, found, waiting[actor.user_id])
                for actor, found in zip(actors, home.sections(actors), strict=True)
                if any(found.values()) or any(waiting[actor.user_id])
            ]
            store_digests(told, day)
        sent += len(told)


def _digest(user_id: int, found: Mapping[str, Any], waiting: tuple[int, int]) -> Digest:
    """Return what a person is told: the tasks of processes, then the groups of each section, with their numbers."""
    tasks = [(name, count) for name, count in zip(_TASKS, waiting, strict=True) if count]
    told = {name: [(home.NAMES[one["name"]], one["count"]) for one in found[name] or ()] for name in _SECTIONS}
    told[home.NOW] = [*tasks, *told[home.NOW]]
    there = [(_SECTIONS[name], counts) for name, counts in told.items() if counts]
    zh = "；".join(f"{both(name)[0]}：{_counted(counts, 0, '、')}" for name, counts in there)
    en = "; ".join(f"{both(name)[1]}: {_counted(counts, 1, ', ')}" for name, counts in there)
    return Digest(user_id, both(_TITLE), (zh, en))


def _counted(counts: Sequence[tuple[str, int]], language: int, between: str) -> str:
    return between.join(f"{both(name)[language]} {count}" for name, count in counts)
