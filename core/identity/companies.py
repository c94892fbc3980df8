"""Founding and closing companies: what a new tenant begins with, and what ends with one.

These functions run inside an operation, which writes the audit in the platform's own log.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.identity import passwords, quotas, tokens
from core.identity.models import Department, Post, Tenant, User
from core.kernel import clock, tenants
from core.kernel.errors import Refusal
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.rest import rights

FIRST_ACCOUNT = "admin"
FIRST_ROLE = "tenant_admin"
_COMPANY = 1
"""Category of the department that stands for the company itself."""

# code, Chinese, English, category
POSTS: tuple[tuple[str, str, str, int], ...] = (
    ("ceo", "总经理", "General manager", 1),
    ("manager", "部门经理", "Department manager", 2),
    ("engineer", "设备工程师", "Equipment engineer", 3),
    ("staff", "员工", "Staff", 3),
)


def install_posts() -> None:
    """The posts that a company begins with."""
    Post.objects.bulk_create(
        Post(post_code=code, post_name=zh, post_name_en=en, category=category, sort=place)
        for place, (code, zh, en, category) in enumerate(POSTS)
    )


def _unused_id() -> str:
    """Six digits that no tenant has or had: rows of a removed one still carry its id."""
    while True:
        found = f"{secrets.randbelow(900_000) + 100_000}"
        if not Tenant._base_manager.filter(tenant_id=found).exists():
            return found


def found(values: Mapping[str, Any], stored: str) -> Tenant:
    """Make a company with its roles, posts, department and first administrator, whose one-time password is `stored`."""
    tenant_id = _unused_id()
    tenant = Tenant(tenant_id=tenant_id, **{**values, "tenant_code": values.get("tenant_code") or tenant_id})
    tenant.save()
    with tenant_scope(tenant_id):
        for install in tenants.installers:
            install()
        dept = Department.objects.create(
            dept_name=tenant.tenant_name, dept_name_en=tenant.tenant_name_en, dept_category=_COMPANY
        )
        first = User.objects.create(
            account=FIRST_ACCOUNT,
            real_name=_("管理员"),
            dept=dept,
            password=stored,
            must_change_password=True,
            password_expires_at=clock.now() + passwords.ONE_TIME_FOR,
        )
        Department.objects.filter(pk=dept.pk).update(leader=first)
        rights.assign([first.pk], [rights.role_ids({FIRST_ROLE})[FIRST_ROLE]])
    return tenant


def change(tenant: Tenant, values: Mapping[str, Any]) -> None:
    """Change a company; where it is disabled its sessions end."""
    if tenant.tenant_id == PLATFORM and not values.get("is_enabled", True):
        raise Refusal("tenant.platform", _("平台租户不能停用或删除"))
    tenant.change(values)
    if not tenant.is_open:
        tokens.revoke_tenant(tenant.tenant_id)


def limit(tenants_meant: Collection[Tenant], values: Mapping[str, Any], most: Mapping[str, int]) -> None:
    """Set how many accounts companies may have, when their time is over, and how much they may use by kind."""
    for tenant in tenants_meant:
        if tenant.tenant_id == PLATFORM:
            raise Refusal("tenant.platform", _("平台租户没有额度和期限"))
        change(tenant, values)
        quotas.limit(tenant, most)


def close(tenant: Tenant) -> None:
    """Remove a company: nobody signs in any more, its rows stay as they are."""
    if tenant.tenant_id == PLATFORM:
        raise Refusal("tenant.platform", _("平台租户不能停用或删除"))
    tenant.is_deleted = True
    tenant.save(update_fields=["is_deleted"])
    tokens.revoke_tenant(tenant.tenant_id)
