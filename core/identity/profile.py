"""Who somebody is, in the dialect's snake_case: the fields of token answers and of user-info."""

from __future__ import annotations

from typing import Any

from core.identity.models import Tenant, User, UserPost
from core.rest import pictures, rights


def fields(user: User, tenant: Tenant) -> dict[str, Any]:
    """Return the person's fields, inside the tenant's scope."""
    held = rights.of_users([user.pk])[user.pk]
    return {
        "tenant_id": tenant.tenant_id,
        "tenant_name": str(tenant),
        "user_id": str(user.pk),
        "oauth_id": "",
        "account": user.account,
        "user_name": user.account,
        "nick_name": user.real_name,
        "real_name": user.real_name,
        "role_name": ",".join(sorted(held.role_codes)),
        "role_id": ",".join(str(role) for role in sorted(held.role_ids)),
        "dept_id": str(user.dept_id or ""),
        "dept_name": str(user.dept or ""),
        "post_id": post_ids(user),
        "avatar": pictures.link_of(user.avatar) if user.avatar else "",
        "detail": {"type": "web"},
        "must_change_password": int(user.must_change_password),
    }


def post_ids(user: User) -> str:
    """Ids of the person's posts, comma-joined."""
    held = UserPost.objects.filter(user=user, post__is_deleted=False).order_by("post__sort", "post_id")
    return ",".join(str(post) for post in held.values_list("post_id", flat=True))
