"""Deploying uploaded files: several and archives, for one company or many, all or nothing, with a report per file."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Caller, Cast
from tests.checksums import shared_checksum
from tests.workflows.drawings import HONEST, LINE, TASK, drawing, line
from workflows.engine.document import MAX_SIZE
from workflows.runtime.tables.deployments.models import Definition
from workflows.workbench.gate import shipped

UPLOAD = "blade-flow/manager/deploy-upload"
GOOD = drawing(LINE, "good")
OTHER = drawing(LINE, "other")
BAD = drawing(line('<scriptTask id="w"><script>1</script></scriptTask>'), "bad")
WARNED = drawing(line('<userTask id="w"/>'), "warned")


def send(caller: Caller, files: dict[str, bytes], **fields: Any) -> Body:
    """Upload these files."""
    uploads = [SimpleUploadedFile(name, content) for name, content in files.items()]
    return caller.post_form(UPLOAD, **{"category": "flow_1", "tenantIds": A, "files": uploads, **fields})


def packed(files: dict[str, bytes]) -> bytes:
    """An archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def deployed(tenant: str = A) -> list[tuple[str, int]]:
    """Keys and versions of what a company has deployed."""
    return list(Definition.objects.filter(tenant_id=tenant).order_by("key", "version").values_list("key", "version"))


def test_files_and_archives_are_deployed_with_a_report_for_each(cast: Cast) -> None:
    third = drawing(LINE, "third")
    archive = packed({"b/other.bpmn20.xml": OTHER, "third.bpmn": third, "__MACOSX/._x": b"?", "b/.DS_Store": b"?"})
    answer = send(cast.client_for("flow_designer"), {"good.bpmn": GOOD, "all.ZIP": archive})
    assert answer.status == 200, answer
    assert [(told["file"], told["key"], told["status"], told["problems"]) for told in answer.data["files"]] == [
        ("good.bpmn", "good", "deployed", []),
        ("all.ZIP/b/other.bpmn20.xml", "other", "deployed", []),
        ("all.ZIP/third.bpmn", "third", "deployed", []),
    ]
    assert deployed() == [("good", 1), ("other", 1), ("third", 1)]
    row = Definition.objects.get(key="good")
    assert (bytes(row.xml), row.category, row.business_type, row.is_general) == (GOOD, "flow_1", "", False)
    assert row.deploy_user_name == "高流"
    assert answer.data["files"][0]["definitions"] == [{"id": str(row.pk), "tenantId": A, "version": 1}]
    with tenant_scope(A):
        event = Event.objects.get(operation="definition.upload")
    assert event.remark == "good,other,third"
    again = send(cast.client_for("flow_designer"), {"good.bpmn": GOOD})
    assert again.data["files"][0]["status"] == "unchanged"
    assert send(cast.client_for("flow_designer"), {"g.bpmn": GOOD + b" "}).data["files"][0]["status"] == "deployed"
    assert deployed()[:2] == [("good", 1), ("good", 2)]


def test_one_that_is_refused_keeps_all_out_and_says_why_in_both_languages(cast: Cast) -> None:
    before = shared_checksum()
    designer = cast.client_for("flow_designer")
    answer = send(designer, {"good.bpmn": GOOD, "bad.bpmn": BAD})
    assert (answer.status, answer["error"]) == (400, "model.refused")
    assert answer.msg == "「bad.bpmn」未通过检查：w: 脚本有误：语法错误"
    assert [told["status"] for told in answer.data["files"]] == ["ready", "refused"]
    assert answer.data["files"][1]["problems"][:1] == [
        {
            "element": "w", "code": "script", "level": "error", "message": "脚本有误：语法错误",
            "messageZh": "脚本有误：语法错误", "messageEn": "Error in the script: syntax error",
        }
    ]  # fmt: skip
    english = send(designer.in_english(), {"bad.bpmn": BAD})
    assert english.msg == "“bad.bpmn” failed the check: w: Error in the script: syntax error"
    assert shared_checksum() == before


def test_warnings_wait_for_a_tick(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    answer = send(designer, {"w.bpmn": WARNED})
    assert (answer.status, answer["error"], answer.msg) == (409, "model.unconfirmed", "模型有2条警告，确认后才能部署")
    problems = answer.data["files"][0]["problems"]
    assert [(one["element"], one["code"], one["level"]) for one in problems] == [
        ("w", "no_people", "warning"), ("w", "no_form", "warning"),
    ]  # fmt: skip
    assert deployed() == []
    assert send(designer, {"w.bpmn": WARNED}, confirm=1).status == 200
    assert deployed() == [("warned", 1)]
    # A tick is for warnings alone.
    assert send(designer, {"bad.bpmn": BAD}, confirm=1).status == 400


@pytest.mark.parametrize(
    ("account", "tenants", "status", "made"),
    [
        ("flow_designer", A, 200, [A]), ("tenant_admin", A, 200, [A]), ("equip_manager", A, 403, []),
        ("flow_designer", "", 403, []), ("tenant_admin", B, 403, []), ("flow_designer", f"{A},{B}", 403, []),
        ("platform", "", 200, ["000000"]), ("platform", f"{A},{B}", 200, [A, B]), ("platform", f"{B},{B}", 200, [B]),
        ("platform", f"{A},999999", 400, []), ("platform", "x" * 300, 400, []),
    ],
)  # fmt: skip
def test_who_deploys_for_whom(cast: Cast, account: str, tenants: str, status: int, made: list[str]) -> None:
    caller = cast.platform() if account == "platform" else cast.client_for(account)
    before = shared_checksum()
    answer = send(caller, {"good.bpmn": GOOD}, tenantIds=tenants)
    assert answer.status == status, answer
    rows = Definition.objects.filter(key="good").order_by("tenant_id")
    assert [(row.tenant_id, row.is_general) for row in rows] == [(one, one == "000000") for one in made]
    if status != 200:
        assert shared_checksum() == before


def _zip_with(name: str, content: bytes = GOOD, **more: Any) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)
        for attribute, value in more.items():
            setattr(entry, attribute, value)
        archive.writestr(entry, content, compress_type=more.get("compress_type", zipfile.ZIP_DEFLATED))
    return out.getvalue()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "请选择要部署的文件"),
        ({"x.txt": GOOD}, "x.txt：只接受"),
        ({"x.bpmn.exe": GOOD}, "只接受"),
        ({"x.xml": GOOD}, "只接受"),
        ({"x.bpmn": b" " * (MAX_SIZE + 1)}, "x.bpmn：文件超过2000000字节"),
        ({f"{n}.bpmn": GOOD for n in range(21)}, "一次最多部署20个模型"),
        ({"a.bpmn": GOOD, "b.bpmn": GOOD}, "多个文件含有同一个流程标识"),
        ({"x.zip": b"PK"}, "x.zip：压缩包已损坏或无法读取"),
        ({"x.zip": packed({})}, "压缩包内没有模型文件"),
        ({"x.zip": packed({"y.zip": packed({"a.bpmn": GOOD})})}, "x.zip/y.zip：只接受"),
        ({"x.zip": packed({"a.bpmn": b" " * (MAX_SIZE + 1)})}, "x.zip/a.bpmn：文件超过"),
        ({"x.zip": _zip_with("../a.bpmn")}, "路径不安全"),
        ({"x.zip": _zip_with("/etc/a.bpmn")}, "路径不安全"),
        ({"x.zip": _zip_with("c:\\a.bpmn")}, "路径不安全"),
        ({"x.zip": _zip_with("a.bpmn", external_attr=0o120777 << 16)}, "不能有链接"),
        ({"x.zip": _zip_with("a.bpmn", compress_type=zipfile.ZIP_LZMA)}, "无法读取"),
        ({"x.zip": packed({f"{n}.txt/": b"" for n in range(201)})}, "超过200个"),
    ],
)  # fmt: skip
def test_what_is_no_model_or_too_much_is_refused_by_name(cast: Cast, files: dict[str, bytes], words: str) -> None:
    before = shared_checksum()
    answer = send(cast.client_for("flow_designer"), files)
    assert (answer.status, list(answer.data["fields"])) == (400, ["files"])
    assert words in answer.msg
    assert shared_checksum() == before


def test_the_category_is_one_of_the_dictionary(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    for category in ("", "flow_99", "1", "x" * 500):
        answer = send(designer, {"good.bpmn": GOOD}, category=category)
        assert (answer.status, list(answer.data["fields"])) == (400, ["category"]), category
    assert deployed() == []


def _repair(old: str = "", new: str = "") -> bytes:
    xml = bytes(Definition.objects.get(key="repairorder", is_general=True).xml).decode()
    assert old in xml
    return xml.replace(old, new).encode() if old else xml.encode()


def test_a_model_with_a_shipped_id_is_bound_to_its_business(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    renamed = _repair('name="设备维修"', 'name="我们的维修"')
    answer = send(designer, {"r.bpmn": renamed}, category="")
    assert answer.status == 200, answer
    row = Definition.objects.get(tenant_id=A)
    assert (row.business_type, row.category, row.name) == ("repairorder", "flow_2", "我们的维修")
    assert row.meta["nodes"] == shipped()["repairorder"]["nodes"]
    for old, new, code in (
        ('xw:operation="repairorder.passed"', 'xw:operation="repairorder.hung"', "effect_missing"),
        ('xw:operation="repairorder.hung"', 'xw:operation="user.remove"', "operation_unknown"),
        ('xw:due="repairorder.autoCheck"', 'xw:due="never"', "due_unknown"),
    ):
        refused = send(designer, {"r.bpmn": _repair(old, new)}, category="")
        assert refused.status == 400, (old, refused)
        assert code in {one["code"] for one in refused.data["files"][0]["problems"]}
    assert Definition.objects.filter(tenant_id=A).count() == 1


def test_a_process_of_its_own_calls_no_operation_of_a_record(cast: Cast) -> None:
    calls = drawing(line('<serviceTask id="w" xw:operation="repairorder.passed"/>'), "own")
    answer = send(cast.client_for("flow_designer"), {"x.bpmn": calls})
    assert [one["code"] for one in answer.data["files"][0]["problems"]] == ["operation_unknown"]


def test_steps_that_were_added_offer_what_they_name_or_yes_and_no(cast: Cast) -> None:
    body = (
        f'<startEvent id="s"/>{TASK}<exclusiveGateway id="g" default="d"/><endEvent id="e"/><endEvent id="o"/>'
        '<userTask id="n" xw:candidates="role:hr" xw:formKey="x" xw:outcomes="yes,no,later"/>'
        '<f a="s" b="w"/><f a="w" b="n"/><f a="n" b="g"/><f id="d" a="g" b="e"/>'
        '<f a="g" b="o" name="退回" if="${outcome == \'no\'}"/>'
    )
    assert send(cast.client_for("flow_designer"), {"x.bpmn": drawing(body, "own")}).status == 200
    nodes = Definition.objects.get(key="own").meta["nodes"]
    assert [entry["key"] for entry in nodes["w"]["outcomes"]] == ["agree", "reject"]
    assert (nodes["w"]["positive"], nodes["w"]["negative"]) == ("agree", "reject")
    assert [(entry["key"], entry["zh"]) for entry in nodes["n"]["outcomes"]] == [
        ("yes", "yes"), ("no", "退回"), ("later", "later"),
    ]  # fmt: skip
    assert (nodes["n"]["positive"], nodes["n"]["negative"]) == ("yes", "no")


def test_every_shipped_model_passes_the_gate_without_a_warning(cast: Cast) -> None:
    from workflows.workbench.gate import examine

    for row in Definition.objects.filter(is_general=True):
        verdict = examine(bytes(row.xml))
        assert verdict.problems == (), (row.key, verdict.problems)
        assert verdict.meta is not None
        assert verdict.meta["nodes"] == shipped()[row.key]["nodes"]


@pytest.mark.parametrize("name", HONEST)
def test_honest_models_deploy(cast: Cast, name: str) -> None:
    answer = send(cast.client_for("flow_designer"), {"m.bpmn": HONEST[name]}, confirm=1)
    assert answer.status == 200, answer
    assert {one["code"] for one in answer.data["files"][0]["problems"]} <= {
        "no_people", "no_form", "dry_run", "no_effect", "message_unkeyed",
    }  # fmt: skip
    assert deployed() == [("p", 1)]


def test_files_can_be_looked_at_before_they_are_deployed(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    before = shared_checksum()
    asked = send(designer, {"good.bpmn": GOOD, "bad.bpmn": BAD, "warned.bpmn": WARNED}, check=1)
    assert asked.status == 200, asked
    assert [(told["file"], told["status"], told["definitions"]) for told in asked.data["files"]] == [
        ("good.bpmn", "ready", []), ("bad.bpmn", "refused", []), ("warned.bpmn", "ready", []),
    ]  # fmt: skip
    assert asked.data["files"][1]["problems"][0]["element"] == "w"
    assert {problem["level"] for problem in asked.data["files"][2]["problems"]} == {"warning"}
    assert send(designer, {"good.bpmn": GOOD}, check=1, tenantIds=B).status == 403
    assert send(cast.client_for("equip_manager"), {"good.bpmn": GOOD}, check=1).status == 403
    assert send(designer, {"a.bpmn": GOOD, "b.bpmn": GOOD}, check=1).status == 400
    assert send(designer, {"good.bpmn": GOOD}, check=1, category="flow_99").data["fields"].keys() == {"category"}
    with tenant_scope(A):
        assert not Event.objects.exists()
    assert (shared_checksum(), deployed()) == (before, [])


def test_a_deployment_says_why(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    assert send(designer, {"good.bpmn": GOOD}, note=" 上线 ").status == 200
    [row] = designer.get("blade-flow/manager/list", mode=2).data["records"]
    assert (row["key"], row["note"]) == ("good", "上线")
    long = send(designer, {"other.bpmn": OTHER}, note="长" * 201)
    assert (long.status, list(long.data["fields"]), deployed()) == (400, ["note"], [("good", 1)])
