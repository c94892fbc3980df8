"""Parameters: which there are, what values they take, and what counts for the tenant in scope."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from django.db.models import CharField, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils.translation import gettext as _

from core.identity import tokens
from core.identity.models import Tenant
from core.kernel.actor import Actor, current_actor
from core.kernel.tenancy import PLATFORM, current_tenant
from core.system.models import Parameter, ParameterDefault


@dataclass(frozen=True)
class Shipped:
    """A parameter that the product reads."""

    name: tuple[str, str]
    default: str
    check: Callable[[str], str]
    """Answers what is wrong with a value, or nothing."""


def _whole(least: int, most: int) -> Callable[[str], str]:
    def check(text: str) -> str:
        if re.fullmatch(r"[0-9]{1,9}", text) and least <= int(text) <= most:
            return ""
        return _("参数键值应为{a}到{b}之间的整数").format(a=least, b=most)

    return check


def _wholes(count: int, most: int) -> Callable[[str], str]:
    def check(text: str) -> str:
        parts = text.split(",")
        if len(parts) == count and all(re.fullmatch(r"[0-9]{1,9}", part) and 1 <= int(part) <= most for part in parts):
            return ""
        return _("参数键值应为{n}个用英文逗号分隔的整数，每个在{a}到{b}之间").format(n=count, a=1, b=most)

    return check


def _flag(text: str) -> str:
    return "" if text in ("0", "1") else _("参数键值应为0（否）或1（是）")


def _one_of(*words: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        return "" if text in words else _("参数键值应为：{words}").format(words="、".join(words))

    return check


def _amount(text: str) -> str:
    try:
        good = bool(re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,2})?", text)) and Decimal(text) <= 100_000
    except InvalidOperation:
        good = False
    return "" if good else _("参数键值应为0到100000之间、最多两位小数的数")


SHIPPED: Mapping[str, Shipped] = {
    "inspect.generate.aheadDays": Shipped(("提前生成任务天数", "Days that tasks are made ahead"), "2", _whole(1, 31)),
    "inspect.rest.coverPercent": Shipped(
        ("停机免检覆盖比例（%）", "Stopped share of a window that exempts (%)"), "50", _whole(1, 100)
    ),
    "inspect.offline.hours": Shipped(
        ("离线补传时限（小时）", "Hours in which late uploads are taken"), "24", _whole(0, 720)
    ),
    "repair.claim.enabled": Shipped(("允许维修工抢单", "Technicians may claim orders"), "1", _flag),
    "repair.dispatch.auto": Shipped(("自动派单", "Dispatch by itself"), "1", _flag),
    "repair.response.minutes": Shipped(
        ("响应时限（分钟，特急,紧急,一般）", "Response limit (minutes: critical, urgent, normal)"),
        "15,60,240",
        _wholes(3, 100_000),
    ),
    "repair.finish.minutes": Shipped(
        ("完工时限（分钟，特急,紧急,一般）", "Finish limit (minutes: critical, urgent, normal)"),
        "240,480,2880",
        _wholes(3, 1_000_000),
    ),
    "repair.autoCheck.hours": Shipped(
        ("自动验收时限（小时，0为不自动验收）", "Hours until a repair passes by itself (0: never)"),
        "72",
        _whole(0, 8760),
    ),
    "repair.repeat.days": Shipped(
        ("重复故障判定天数", "Days in which a fault counts as repeated"), "30", _whole(1, 3650)
    ),
    "repair.anonymous.enabled": Shipped(("允许扫码匿名报修", "Anonymous reports by scan"), "0", _flag),
    "spare.reserve.auto": Shipped(("领用申请自动预留库存", "Reserve stock at the request"), "1", _flag),
    "spare.twoPerson": Shipped(("申请人与发放人不同", "Applicant and issuer differ"), "0", _flag),
    "maintain.leadDays.default": Shipped(("保养默认提前天数", "Default lead days of maintenance"), "3", _whole(0, 365)),
    "report.month.startDay": Shipped(("报表月起始日", "First day of the reporting month"), "26", _whole(1, 28)),
    "report.year.end": Shipped(
        ("报表年末规则（calendar 或 none）", "End of the reporting year (calendar or none)"),
        "calendar",
        _one_of("calendar", "none"),
    ),
    "labour.rate.default": Shipped(("默认工时费率（元/小时）", "Default labor rate (yuan an hour)"), "60", _amount),
    "log.keepDays": Shipped(("日志保留天数", "Days that logs are kept"), "180", _whole(7, 3650)),
}
"""By key, as domain.md has them."""


def install() -> None:
    """Write the platform's values of the shipped parameters; those that it has changed stay."""
    known = set(ParameterDefault.objects.values_list("param_key", flat=True))
    ParameterDefault.objects.bulk_create(
        ParameterDefault(param_key=key, param_value=entry.default) for key, entry in SHIPPED.items() if key not in known
    )


def install_for_tenant() -> None:
    """Write a row for each shipped parameter of the tenant in scope; rows that exist stay as they are."""
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
    _changed()


def restore(row: Parameter) -> bool:
    """Let a shipped parameter go back to the platform's value, or the platform to ours; False when it is there."""
    _changed()
    shipped = SHIPPED[row.param_key].default
    if current_tenant() == PLATFORM:
        mine = ParameterDefault.objects.filter(param_key=row.param_key)
        return bool(mine.exclude(param_value=shipped).update(param_value=shipped))
    if not row.own_value:
        return False
    row.own_value = ""
    row.save(update_fields=["own_value"])
    return True


def _changed() -> None:
    """Everybody for whom the value counts reads it anew with the next request; whoever changes it, from now on."""
    tenant_id = current_tenant()
    _changing.set(current_actor())
    if tenant_id == PLATFORM:
        Tenant.objects.update(rights_version=F("rights_version") + 1)
    else:
        tokens.touch_tenant(tenant_id)


_changing: ContextVar[Actor | None] = ContextVar("changing", default=None)
"""Who changes parameters in this request: what they read may yet be taken back, so it is not kept for others."""


def values() -> Mapping[str, str]:
    """The shipped parameters of the tenant in scope by key; one statement, and none where the actor's are known."""
    actor, tenant_id = current_actor(), current_tenant()
    is_kept = actor is not None and actor.tenant_id == tenant_id and actor is not _changing.get()
    if actor is not None and is_kept and "parameters" in actor.kept:
        return actor.kept["parameters"]  # type: ignore[no-any-return]
    found = {key: entry.default for key, entry in SHIPPED.items()}
    defaults = ParameterDefault.objects.annotate(rank=Value(0)).values_list("rank", "param_key", "param_value")
    own = Parameter.objects.filter(~Q(own_value="")).annotate(rank=Value(1))
    rows = defaults.order_by().union(own.order_by().values_list("rank", "param_key", "own_value"), all=True)
    # The platform's first, so that the company's own stands.
    found.update({key: value for _rank, key, value in sorted(rows) if key in SHIPPED})
    if actor is not None and is_kept:
        actor.kept["parameters"] = found
    return found


@dataclass(frozen=True)
class RepairParameters:
    """What the repair flow reads; minutes and hours."""

    claim_enabled: bool
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
    "repair.claim.enabled", "repair.response.minutes", "repair.finish.minutes", "repair.autoCheck.hours",
    "repair.repeat.days", "labour.rate.default",
)  # fmt: skip


@lru_cache(maxsize=256)
def _repair(claim: str, response: str, finish: str, auto_check: str, repeat: str, rate: str) -> RepairParameters:
    """Read once for the same texts: a list asks for every row."""
    return RepairParameters(
        claim_enabled=claim == "1",
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


def keep_days() -> int:
    """Return how many days the tenant in scope keeps its logs."""
    return int(values()["log.keepDays"])
