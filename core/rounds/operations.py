"""What people do with task rules and the tasks of a shift plan: save rules, preview, and make tasks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Invalid
from core.kernel.texts import label
from core.rest.serializers import DayField, IdField, IdListField, SpeakingSerializer
from core.rounds import generation, runs
from core.rounds.models import TaskRule
from core.rounds.serializers import REASONS
from core.shifts.models import Plan, PlanStatus
from core.shifts.queries import business_date_of

APPEND, REBUILD = 1, 2
MOST_RULES = 500


class GenerateTasksInput(SpeakingSerializer):
    """Of which days tasks are made, and whether those that nobody has begun are made anew."""

    startDate = DayField(label=label("开始日期", "Start date"))
    endDate = DayField(label=label("结束日期", "End date"))
    mode = serializers.ChoiceField(
        label=label("方式", "Mode"),
        choices=((APPEND, label("追加", "Add")), (REBUILD, label("重建", "Rebuild"))),
        required=False,
        default=APPEND,
    )


class SaveMakeTaskInput(SpeakingSerializer):
    """Rules to store and to remove, and of which days their tasks are made."""

    id = IdField(refers_to=Plan, label=label("排班方案", "Shift plan"))
    rules = serializers.ListField(
        child=serializers.DictField(), required=False, default=list, max_length=MOST_RULES,
        label=label("任务规则", "Task rules"),
    )  # fmt: skip
    removedRuleIds = IdListField(
        required=False, default=list, max_ids=MOST_RULES, label=label("删除的规则", "Rules to remove")
    )
    ruleIds = IdListField(required=False, default=list, max_ids=MOST_RULES, label=label("任务规则", "Task rules"))
    generate = GenerateTasksInput(required=False, allow_null=True, default=None, label=label("生成任务", "Make tasks"))


def check_span(plan: Plan, first: date, last: date) -> None:
    """Raise Invalid for days of which no tasks can be made, Conflict for a plan that does not count."""
    if plan.status != PlanStatus.ENABLED:
        raise Conflict("configinfo.notEnabled", _("排班方案未启用，不能生成任务"))
    if last < first:
        raise Invalid({"endDate": _("结束日期不能早于开始日期")})
    if first < business_date_of(plan, clock.now()):
        raise Invalid({"startDate": _("不能生成过去日期的任务")})
    if (last - first).days >= generation.MOST_DAYS:
        raise Invalid({"endDate": _("一次最多生成62天的任务")})


def make(actor: Actor, plan: Plan, rule_ids: Sequence[int], asked: dict[str, Any]) -> dict[str, Any]:
    """Make the tasks of a span of days: at once where they are few, else in the background.

    Returns what `Generation` says of it.
    """
    first, last = asked["startDate"], asked["endDate"]
    check_span(plan, first, last)
    rules = generation.rules_of(plan, rule_ids or None)
    voided = generation.rebuild(plan, rules, first, last) if asked["mode"] == REBUILD else 0
    found = generation.planned(plan, rules, first, last)
    made, run_id = generation.Made(), None
    if sum(one.is_made for one in found) > runs.MOST_AT_ONCE:
        run_id = str(runs.begin(plan, rules, first, last, actor.user_id).pk)
        for one in found:
            if not one.is_made:
                made.count(one)
    else:
        made = generation.store(plan, found)
    return {
        "created": made.created,
        "skipped": made.skipped,
        "suppressed": made.suppressed,
        "voided": voided,
        "noTeam": made.no_team,
        "past": made.past,
        "errors": [{"ruleId": str(pk), "msg": str(REASONS[reason])} for pk, reason in sorted(made.left_out.items())],
        "runId": run_id,
    }


NOTHING: dict[str, Any] = {
    "created": 0, "skipped": 0, "suppressed": 0, "voided": 0, "noTeam": 0, "past": 0, "errors": [], "runId": None,
}  # fmt: skip


def remove_rules(plan: Plan, ids: Sequence[int]) -> int:
    """Remove rules of a plan; the tasks that they have made stay."""
    rows = list(TaskRule.objects.filter(pk__in=ids, config=plan).order_by("pk"))
    if len(rows) != len(ids):
        raise Invalid({"removedRuleIds": _("数据不存在或已被删除")})
    for row in rows:
        row.remove()
    return len(rows)
