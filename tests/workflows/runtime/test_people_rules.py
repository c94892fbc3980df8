"""Posts, departments and their heads as candidates: exact people, claims, words, and what the deployment check says."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core import ports
from core.access.models import Menu, Role, RoleMenu, UserRole
from core.identity.models import Department, Post, User, UserPost
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.runtime.test_countersign import begin, sign, status
from tests.workflows.runtime.test_signers import weighed
from tests.workflows.standalone import ONE_STEP, deploy, document
from workflows.runtime.definitions import weights
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import InstanceStatus
from workflows.runtime.tables.worklist.models import WorkItem
from workflows.workbench import gate

WORK = "blade-flow/work/"


@pytest.fixture
def plant(cast: Cast) -> dict[str, int]:
    """A plant with a workshop with a line; the workshop has no head. Two people hold the post of a safety officer."""
    with tenant_scope(A):
        person = {user.account: user for user in User.objects.all()}
        top = Department.objects.create(dept_name="工厂", dept_name_en="Plant", leader=person["tenant_admin"])
        shop = Department.objects.create(dept_name="车间", dept_name_en="Workshop", parent=top)
        line = Department.objects.create(
            dept_name="产线", dept_name_en="Line", parent=shop, leader=person["shift_leader"]
        )
        for account, dept in (("operator", line), ("shift_leader", line), ("repairer", shop), ("viewer", top)):
            User.objects.filter(account=account).update(dept=dept)
        post = Post.objects.create(category=1, post_code="safety", post_name="安全员", post_name_en="Safety officer")
        for account in ("operator", "viewer"):
            UserPost.objects.create(user=person[account], post=post)
        return {"top": top.pk, "shop": shop.pk, "line": line.pk, "post": post.pk}


def _xml(rule: str, more: str = "") -> bytes:
    return document(ONE_STEP.format(task=f'xw:candidates="{rule}" {more}'))


def _asked(cast: Cast, rule: str, starter: str = "operator") -> tuple[list[str], list[str]]:
    """Who would get a step with this rule, and what the rule is called."""
    found = cast.client_for("flow_designer").post_json(
        "blade-flow/model/candidates",
        {"xml": _xml(rule).decode(), "element": "look", "starterId": str(cast.user(starter).pk)},
    )
    assert found.status == 200, found
    return [one["name"] for one in found.data["people"]], [one["text"] for one in found.data["rules"]]


@pytest.mark.parametrize(
    ("rule", "starter", "people", "words"),
    [
        ("post:safety", "operator", ["秦操", "何看"], "岗位「安全员」"),
        ("post:safety@{top}", "operator", ["何看"], "工厂的岗位「安全员」"),
        ("post:safety@{shop}", "operator", [], "车间的岗位「安全员」"),
        ("dept:{shop}", "operator", ["蒋修"], "部门「车间」"),
        ("deptTree:{shop}", "operator", ["秦操", "李班", "蒋修"], "部门「车间及下级部门」"),
        ("head:{line}", "operator", ["李班"], "部门负责人「李班」"),
        ("head:{shop}", "operator", ["赵理"], "部门负责人「赵理」"),  # it has none: the next one above
        ("head:{line}+2", "operator", ["赵理"], "部门负责人「赵理」"),
        ("head:starter", "operator", ["李班"], "部门负责人「李班」"),
        ("head:starter", "shift_leader", ["赵理"], "部门负责人「赵理」"),  # nobody is the own head
        ("head:starter+1", "operator", ["赵理"], "部门负责人「赵理」"),
    ],
)
def test_a_rule_finds_exactly_its_people(
    cast: Cast, plant: dict[str, int], rule: str, starter: str, people: list[str], words: str
) -> None:
    assert _asked(cast, rule.format(**plant), starter) == (people, [words])


@pytest.mark.parametrize("rule", ["post:gone", "head:starter+3", "head:{top}+1", "dept:", "head:nobody"])
def test_a_rule_that_finds_nobody_leaves_the_step_to_the_head(cast: Cast, plant: dict[str, int], rule: str) -> None:
    assert _asked(cast, rule.format(**plant))[0] == ["李班"]


def _started(cast: Cast, rule: str, caller: str = "operator") -> WorkItem:
    body = {"processDefinitionId": str(deploy(_xml(rule)).pk), "variables": {}}
    assert cast.anew(caller).post_json(f"{WORK}start-process", body).status == 200
    with tenant_scope(A):
        return WorkItem.objects.latest("id")  # type: ignore[no-any-return]


def _claimable(cast: Cast, item: WorkItem) -> list[str]:
    """Who of some people finds the item among what may be claimed."""
    found = []
    for account in ("operator", "shift_leader", "repairer", "viewer", "repairer2"):
        rows = cast.anew(account).get(f"{WORK}claim-list").data["records"]
        found += [account for row in rows if row["taskId"] == str(item.pk)]
    return found


@pytest.mark.parametrize(
    ("rule", "accounts", "why"),
    [
        ("post:safety", ["operator", "viewer"], "安全员"),
        ("deptTree:{shop}", ["operator", "shift_leader", "repairer"], "车间及下级部门"),
        ("dept:{top}", ["viewer"], "工厂"),
    ],
)
def test_who_holds_a_post_or_sits_in_a_department_claims_the_step(
    cast: Cast, plant: dict[str, int], rule: str, accounts: list[str], why: str
) -> None:
    item = _started(cast, rule.format(**plant))
    assert _claimable(cast, item) == accounts
    refused = cast.anew("repairer2").post_json(f"{WORK}claim-task", taskId=item.pk)
    assert refused.status == 403
    assert cast.anew("operator", B).post_json(f"{WORK}claim-task", taskId=item.pk).status == 404
    caller = cast.anew(accounts[0])
    [row] = caller.get(f"{WORK}inbox").data["records"]
    assert row["why"] == why
    assert caller.post_json(f"{WORK}claim-task", taskId=item.pk).status == 200
    done = caller.post_json(f"{WORK}complete-task", {"taskId": str(item.pk), "flag": "ok"})
    assert done.data["processIsFinished"] == "finished"
    with tenant_scope(A):
        assert queues.drift() == []


def test_heads_cost_three_statements_and_members_may_be_of_a_post(cast: Cast, plant: dict[str, int]) -> None:
    starter = cast.user("operator").pk
    rules = [f"head:{plant['line']}", f"head:{plant['shop']}", f"head:user:{starter}", f"head:user:{starter}+1"]
    with tenant_scope(A), CaptureQueriesContext(connection) as captured:
        found = ports.people.candidate_keys(rules)
    lead, admin = f"user:{cast.user('shift_leader').pk}", f"user:{cast.user('tenant_admin').pk}"
    assert found == dict(zip(rules, (lead, admin, lead, admin), strict=True))
    assert len([one for one in captured if one["sql"].startswith("SELECT ") and "set_config" not in one["sql"]]) == 3
    with tenant_scope(B):
        assert ports.people.candidate_keys([*rules, "post:safety"]) == {}
        assert not ports.people.behind([f"post:{plant['post']}", f"deptTree:{plant['top']}"]).exists()


def _check(caller: Caller, xml: bytes) -> dict[str, Any]:
    answer: Body = caller.post_json("blade-flow/model/validate", {"xml": xml.decode()})
    assert answer.status == 200, answer
    return {one["code"]: (one["element"], one["messageZh"], one["messageEn"]) for one in answer.data["problems"]}


def test_the_deployment_check_names_posts_and_departments_that_are_not_there(cast: Cast, plant: dict[str, int]) -> None:
    designer = cast.client_for("flow_designer")
    good = " ".join(f"{kind}:{plant['line']}" for kind in ("dept", "deptTree", "head"))
    assert not _check(designer, _xml(f"post:safety post:safety@{plant['top']} head:starter+1 {good}")).keys() & {
        "post_unknown", "dept_unknown", "head_rule",
    }  # fmt: skip
    wrong = _check(designer, _xml("post:gone head:starter+x deptTree:17"))
    assert wrong == {
        **wrong,
        "post_unknown": ("look", "岗位“gone”不存在", "The position “gone” does not exist"),
        "dept_unknown": ("look", "部门“17”不存在", "The department “17” does not exist"),
        "head_rule": (
            "look", "部门负责人规则“head:starter+x”写法不正确",
            "The rule “head:starter+x” for a head is not written correctly",
        ),
    }  # fmt: skip
    with tenant_scope(B):
        other = gate.examine_for([B], gate.examine(_xml(f"deptTree:{plant['shop']}")))
    assert [one.code for one in other.errors] == ["dept_unknown"]


@pytest.mark.parametrize("model", [_xml("post:safety"), weighed("post:safety=2, *=1")], ids=["asked", "weighed"])
def test_nobody_gives_a_post_that_a_model_names_without_holding_it(
    cast: Cast, plant: dict[str, int], model: bytes
) -> None:
    """Whoever has the post gets the model's tasks; a post that no model names is nobody's power."""
    user = cast.user("repairer2")
    with tenant_scope(A):
        role = Role.objects.create(role_alias="keeper", role_name="账号员", role_name_en="Keeper")
        for menu in Menu.objects.filter(code__in=["user", "user_edit", "user_view"]):
            RoleMenu.objects.create(role=role, menu=menu)
        UserRole.objects.create(user=user, role=role)
        other = Post.objects.create(category=1, post_code="clerk", post_name="文员", post_name_en="Clerk")
    keeper = cast.anew("repairer2")

    def give(post: int) -> int:
        body = {"id": str(user.pk), "lockVersion": cast.user("repairer2").lock_version, "postId": str(post)}
        return keeper.post_json("blade-user/update", body).status

    assert give(plant["post"]) == 200  # no model names it yet
    assert give(other.pk) == 200
    deploy(model)
    assert give(plant["post"]) == 403
    with tenant_scope(A):
        assert [one.post_id for one in UserPost.objects.filter(user=user)] == [other.pk]


WEIGHTS = "post:safety@{top}=5, post:safety=4, dept:{shop}=3, deptTree:{shop}=2, *=1"


def test_votes_weigh_by_position_and_department(cast: Cast, plant: dict[str, int]) -> None:
    """The first rule that names a person counts; the parts of a department are asked for by name."""
    xml, people = weighed(WEIGHTS.format(**plant)), "viewer,operator,repairer,shift_leader,repair_leader"
    asked = {"xml": xml.decode(), "element": "sign", "values": {"people": people}}
    shown = cast.client_for("flow_designer").post_json("blade-flow/model/candidates", asked).data["people"]
    assert {one["name"]: one["weight"] for one in shown} == {"何看": 5, "秦操": 4, "蒋修": 3, "李班": 2, "卫长": 1}
    instance = begin(cast, xml, people)
    sign(cast.client_for("viewer"))
    assert status(instance) == InstanceStatus.RUNNING  # 5 of 15
    assert sign(cast.client_for("operator")).data["processIsFinished"] == "finished"  # 9 of 15 are 60 %
    with tenant_scope(A):
        User.objects.filter(account="operator").update(dept=plant["top"])
        Post.objects.filter(pk=plant["post"]).update(is_deleted=True)
    instance = begin(cast, xml, people, key="two")
    for name in ("viewer", "operator"):  # both in the plant itself, and their position is gone: 2 of 8
        sign(cast.client_for(name))
    assert status(instance) == InstanceStatus.RUNNING
    assert sign(cast.client_for("repairer")).data["processIsFinished"] == "finished"  # 5 of 8


def test_weights_cost_a_statement_a_rule_however_many_people_are_behind_it(cast: Cast, plant: dict[str, int]) -> None:
    rules = [("post:safety", 4), (f"deptTree:{plant['shop']}", 2), ("*", 1)]
    costs = []
    for people in (["viewer"], ["viewer", "operator", "repairer", "shift_leader", "nobody"]):
        with tenant_scope(A), CaptureQueriesContext(connection) as captured:
            found = weights.of(rules, people)
        costs.append((found, len([one for one in captured if one["sql"].startswith("SELECT DISTINCT ")])))
    assert costs == [([4], 2), ([4, 4, 2, 2, 1], 2)]


def test_the_deployment_check_knows_positions_and_departments_of_weights(cast: Cast, plant: dict[str, int]) -> None:
    designer = cast.client_for("flow_designer")
    codes = {"post_unknown", "dept_unknown", "many_weights"}
    assert not _check(designer, weighed(WEIGHTS.format(**plant))).keys() & codes
    wrong = _check(designer, weighed(f"post:gone@{plant['top']}=2, deptTree:17=3, *=1"))
    assert {code: said for code, said in wrong.items() if code in codes} == {
        "post_unknown": ("sign", "岗位“gone”不存在", "The position “gone” does not exist"),
        "dept_unknown": ("sign", "部门“17”不存在", "The department “17” does not exist"),
    }
    heads = _check(designer, weighed(f"head:{plant['line']}=2, *=1"))
    assert heads["many_weights"][0] == "sign"  # a head is a person, whom a rule may name
    with tenant_scope(B):
        other = gate.examine_for([B], gate.examine(weighed(f"dept:{plant['shop']}=2, *=1")))
    assert [one.code for one in other.errors] == ["dept_unknown"]
