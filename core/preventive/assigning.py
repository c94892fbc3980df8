"""A maintenance order is given to other people or another team, whoever was asked before, and both are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.access.people import everybody_with_code
from core.cases.effects import tell
from core.identity.models import Team, User
from core.inspection.upkeep import MaintenanceLevel
from core.kernel import clock
from core.kernel.actor import Actor, current_actor
from core.kernel.errors import Invalid
from core.kernel.texts import label
from core.ports import EffectInput
from core.preventive import people, rules
from core.preventive.models import MaintainOrder, Status


def check_there(values: Mapping[str, Any]) -> None:
    """Raise Invalid for people or a team that are not there."""
    ids = values.get("user_ids") or []
    if ids and User.objects.filter(pk__in=ids, is_enabled=True).count() != len(set(ids)):
        raise Invalid({"userIds": _("数据不存在或已被删除")})
    if values.get("team_id") and not Team.objects.filter(pk=values["team_id"]).exists():
        raise Invalid({"teamId": _("数据不存在或已被删除")})


def check(actor: Actor, order: MaintainOrder, values: dict[str, Any]) -> None:
    """Raise Invalid for whoever cannot do the work, or has it already; work that has begun goes to one person."""
    ids, team = values.setdefault("user_ids", []), values.setdefault("team_id", None)
    if order.status == Status.DOING and (len(ids) != 1 or team):
        raise Invalid({"userIds": _("执行中的保养单只能改派给一名执行人")})
    if not ids and not team:
        raise Invalid({"userIds": _("请选择执行人或班组")})
    check_there(values)
    able = set(everybody_with_code(rules.DOES))
    if order.level == MaintenanceLevel.DAILY:
        able |= set(everybody_with_code(rules.DOES_DAILY))
    if not able.issuperset(ids):
        raise Invalid({"userIds": _("此人没有执行保养的权限")})
    now = ([order.executor_id], None) if order.status == Status.DOING else (order.user_ids, order.team_id)
    if (sorted(ids), team) == (sorted(int(pk) for pk in now[0] if pk), now[1]):
        raise Invalid({"userIds": _("该任务已由此人办理")})


def assign(order: MaintainOrder, values: dict[str, Any]) -> None:
    """Let these do the order; its open step is theirs, and those who had it before are told so too."""
    actor = current_actor()
    assert actor is not None
    before = set(people.DOERS.find(order))
    with ports.processes.asked_again(order):
        if order.status == Status.DOING:
            (order.executor_id,) = values["user_ids"]
        else:
            order.user_ids, order.team_id = values["user_ids"], values["team_id"]
    after = set(people.DOERS.find(order))
    said = EffectInput(actor, "assign", values, clock.now())
    tell(order, sorted(after - before, key=str), label("改派给您的保养单", "Maintenance order reassigned to you"), said)
    tell(
        order, sorted(before - after, key=str),
        label("保养单已改派他人", "Maintenance order reassigned to somebody else"), said,
    )  # fmt: skip
