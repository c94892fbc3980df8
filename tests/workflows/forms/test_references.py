"""People, departments, machines, files and rows in forms: what may be sent, what is stored, and how it is called."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from core.equipment.models import RunState
from core.identity.models import User
from core.kernel.actor import acting
from core.kernel.errors import Invalid
from core.kernel.tenancy import tenant_scope
from core.storage import files
from core.storage.kinds import PLACES
from core.storage.models import Attachment
from tests.cast import A, B, Cast
from workflows.forms import references, values
from workflows.forms.schema import problems

COLUMNS = [
    {"type": "textfield", "key": "part", "label": "备件", "validate": {"required": True}},
    {"type": "number", "key": "amount", "label": "数量", "validate": {"min": 1}},
    {"type": "xw-person", "key": "who", "label": "领用人"},
]


def of(kind: str, validate: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    schema = {"components": [{"type": kind, "key": "x", "label": "字段", "validate": validate or {}, **more}]}
    assert problems(schema) == []
    return schema


def said(cast: Cast, schema: dict[str, Any], value: Any, stored: Any = None, who: str = "operator", **more: Any) -> Any:
    """What is stored, or the sentence of the field."""
    with tenant_scope(A), acting(cast.actor_for(who)):
        try:
            return values.check(schema, {"x": value}, {"x": stored} if stored else {}, **more)["x"]
        except Invalid as refused:
            return refused.data["fields"]["x"]


def put(cast: Cast, name: str = "a.txt", who: str = "operator", tenant: str = A) -> tuple[str, str]:
    """An uploaded file: its link, and the name under which it is stored."""
    with tenant_scope(tenant), acting(cast.actor_for(who, tenant)):
        row = files.store(files.look(b"words", name, PLACES["file"]))
        return files.signed_link(row.name), row.name


def test_people_departments_and_machines_are_rows_of_the_company_that_may_be_chosen(cast: Cast) -> None:
    repairer, machine = cast.user("repairer"), cast.machine("M1")
    with tenant_scope(A):
        dept = str(repairer.dept_id)
        gone = User.objects.exclude(pk=repairer.pk).filter(account="viewer").get()
        User.objects.filter(pk=gone.pk).update(is_enabled=False)
        site = str(type(machine).objects.exclude(node_type=4).first().pk)
    for kind, own, strange in (
        ("xw-person", str(repairer.pk), [str(cast.user("repairer", B).pk), str(gone.pk), "999", dept]),
        ("xw-department", dept, [str(cast.user("repairer", B).dept_id), str(repairer.pk)]),
        ("xw-asset", str(machine.pk), [str(cast.machine("M1", B).pk), site]),
    ):
        assert said(cast, of(kind), own) == own
        assert said(cast, of(kind), "") is None
        assert said(cast, of(kind, {"required": True}), None) == "请选择字段"
        for one in (*strange, int(own), [own], {"id": own}, "x", f"{own} ", "٣", "9" * 19, "-1", "0", True):
            assert said(cast, of(kind), one) == "请选择字段", one


def test_who_is_named_already_may_be_sent_again_after_leaving(cast: Cast) -> None:
    person = str(cast.user("viewer").pk)
    with tenant_scope(A):
        User.objects.filter(pk=person).update(is_enabled=False)
    assert said(cast, of("xw-person"), person) == "请选择字段"
    assert said(cast, of("xw-person"), person, stored=person) == person


def test_a_scrapped_machine_is_refused_with_its_sentence_unless_it_stood_there(cast: Cast) -> None:
    machine = cast.machine("M1")
    with tenant_scope(A):
        type(machine).objects.filter(pk=machine.pk).update(run_state=RunState.SCRAPPED)
    own = str(machine.pk)
    assert said(cast, of("xw-asset"), own) == "设备已报废，请另选一台"
    assert said(cast, of("xw-asset"), own, stored=own) == own
    table = of("xw-table", components=[{"type": "xw-asset", "key": "machine", "label": "设备"}])
    assert said(cast, table, [{"machine": own}]) == "第1行：设备已报废，请另选一台"
    with override("en"):
        assert said(cast, of("xw-asset"), own) == "The asset is scrapped; please choose another one"
    foreign = cast.machine("M1", B)
    with tenant_scope(B):
        type(foreign).objects.filter(pk=foreign.pk).update(run_state=RunState.SCRAPPED)
    assert said(cast, of("xw-asset"), str(foreign.pk)) == "请选择字段"


def test_files_are_own_uploads_or_already_there(cast: Cast) -> None:
    link, name = put(cast)
    other, other_name = put(cast, who="repairer")
    foreign, _name = put(cast, tenant=B)
    many = of("filepicker", multiple=True)
    assert said(cast, many, [link]) == [name]
    assert said(cast, many, [link.partition("?")[0]]) == [name]
    assert said(cast, many, [link, link]) == [name]
    for wrong in ([other], [foreign], [name], ["https://x/y.txt"], [""], [link, other]):
        assert said(cast, many, wrong) == "文件不存在或已被删除"
    assert said(cast, many, [link, other], stored=[other_name]) == [name, other_name]
    for wrong in (link, {"a": 1}, [1], 7, True):
        assert said(cast, many, wrong) == "请选择字段"
    with tenant_scope(A):
        Attachment.objects.filter(name=name).update(is_deleted=True)
    assert said(cast, many, [link]) == "文件不存在或已被删除"


def test_how_many_files_and_of_which_kind(cast: Cast) -> None:
    links = [put(cast, f"{n}.txt")[0] for n in range(3)]
    assert said(cast, of("filepicker"), links[:2]) == "最多上传1个文件"
    assert said(cast, of("filepicker", {"maxItems": 2}, multiple=True), links) == "最多上传2个文件"
    assert said(cast, of("filepicker", {"minItems": 2}, multiple=True), links[:1]) == "字段至少上传2个"
    assert said(cast, of("filepicker", {"minItems": 2}, multiple=True), []) is None
    assert said(cast, of("filepicker", {"required": True}), []) == "请选择字段"
    pictures = of("filepicker", multiple=True, accept="image/*")
    assert said(cast, pictures, links[:1]) == "图片不存在或已被删除"
    assert said(cast, pictures, [*links, *links, *links, "x"]) == "最多上传9张图片"


def test_rows_hold_their_columns_and_say_which_row_is_wrong(cast: Cast) -> None:
    person = str(cast.user("repairer").pk)
    table = of("xw-table", components=COLUMNS)
    row = {"part": "轴承", "amount": 2, "who": person}
    assert said(cast, table, [row]) == [row]
    assert said(cast, table, [{"part": "轴承"}]) == [{"part": "轴承", "amount": None, "who": None}]
    assert said(cast, table, []) is None
    for rows, sentence in (
        ("x", "字段格式不正确"),
        ([1], "字段格式不正确"),
        ({"part": "x"}, "字段格式不正确"),
        ([row, {**row, "amount": 0}], "第2行：数量不能小于1"),
        ([row, {**row, "amount": "2"}], "第2行：数量应为数字"),
        ([{**row, "part": ""}], "第1行：请输入备件"),
        ([{**row, "who": "999"}], "第1行：请选择领用人"),
        ([{**row, "price": 1}], "第1行：表单中没有字段“price”"),
        ([row] * 101, "字段最多100行"),
    ):
        assert said(cast, table, rows) == sentence
    bounded = of("xw-table", {"required": True, "minItems": 2, "maxItems": 3}, components=COLUMNS)
    assert said(cast, bounded, []) == "字段至少要有2行"
    assert said(cast, bounded, [row]) == "字段至少要有2行"
    assert said(cast, bounded, [row] * 4) == "字段最多3行"
    assert said(cast, bounded, [{**row, "part": None}] * 2, may_lack=True)[0]["part"] is None
    assert said(cast, of("xw-table", {"required": True}, components=COLUMNS), None) == "字段至少要有1行"


def test_statements_do_not_grow_with_the_rows(cast: Cast) -> None:
    people = [str(cast.user(one).pk) for one in ("repairer", "viewer", "operator")]
    table = of("xw-table", components=COLUMNS)

    def statements(rows: int) -> int:
        sent = [{"part": "a", "who": people[n % 3]} for n in range(rows)]
        with tenant_scope(A), CaptureQueriesContext(connection) as asked:
            values.check(table, {"x": sent}, {})
            references.texts([(table["components"][0], sent)])
        return len(asked)

    assert statements(1) == statements(100) == 2
    with tenant_scope(A), CaptureQueriesContext(connection) as asked:
        values.check(of("textfield"), {"x": "a"}, {})
        references.texts([({"type": "textfield", "key": "x"}, "a")])
    assert len(asked) == 0


@pytest.mark.parametrize("is_removed", [False, True])
def test_what_they_are_called_stays_when_they_are_gone(cast: Cast, is_removed: bool) -> None:
    person, machine = cast.user("repairer"), cast.machine("M1")
    link, name = put(cast, "报价.txt")
    table = {"type": "xw-table", "key": "t", "components": COLUMNS}
    picker = {"type": "filepicker", "key": "f"}
    rows = [{"part": "轴承", "amount": None, "who": str(person.pk)}]
    with tenant_scope(A):
        if is_removed:
            for model, pk in ((type(person), person.pk), (type(machine), machine.pk)):
                model.objects.filter(pk=pk).update(is_deleted=True)
        found = references.texts([(table, rows), (picker, [name]), ({"type": "xw-asset"}, str(machine.pk))])
        assert found == {
            f"xw-person:{person.pk}": "蒋修",
            f"xw-asset:{machine.pk}": str(machine),
            link: "报价.txt",
        }
        assert references.wired(picker, [name]) == [link]
        assert references.wired(table, rows) == rows
        assert references.noted(picker, [name]) == "报价.txt"
        assert references.noted(table, rows) == "1行"
        assert references.noted({"type": "number"}, 3) is None
    with tenant_scope(B):
        assert references.texts([(table, rows), (picker, [name])]) == {}


def test_an_upload_over_http_goes_into_a_form(cast: Cast) -> None:
    file = SimpleUploadedFile("a.txt", b"words")
    sent = cast.client_for("operator").post_form("blade-resource/oss/endpoint/put-file?place=file", file=file)
    assert said(cast, of("filepicker"), [sent.data["link"]]) == [sent.data["name"]]
