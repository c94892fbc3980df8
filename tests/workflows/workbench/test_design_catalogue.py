"""What a drawing may name: complete, in both languages, and the same that the gate lets pass."""

from __future__ import annotations

from django.utils import translation

from core import ports
from core.access.models import Role
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast
from tests.workflows.standalone import deploy, two_steps
from workflows.engine.elements import NODES
from workflows.runtime.tables.deployments.models import Definition


def test_all_that_is_registered_has_words_in_both_languages(cast: Cast) -> None:
    with tenant_scope(A):
        for bound in ports.effects.values():
            design = bound.design
            assert set(design.words) == {*bound.effects, *bound.dues}, bound.business_type
            assert set(design.names) == set(bound.names(design.sample(cast.actor_for("operator"))))
            labels = [design.label, *(name.label for name in design.names.values())]
            told = [*design.words.values(), *(one.words for one in ports.common.values())]
            labels += [text for words in told for text in (words.label, words.text)]
            with translation.override("zh-hans"):
                chinese = [str(text) for text in labels]
            with translation.override("en-us"):
                english = [str(text) for text in labels]
            assert all(chinese) and all(english)
            assert [text for text in english if not text.isascii()] == []
            assert [text for text in chinese if text.isascii()] == []


def test_the_process_of_a_record_offers_its_operations_due_times_and_names(cast: Cast) -> None:
    found = cast.client_for("flow_designer").get("blade-flow/model/catalogue", key="repairorder").data
    assert (found["businessType"], found["businessName"]) == ("repairorder", "维修工单")
    assert found["operations"][0] == {
        "name": "repairorder.reported", "label": "登记报修", "text": "状态变为待派单，通知维修班长", "parameters": [],
        "asks": False, "isOpen": False, "codesIn": "", "results": [], "errors": [],
    }  # fmt: skip
    assert [row["name"] for row in found["operations"]] == [*ports.effects["repairorder"].effects, "message.send"]
    (urgent,) = next(row for row in found["operations"] if row["name"] == "repairorder.failed")["parameters"]
    assert urgent == {
        "name": "urgency", "label": "返修的紧急程度", "text": "只会提高，不会降低", "kind": "choice",
        "isRequired": False, "isLong": False, "least": 0, "most": 0, "places": 0,
        "options": [{"value": 1, "label": "特急"}, {"value": 2, "label": "紧急"}, {"value": 3, "label": "一般"}],
    }  # fmt: skip
    assert [row["label"] for row in found["dueFunctions"]] == [
        "响应到时", "响应超时", "完工到时", "完工超时", "自动验收到时",
    ]  # fmt: skip
    assert [[row["name"] for row in group] for group in found["required"]] == [
        ["repairorder.reported"],
        ["repairorder.passed", "repairorder.autoPassed", "repairorder.cancelled"],
    ]
    assert [row["name"] for row in found["readable"]][:4] == ["outcome", "starter.id", "starter.name", "record.urgency"]
    urgency = found["readable"][3]
    assert urgency["kind"] == "choice"
    assert urgency["options"] == [
        {"value": 1, "label": "特急"}, {"value": 2, "label": "紧急"}, {"value": 3, "label": "一般"},
    ]  # fmt: skip


def test_a_process_of_ones_own_calls_what_every_process_may_and_names_what_runs(cast: Cast) -> None:
    found = cast.client_for("flow_designer").in_english().get("blade-flow/model/catalogue", key="own").data
    assert [found[name] for name in ("businessType", "dueFunctions", "required")] == ["", [], []]
    (tell,) = found["operations"]
    assert (tell["name"], tell["label"]) == ("message.send", "Send a message")
    assert [(row["name"], row["label"], row["kind"], row["isRequired"], row["most"]) for row in tell["parameters"]] == [
        ("to", "Recipients", "people", True, 0), ("title", "Title", "text", True, 120),
        ("titleEn", "English title", "text", False, 120), ("text", "Text", "text", False, 500),
        ("textEn", "English text", "text", False, 500),
    ]  # fmt: skip
    assert [row["name"] for row in found["readable"]] == ["outcome", "starter.id", "starter.name"]
    assert [(row["kind"], row["label"], row["needs"]) for row in found["candidateKinds"]] == [
        ("role", "Role", ["role"]), ("roleInDept", "Role in a department", ["role", "dept"]),
        ("post", "Position", ["post"]),
            ("postInDept", "Position in a department", ["post", "dept"]), ("dept", "Department", ["dept"]),
            ("deptTree", "Department and those below", ["dept"]), ("head", "Head of a department", ["dept"]),
            ("duty", "People on duty", ["dept"]), ("team", "Team", ["team"]), ("user", "Person", ["user"]),
    ]  # fmt: skip
    with tenant_scope(A):
        roles = [role.role_alias for role in Role.objects.order_by("sort", "id")]
    assert [row["value"] for row in found["roles"]] == roles
    assert {"value": "repair_leader", "label": "Repair leader"} in found["roles"]
    assert found["pageForms"] == [
        {"key": "leave", "name": "Leave"}, {"key": "maintain", "name": "Preventive maintenance"},
        {"key": "repair", "name": "Equipment repair"},
    ]  # fmt: skip
    elements = {row["type"]: row["events"] for row in found["elements"]}
    assert {f"bpmn:{name[0].upper()}{name[1:]}" for name in NODES - {"scriptTask"}} <= set(elements)
    kinds = ["bpmn:ErrorEventDefinition", "bpmn:MessageEventDefinition", "bpmn:TimerEventDefinition"]
    assert elements["bpmn:BoundaryEvent"] == kinds
    triggers = ["bpmn:MessageEventDefinition", "bpmn:SignalEventDefinition", "bpmn:TimerEventDefinition"]
    assert elements["bpmn:StartEvent"] == ["", *triggers]
    assert "bpmn:SequenceFlow" in elements and "bpmn:ScriptTask" not in elements


def test_who_may_not_see_models_is_offered_nothing(cast: Cast) -> None:
    assert cast.client_for("operator").get("blade-flow/model/catalogue").status == 403


def test_a_call_is_offered_what_the_company_could_start_and_what_does_not_lead_back(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")

    def offered(key: str) -> list[tuple[str, int]]:
        found = designer.get("blade-flow/model/catalogue", key=key).data
        return [(row["value"], row["version"]) for row in found["processes"]]

    for key, tenant in (("buy", A), ("pay", A), ("theirs", B)):
        deploy(two_steps(), tenant, key)
    assert offered("own") == [("buy", 1), ("pay", 1)]
    deploy(two_steps(hr="role:operator"), A, "pay", calls=["own"])
    assert offered("own") == [("buy", 1)]
    assert offered("buy") == [("pay", 2)]
    Definition.objects.filter(key="pay").update(is_active=False)
    assert offered("buy") == []
