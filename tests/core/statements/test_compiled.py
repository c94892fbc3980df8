"""Compiled statements: the rows of the ordinary queryset, in whichever tenant asks, with the values of whoever asks."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from core.equipment.models import Machine
from core.identity.models import Department, User
from core.kernel import clock
from core.kernel.tenancy import NoTenant, tenant_scope
from core.statements.compiled import Compiled
from tests.cast import A, B, Cast

built: list[Any] = []


def _by_codes(node_type: int, codes: list[str]) -> QuerySet[Any]:
    built.append((node_type, codes))
    return (
        Machine.objects.select_related("dept").filter(machine_code__in=codes, node_type__gte=node_type).order_by("-id")
    )


def _facts(rows: Any) -> list[Any]:
    return [(row.pk, row.tenant_id, row.machine_code, row.create_time, row.dept.dept_name) for row in rows]


def test_one_shape_serves_all_tenants_and_values(cast: Cast, django_assert_num_queries: Any) -> None:
    machines = Compiled(_by_codes)
    built.clear()
    for tenant, codes in ((A, ["M1", "M2"]), (B, ["M1", "M2"]), (A, ["M2", "nothing"])):
        with tenant_scope(tenant):
            expected = _facts(_by_codes(0, codes))
            with django_assert_num_queries(1):
                assert _facts(machines.rows(0, codes)) == expected
            assert {row.tenant_id for row in machines.rows(0, codes)} == {tenant}
            assert machines.count(100, 0, codes) == len(expected)
            assert _facts(machines.page(1, 1, 0, codes)) == expected[1:2]
    # The marks of one shape, beside the three real ones.
    assert len(built) == 4
    with tenant_scope(A):
        machines.rows(0, ["M1", "M2", "M1-SPINDLE"])
    assert len(built) == 5


def test_counting_stops_where_it_is_told(cast: Cast) -> None:
    people = Compiled(lambda dept_id: User.objects.filter(dept_id=dept_id))
    with tenant_scope(A):
        dept = cast.user("operator").dept_id
        assert people.count(2, dept) == 2 < User.objects.filter(dept_id=dept).count()


def test_an_empty_sequence_finds_nothing_and_asks_nothing(cast: Cast, django_assert_num_queries: Any) -> None:
    machines = Compiled(_by_codes)
    with tenant_scope(A), django_assert_num_queries(0):
        assert (machines.rows(0, []), machines.count(9, 0, []), machines.page(0, 9, 0, [])) == ([], 0, [])


def test_tuples_come_as_the_queryset_gives_them(cast: Cast) -> None:
    names = Compiled(lambda ids: User.objects.filter(pk__in=ids).order_by("pk").values_list("account", "create_time"))
    with tenant_scope(A):
        ids = sorted(User.objects.values_list("pk", flat=True))
        assert names.rows(ids) == list(User.objects.order_by("pk").values_list("account", "create_time"))


def test_outside_a_tenant_nothing_is_found_out(cast: Cast) -> None:
    machines = Compiled(_by_codes)
    with tenant_scope(A):
        machines.rows(0, ["M1"])
    with pytest.raises(NoTenant):
        machines.rows(0, ["M1"])


def test_a_moment_or_an_order_with_values_is_refused(cast: Cast) -> None:
    late = Compiled(lambda dept_id: Department.objects.filter(pk=dept_id, create_time__lt=clock.now()))
    with tenant_scope(A), pytest.raises(TypeError):
        late.rows(1)


def test_rows_are_locked_in_a_transaction_only(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    locked = Compiled(lambda machine_id: Machine.objects.select_for_update().filter(pk=machine_id))
    machine = cast.machine("M1")
    with tenant_scope(A):
        with CaptureQueriesContext(connection) as asked:
            assert locked.rows(machine.pk) == [machine]
        assert ("FOR UPDATE" in asked[0]["sql"]) == connection.features.has_select_for_update
        with monkeypatch.context() as patch, pytest.raises(TransactionManagementError):  # noqa: PT012
            patch.setattr(connection, "get_autocommit", lambda: True)
            locked.rows(machine.pk)
