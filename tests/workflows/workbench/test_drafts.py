"""Drafts: kept as they were drawn, with who, when and why; two who draw one get a conflict, and nothing is lost."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from core.audit.models import Event
from core.kernel import clock
from core.kernel.tenancy import PLATFORM, tenant_scope
from tests.cast import A, B, Body, Caller, Cast
from tests.checksums import checksum
from tests.workflows.drawings import LINE, drawing, line
from workflows.runtime.tables.deployments.models import Definition, Draft, Revision

MODEL = "blade-flow/model"
XML = drawing(LINE, "trip").decode()
LATER = XML.replace("办理", "审批")


def add(caller: Caller, **values: Any) -> Body:
    """Begin a draft."""
    return caller.post_json(f"{MODEL}/submit", {"name": "出差", "modelKey": "trip", "xml": XML, **values})


def save(caller: Caller, draft: str, version: Any, **values: Any) -> Body:
    """Draw it on."""
    return caller.post_json(f"{MODEL}/submit", {"id": draft, "name": "出差", "version": version, **values})


def detail(caller: Caller, draft: str, **asked: Any) -> Any:
    """What is stored."""
    return caller.get(f"{MODEL}/detail", id=draft, **asked).data


def test_a_draft_is_kept_as_it_was_drawn_with_its_history(cast: Cast) -> None:
    designer, administrator = cast.client_for("flow_designer"), cast.client_for("tenant_admin")
    made = add(designer, description="说明", category="flow_1", note="初稿").data
    assert made["version"] == 1
    broken = XML.replace("</process>", "")
    assert save(administrator, made["id"], 1, xml=broken, note="还没画完").data == {"id": made["id"], "version": 2}
    assert save(designer, made["id"], 2, xml=LATER).data["version"] == 3
    found = detail(designer, made["id"])
    assert {name: found[name] for name in ("modelKey", "name", "description", "category", "version", "xml")} == {
        "modelKey": "trip", "name": "出差", "description": "说明", "category": "flow_1", "version": 3, "xml": LATER,
    }  # fmt: skip
    told = [(row["version"], row["userName"], row["note"]) for row in found["history"]]
    assert told == [(3, "高流", ""), (2, "赵理", "还没画完"), (1, "高流", "初稿")]
    assert detail(designer, made["id"], version=2)["xml"] == broken
    assert designer.get(f"{MODEL}/detail", id=made["id"], version=9).status == 404
    with tenant_scope(A):
        acts = Event.objects.filter(business_type="draft").order_by("id")
        assert list(acts.values_list("operation", "remark")) == [
            ("draft.add", "初稿"), ("draft.edit", "还没画完"), ("draft.edit", ""),
        ]  # fmt: skip


def test_the_key_is_the_drawings_where_none_is_given_and_never_another(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    made = designer.post_json(f"{MODEL}/submit", {"name": "出差", "xml": XML}).data
    assert detail(designer, made["id"])["modelKey"] == "trip"
    other = add(designer, modelKey="other")
    assert (other.status, list(other.data["fields"])) == (400, ["modelKey"])
    assert other.msg == "流程标识与流程图中的不一致"
    twice = add(designer)
    assert (twice.status, twice.msg) == (400, "流程标识已存在")
    renamed = save(designer, made["id"], 1, xml=drawing(LINE, "journey").decode())
    assert (renamed.status, list(renamed.data["fields"])) == (400, ["modelKey"])
    with tenant_scope(A):
        assert (Draft.objects.count(), Revision.objects.count()) == (1, 1)


def test_who_draws_on_an_old_version_is_told_who_saved_since_and_loses_nothing(cast: Cast) -> None:
    designer, administrator = cast.client_for("flow_designer"), cast.client_for("tenant_admin")
    draft = add(designer).data["id"]
    save(administrator, draft, 1, xml=LATER)
    before = checksum(A)
    late = save(designer, draft, 1, xml=XML.replace("办理", "批准"))
    assert (late.status, late["error"]) == (409, "model.stale")
    assert (late.data["userName"], late.data["version"]) == ("赵理", 2)
    assert late.msg.startswith("模型已由赵理于") and late.msg.endswith("保存（第2次保存），请刷新后合并您的修改")
    assert checksum(A) == before
    # The same again is no conflict with itself.
    assert save(administrator, draft, 1, xml=LATER).data == {"id": draft, "version": 2}
    assert checksum(A) == before


def test_a_run_of_automatic_saves_is_one_entry_of_the_history_and_of_the_audit(cast: Cast) -> None:
    designer, administrator = cast.client_for("flow_designer"), cast.client_for("tenant_admin")
    begin = clock.now()

    def auto(caller: Caller, version: int, name: str, seconds: int, **values: Any) -> int:
        with clock.at(begin + timedelta(seconds=seconds)):
            answer = save(caller, draft, version, xml=XML.replace("办理", name), auto=1, **values)
        assert answer.status == 200, answer
        return answer.data["version"]  # type: ignore[no-any-return]

    def history() -> list[tuple[int, str, str, bool]]:
        told = detail(designer, draft)["history"]
        return [(row["version"], row["userName"], row["note"], row["isAutomatic"]) for row in told]

    draft = add(designer, note="初稿").data["id"]
    assert [auto(designer, 1, "一", 0), auto(designer, 2, "二", 300), auto(designer, 3, "三", 599)] == [2, 3, 4]
    assert history() == [(4, "高流", "", True), (1, "高流", "初稿", False)]
    assert auto(designer, 4, "三", 599) == 4  # the same again is nothing
    late = save(administrator, draft, 3, xml=LATER, auto=1)
    assert (late.status, late["error"], late.data["userName"], late.data["version"]) == (409, "model.stale", "高流", 4)
    # Ten minutes after its beginning another run begins; so does it after somebody else's.
    assert [auto(designer, 4, "四", 600), auto(administrator, 5, "五", 601), auto(designer, 6, "六", 602)] == [5, 6, 7]
    assert [row[:2] for row in history()] == [(7, "高流"), (6, "赵理"), (5, "高流"), (4, "高流"), (1, "高流")]
    # Saved with intent, the same drawing has an entry of its own, which no automatic save replaces.
    same = XML.replace("办理", "六")
    assert save(designer, draft, 7, xml=same, note="完成").data["version"] == 8
    assert save(designer, draft, 7, xml=same, note="完成").data["version"] == 8
    assert save(designer, draft, 7, xml=same, note="另一个").status == 409
    assert auto(designer, 8, "六", 603) == 8
    assert auto(designer, 8, "七", 604) == 9
    assert history()[:3] == [(9, "高流", "", True), (8, "高流", "完成", False), (7, "高流", "", True)]
    assert detail(designer, draft, version=8)["xml"] == same
    assert designer.get(f"{MODEL}/detail", id=draft, version=3).status == 404  # within a run only the last is kept
    with tenant_scope(A):
        acts = Event.objects.filter(business_type="draft").order_by("id").values_list("operation", "user_name")
        assert list(acts) == [
            ("draft.add", "高流"), ("draft.edit", "高流"), ("draft.edit", "高流"), ("draft.edit", "赵理"),
            ("draft.edit", "高流"), ("draft.edit", "高流"), ("draft.edit", "高流"),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"name": ""}, "name"), ({"name": "x" * 81}, "name"), ({"xml": ""}, "xml"), ({"xml": "x" * 2_000_001}, "xml"),
        ({"xml": {"a": 1}}, "xml"), ({"modelKey": "a b"}, "modelKey"), ({"modelKey": "x" * 61}, "modelKey"),
        ({"description": "x" * 501}, "description"), ({"note": "x" * 201}, "note"),
        ({"category": "x" * 21}, "category"), ({"auto": 2}, "auto"),
        ({"modelKey": "", "xml": "<a/>"}, "modelKey"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_by_the_fields_name(cast: Cast, values: dict[str, Any], field: str) -> None:
    answer = add(cast.client_for("flow_designer"), **values)
    assert (answer.status, list(answer.data["fields"])) == (400, [field]), answer
    with tenant_scope(A):
        assert not Draft.objects.exists()


def test_drawing_on_needs_the_version_that_was_read(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    draft = add(designer).data["id"]
    for version in (None, "", "x", -1, 2**40):
        body = {"id": draft, "name": "出差", "xml": LATER, **({} if version is None else {"version": version})}
        answer = designer.post_json(f"{MODEL}/submit", body)
        assert (answer.status, list(answer.data["fields"])) == (400, ["version"]), version
    with tenant_scope(A):
        assert Revision.objects.count() == 1


@pytest.mark.parametrize(
    ("account", "tenant", "status"),
    [("flow_designer", A, 200), ("tenant_admin", A, 200), ("equip_manager", A, 403), ("tenant_admin", B, 404),
     ("platform", PLATFORM, 404)],
)  # fmt: skip
def test_who_may_do_what_with_a_draft(cast: Cast, account: str, tenant: str, status: int) -> None:
    draft = add(cast.client_for("flow_designer")).data["id"]
    caller = cast.client_for(account, tenant)
    before = checksum(A)
    assert caller.get(f"{MODEL}/detail", id=draft).status == status
    assert caller.post_json(f"{MODEL}/validate", {"id": draft}).status == status
    listed = caller.get(f"{MODEL}/list")
    assert listed.status == (403 if status == 403 else 200)
    if listed.status == 200:
        assert [row["id"] for row in listed.data["records"]] == ([draft] if status == 200 else [])
    assert checksum(A) == before
    assert save(caller, draft, 1, xml=LATER).status == status
    deploy = caller.post_json(f"{MODEL}/deploy", modelId=draft, category="flow_1", tenantIds=A)
    assert deploy.status == status, deploy
    assert Definition.objects.filter(key="trip").count() == (status == 200)
    assert caller.post_json(f"{MODEL}/remove", ids=draft).status == status
    with tenant_scope(A):
        assert Draft.objects.count() == (status != 200)
    if status != 200:
        assert checksum(A) == before


def test_the_platform_keeps_the_general_ones(cast: Cast) -> None:
    platform, designer = cast.platform(), cast.client_for("flow_designer")
    draft = add(platform, category="flow_1").data["id"]
    assert designer.get(f"{MODEL}/list").data["total"] == 0
    answer = platform.post_json(f"{MODEL}/deploy", modelId=draft)
    assert answer.status == 200, answer
    row = Definition.objects.get(key="trip")
    assert (row.tenant_id, row.is_general, row.category) == (PLATFORM, True, "flow_1")
    own = add(designer).data["id"]
    assert designer.post_json(f"{MODEL}/deploy", modelId=own, category="flow_1").status == 403
    assert platform.get(f"{MODEL}/list", tenantId=A).data["records"][0]["id"] == own
    assert designer.get(f"{MODEL}/list", tenantId=B).data["records"][0]["id"] == own


def test_a_deployment_is_the_drawing_as_it_stands_and_the_gate_is_asked(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    bad = drawing(line('<scriptTask id="w"><script>1</script></scriptTask>'), "trip").decode()
    draft = add(designer, xml=bad).data["id"]
    asked = designer.post_json(f"{MODEL}/validate", {"id": draft}).data
    assert (asked["status"], asked["problems"][0]["element"]) == ("refused", "w")
    same = designer.post_json(f"{MODEL}/validate", {"xml": bad}).data
    assert same["problems"] == asked["problems"]
    refused = designer.post_json(f"{MODEL}/deploy", modelId=draft, category="flow_1", tenantIds=A)
    assert (refused.status, refused["error"]) == (400, "model.refused")
    assert not Definition.objects.filter(key="trip").exists()
    save(designer, draft, 1, xml=XML)
    assert designer.post_json(f"{MODEL}/validate", {"id": draft}).data["status"] == "ready"
    done = designer.post_json(f"{MODEL}/deploy", modelId=draft, category="flow_1", tenantIds=A)
    assert done.data["files"][0]["status"] == "deployed"
    assert bytes(Definition.objects.get(key="trip").xml).decode() == XML
    assert designer.post_json(f"{MODEL}/remove", ids=draft).status == 200
    assert Definition.objects.filter(key="trip").exists()
    assert add(designer).status == 200  # a deleted draft leaves its key free


def test_lists_are_searched_and_several_are_removed_all_or_none(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    first = add(designer).data["id"]
    second = add(designer, name="用车", modelKey="car", xml=drawing(LINE, "car").decode()).data["id"]

    def ids(**asked: Any) -> list[str]:
        return [row["id"] for row in designer.get(f"{MODEL}/list", **asked).data["records"]]

    assert ids() == [second, first]
    assert ids(modelKey="TRI") == ids(name="出") == [first]
    assert ids(name="无") == []
    assert designer.post_json(f"{MODEL}/remove", ids=f"{first},1").status == 404
    assert ids() == [second, first]
    assert designer.post_json(f"{MODEL}/remove", ids=f"{first},{second}").status == 200
    assert ids() == []


@pytest.mark.django_db(transaction=True)
def test_of_six_who_save_at_once_one_wins_and_five_read_who(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    draft = add(designer).data["id"]
    callers = [designer, cast.client_for("tenant_admin")] * 3
    answers: list[Any] = [None] * 6
    start = threading.Barrier(6)

    def take_part(place: int) -> None:
        try:
            start.wait(20)
            answers[place] = save(callers[place], draft, 1, xml=XML.replace("办理", f"办理{place}"))
        finally:
            connection.close()

    connection.close()
    threads = [threading.Thread(target=take_part, args=(place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status for answer in answers) == [200] + [409] * 5
    winner = next(place for place in range(6) if answers[place].status == 200)
    assert {answer["error"] for answer in answers if answer.status == 409} == {"model.stale"}
    found = detail(designer, draft)
    assert (found["version"], found["xml"]) == (2, XML.replace("办理", f"办理{winner}"))
