# ruff: noqa: E501
"""Skipping a step and moving a token: previewed, recorded, and refused where a record's own steps would be passed over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.repairs import Story
from tests.workflows.standalone import document
from tests.workflows.workbench.test_follow import also_follows, applied, ask_leave, report
from tests.workflows.workbench.test_upload import send
from workflows.runtime.definitions import library
from workflows.runtime.rows import incidents
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

FOLLOW, WORK = "blade-flow/follow", "blade-flow/work"
SKIP, MOVE, BULK = f"{FOLLOW}/skip-element", f"{FOLLOW}/move-token", f"{FOLLOW}/bulk"
BPMN = Path(__file__).resolve().parents[3] / "bpmn"


def _task(name: str, who: str = "role:repair_leader", more: str = "") -> str:
    return f'<userTask id="{name}" name="步骤{name}" xw:nameEn="Step {name}" xw:candidates="{who}" {more}/>'


def _flows(*pairs: str) -> str:
    return "".join(
        f'<sequenceFlow id="f{n}" sourceRef="{a}" targetRef="{b}"/>'
        for n, (a, b) in enumerate(p.split(">") for p in pairs)
    )


CLOCK = """<boundaryEvent id="clock" name="催办" attachedToRef="a"><timerEventDefinition><timeDuration>PT1H</timeDuration>
  </timerEventDefinition></boundaryEvent><endEvent id="late"/>"""
SEND = """<serviceTask id="tell" xw:operation="message.send"><extensionElements>
  <xw:parameter name="to">user:${starter.id}</xw:parameter><xw:parameter name="title">好</xw:parameter>
  </extensionElements></serviceTask>"""
FORK = """<startEvent id="s"/>{a}<{kind} id="g"/>{b}{c}<{kind} id="j"/>{d}<endEvent id="e"/>"""
DRAWINGS = {
    "line": f'<startEvent id="s"/>{_task("a")}{CLOCK}{_task("b", "role:repairer")}{_task("c")}<endEvent id="e"/>'
    + _flows("s>a", "a>b", "b>c", "c>e", "clock>late"),
    "parallel": FORK.format(kind="parallelGateway", **{name: _task(name) for name in "abcd"})
    + _flows("s>a", "a>g", "g>b", "g>c", "b>j", "c>j", "j>d", "d>e"),
    "inclusive": FORK.format(kind="inclusiveGateway", **{name: _task(name) for name in "abcd"})
    + _flows("s>a", "a>g", "g>b", "g>c", "b>j", "c>j", "j>d", "d>e"),
    "sub-process": f'<startEvent id="s"/>{_task("a")}<subProcess id="p" name="里面"><startEvent id="is"/>{_task("b")}{_task("c")}'
    '<endEvent id="ie"/><sequenceFlow id="i1" sourceRef="is" targetRef="b"/><sequenceFlow id="i2" sourceRef="b" targetRef="c"/>'
    f'<sequenceFlow id="i3" sourceRef="c" targetRef="ie"/></subProcess>{_task("d")}<endEvent id="e"/>'
    + _flows("s>a", "a>p", "p>d", "d>e"),
    "countersign": f'<startEvent id="s"/>{_task("a").replace("/>", "><multiInstanceLoopCharacteristics><loopCardinality>2")}'
    "</loopCardinality></multiInstanceLoopCharacteristics></userTask>"
    f'{_task("b")}<endEvent id="e"/>' + _flows("s>a", "a>b", "b>e"),
}  # fmt: skip


def _start(cast: Cast, body: str, key: str = "moved") -> int:
    meta = {"key": key, "name": "演练", "name_en": "Drill", "category": "flow_1", "business_type": ""}
    definition = library.deploy(document(body), meta, A)
    given = {"processDefinitionId": str(definition.pk), "variables": {}}
    started = cast.client_for("operator").post_json(f"{WORK}/start-process", given)
    assert started.status == 200, started
    return int(started.data["processInstanceId"])


def _detail(cast: Cast, pk: int, account: str = "flow_designer") -> dict[str, Any]:
    return cast.client_for(account).get(f"{FOLLOW}/detail", processInstanceId=pk).data  # type: ignore[no-any-return]


def _act(cast: Cast, pk: int, path: str, account: str = "flow_designer", **said: Any) -> Body:
    body = {"processInstanceId": str(pk), "reason": "补救", **said}
    return cast.client_for(account).post_json(path, body)


def _stored(pk: int) -> dict[str, list[str]]:
    """What is open and which timers wait, as the tables have it."""
    with tenant_scope(A):
        items = WorkItem.objects.filter(instance=pk, state=ItemState.OPEN).order_by("pk")
        return {
            "open": [item.node for item in items],
            "timers": sorted(Timer.objects.filter(instance_id=pk).values_list("node", flat=True)),
        }


def _every(cast: Cast, pk: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Every skip and every move that the page offers."""
    for token in _detail(cast, pk)["tokens"]:
        if token["skips"]:
            for outcome in [one["value"] for one in token["outcomes"]] or [""]:
                yield SKIP, {"node": token["node"], "outcome": outcome}
        for target in token["targets"]:
            yield MOVE, {"node": token["node"], "to": target["node"]}


@pytest.mark.parametrize("name", DRAWINGS)
def test_everything_that_is_offered_does_what_its_preview_said(cast: Cast, name: str) -> None:
    """From the start everything, from there every third: what was previewed is what is answered and stored."""
    tried = 0
    todo: list[list[tuple[str, dict[str, str]]]] = [[]]
    while todo:
        way = todo.pop()
        pk = _start(cast, DRAWINGS[name], key=f"moved{tried}")
        for path, said in way:
            before = checksum(A)
            told = _act(cast, pk, path, **said, isPreview=True)
            assert (told.status, checksum(A)) == (200, before), (way, told)
            was = _stored(pk)
            done = _act(cast, pk, path, **said)
            assert done.data == told.data, way
            now = _stored(pk)
            assert now["open"] == [one["node"] for one in (*told.data["stays"], *told.data["opened"])], way
            assert sorted(one["node"] for one in told.data["cancelled"]) == sorted(
                node for node in was["open"] if node not in [one["node"] for one in told.data["stays"]]
            )
            assert bool(told.data["isFinished"]) == (now["open"] == []), way
        tried += 1
        if len(way) < 2 and _stored(pk)["open"]:
            acts = list(_every(cast, pk))
            todo += [[*way, act] for act in (acts[::3] if way else acts)]
    assert tried > (0 if name == "countersign" else 5), name


def test_the_preview_names_people_timers_and_operations(cast: Cast) -> None:
    body = DRAWINGS["line"].replace(_task("c"), _task("c") + SEND).replace('targetRef="e"', 'targetRef="tell"', 1)
    pk = _start(cast, body + '<sequenceFlow id="last" sourceRef="tell" targetRef="e"/>')
    told = _act(cast, pk, MOVE, node="a", to="b", isPreview=True).data
    leader, repairer = "维修班长", "维修工"
    assert [(one["node"], one["name"]) for one in told["cancelled"]] == [("a", "步骤a")]
    assert told["cancelled"][0]["assigneeName"].startswith(leader) and told["opened"][0]["assigneeName"].startswith(
        repairer
    )
    assert (told["timersEnded"], told["timersStarted"], told["operations"]) == (["催办"], [], [])
    assert _act(cast, pk, MOVE, node="a", to="c").status == 200
    back = _act(cast, pk, MOVE, node="c", to="a", isPreview=True).data
    assert (back["timersEnded"], back["timersStarted"]) == ([], ["催办"])
    last = cast.client_for("flow_designer").in_english()
    given = {"processInstanceId": str(pk), "node": "c", "outcome": "agree", "reason": "补救", "isPreview": True}
    told = last.post_json(SKIP, given).data
    assert (told["operations"], told["isFinished"], told["opened"]) == (["Send a message"], True, [])


def test_it_is_recorded_and_nobody_has_done_the_step(cast: Cast) -> None:
    pk = _start(cast, DRAWINGS["line"])
    assert _act(cast, pk, SKIP, node="a", outcome="agree").status == 200
    assert _act(cast, pk, MOVE, "tenant_admin", node="b", to="c").status == 200
    with tenant_scope(A):
        noted = Event.objects.filter(instance_id=pk, operation__in=["process.skip", "process.move"]).order_by("id")
        assert list(noted.values_list("operation", "user_name", "node", "remark")) == [
            ("process.skip", "高流", "a", "「步骤a」：补救"), ("process.move", "赵理", "b", "「步骤b」→「步骤c」：补救"),
        ]  # fmt: skip
        states = dict(WorkItem.objects.filter(instance=pk).values_list("node", "state"))
    assert states == {"a": ItemState.DROPPED, "b": ItemState.DROPPED, "c": ItemState.OPEN}
    rows = cast.client_for("operator").get("blade-flow/process/history-flow-list", processInstanceId=pk).data
    assert [row["historyActivityName"] for row in rows] == ["发起", "跳过步骤", "步骤c", "移动流程"]


def test_it_resolves_an_incident_and_its_timers_run_again(cast: Cast) -> None:
    pk = _start(cast, DRAWINGS["line"])
    incidents.raise_incident(A, pk, None, incidents.Reason("limit", "超限", "Too much", "a"))
    Timer.objects.filter(instance_id=pk).update(is_parked=True, attempts=5, due_time=datetime.now(UTC))
    assert _act(cast, pk, MOVE, node="a", to="c").status == 200
    told = _detail(cast, pk)
    assert (told["parked"], told["incidents"][0]["resolvedBy"]) == (None, "高流")
    assert _stored(pk) == {"open": ["c"], "timers": []}


def test_of_a_record_nothing_of_its_own_is_passed_over_or_repeated(cast: Cast) -> None:
    """Every pair of elements in both shipped models, from where a record waits: refused, and by name."""
    order, (leave, _said) = report(cast), ask_leave(cast)
    also_follows(cast, "repair_leader")
    expected = {
        (order, "dispatch", "accept"): "「派单」、「登记派单」",
        (order, "dispatch", "endClaimed"): "「派单」、「登记抢单」",
        (leave, "approve", "endShort"): "「主管审批」",
        (leave, "approve", "revise"): "「主管审批」、「登记驳回」",
    }
    assert [_detail(cast, pk)["tokens"] for pk in (order, leave)] == [[], []]
    before = checksum(A)
    for pk, node in ((order, "dispatch"), (leave, "approve")):
        with tenant_scope(A):
            instance = ProcessInstance.objects.get(pk=pk)
            name = f"{library.definition(instance.definition_id)} {instance.business_no}"
        for to in library.specification(instance.definition_id).nodes:
            refused = _act(cast, pk, MOVE, node=node, to=to)
            assert (refused.status, refused["error"] in ("workflow.ofRecord", "workflow.not_movable")) == (
                (400, True) if refused["error"] == "workflow.ofRecord" else (409, True)
            ), (to, refused)
            if (pk, node, to) in expected:
                said = f"「{name}」由业务单据控制，不能跳过或重复{expected[pk, node, to]}，请在单据上处理"
                assert refused.msg == said
        skipped = _act(cast, pk, SKIP, node=node, outcome="dispatch" if pk == order else "approve")
        assert (skipped.status, skipped["error"]) == (400, "workflow.ofRecord")
    assert checksum(A) == before
    with tenant_scope(A):
        assert RepairOrder.objects.get().status == 1


def test_a_step_that_the_company_added_is_skipped_and_moved_past(cast: Cast) -> None:
    xml = (BPMN / "repairorder/repairorder.bpmn").read_text()
    added = '<userTask id="look" name="看一眼" xw:candidates="role:repair_leader" xw:outcomes="ok"/>'
    xml = xml.replace('sourceRef="handlingStart" targetRef="responding"', 'sourceRef="handlingStart" targetRef="look"')
    xml = xml.replace(
        '<startEvent id="handlingStart"', f'{added}<sequenceFlow id="toLook" sourceRef="look" targetRef="responding"/><startEvent id="handlingStart"', 1
    )  # fmt: skip
    answer = send(cast.client_for("flow_designer"), {"r.bpmn": xml.encode()}, category="", confirm=1)
    assert answer.status == 200, answer
    pk = report(cast)
    assert _stored(pk)["open"] == ["look"]
    [token] = _detail(cast, pk)["tokens"]
    assert (token["node"], token["skips"], [one["node"] for one in token["targets"]]) == ("look", True, ["responding"])
    for path, said in ((SKIP, {"outcome": "ok"}), (MOVE, {"to": "responding"})):
        told = _act(cast, pk, path, node="look", isPreview=True, **said)
        assert [one["node"] for one in told.data["opened"]] == ["dispatch"], told
    before = checksum(A)
    no_reason = _act(cast, pk, SKIP, node="look", outcome="ok", reason=" ")
    assert (no_reason.status, list(no_reason.data["fields"]), checksum(A)) == (400, ["reason"], before)
    assert _act(cast, pk, SKIP, node="look", outcome="ok").status == 200
    assert _stored(pk)["open"] == ["dispatch"]
    # The order's own people read on its page who passed the step over, which step, and why.
    with tenant_scope(A):
        order = RepairOrder.objects.get().pk
    for account, called in (("operator", "跳过步骤"), ("repair_leader", "跳过步骤")):
        logs = cast.client_for(account).get("yuzhu-equip/repairorder/detail", id=order).data["logs"]
        told = ("action", "actionName", "userName", "remark", "taskId")
        assert [logs[-1][name] for name in told] == ["process.skip", called, "高流", "「看一眼」：补救", ""]
    rows = cast.client_for("operator").get("blade-flow/process/history-flow-list", processInstanceId=pk).data
    assert ("跳过步骤", "高流", "「看一眼」：补救") in [
        (row["historyActivityName"], row["assigneeName"], row["comment"]) for row in rows
    ]


def test_what_cannot_be_skipped_or_moved_is_refused_and_stays(cast: Cast) -> None:
    pk, theirs = _start(cast, DRAWINGS["parallel"]), report(cast, B)
    several = _start(cast, DRAWINGS["countersign"], key="several")
    before = checksum(A), checksum(B)
    for path, said, status, error in (
        (MOVE, {"node": "a", "to": "b"}, 409, "workflow.not_movable"),
        (MOVE, {"node": "b", "to": "d"}, 409, "workflow.not_movable"),
        (MOVE, {"node": "a", "to": "nowhere"}, 400, "to"),
        (MOVE, {"node": "a"}, 400, "to"),
        (SKIP, {"node": "d", "outcome": "agree"}, 409, "workflow.not_movable"),
        (SKIP, {"node": "a", "outcome": "reject"}, 400, "outcome"),
        (SKIP, {"node": "a", "outcome": ""}, 400, "outcome"),
        (SKIP, {"node": "a", "outcome": "agree", "reason": " "}, 400, "reason"),
    ):
        refused = _act(cast, pk, path, **said)
        assert refused.status == status, (said, refused)
        assert error in (refused["error"], *refused.data.get("fields", {})), (said, refused)
    assert _act(cast, several, SKIP, node="a", outcome="agree").msg == "多实例（会签）中的任务不能跳过或移动"
    assert _detail(cast, several)["tokens"] == []
    for account, tenant, status in (("equip_manager", A, 403), ("operator", A, 403), ("flow_designer", B, 404)):
        body = {"processInstanceId": str(pk), "node": "a", "outcome": "agree", "to": "d", "reason": "x"}
        for path in (SKIP, MOVE):
            assert cast.client_for(account, tenant).post_json(path, body).status == status
    assert (checksum(A), checksum(B)) == before
    designer = cast.client_for("flow_designer")
    suspend = designer.post_json(f"{FOLLOW}/suspend-process-instance", processInstanceId=str(pk), reason="查账")
    assert suspend.status == 200
    assert _act(cast, pk, SKIP, node="a", outcome="agree")["error"] == "workflow.suspended"
    assert _detail(cast, pk)["tokens"] == []
    assert theirs


@pytest.mark.parametrize("act", ["skip", "move"])
def test_many_are_skipped_or_moved_as_the_preview_said(cast: Cast, act: str) -> None:
    first, second = (_start(cast, DRAWINGS["line"], key="many") for _turn in range(2))
    order, own = report(cast), int(applied(cast))
    body = {
        "act": act,
        "ids": f"{first},{second},{order},{own}",
        "node": "a",
        "outcome": "agree",
        "to": "c",
        "reason": "补救",
    }
    designer = cast.client_for("flow_designer")
    before = checksum(A)
    told = designer.post_json(BULK, {**body, "isPreview": True})
    assert checksum(A) == before
    assert (told.data["done"], told.data["refused"]) == (2, 2)
    shown = [row["detail"] for row in told.data["records"] if not row["message"]]
    assert {text.split()[0] for text in shown} == {"步骤b" if act == "skip" else "步骤c"}
    assert designer.post_json(BULK, body).data == told.data
    assert {pk: _stored(pk)["open"] for pk in (first, second, order)} == {
        first: ["b" if act == "skip" else "c"], second: ["b" if act == "skip" else "c"], order: ["dispatch"],
    }  # fmt: skip
    assert list(designer.post_json(BULK, {**body, "node": ""}).data["fields"]) == ["node"]


def test_an_order_that_is_repaired_is_not_moved_either(cast: Cast) -> None:
    story = Story(cast, machine="M2", force=1)
    story.send("repairer_other")
    with tenant_scope(A):
        pk = ProcessInstance.objects.get(business_id=story.now["id"]).pk
    assert _detail(cast, pk)["tokens"] == []


def test_the_ways_that_many_have_in_common_are_told_and_each_succeeds(cast: Cast) -> None:
    """Of one version everything; of two versions of a model what can be skipped; of several models nothing."""
    first = _start(cast, DRAWINGS["line"].replace("催办", "提醒"), key="many")
    second, third = (_start(cast, DRAWINGS["line"], key="many") for _turn in range(2))
    other, order = _start(cast, DRAWINGS["line"], key="other"), report(cast)
    assert _act(cast, second, MOVE, node="a", to="b").status == 200
    designer = cast.client_for("flow_designer")

    def ways(*several: int) -> dict[str, Any]:
        answer = designer.post_json(f"{FOLLOW}/bulk-ways", {"ids": ",".join(map(str, several))})
        assert answer.status == 200, answer
        return answer.data  # type: ignore[no-any-return]

    before = checksum(A)
    told = ways(second, third)
    assert (told["models"], told["versions"]) == (1, 1)
    agreed = {"to": "agree", "toName": "同意", "count": 1}
    assert told["skips"] == [{"node": "b", "name": "步骤b", **agreed}, {"node": "a", "name": "步骤a", **agreed}]
    assert [(one["node"], one["to"], one["toName"], one["count"]) for one in told["targets"]] == [
        ("b", "a", "步骤a", 1), ("b", "c", "步骤c", 1), ("b", "late", "结束 (late)", 1), ("b", "e", "结束 (e)", 1),
        ("a", "b", "步骤b", 1), ("a", "c", "步骤c", 1), ("a", "late", "结束 (late)", 1), ("a", "e", "结束 (e)", 1),
    ]  # fmt: skip
    assert [(one["node"], one["count"]) for one in ways(first, second, third)["skips"]] == [("a", 2), ("b", 1)]
    assert ways(first, third) | {"skips": []} == {"models": 1, "versions": 2, "skips": [], "targets": []}
    assert ways(third, other) == {"models": 2, "versions": 2, "skips": [], "targets": []}
    assert ways(order) == {"models": 1, "versions": 1, "skips": [], "targets": []}
    by_filter = designer.post_json(f"{FOLLOW}/bulk-ways", {"processDefinitionKey": "many", "node": "b"}).data
    assert [(one["node"], one["count"]) for one in by_filter["skips"]] == [("b", 1)]
    assert list(designer.post_json(f"{FOLLOW}/bulk-ways", {}).data["fields"]) == ["ids"]
    assert cast.client_for("equip_manager").post_json(f"{FOLLOW}/bulk-ways", {"ids": str(third)}).status == 403
    assert cast.client_for("flow_designer", B).post_json(f"{FOLLOW}/bulk-ways", {"ids": str(third)}).data == {
        "models": 0, "versions": 0, "skips": [], "targets": [],
    }  # fmt: skip
    assert checksum(A) == before
    for act, several in (("skip", told["skips"]), ("move", told["targets"])):
        for way in several:
            said = {"node": way["node"], "outcome" if act == "skip" else "to": way["to"], "reason": "补救"}
            body = {"act": act, "ids": f"{second},{third}", **said, "isPreview": True}
            assert designer.post_json(BULK, body).data["done"] == way["count"], way
    suspended = designer.post_json(f"{FOLLOW}/suspend-process-instance", processInstanceId=str(third), reason="查账")
    assert suspended.status == 200
    assert [one["node"] for one in ways(second, third)["skips"]] == ["b"]
