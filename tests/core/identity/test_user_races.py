"""Many at once: no more accounts than the limit, and never no administrator."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.access.models import Role, UserRole
from core.identity.models import Tenant, User
from core.kernel.tenancy import tenant_scope
from tests.at_once import at_once
from tests.cast import A, Body, Cast


@pytest.mark.django_db(transaction=True)
def test_of_eight_new_accounts_at_once_two_fit(cast: Cast) -> None:
    admin, dept = cast.client_for("tenant_admin"), str(cast.user("operator").dept_id)
    with tenant_scope(A):
        enabled = User.objects.filter(is_enabled=True).count()
    Tenant.objects.filter(tenant_id=A).update(account_number=enabled + 2)

    def add(number: int) -> Callable[[], Body]:
        body = {"account": f"n{number}", "realName": "新", "deptId": dept}
        return lambda: admin.post_json("blade-user/submit", body)

    answers = at_once([add(number) for number in range(8)])
    assert sorted(answer.status for answer in answers) == [200, 200, *[400] * 6]
    assert {answer["error"] for answer in answers if answer.status == 400} == {"user.limit"}
    with tenant_scope(A):
        assert User.objects.filter(is_enabled=True).count() == enabled + 2


@pytest.mark.django_db(transaction=True)
def test_two_administrators_cannot_remove_each_otherat_once(cast: Cast) -> None:
    with tenant_scope(A):
        role = Role.objects.get(role_alias="tenant_admin")
        UserRole.objects.create(user=cast.user("viewer"), role=role)
    pairs = [("tenant_admin", "viewer"), ("viewer", "tenant_admin")]
    callers = [(cast.client_for(one), str(cast.user(other).pk)) for one, other in pairs]

    def remove(index: int) -> Callable[[], Body]:
        caller, other = callers[index]
        return lambda: caller.post_json("blade-user/remove", ids=other)

    answers = at_once([remove(0), remove(1)])
    # Who was removed first is either refused as the last one's remover, or no longer signed in.
    assert [answer.status for answer in answers].count(200) == 1
    assert {answer.status for answer in answers} <= {200, 401, 409}
    with tenant_scope(A):
        assert UserRole.objects.filter(role__role_alias="tenant_admin", user__is_deleted=False).count() == 1
