"""Items that are locked with the columns that a step looks at say the same as those that are made of the whole row."""

from __future__ import annotations

from typing import Any

import pytest

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.statements.compiled import Compiled
from tests.cast import A, Cast
from tests.workflows.runtime.test_step_cost import _branches
from tests.workflows.standalone import deploy, document
from workflows.runtime.rows import items
from workflows.runtime.tables.worklist.models import WorkItem

COLUMNS = {field.attname for field in WorkItem._meta.concrete_fields}


def _started(cast: Cast) -> int:
    definition = deploy(document(_branches(3)))
    started = cast.client_for("operator").post_json(
        "blade-flow/work/start-process", {"processDefinitionId": str(definition.pk)}
    )
    with tenant_scope(A):
        WorkItem.objects.filter(node="t1").update(due_time=clock.now(), late_time=clock.now(), delegators=[7])
    return int(started.data["processInstanceId"])


def test_what_is_asked_for_is_there_without_a_statement(cast: Cast, django_assert_num_queries: Any) -> None:
    instance_id = _started(cast)
    with tenant_scope(A):
        expected = list(WorkItem.objects.filter(instance=instance_id).order_by("pk"))
        with django_assert_num_queries(1):
            rows = items.not_over(instance_id)
            assert rows == expected
            assert [len(COLUMNS - row.get_deferred_fields()) for row in rows] == [11, 11, 11]
            for name in sorted(COLUMNS):
                assert [getattr(row, name) for row in rows] == [getattr(row, name) for row in expected], name
            assert [row.get_deferred_fields() for row in rows] == [set(), set(), set()]
        assert {row._state.db for row in rows} == {"default"}
        assert not any(row._state.adding for row in rows)
        with django_assert_num_queries(1):
            assert rows[0].instance.pk == instance_id


def test_what_was_set_before_stays_and_is_saved(cast: Cast) -> None:
    instance_id = _started(cast)
    with tenant_scope(A):
        [row, *_others] = items.not_over(instance_id)
        row.comment, row.state = "mine", 3
        assert (row.form_key, row.comment, row.state) == ("", "mine", 3)
        [row, other, _third] = items.not_over(instance_id)
        row.comment = "mine"
        row.save(update_fields=["comment"])
        other.comment = "mine too"
        other.save()
        found = WorkItem.objects.filter(instance=instance_id).order_by("pk")
        assert list(found.values_list("comment", flat=True)) == ["mine", "mine too", ""]
        assert list(found.values_list("delegators", flat=True)) == [[], [7], []]


@pytest.mark.parametrize("fields", [None, ["comment", "state"]])
def test_a_row_that_is_read_again_is_read_from_the_database(cast: Cast, fields: list[str] | None) -> None:
    instance_id = _started(cast)
    with tenant_scope(A):
        [row, *_others] = items.not_over(instance_id)
        WorkItem.objects.filter(pk=row.pk).update(comment="now", state=3)
        row.refresh_from_db(fields=fields)
        assert (row.comment, row.state, row.get_deferred_fields()) == ("now", 3, set())


def test_lazy_rows_have_no_related_ones(cast: Cast) -> None:
    joined = Compiled(lambda pk: WorkItem.objects.select_related("definition").filter(pk=pk), first=["id"])
    with tenant_scope(A), pytest.raises(TypeError, match="a lazy row has no related ones"):
        joined.rows(1)
