"""The models of a company in one list, their versions, and what history says of the time that their steps take."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.kernel import clock
from core.kernel.tenancy import PLATFORM, tenant_scope
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.drawings import LINE, drawing
from tests.workflows.workbench.test_upload import send
from workflows.runtime.commands import sweep
from workflows.runtime.definitions import library
from workflows.runtime.rows import incidents
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

MODEL, MANAGER, WORK = "blade-flow/model", "blade-flow/manager", "blade-flow/work"
NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)  # 12:00 in the plant
TASK = '<userTask id="{0}" name="{1}" xw:candidates="role:repair_leader" xw:formKey="leave"/>'
BODY = (
    '<startEvent id="s"/><subProcess id="sub"><startEvent id="is"/>' + TASK.format("look", "审核")
    + TASK.format("sign", "签字") + '<endEvent id="ie"/><f a="is" b="look"/><f a="look" b="sign"/><f a="sign" b="ie"/>'
    '</subProcess><boundaryEvent id="late" attachedToRef="sub" cancelActivity="false"><timerEventDefinition>'
    "<timeDuration>PT2H</timeDuration></timerEventDefinition></boundaryEvent>" + TASK.format("keep", "归档")
    + '<endEvent id="told"/><endEvent id="e"/><f a="s" b="sub"/><f a="late" b="told"/>'
    '<f a="sub" b="keep"/><f a="keep" b="e"/>'
)  # fmt: skip
XML = drawing(BODY, "seal", "用印")
"""Two steps that have two hours together, and one that has all the time."""


def deployed(tenant: str = A, xml: bytes = XML, note: str = "") -> Definition:
    """A company's own version, as the call deploys it."""
    administrator = Cast().client_for("tenant_admin", tenant)
    answer = send(administrator, {"x.bpmn": xml}, tenantIds=tenant, note=note, confirm=1)
    assert answer.status == 200, answer
    return Definition.objects.get(pk=answer.data["files"][0]["definitions"][0]["id"])


def begin(cast: Cast, definition: Definition, at: datetime = NOON, tenant: str = A) -> str:
    """A process, begun at this moment."""
    with clock.at(at):
        body = {"processDefinitionId": str(definition.pk), "variables": {}}
        answer = cast.client_for("operator", tenant).post_json(f"{WORK}/start-process", body)
    assert answer.status == 200, answer
    return str(answer.data["processInstanceId"])


def do(cast: Cast, instance_id: str, at: datetime) -> None:
    """The step that waits, done at this moment."""
    with tenant_scope(A):
        item = WorkItem.objects.get(instance=instance_id, state=ItemState.OPEN).pk
    with clock.at(at):
        answer = cast.client_for("repair_leader").post_json(
            f"{WORK}/complete-task", {"taskId": str(item), "flag": "ok"}
        )
    assert answer.status == 200, answer


def let_pass(until: datetime) -> int:
    """The timers up to this moment fire."""
    with clock.at(until):
        return sweep.fire_due(now=until)


def overview(caller: Caller, **asked: Any) -> list[dict[str, Any]]:
    """The rows of the list."""
    answer = caller.get(f"{MODEL}/overview", size=50, **asked)
    assert answer.status == 200, answer
    return answer.data["records"]  # type: ignore[no-any-return]


def row(caller: Caller, key: str = "seal") -> dict[str, Any]:
    """The one row of a model."""
    [found] = [one for one in overview(caller) if one["key"] == key]
    return found


def save(caller: Caller, **values: Any) -> Body:
    """Begin a draft, or draw it on."""
    return caller.post_json(f"{MODEL}/submit", {"name": "用印", "modelKey": "seal", "xml": XML.decode(), **values})


def test_a_model_is_one_row_from_its_first_draft_to_its_suspension(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    shipped = set(Definition.objects.filter(is_general=True).values_list("key", flat=True))
    assert {one["key"] for one in overview(designer)} == shipped
    draft = save(designer, note="初稿", category="flow_1").data["id"]
    found = row(designer)
    assert found.pop("draft") == {
        "id": draft, "version": 1, "userName": "高流", "note": "初稿", "lastUpdated": found_time(designer, draft),
    }  # fmt: skip
    assert found == {
        "key": "seal", "name": "用印", "category": "flow_1", "categoryName": "请假", "businessType": "",
        "state": "draft", "deployed": None, "versions": 0, "running": 0, "overdue": 0, "failed": 0,
    }  # fmt: skip
    assert overview(designer)[0]["key"] == "seal"  # what was touched last comes first
    done = designer.post_json(f"{MODEL}/deploy", modelId=draft, tenantIds=A, note="上线", confirm=1)
    assert done.status == 200, done
    found = row(designer)
    assert (found["state"], found["versions"], found["deployed"]["version"]) == ("active", 1, 1)
    assert (found["deployed"]["note"], found["deployed"]["deployUserName"]) == ("上线", "高流")
    version = found["deployed"]["id"]
    assert designer.post_json(f"{MANAGER}/change-state", processId=version, state="suspend").status == 200
    assert row(designer)["state"] == "suspended"
    assert designer.post_json(f"{MODEL}/remove", ids=draft).status == 200
    found = row(designer)
    assert (found["draft"], found["deployed"]["id"], found["category"]) == (None, version, "flow_1")
    assert designer.post_json(f"{MANAGER}/delete-deployment", deploymentIds=version).status == 200
    assert {one["key"] for one in overview(designer)} == shipped


def found_time(caller: Caller, draft: str) -> Any:
    """When the draft was saved last."""
    return caller.get(f"{MODEL}/detail", id=draft).data["lastUpdated"]


def test_an_own_version_stands_before_the_general_one_and_blocks_it_when_suspended(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    general = Definition.objects.get(key="leave", is_general=True)
    assert (row(designer, "leave")["deployed"]["id"], row(designer, "leave")["versions"]) == (str(general.pk), 1)
    own = library.deploy(bytes(general.xml), {**general.meta, "own": A}, A)
    found = row(designer.in_english(), "leave")
    assert (found["name"], found["deployed"]["id"], found["versions"]) == (str(general.name_en), str(own.pk), 2)
    designer.post_json(f"{MANAGER}/change-state", processId=str(own.pk), state="suspend")
    found = row(designer, "leave")
    assert (found["state"], found["deployed"]["id"], found["businessType"]) == ("suspended", str(own.pk), "leave")
    assert row(cast.client_for("flow_designer", B), "leave")["deployed"]["id"] == str(general.pk)
    versions = designer.get(f"{MANAGER}/versions", key="leave").data
    assert [(one["id"], one["isInForce"]) for one in versions["records"]] == [
        (str(own.pk), True), (str(general.pk), False),
    ]  # fmt: skip
    listed = designer.get(f"{MANAGER}/list", key="leave").data["records"]
    assert [one["isInForce"] for one in listed] == [True, False]
    elsewhere = cast.client_for("flow_designer", B).get(f"{MANAGER}/versions", key="leave").data
    assert [(one["id"], one["isInForce"]) for one in elsewhere["records"]] == [(str(general.pk), True)]


def test_the_list_is_filtered_by_everything_that_it_shows(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    save(designer, category="flow_2")
    save(designer, modelKey="car", name="用车", xml=drawing(LINE, "car").decode())
    car = deployed(xml=drawing(LINE, "car"))
    deployed(xml=drawing(LINE, "trip", "出差"))
    shipped = list(Definition.objects.filter(is_general=True).order_by("key").values_list("key", flat=True))

    def keys(**asked: Any) -> list[str]:
        return sorted(one["key"] for one in overview(designer, **asked))

    assert keys() == sorted(["car", "seal", "trip", *shipped])
    assert (keys(key="EA"), keys(name="用"), keys(name="REPAIR")) == (
        ["leave", "seal"],
        ["car", "seal"],
        ["repairorder"],
    )
    assert (keys(category="flow_1"), keys(category="flow_9")) == (["car", "leave", "trip"], [])
    assert keys(category="flow_1,flow_2", mode=2) == ["car", "seal", "trip"]
    assert (keys(state="draft"), keys(mode=1)) == (["seal"], shipped)
    designer.post_json(f"{MANAGER}/change-state", processId=str(car.pk), state="suspend")
    assert (keys(state="suspended"), keys(state="active", mode=2), keys(state="x")) == (["car"], ["trip"], keys())
    assert [one["key"] for one in overview(designer, mode=2)] == ["trip", "car", "seal"]
    first = designer.get(f"{MODEL}/overview", mode=2, size=2).data
    assert (first["total"], first["pages"], len(first["records"])) == (3, 2, 2)


def test_what_runs_is_counted_with_what_is_overdue_and_what_has_failed(cast: Cast) -> None:
    first = deployed()
    one, other = begin(cast, first), begin(cast, first)
    third = begin(cast, deployed(xml=drawing(BODY, "seal", "用印二"), note="改名"))
    begin(cast, deployed(B), tenant=B)
    designer = cast.client_for("flow_designer")
    do(cast, other, NOON + timedelta(hours=1))
    assert (row(designer)["running"], row(designer)["overdue"]) == (3, 0)
    assert let_pass(NOON + timedelta(hours=2)) == 4  # one each
    found = row(designer)
    assert {name: found[name] for name in ("running", "overdue", "failed")} == {"running": 3, "overdue": 3, "failed": 0}
    # The next step in the same time is overdue when it begins; the one behind it has all the time.
    do(cast, one, NOON + timedelta(hours=3))
    assert row(designer)["overdue"] == 3
    do(cast, one, NOON + timedelta(hours=4))
    assert row(designer)["overdue"] == 2
    incidents.raise_incident(A, int(third), None, incidents.Reason("limit", "太多", "Too many", "look"))
    found = row(designer)
    assert {name: found[name] for name in ("running", "overdue", "failed")} == {"running": 3, "overdue": 2, "failed": 1}
    versions = designer.get(f"{MANAGER}/versions", key="seal").data["records"]
    assert [(v["version"], v["note"], v["running"], v["overdue"], v["failed"]) for v in versions] == [
        (2, "改名", 1, 1, 1), (1, "", 2, 1, 0),
    ]  # fmt: skip
    with tenant_scope(A):
        assert set(WorkItem.objects.filter(state=ItemState.OPEN).values_list("node", "late_time")) == {
            ("keep", None), ("sign", NOON + timedelta(hours=2)), ("look", NOON + timedelta(hours=2)),
        }  # fmt: skip


def test_the_list_costs_the_same_however_much_is_in_it(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")

    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            overview(designer)
        words = ("SELECT CURRENT", "SELECT SET", "SAVEPOINT", "RELEASE", "BEGIN", "COMMIT", "ROLLBACK")
        return sum(not query["sql"].upper().startswith(words) for query in captured)

    save(designer), cost()
    before = cost()
    for number in range(4):
        save(designer, modelKey=f"m{number}", xml=drawing(LINE, f"m{number}").decode())
        begin(cast, deployed(xml=drawing(LINE, f"n{number}")))
    assert (cost(), before) == (6, 6)


def test_times_are_those_of_the_own_companys_history(cast: Cast) -> None:
    first = deployed()
    begun = [begin(cast, first), begin(cast, first)]
    second = deployed(xml=drawing(BODY, "seal", "用印二"))
    begun += [begin(cast, second)]
    begin(cast, deployed(B), tenant=B)
    for number, started in enumerate(begun):
        at = NOON
        for minutes in (10 * (number + 1), 60, 5):
            at += timedelta(minutes=minutes)
            do(cast, started, at)
    begin(cast, second)
    let_pass(NOON + timedelta(hours=3))
    designer = cast.client_for("flow_designer")
    window = {"from": "2026-03-02", "to": "2026-03-02"}

    def times(**asked: Any) -> Any:
        answer = designer.get(f"{MANAGER}/times", **{**window, **asked})
        assert answer.status == 200, answer
        return answer.data

    def node(name: str, count: int, waiting: int, overdue: int, *seconds: Any) -> dict[str, Any]:
        spent = dict(zip(("medianSeconds", "p90Seconds", "longestSeconds"), seconds, strict=True))
        return {"node": name, "count": count, "waiting": waiting, "overdue": overdue, **spent}

    told = times(key="seal")
    assert (told["begin"], told["end"]) == ("2026-03-02 00:00:00", "2026-03-02 23:59:59")
    assert told["instances"] == {"started": 4, "ended": 3, "running": 1, "medianSeconds": 85 * 60}
    assert told["nodes"] == [
        node("keep", 3, 0, 0, 300, 300, 300),
        node("look", 3, 1, 1, 1200, 1800, 1800),
        node("sign", 3, 0, 0, 3600, 3600, 3600),
    ]
    told = times(processId=first.pk)
    assert told["instances"] == {"started": 2, "ended": 2, "running": 0, "medianSeconds": 75 * 60}
    assert told["nodes"][1] == node("look", 2, 0, 0, 600, 1200, 1200)
    # What runs now and what waits now is told of any window; what happened, of its own.
    told = times(key="seal", **{"from": "2026-03-03", "to": "2026-03-04"})
    assert told["instances"] == {"started": 0, "ended": 0, "running": 1, "medianSeconds": None}
    assert told["nodes"] == [node("look", 0, 1, 1, None, None, None)]
    for until, count in (("2026-05-31 12:00:00", 4), ("2026-05-31 12:00:01", 0)):  # without a beginning, of 90 days
        assert designer.get(f"{MANAGER}/times", key="seal", to=until).data["instances"]["started"] == count
    for definition in (first, second):
        Definition.objects.filter(pk=definition.pk).update(is_deleted=True)
    assert times(key="seal")["instances"]["ended"] == 3  # a deleted version stays in the history
    for wrong in ({"from": "2026-03-03"}, {"from": "2024-01-01"}, {"from": "x"}, {"to": "x"}):
        answer = designer.get(f"{MANAGER}/times", key="seal", **{**window, **wrong})
        assert (answer.status, list(answer.data["fields"])) == (400, [next(iter(wrong))]), wrong
    assert designer.get(f"{MANAGER}/times", key="seal", to="0001-01-01").data["instances"]["started"] == 0
    assert designer.get(f"{MANAGER}/times").data["fields"].keys() == {"key"}


@pytest.mark.parametrize(
    ("account", "tenant", "own", "general"),
    [("flow_designer", A, 200, 200), ("tenant_admin", A, 200, 200), ("equip_manager", A, 403, 403),
     ("flow_designer", B, 404, 200), ("platform", PLATFORM, 404, 200)],
)  # fmt: skip
def test_who_sees_a_version(cast: Cast, account: str, tenant: str, own: int, general: int) -> None:
    mine = deployed(note="为什么")
    shipped = Definition.objects.get(key="leave", is_general=True)
    caller = cast.client_for(account, tenant)
    for version, status in ((mine, own), (shipped, general)):
        seen = caller.get(f"{MANAGER}/detail", processId=version.pk)
        assert (seen.status, caller.get(f"{MANAGER}/times", processId=version.pk).status) == (status, status)
        if status == 200:
            assert (seen.data["xml"].encode(), seen.data["note"]) == (bytes(version.xml), version.note)
    assert caller.get(f"{MODEL}/overview").status == general
    listed = caller.get(f"{MANAGER}/versions", key="seal")
    assert listed.status == general
    if general == 200:
        assert listed.data["total"] == (own == 200)
    with tenant_scope(A):
        assert ProcessInstance.objects.count() == 0
