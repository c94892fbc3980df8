"""What a company may use at most: file space, people, deployed models and running processes.

Whoever is about to use more calls `take` in the transaction that does it. The quota's row is locked until that has
ended, and what is used is counted under the lock, so that two who come at once never both get the last place. The
platform's own tenant has no quotas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Count, QuerySet, Subquery
from django.utils.translation import gettext as _

from core import ports
from core.identity.models import Quota, QuotaKind, Tenant, User
from core.kernel.errors import Refusal
from core.kernel.tenancy import PLATFORM, current_tenant, tenant_scope
from core.kernel.texts import both

MEGABYTE = 1024 * 1024
UNLIMITED = -1
DEFAULTS: Mapping[str, int] = {
    QuotaKind.FILES: 10 * 1024 * MEGABYTE, QuotaKind.MODELS: 200, QuotaKind.INSTANCES: 20_000,
}  # fmt: skip
"""What a company has of each kind until the platform says otherwise; how many people stands in the company itself."""
_FULL, _NEARLY = 100, 80
_AT_ONCE = 1000
"""More than can ever be begun at the same moment, by all web processes and workers together."""

counters: dict[str, Callable[[], QuerySet[Any]]] = {}
"""By kind a statement whose one row has in `n` how much the tenant in scope uses; it has no row where that is nothing.
Each application adds its own when the applications are ready."""


def counting(rows: QuerySet[Any], what: Any = None) -> QuerySet[Any]:
    """Return how many rows a tenant has, or another aggregate of them, as `counters` keep it."""
    found: QuerySet[Any] = rows.order_by().values("tenant_id").annotate(n=what or Count("pk")).values("n")
    return found


def people() -> QuerySet[Any]:
    """Return how many people may sign in."""
    return counting(User.objects.filter(is_enabled=True))


def _used(kind: str) -> int:
    return next((int(row["n"] or 0) for row in counters[kind]()), 0)


class Full(Refusal):
    """A quota does not reach; the company's administrators are told once it is used up."""

    def __init__(self, kind: str, most: int, used: int):
        text = {
            QuotaKind.FILES: _("附件空间已用{used}MB，上限{most}MB，放不下这个文件，请联系平台管理员"),
            QuotaKind.MODELS: _("流程模型数量已达上限{most}个，请联系平台管理员"),
            QuotaKind.INSTANCES: _("运行中的流程已达上限{most}个，请联系平台管理员"),
        }[QuotaKind(kind)]
        unit = MEGABYTE if kind == QuotaKind.FILES else 1
        super().__init__(
            f"quota.{kind}",
            text.format(used=-(-used // unit), most=most // unit),
            {"kind": kind, "most": most, "used": used},
        )
        tenant_id = current_tenant()
        self.afterwards = lambda: _tell_later(tenant_id, kind)


def take(kind: QuotaKind, more: int = 1, seen: Any = None) -> None:
    """Raise Full where the company in scope may not use so much more of a kind.

    `seen` is a row with what `left` adds: where it says that much is left, nobody waits for others who take some too.
    """
    if current_tenant() == PLATFORM or _is_far(kind, more, seen):
        return
    quota = _locked(kind)
    if quota.most < 0:
        return
    used = _used(kind)
    if used + more > quota.most:
        raise Full(kind, quota.most, used)
    _tell(quota, quota.most, used + more)


def left(kind: QuotaKind) -> dict[str, Any]:
    """Return what a statement that is made anyway reads beside its rows, for `take`."""
    quota = Quota.objects.filter(kind=kind)
    return {
        "quota_most": Subquery(quota.values("most")),
        "quota_told": Subquery(quota.values("told")),
        "quota_used": Subquery(counters[kind]()),
    }


def _is_far(kind: QuotaKind, more: int, seen: Any) -> bool:
    if not hasattr(seen, "quota_used"):
        return False
    most, now = DEFAULTS[kind] if seen.quota_most is None else seen.quota_most, (seen.quota_used or 0) + more
    return most < 0 or (not seen.quota_told and now * 5 < most * 4 and now + _AT_ONCE <= most)


def people_now(most: int, now: int) -> None:
    """Tell the administrators where so many people are nearly as many as there may be."""
    _tell(_locked(QuotaKind.PEOPLE), most, now)


def usage(tenant: Tenant) -> list[dict[str, Any]]:
    """Return of each kind how much a company uses, and how much it may; -1 for any amount."""
    with tenant_scope(tenant.tenant_id):
        set_ones = dict(Quota.objects.values_list("kind", "most"))
        most = {**DEFAULTS, **set_ones, QuotaKind.PEOPLE: tenant.account_number}
        if tenant.tenant_id == PLATFORM:
            most = dict.fromkeys(most, UNLIMITED)
        return [
            {"kind": kind.value, "kindName": str(kind.label), "most": most[kind], "used": _used(kind)}
            for kind in QuotaKind
        ]


def limit(tenant: Tenant, values: Mapping[str, int]) -> None:
    """Set quotas of a company, by kind."""
    with tenant_scope(tenant.tenant_id):
        for kind, most in values.items():
            quota = _locked(QuotaKind(kind))
            quota.most = most
            quota.save(update_fields=["most"])


def _locked(kind: QuotaKind) -> Quota:
    rows = Quota.objects.select_for_update(no_key=True).filter(kind=kind)
    found: Quota | None = rows.first()
    if found is None:
        # Another one may make it at the same moment: then it is that one's row.
        Quota.objects.bulk_create([Quota(kind=kind, most=DEFAULTS.get(kind, UNLIMITED))], ignore_conflicts=True)
        found = rows.get()
    return found


def _tell(quota: Quota, most: int, now: int) -> None:
    """Send a message when four fifths are used, and when all is; told again only after it has been less."""
    level = _FULL if now >= most else _NEARLY if now * 5 >= most * 4 else 0
    if level == quota.told:
        return
    rises, quota.told = level > quota.told, level
    quota.save(update_fields=["told"])
    if not rises:
        return
    zh, en = both(QuotaKind(quota.kind).label)
    if level == _FULL:
        title, text = (f"{zh}额度已用完", f"{en}: used up"), ("需要更多时请联系平台管理员", "Ask the platform for more")
    else:
        title = (f"{zh}额度已用80%", f"{en}: 80% used")
        text = ("用完后将不能继续使用，请清理或联系平台管理员", "Nothing more will be taken when it is used up")
    people = ports.messages.recipients(["role:tenant_admin"])
    ports.messages.send(people, title, text, "quota", quota.pk)


def _tell_later(tenant_id: str, kind: str) -> None:
    with tenant_scope(tenant_id), transaction.atomic():
        quota = _locked(QuotaKind(kind))
        _tell(quota, quota.most, quota.most)
