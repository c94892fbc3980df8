"""Parameters: which there are, what values they take, and what counts for the tenant in scope."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Any

from django.db.models import CharField, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils.translation import gettext as _

from core.identity import tokens
from core.identity.models import Tenant
from core.kernel.actor import Actor, current_actor
from core.kernel.tenancy import PLATFORM, current_tenant
from core.kernel.texts import choose
from core.system.models import CalendarVersion, Parameter, ParameterDefault
from core.system.working_time import read_hours, read_weekdays


class ValueKind(StrEnum):
    """What values a parameter takes, and by which control people set it."""

    TEXT = "text"
    SWITCH = "switch"
    WHOLE = "whole"
    """A whole number."""
    AMOUNT = "amount"
    """A number with two decimals."""
    BY_PRIORITY = "byPriority"
    """Three whole numbers, joined by commas: for critical, urgent and normal orders."""
    CHOICE = "choice"
    HOURS = "hours"
    """Spans of a day, such as 08:00-12:00,13:00-17:00."""
    WEEKDAYS = "weekdays"
    """Numbers of weekdays, joined by commas; 1 is Monday."""


_PRIORITIES = 3
_LEAST_MINUTES = 60
"""Of working time in a day."""


@dataclass(frozen=True)
class Shipped:
    """A parameter that the product reads."""

    name: tuple[str, str]
    default: str
    kind: ValueKind
    does: tuple[str, str]
    """A sentence that says what it changes."""
    least: int = 0
    most: int = 0
    """Bounds of numbers."""
    unit: tuple[str, str] = ("", "")
    choices: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def check(self, text: str) -> str:
        """Return what is wrong with a value; empty if it fits."""
        match self.kind:
            case ValueKind.SWITCH:
                return "" if text in ("0", "1") else _("参数键值应为0（否）或1（是）")
            case ValueKind.WHOLE:
                if _is_whole(text, self.least, self.most):
                    return ""
                return _("参数键值应为{a}到{b}之间的整数").format(a=self.least, b=self.most)
            case ValueKind.AMOUNT:
                if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,2})?", text) and self.least <= Decimal(text) <= self.most:
                    return ""
                return _("参数键值应为{a}到{b}之间、最多两位小数的数").format(a=self.least, b=self.most)
            case ValueKind.BY_PRIORITY:
                parts = text.split(",")
                if len(parts) == _PRIORITIES and all(_is_whole(part, self.least, self.most) for part in parts):
                    return ""
                return _("参数键值应为{n}个用英文逗号分隔的整数，每个在{a}到{b}之间").format(
                    n=_PRIORITIES, a=self.least, b=self.most
                )
            case ValueKind.CHOICE:
                words = _("，").join(self.choices)
                return "" if text in self.choices else _("参数键值应为：{words}").format(words=words)
            case ValueKind.HOURS:
                if sum(end - begin for begin, end in read_hours(text) or ()) >= _LEAST_MINUTES:
                    return ""
                return _("参数键值应为先后排列、互不重叠的时段，共至少1小时，如 08:00-12:00,13:00-17:00")
            case ValueKind.WEEKDAYS:
                return "" if read_weekdays(text) else _("参数键值应为1（周一）到7（周日）的数字，用英文逗号分隔")
        return ""

    def words(self, text: str) -> str:
        """Return a value as people read it, in the caller's language."""
        if self.kind == ValueKind.SWITCH:
            return str(_("启用") if text == "1" else _("停用"))
        if self.kind == ValueKind.CHOICE and text in self.choices:
            return choose(*self.choices[text])
        if self.kind == ValueKind.WEEKDAYS:
            return _("，").join(choose(*self.choices[key]) for key in text.split(",") if key in self.choices)
        if self.kind == ValueKind.HOURS:
            return _("，").join(text.replace("-", "–").split(","))
        unit = choose(*self.unit)
        return f"{text.replace(',', ' / ')} {unit}" if unit else text


def _is_whole(text: str, least: int, most: int) -> bool:
    return bool(re.fullmatch(r"[0-9]{1,9}", text)) and least <= int(text) <= most


_MINUTES, _HOURS, _DAYS = ("分钟", "min"), ("小时", "h"), ("天", "days")

SHIPPED: Mapping[str, Shipped] = {
    "repair.claim.enabled": Shipped(
        ("允许维修工抢单", "Technicians may claim work orders"), "1", ValueKind.SWITCH,
        ("启用后，维修人员可以对待派单的维修工单抢单；停用后只能等待派单。",
         "If on, technicians may claim work orders that are pending dispatch; if off, orders have to be dispatched."),
    ),
    "repair.anonymous.enabled": Shipped(
        ("允许扫码匿名报修", "Reports without an account"), "0", ValueKind.SWITCH,
        ("启用后，未登录的人扫描设备标牌即可报修，须留姓名和电话；每块标牌每小时最多5次。停用后，扫码须先登录。",
         "If on, whoever scans an asset's plate may report a fault without signing in, with name and phone; at most 5 "
         "per plate and hour. If off, people sign in first."),
    ),
    "repair.dispatch.auto": Shipped(
        ("自动派单", "Automatic dispatch"), "1", ValueKind.SWITCH,
        ("启用后，报修时自动派给设备维修班组中当前在班、未完成工单最少的人员；无人在班时由派单人派单。",
         "If on, a new order goes to the person of the asset's team who is on duty with the fewest open orders."),
    ),
    "repair.response.minutes": Shipped(
        ("响应时限", "Response time limit"), "15,60,240", ValueKind.BY_PRIORITY,
        ("从报修到维修人员接单允许的分钟数，依次为特急、紧急、一般；超过即提醒维修班组长，再超过一倍提醒设备主管。",
         "Minutes until a technician accepts, for critical, urgent and normal orders; then the leader is told."),
        least=1, most=100_000, unit=_MINUTES,
    ),
    "repair.finish.minutes": Shipped(
        ("完工时限", "Completion time limit"), "240,480,2880", ValueKind.BY_PRIORITY,
        ("从报修到完工允许的分钟数，依次为特急、紧急、一般；超过的维修工单标为超时。",
         "Minutes until the repair is finished, for critical, urgent and normal orders; then it is overdue."),
        least=1, most=1_000_000, unit=_MINUTES,
    ),
    "repair.autoCheck.hours": Shipped(
        ("自动验收时限", "Auto-verify after"), "72", ValueKind.WHOLE,
        ("完工后经过多少小时无人验收即自动通过；0表示不自动验收。",
         "Hours after completion until an unverified work order passes automatically; 0 turns this off."),
        most=8760, unit=_HOURS,
    ),
    "repair.repeat.days": Shipped(
        ("重复故障判定天数", "Repeat failure window"), "30", ValueKind.WHOLE,
        ("同一设备同一现象在多少天内再次报修，算作重复故障。",
         "Days in which the same symptom on the same asset counts as a repeat failure."),
        least=1, most=3650, unit=_DAYS,
    ),
    "inspect.rest.coverPercent": Shipped(
        ("停机免检比例", "Stopped share that exempts"), "50", ValueKind.WHOLE,
        ("设备停机达到点检时段的百分之几时，该点位免检。",
         "Share of an inspection window for which an asset must be stopped so that its points are exempt."),
        least=1, most=100, unit=("%", "%"),
    ),
    "inspect.generate.aheadDays": Shipped(
        ("提前生成点检任务天数", "Inspection tasks made ahead"), "2", ValueKind.WHOLE,
        ("系统按任务规则自动生成今天及之后多少天的点检任务；0表示只生成当天的。",
         "Days after today for which inspection tasks are made by their rules; 0 for today only."),
        most=31, unit=_DAYS,
    ),
    "inspect.offline.hours": Shipped(
        ("离线补传期限", "Late upload of inspections"), "24", ValueKind.WHOLE,
        ("允许离线补传的路线，截止时间后多少小时内还能补传在任务时间内完成的点位；离线填写的报修在多少小时内按填写时间计。",
         "Hours after the due time in which points checked in time may be uploaded, on routes that allow it; and hours"
         " within which a report written offline counts from when it was written."),
        most=168, unit=_HOURS,
    ),
    "spare.reserve.auto": Shipped(
        ("申请时自动预留备件", "Reserve spare parts at once"), "1", ValueKind.SWITCH,
        ("启用后，提交备件领用单时立即预留可用库存；停用后由库管预留或直接出库。",
         "If on, what is available is reserved when parts are requested; if off, the storekeeper reserves or issues."),
    ),
    "spare.twoPerson": Shipped(
        ("领用与发料须为两人", "Two people for issues of parts"), "0", ValueKind.SWITCH,
        ("启用后，领用人不能给自己出库或退回备件。",
         "If on, whoever requested parts neither issues them nor takes them back."),
    ),
    "maintain.leadDays.default": Shipped(
        ("保养单默认提前天数", "Maintenance orders made ahead"), "3", ValueKind.WHOLE,
        ("新建保养标准时默认提前多少天生成保养单；已有标准不变。",
         "Days before the due date on which orders are made, for new maintenance standards; others keep theirs."),
        most=90, unit=_DAYS,
    ),
    "report.month.startDay": Shipped(
        ("报表月起始日", "First day of the reporting month"), "26", ValueKind.WHOLE,
        ("报表月从每月几日开始；1表示按自然月统计。",
         "Day on which a reporting month begins; 1 for calendar months."),
        least=1, most=28,
    ),
    "report.year.end": Shipped(
        ("报表年末规则", "End of the reporting year"), "calendar", ValueKind.CHOICE,
        ("十二月的报表月是否延长到12月31日；起始日为1时不起作用。",
         "Whether the month of December lasts until the 31st; without effect where months begin on the 1st."),
        choices={"calendar": ("延长到12月31日", "Until 31 December"), "none": ("与其他月份相同", "Like other months")},
    ),
    "report.month.graceDays": Shipped(
        ("报表月冻结宽限天数", "Grace before a reporting month is frozen"), "8", ValueKind.WHOLE,
        ("报表月结束多少天后冻结当月的设备绩效；冻结后不再变动。",
         "So many days after its end the KPIs of a reporting month are frozen and do not move any more."),
        most=60, unit=_DAYS,
    ),
    "labour.rate.default": Shipped(
        ("默认工时费率", "Default labor rate"), "60", ValueKind.AMOUNT,
        ("人员没有自己的工时单价时，按此费率计算人工费用。",
         "Labor costs are computed with this rate for people who have no hourly rate of their own."),
        most=100_000, unit=("元/小时", "yuan/h"),
    ),
    "log.keepDays": Shipped(
        ("日志保留天数", "Log retention"), "180", ValueKind.WHOLE,
        ("接口日志和错误日志保留多少天，之后自动删除；通用日志不删除。",
         "Days after which the API log and the error log are deleted; the audit log is kept."),
        least=7, most=3650, unit=_DAYS,
    ),
    "work.hours": Shipped(
        ("工作时间", "Working hours"), "08:00-12:00,13:00-17:00", ValueKind.HOURS,
        ("工作日的工作时段；按工作时间计算的时限只在这些时段内计时。修改后，等待中的定时器会重新计算时限。",
         "Hours in which people work; due times in working time count only these. A change updates waiting timers."),
    ),
    "work.weekdays": Shipped(
        ("每周工作日", "Working days of the week"), "1,2,3,4,5", ValueKind.WEEKDAYS,
        ("一周中上班的日子；节假日和调休上班在“节假日”中维护。修改后，等待中的定时器会重新计算时限。",
         "Days of the week on which people work; see Holidays for exceptions. A change updates waiting timers."),
        choices={
            "1": ("周一", "Mon"), "2": ("周二", "Tue"), "3": ("周三", "Wed"), "4": ("周四", "Thu"),
            "5": ("周五", "Fri"), "6": ("周六", "Sat"), "7": ("周日", "Sun"),
        },
    ),
}  # fmt: skip
"""By key, as domain.md has them; those that it names for work to come are shipped with that work."""
_EARLIER_NAMES = (
    "响应时限（分钟，特急,紧急,一般）", "完工时限（分钟，特急,紧急,一般）", "自动验收时限（小时，0为不自动验收）",
    "报表年末规则（calendar 或 none）", "默认工时费率（元/小时）",
)  # fmt: skip
"""Names that said what the sentence beside the value says now; rows that still have one are renamed."""

_TAKEN_BACK: tuple[str, ...] = ()
"""Shipped by earlier versions, and read by nothing."""


def install() -> None:
    """Write the platform's values of the shipped parameters; those that it has changed stay."""
    ParameterDefault.objects.filter(param_key__in=_TAKEN_BACK).delete()
    known = set(ParameterDefault.objects.values_list("param_key", flat=True))
    ParameterDefault.objects.bulk_create(
        ParameterDefault(param_key=key, param_value=entry.default) for key, entry in SHIPPED.items() if key not in known
    )


def install_for_tenant() -> None:
    """Write a row for each shipped parameter of the tenant in scope; rows that exist stay as they are.

    Of those taken back only rows with a value go on, as parameters of the tenant's own.
    """
    Parameter.with_removed.filter(param_key__in=_TAKEN_BACK, own_value="").delete()
    for key, entry in SHIPPED.items():
        Parameter.objects.filter(param_key=key, param_name__in=_EARLIER_NAMES).update(
            param_name=entry.name[0], param_name_en=entry.name[1]
        )
    known = set(Parameter.objects.values_list("param_key", flat=True))
    Parameter.objects.bulk_create(
        Parameter(param_key=key, param_name=entry.name[0], param_name_en=entry.name[1])
        for key, entry in SHIPPED.items()
        if key not in known
    )


def with_values(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Parameters with `default_value`, the platform's, and `param_value`, the one that counts."""
    default = ParameterDefault.objects.filter(param_key=OuterRef("param_key")).values("param_value")[:1]
    text = CharField()
    found: QuerySet[Any] = rows.annotate(
        default_value=Coalesce(Subquery(default), Value(""), output_field=text),
        param_value=Coalesce(NullIf("own_value", Value("")), Subquery(default), Value(""), output_field=text),
    )
    return found


def check(key: str, value: str) -> str:
    """Return what is wrong with a value for the key; nothing is where the product does not read the key."""
    entry = SHIPPED.get(key)
    return entry.check(value) if entry else ""


def store(row: Parameter, value: str) -> None:
    """Set the value: for a company its own, for the platform the one of everybody who has none."""
    if row.param_key in SHIPPED and current_tenant() == PLATFORM:
        ParameterDefault.objects.update_or_create(param_key=row.param_key, defaults={"param_value": value})
        Parameter.count_write([row.pk])
    else:
        row.change({"own_value": value})
    _changed(row.param_key)


def restore(row: Parameter) -> bool:
    """Let a shipped parameter go back to the platform's value, or the platform to ours; False when it is there."""
    _changed(row.param_key)
    shipped = SHIPPED[row.param_key].default
    if current_tenant() == PLATFORM:
        mine = ParameterDefault.objects.filter(param_key=row.param_key)
        return bool(mine.exclude(param_value=shipped).update(param_value=shipped))
    if not row.own_value:
        return False
    row.own_value = ""
    row.save(update_fields=["own_value"])
    return True


WORKING_HOURS, WORKING_WEEKDAYS = "work.hours", "work.weekdays"


def _changed(key: str) -> None:
    """Everybody for whom the value counts reads it anew with the next request; whoever changes it, from now on."""
    tenant_id = current_tenant()
    _changing.set(current_actor())
    if tenant_id == PLATFORM:
        Tenant.objects.update(rights_version=F("rights_version") + 1)
    else:
        tokens.touch_tenant(tenant_id)
    if key in (WORKING_HOURS, WORKING_WEEKDAYS):
        CalendarVersion.change_all() if tenant_id == PLATFORM else CalendarVersion.change()


_changing: ContextVar[Actor | None] = ContextVar("changing", default=None)
"""Who changes parameters in this request: what they read may yet be taken back, so it is not kept for others."""


def values() -> Mapping[str, str]:
    """The shipped parameters of the tenant in scope by key; one statement, and none where the actor's are known."""
    actor, tenant_id = current_actor(), current_tenant()
    is_kept = actor is not None and actor.tenant_id == tenant_id and actor is not _changing.get()
    if actor is not None and is_kept and "parameters" in actor.kept:
        return actor.kept["parameters"]  # type: ignore[no-any-return]
    found = stored()
    if actor is not None and is_kept:
        actor.kept["parameters"] = found
    return found


def stored() -> dict[str, str]:
    """Return the shipped parameters of the tenant in scope as they are stored at this moment; one statement."""
    found = {key: entry.default for key, entry in SHIPPED.items()}
    defaults = ParameterDefault.objects.annotate(rank=Value(0)).values_list("rank", "param_key", "param_value")
    own = Parameter.objects.filter(~Q(own_value="")).annotate(rank=Value(1))
    rows = defaults.order_by().union(own.order_by().values_list("rank", "param_key", "own_value"), all=True)
    # The platform's first, so that the company's own stands.
    found.update({key: value for _rank, key, value in sorted(rows) if key in SHIPPED})
    return found


@dataclass(frozen=True)
class RepairParameters:
    """What the repair flow reads; minutes and hours."""

    claim_enabled: bool
    anonymous_enabled: bool
    """Whether a scan of a plate is enough to report a fault."""
    dispatch_auto: bool
    """Whether a new order goes to somebody on duty at once."""
    response_minutes: tuple[int, int, int]
    """By urgency 1, 2, 3."""
    finish_minutes: tuple[int, int, int]
    auto_check_hours: int
    """0: never."""
    repeat_days: int
    labour_rate: Decimal
    """元/小时, for whom the post names none."""


def _three(text: str) -> tuple[int, int, int]:
    first, second, third = (int(part) for part in text.split(","))
    return first, second, third


_REPAIR = (
    "repair.claim.enabled", "repair.anonymous.enabled", "repair.dispatch.auto", "repair.response.minutes",
    "repair.finish.minutes",
    "repair.autoCheck.hours", "repair.repeat.days", "labour.rate.default",
)  # fmt: skip


@lru_cache(maxsize=256)
def _repair(
    claim: str, anonymous: str, dispatch: str, response: str, finish: str, auto_check: str, repeat: str, rate: str
) -> RepairParameters:
    """Read once for the same texts: a list asks for every row."""
    return RepairParameters(
        claim_enabled=claim == "1",
        anonymous_enabled=anonymous == "1",
        dispatch_auto=dispatch == "1",
        response_minutes=_three(response),
        finish_minutes=_three(finish),
        auto_check_hours=int(auto_check),
        repeat_days=int(repeat),
        labour_rate=Decimal(rate),
    )


def repair() -> RepairParameters:
    """Return the repair parameters of the tenant in scope."""
    given = values()
    return _repair(*(given[key] for key in _REPAIR))


@dataclass(frozen=True)
class InspectionParameters:
    """What inspection tasks read."""

    ahead_days: int
    offline_hours: int


def inspection() -> InspectionParameters:
    """Return the inspection parameters of the tenant in scope."""
    given = values()
    return InspectionParameters(int(given["inspect.generate.aheadDays"]), int(given["inspect.offline.hours"]))


def keep_days() -> int:
    """Return how many days the tenant in scope keeps its logs."""
    return int(values()["log.keepDays"])


def cover_percent() -> int:
    """Return for which share of its window, in per cent, a machine must stand so that it is not inspected."""
    return int(values()["inspect.rest.coverPercent"])


def grace_days() -> int:
    """Return how many days after its end a reporting month is frozen."""
    return int(values()["report.month.graceDays"])


def lead_days() -> int:
    """Return how many days ahead orders of a new maintenance standard are made where it does not say it."""
    return int(values()["maintain.leadDays.default"])


@dataclass(frozen=True)
class SpareParameters:
    """What requests for spare parts read."""

    reserve_auto: bool
    """Whether what is available is reserved at once."""
    two_person: bool
    """Whether nobody issues parts to themselves."""


def spares() -> SpareParameters:
    """Return the parameters of spare parts of the tenant in scope."""
    given = values()
    return SpareParameters(given["spare.reserve.auto"] == "1", given["spare.twoPerson"] == "1")
