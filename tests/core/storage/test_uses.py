"""The uses of stored files: kept with each write of a record, and asked before an attachment is deleted."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework import serializers

from core.kernel import stored_files
from core.kernel.tenancy import tenant_scope
from core.statements import writes
from core.storage import checks, uses
from core.storage.models import Attachment, FileUse
from core.storage.serializers import FilesField, ImagesField
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.toolroom.models import Tool

REMOVE = "blade-resource/attach/remove"


def _tool(cast: Cast, tenant: str = A, **values: Any) -> Tool:
    """Return a tool that is not saved yet."""
    kind = {"kind": 1, "unit_price": 1, "machine_class": cast.machine_class("LATHES", tenant)}
    return Tool(tool_code="S1", tool_name="轴承", **kind, **values)


def _attachment(name: str) -> Attachment:
    made: Attachment = Attachment.objects.create(name=name, original_name=name, extension="png", attach_size=1)
    return made


def _uses() -> set[tuple[str, str, int, str]]:
    """Return the uses of the tenant in scope."""
    return set(FileUse.objects.values_list("name", "model", "row_id", "column"))


def _of(row: Any, **names: list[str]) -> set[tuple[str, str, int, str]]:
    return {(name, row._meta.label, row.pk, column) for column, some in names.items() for name in some}


def _statements(captured: CaptureQueriesContext) -> int:
    """Count the statements on the table of uses."""
    return sum(FileUse._meta.db_table in query["sql"] for query in captured)


def test_the_columns_that_name_files_are_declared() -> None:
    found = {f"{model._meta.label}.{column.name}" for model in apps.get_models() for column in _columns(model)}
    assert found == {
        "cases.Comment.images", "desk.Leave.attachments", "identity.User.avatar", "maintenance.RepairOrder.images",
        "maintenance.RepairOrder.voice", "maintenance.RepairOrder.files", "maintenance.RepairOrder.after_images",
        "maintenance.RepairLine.images", "toolroom.Tool.images", "toolroom.Tool.drawing", "equipment.Machine.photo",
        "equipment.Machine.images", "equipment.Machine.files", "inspection.CheckStandard.items",
        "inspection.StandardVersion.items", "inspection.RoutePoint.items", "equipment.Stoppage.files",
        "rounds.PointSnapshot.items", "rounds.InspectOrderDetail.images", "rounds.InspectOrderRecord.images",
        "preventive.MaintainOrder.images", "preventive.MaintainOrder.sign_image",
        "preventive.MaintainOrderDetail.images", "spares.SparePart.photo", "spares.SparePart.files",
        "spares.SpareMove.voucher",
    }  # fmt: skip


def _columns(model: Any) -> tuple[Any, ...]:
    return stored_files.columns(model)


def test_a_row_and_its_uses_change_together(cast: Cast) -> None:
    with tenant_scope(A):
        made = _tool(cast, images=["a", "b", "a"], drawing="d")
        made.save()
        assert _uses() == _of(made, images=["a", "b"], drawing=["d"])
        made.images = ["a"]  # the row in hand, not read again
        made.save()
        assert _uses() == _of(made, images=["a"], drawing=["d"])
        row = Tool.objects.get()
        row.images.append("c")  # the list itself, changed in place
        row.save(update_fields=["images"])
        assert _uses() == _of(row, images=["a", "c"], drawing=["d"])
        row.change({"images": ["x", "c"], "drawing": ""})
        assert _uses() == _of(row, images=["x", "c"])
        row.images = []
        row.save(update_fields=["drawing"])
        assert _uses() == _of(row, images=["x", "c"])  # the column was not written
        row.save()
        assert _uses() == set()


def test_what_was_not_read_is_asked_of_the_table(cast: Cast) -> None:
    with tenant_scope(A):
        _tool(cast, images=["a", "b"]).save()
        row = Tool.objects.only("id").get()
        row.images = ["b", "c"]
        row.save(update_fields=["images"])
        assert _uses() == _of(row, images=["b", "c"])


def test_a_row_read_again_knows_what_it_names_now(cast: Cast) -> None:
    with tenant_scope(A):
        _tool(cast, images=["a"], drawing="d").save()
        row, other = Tool.objects.get(), Tool.objects.get()
        other.change({"images": ["b"]})
        row.refresh_from_db()
        row.change({"images": ["a"]})
        assert _uses() == _of(row, images=["a"], drawing=["d"])
        row.images = ["c"]
        row.refresh_from_db(fields=["drawing"])  # leaves what is not saved yet
        row.save()
        assert _uses() == _of(row, images=["c"], drawing=["d"])


def test_compiled_and_bulk_writes_keep_the_uses(cast: Cast) -> None:
    with tenant_scope(A):
        (bulk,) = Tool.objects.bulk_create([_tool(cast, images=["a"])])
        assert _uses() == _of(bulk, images=["a"])
        bulk.remove()
        compiled = _tool(cast, drawing="d")
        writes.insert([compiled])
        assert _uses() == _of(bulk, images=["a"]) | _of(compiled, drawing=["d"])
        compiled.images, compiled.drawing = ["e"], ""
        writes.update(compiled)
        assert _uses() == _of(bulk, images=["a"]) | _of(compiled, images=["e"])


def test_what_is_rolled_back_is_used_by_nothing(cast: Cast) -> None:
    with tenant_scope(A):
        with transaction.atomic():
            _tool(cast, images=["a"]).save()
            transaction.set_rollback(True)
        assert _uses() == set()


def test_rows_without_files_or_without_a_change_cost_no_statement(cast: Cast) -> None:
    with tenant_scope(A):
        with CaptureQueriesContext(connection) as captured:
            row = _tool(cast)
            row.save()
            row.save()
            writes.update(Tool.objects.get())
        assert _statements(captured) == 0
        row.change({"images": ["a", "b"], "drawing": "d"})
        with CaptureQueriesContext(connection) as captured:
            Tool.objects.get().save()
            writes.update(Tool.objects.get())
        assert _statements(captured) == 0


def test_a_use_costs_one_statement_a_column_however_many_files(cast: Cast) -> None:
    with tenant_scope(A), CaptureQueriesContext(connection) as captured:
        _tool(cast, images=list("abcdefghi")).save()
    assert _statements(captured) == 1


def test_a_column_called_drawing_keeps_its_file(cast: Cast) -> None:
    with tenant_scope(A):
        attachment = _attachment("drawn.png")
        row = _tool(cast, drawing="drawn.png")
        row.save()
    before = checksum(A)
    answer = cast.client_for("tenant_admin").post_json(REMOVE, ids=str(attachment.pk))
    assert (answer.status, answer["error"]) == (409, "data.inUse")
    assert answer.msg == "「drawn.png」已被工具引用，不能删除"
    assert checksum(A) == before
    with tenant_scope(A):
        row.change({"drawing": ""})
    assert cast.client_for("tenant_admin").post_json(REMOVE, ids=str(attachment.pk)).status == 200


def test_a_removed_record_keeps_its_files(cast: Cast) -> None:
    with tenant_scope(A):
        attachment = _attachment("a.png")
        row = _tool(cast, images=["a.png"])
        row.save()
        row.remove()
        assert _uses() == _of(row, images=["a.png"])
    assert cast.client_for("tenant_admin").post_json(REMOVE, ids=str(attachment.pk)).status == 409


def test_what_another_company_uses_stops_nobody_here(cast: Cast) -> None:
    with tenant_scope(B):
        theirs = _tool(cast, B, images=["a.png"])
        theirs.save()
        assert _uses() == _of(theirs, images=["a.png"])
    with tenant_scope(A):
        assert _uses() == set()
        attachment = _attachment("a.png")
        _tool(cast, images=["b.png"]).save()
    before = checksum(B)
    assert cast.client_for("tenant_admin").post_json(REMOVE, ids=str(attachment.pk)).status == 200
    assert checksum(B) == before


def test_everything_that_shows_a_file_is_named_by_one_statement(cast: Cast) -> None:
    with tenant_scope(A):
        for row_id in range(30):
            uses.keep(Tool(pk=row_id), "images", (), ("a",))
        user = cast.user("operator")
        user.change({"avatar": "a"})
        with CaptureQueriesContext(connection) as captured:
            assert uses.shown_by("a") == f"{user._meta.verbose_name}、工具"
        assert len(captured) == 1
        assert uses.shown_by("b") == ""


def test_the_uses_of_existing_records_are_stored_by_the_migration(cast: Cast) -> None:
    backfill = importlib.import_module("core.storage.migrations.0006_uses_of_existing_records")
    expected = {}
    for tenant in (A, B):
        order = {"machineId": str(cast.machine("M1", tenant).pk), "description": "主轴异响"}
        client = cast.client_for("operator", tenant)
        saved = client.post_json("yuzhu-equip/repairorder/save", order)
        assert saved.status == 200, saved
        with tenant_scope(tenant):
            row = apps.get_model("maintenance", "RepairOrder").objects.get()
            row.change({"images": ["a", "b", "a"], "after_images": ["a"], "files": ["f", "f"], "voice": "v"})
            cast.user("operator", tenant).change({"avatar": "p"})
            expected[tenant] = _uses()
            assert len(expected[tenant]) == 6
            FileUse.objects.all().delete()
    with transaction.atomic():
        backfill.store_uses(apps, SimpleNamespace(connection=connection))
    for tenant in (A, B):
        with tenant_scope(tenant):
            assert _uses() == expected[tenant]


def test_a_column_that_a_call_writes_without_the_type_is_an_error_at_start() -> None:
    class Plain(serializers.ModelSerializer):  # type: ignore[type-arg]
        toolPictures = ImagesField(source="tool_name")
        images = ImagesField()
        shown = ImagesField(read_only=True)

        class Meta:
            model = Tool
            fields = ("toolPictures", "images", "shown")

    class Input(serializers.Serializer):  # type: ignore[type-arg]
        files = FilesField()
        drawing = FilesField(column="toolroom.Tool.drawing")

    assert [one.msg for one in checks.undeclared(Plain)] == ["toolPictures writes no column of stored files"]
    assert [one.msg for one in checks.undeclared(Input)] == ["files writes no column of stored files"]


def test_a_table_whose_rows_are_deleted_for_good_names_no_files(monkeypatch: Any) -> None:
    assert checks.rows_that_name_files_are_kept(None) == []
    monkeypatch.setattr(checks.stored_files, "columns", lambda model: (model,) if model is FileUse else ())
    assert [one.obj for one in checks.rows_that_name_files_are_kept(None)] == [FileUse]


def test_migrations_know_plain_columns_only() -> None:
    for name, kind in (("images", models.JSONField), ("drawing", models.CharField)):
        _name, path, _args, _kwargs = Tool._meta.get_field(name).deconstruct()  # type: ignore[union-attr]
        assert path == f"django.db.models.{kind.__name__}"
