"""The demo plant as `setup` builds it: its numbers, its stories, its accounts, and that nothing is left to fire."""

from __future__ import annotations

import io
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Min, Value
from django.test import Client
from rest_framework.exceptions import ValidationError

from core import ports
from core.access.models import UserRole
from core.audit.models import Event
from core.cases import commands
from core.cases.case import cases
from core.desk.models import Leave, Message
from core.equipment.models import Machine, MachineClass, NodeType, RunState, Stoppage, Tag
from core.identity.authentication import actor_of
from core.identity.models import Tenant, User
from core.inspection.models import Route, ValueType
from core.kernel import clock
from core.kernel.actor import Actor, acting
from core.kernel.errors import Refusal
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import OPEN, RepairOrder, Status
from core.project import demo
from core.project.demo_data import PLANTS
from core.project.env import BadEnvironment
from core.rounds.judging import judge
from core.rounds.models import (
    DetailStatus,
    Finding,
    ForecastStatus,
    InspectForecast,
    InspectOrder,
    InspectOrderDetail,
    InspectOrderRecord,
    OrderStatus,
)
from core.scheduling.models import OutboxMessage
from core.system import published
from tests.cast import Caller
from workflows.runtime.commands import sweep, work_items
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

# One worker takes all tests, so that the plant is built once.
# The plant itself stands on both databases: tests/project/test_serve.py begins with it.
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.same_on_both,
    pytest.mark.xdist_group("demo"),
    pytest.mark.timeout(400),  # three months of tasks, on a machine that may have others to serve
]
JIANGBEI, YUNLING = "100001", "100002"
INSPECTED = 2
"""The source of orders that an inspection has made."""
NODE_OF = {
    Status.REPORTED: "dispatch",
    Status.DISPATCHED: "accept",
    Status.REPAIRING: "repair",
    Status.ON_HOLD: "hold",
    Status.TO_CHECK: "check",
}


def _setup() -> str:
    out = io.StringIO()
    call_command("setup", stdout=out)
    return out.getvalue()


@pytest.fixture(scope="module")
def plant(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """An empty database set up as at the first start, taken back after the last test here; gives what was printed."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("flush", verbosity=0, interactive=False)
        printed = _setup()
        connection.check_constraints()  # as a commit would
        yield printed
        demo._list_path().unlink(missing_ok=True)
        transaction.set_rollback(True)


@pytest.fixture
def jiangbei(plant: str) -> Iterator[None]:
    """Inside the scope of the large plant."""
    with tenant_scope(JIANGBEI):
        yield


def _sign_in(tenant: str, account: str, password: str) -> Any:
    return Caller(tenant).post_form(
        "equip-auth/oauth/token",
        tenantId=tenant,
        username=account,
        password=password,
        grant_type="password",
        scope="all",
        type="account",
    )


def _caller(account: str, tenant: str = JIANGBEI) -> Caller:
    return Caller(tenant, _sign_in(tenant, account, demo._listed()[0][4])["access_token"])


def test_there_are_three_tenants_and_the_platform_is_not_listed(plant: str) -> None:
    rows = list(Tenant.objects.order_by("tenant_id").values_list("tenant_id", "tenant_code", "is_listed"))
    assert rows == [("000000", "PLATFORM", False), (JIANGBEI, "JBPUMP", True), (YUNLING, "YLCOLD", True)]
    named = {row["tenantId"]: row["tenantName"] for row in Caller().in_english().get("xunwei/site").data["tenants"]}
    assert named == {JIANGBEI: "Jiangbei Pump demo plant", YUNLING: "Yunling Cold Chain demo"}


def test_every_level_of_the_machine_tree_has_its_number_of_nodes(jiangbei: None) -> None:
    levels = Counter(Machine.objects.values_list("node_type", flat=True))
    assert levels == {
        NodeType.SITE: 1,
        NodeType.WORKSHOP: 6,
        NodeType.LINE: 10,
        NodeType.MACHINE: 45,
        NodeType.COMPONENT: 26,
    }
    importance = Counter(Machine.objects.filter(node_type=NodeType.MACHINE).values_list("importance", flat=True))
    assert importance == {1: 12, 2: 22, 3: 11}


def test_every_machine_is_of_a_class_that_has_none_below_it_and_no_class_is_empty(plant: str) -> None:
    found = {}
    for tenant in ("100001", "100002"):
        with tenant_scope(tenant):
            leaves = MachineClass.objects.filter(children=None)
            roots = MachineClass.objects.filter(parent=None)
            kept = Machine.objects.filter(node_type__gte=NodeType.MACHINE)
            assert set(kept.values_list("type_id", flat=True)) == set(leaves.values_list("pk", flat=True))
            found[tenant] = (roots.count(), MachineClass.objects.count(), kept.count())
    assert found == {"100001": (7, 49, 71), "100002": (2, 7, 6)}


def test_the_small_plant_has_six_machines(plant: str) -> None:
    with tenant_scope(YUNLING):
        assert Machine.objects.filter(node_type=NodeType.MACHINE).count() == 6
        assert User.objects.count() == 6


def test_machines_are_in_the_states_that_the_orders_and_the_tables_give_them(jiangbei: None) -> None:
    machines = Machine.objects.filter(node_type=NodeType.MACHINE)
    states = {state: set(machines.filter(run_state=state).values_list("machine_code", flat=True)) for state in RunState}
    assert len(states[RunState.RUNNING]) + len(states[RunState.IDLE]) == 41
    assert states[RunState.DOWN] == {"DL-AC-002"}
    assert states[RunState.REPAIRING] == {"JJ-VMC-002"}
    assert states[RunState.MAINTAINING] == {"ZP-AL-002"}
    assert states[RunState.DISABLED] == {"ZZ-TF-001"}
    standing = Stoppage.objects.filter(end_time=None).values_list("machine__machine_code", flat=True)
    assert set(standing) == {"DL-AC-002", "JJ-VMC-002"}


def test_there_are_words_of_each_kind_with_english(jiangbei: None) -> None:
    found = Counter(Tag.objects.exclude(tag_name_en="").values_list("type", flat=True))
    assert found == {3: 4, 4: 10, 5: 10, 6: 10, 7: 6}


def test_requests_for_leave_lie_in_every_state_with_the_steps_that_they_wait_for(jiangbei: None) -> None:
    states = Counter(Leave.objects.values_list("status", flat=True))
    assert states == {1: 1, 2: 3, 3: 3, 4: 1, 5: 1}
    waiting = WorkItem.objects.filter(business_type="leave", state=ItemState.OPEN).values_list("node", flat=True)
    assert sorted(waiting) == ["approve", "approve", "hr", "revise"]
    assert ProcessInstance.objects.filter(business_type="leave").count() == 8
    for account, call, name in (("du.w", "claim-list", "李强"), ("wu.t", "todo-list", "吴涛")):
        records = _caller(account).get(f"blade-flow/work/{call}").data["records"]
        titles = [row["title"] for row in records if row["businessTable"] == "leave"]
        assert [one.partition(" · ")[0] for one in titles] == [name]


def test_orders_lie_in_every_state(plant: str) -> None:
    with tenant_scope(JIANGBEI):
        told, found = RepairOrder.objects.exclude(source=INSPECTED), RepairOrder.objects.filter(source=INSPECTED)
        assert Counter(told.values_list("status", flat=True)) == {
            Status.REPORTED: 3,
            Status.DISPATCHED: 2,
            Status.REPAIRING: 3,
            Status.ON_HOLD: 1,
            Status.TO_CHECK: 2,
            Status.CLOSED: 45,
            Status.CANCELLED: 3,
        }
        assert Counter(found.values_list("status", flat=True)) == {
            Status.REPAIRING: 1, Status.ON_HOLD: 1, Status.TO_CHECK: 1, Status.CLOSED: 13, Status.CANCELLED: 1,
        }  # fmt: skip
        reworks = RepairOrder.objects.filter(rework_count__gt=0).values_list("status", "rework_count")
        assert list(reworks) == [(Status.CLOSED, 1)] * 4
        repeats = RepairOrder.objects.filter(repeat_count__gt=0).order_by("report_time")
        assert [order.machine.machine_code for order in repeats] == [
            "JJ-CNC-001", "ZZ-SB-001", "TZ-OC-001", "DL-AC-002",
        ]  # fmt: skip
        assert all(order.repeat_of.machine_id == order.machine_id for order in repeats)
        by_system = RepairOrder.objects.filter(check_remark="系统自动验收")
        assert by_system.filter(status=Status.CLOSED, check_user=None).count() == by_system.count() == 4
        assert RepairOrder.objects.filter(is_outsource=True).values_list("vendor_name", "outsource_cost").get() == (
            "江北减速机修配厂", 4800,
        )  # fmt: skip
    with tenant_scope(YUNLING):
        assert Counter(RepairOrder.objects.values_list("status", flat=True)) == {Status.REPORTED: 1, Status.CLOSED: 1}


@pytest.mark.parametrize("tenant", [JIANGBEI, YUNLING])
def test_an_open_order_waits_at_the_one_step_of_its_status_and_a_closed_one_nowhere(plant: str, tenant: str) -> None:
    with tenant_scope(tenant):
        for order in RepairOrder.objects.all():
            waiting = list(
                WorkItem.objects.filter(business_id=order.pk, state=ItemState.OPEN).values_list("node", flat=True)
            )
            assert waiting == ([NODE_OF[Status(order.status)]] if order.status in OPEN else []), order.title
            running = ProcessInstance.objects.get(business_id=order.pk).status == InstanceStatus.RUNNING
            assert running == (order.status in OPEN), order.title


def test_nothing_is_due_and_nothing_is_undelivered(plant: str) -> None:
    assert OutboxMessage.objects.count() == 0
    by_case: dict[str, list[datetime]] = {"repairorder": [], "maintainorder": [], "found": []}
    case_of: dict[int, str] = {}
    for tenant in (JIANGBEI, YUNLING):
        with tenant_scope(tenant):
            found = RepairOrder.objects.filter(source=INSPECTED).values("pk")
            case_of |= dict(ProcessInstance.objects.values_list("pk", "business_type"))
            case_of |= dict(ProcessInstance.objects.filter(business_id__in=found).values_list("pk", Value("found")))
    for due, instance in Timer.objects.filter(due_time__isnull=False).values_list("due_time", "instance_id"):
        by_case[case_of[instance]].append(due)
    waiting = by_case["repairorder"]
    # 5 orders wait for a response with two reminders each (one is sent), 3 are in repair (one is sent, the one on hold
    # rests), 2 for a check; and the small plant's order.
    assert len(waiting) == 5 * 2 - 1 + 3 * 2 - 1 + 2 + 2
    assert len(by_case["found"]) == 2 + 1  # one is in repair, one waits to be verified, the one on hold rests
    assert by_case["maintainorder"]
    assert min(by_case["maintainorder"]) > clock.now()
    assert min(waiting) > clock.now() + timedelta(minutes=20)
    assert not Timer.objects.filter(is_parked=True).exists()
    assert sweep.fire_due() == 0


def test_exactly_two_orders_are_late_and_their_reminders_lie_on_the_right_desks(jiangbei: None) -> None:
    late = {order.machine.machine_code: order for order in RepairOrder.objects.exclude(escalations={})}
    assert {code: set(order.escalations) for code, order in late.items()} == {
        "ZP-DB-001": {"responseLeader"},
        "TZ-OC-001": {"finishLeader"},
    }
    response, finish = late["ZP-DB-001"], late["TZ-OC-001"]
    sent = {
        name: datetime.fromisoformat(order.escalations[name]) for order in late.values() for name in order.escalations
    }
    assert sent == {
        "responseLeader": response.report_time + timedelta(minutes=240),
        "finishLeader": finish.accept_time + timedelta(minutes=480),
    }
    leader = User.objects.get(account="wei.b").pk
    about = Message.objects.filter(user_id=leader, business_id__in=[response.pk, finish.pk], title__contains="超时")
    assert sorted(about.values_list("title", "create_time")) == sorted(
        [
            (f"响应超时：{response.order_no}", sent["responseLeader"]),
            (f"维修超时：{finish.order_no}", sent["finishLeader"]),
        ]
    )
    rows = _caller("wei.b").get("yuzhu-equip/repairorder/list", overdue=1).data["records"]
    assert {row["machineCode"] for row in rows} == {"ZP-DB-001", "TZ-OC-001"}
    every = _caller("wei.b").get("yuzhu-equip/repairorder/list", size=50).data["records"]
    assert {row["machineCode"] for row in every if row["isResponseLate"] or row["isFinishLate"]} == set(late)


def test_history_reads_in_the_order_of_time(jiangbei: None) -> None:
    times = list(Event.objects.filter(business_type="repairorder").order_by("id").values_list("time", flat=True))
    assert len(times) > 50
    assert times == sorted(times)
    numbers = [order.order_no for order in RepairOrder.objects.order_by("report_time")]
    assert numbers == sorted(numbers)
    assert numbers[0].endswith("0001")


def test_every_step_was_done_by_a_person_and_only_timers_by_the_system(jiangbei: None) -> None:
    by_system = Event.objects.filter(business_type="repairorder", user_id=0).values_list("operation", flat=True)
    assert list(by_system) == ["timer.fire"] * 6  # two reminders, and four checks that nobody made in time


def test_messages_of_past_days_are_read_and_those_of_today_are_not(jiangbei: None) -> None:
    yesterday = clock.now() - timedelta(days=1)
    assert not Message.objects.filter(create_time__lt=yesterday - timedelta(minutes=1), is_read=False).exists()
    assert not Message.objects.filter(create_time__gt=yesterday + timedelta(minutes=1), is_read=True).exists()
    assert Message.objects.filter(is_read=True).exists()
    assert Message.objects.filter(is_read=False).exists()


def test_pictures_before_and_after_can_be_looked_at(jiangbei: None) -> None:
    order = RepairOrder.objects.get(machine__machine_code="JJ-CNC-001", urgency=2, is_stop=True)
    detail = _caller("qin.y").get("yuzhu-equip/repairorder/detail", id=order.pk).data
    assert (len(detail["images"]), len(detail["afterImages"])) == (1, 1)
    for link in (*detail["images"], *detail["afterImages"]):
        response = Client().get(link)
        assert (response.status_code, response["Content-Type"]) == (200, "image/png")
        assert b"".join(response.streaming_content)[:8] == b"\x89PNG\r\n\x1a\n"  # type: ignore[attr-defined]


def test_the_people_of_the_story_find_their_work(jiangbei: None) -> None:
    assert _caller("wei.b").get("blade-flow/work/counts").data == {"claim": 3, "todo": 0, "copies": 0}
    assert _caller("han.d").get("blade-flow/work/counts").data == {"claim": 6, "todo": 2, "copies": 0}
    assert _caller("jiang.p").get("blade-flow/work/counts").data == {"claim": 8, "todo": 2, "copies": 0}
    assert _caller("qin.y").get("blade-flow/work/counts").data == {"claim": 1, "todo": 0, "copies": 0}


def _different(people: list[Actor], item: WorkItem) -> list[Actor]:
    """Return those who took part in the item's process, and one of all others with the same place in the company."""
    steps = WorkItem.objects.filter(instance=item.instance_id).values_list("assignee_id", "completed_by", "starter_id")
    part = {pk for several in steps for pk in several}
    others = {(actor.role_ids, actor.dept_id, actor.team_ids): actor for actor in people if actor.user_id not in part}
    return [*others.values(), *(actor for actor in people if actor.user_id in part)]


def _is_allowed(actor: Actor, do: Callable[[], Any]) -> bool:
    """Whether the person may do this, whatever the input lacks; nothing of it stays."""
    with transaction.atomic():
        try:
            with acting(actor):
                do()
        except ValidationError:
            return True
        except Refusal as refusal:
            return refusal.error in ("input.invalid", "order.noLines")
        finally:
            transaction.set_rollback(True)
    return True


_OFFERED = {JIANGBEI: {"claim", "outcome claim", "outcome dispatch", "outcome pass", "command check"}, YUNLING: set()}


@pytest.mark.parametrize("tenant", [JIANGBEI, YUNLING])
def test_what_is_offered_for_an_open_step_succeeds_and_nothing_else(plant: str, tenant: str) -> None:
    offered: set[tuple[str, str, str]] = set()
    succeeded: set[tuple[str, str, str]] = set()

    def judge(actor: Actor, record: str, what: str, is_offered: bool, do: Callable[[], Any]) -> None:
        told = (actor.account, record, what)
        if is_offered:
            offered.add(told)
        if _is_allowed(actor, do):
            succeeded.add(told)

    with tenant_scope(tenant):
        found = [actor_of(pk, tenant) for pk in User.objects.filter(is_enabled=True).values_list("pk", flat=True)]
        people = [actor for actor in found if actor is not None]
        items = WorkItem.objects.filter(state=ItemState.OPEN).order_by("-id")
        # One of each step: the others of it are decided by the same rules.
        for item in {(item.business_type, item.node): item for item in items}.values():
            case = cases.get(item.business_type)
            for actor in _different(people, item):
                step = f"{item.business_no} {item.node}"
                ways = work_items.offered(actor, [item])[item.pk]
                may_claim = work_items.may_claim(actor, item, ways)
                if item.assignee_id != actor.user_id:  # whoever has claimed it is told so again
                    judge(actor, step, "claim", may_claim, partial(work_items.claim, actor, item.pk))
                for entry in work_items.outcomes(item):
                    judge(
                        actor, step, f"outcome {entry['value']}", entry["value"] in {way.outcome for way in ways},
                        partial(work_items.complete, actor, item.pk, None, "", entry["value"], "", {}),
                    )  # fmt: skip
                if case is None:
                    continue
                sees = case.sees(actor, item.business_id)
                record = case.peek(item.business_id)
                held = ports.processes.open_items(case.name, [record.pk])[record.pk]
                shown = commands.allowed(case, actor, record, held) if sees else []
                for name in case.command:
                    judge(
                        actor, step, f"command {name}", name in shown,
                        partial(commands.by_record, case, actor, record.pk, record.lock_version, name, {}),
                    )  # fmt: skip
    assert (offered - succeeded, succeeded - offered) == (set(), set())
    assert {what for _who, _step, what in offered} >= _OFFERED[tenant]


def test_every_account_signs_in_with_the_printed_password_but_the_disabled_one(plant: str) -> None:
    accounts = demo._listed()
    assert len(accounts) == sum(len(entry.people) for entry in PLANTS) == 33
    refused = []
    for tenant, account, name, _role, password in accounts:
        answer = _sign_in(tenant, account, password)
        if "access_token" not in answer:
            refused.append((account, answer["error_description"]))
            continue
        assert (answer["account"], answer["real_name"], answer["tenant_id"]) == (account, name, tenant)
    assert refused == [("lv.w", "用户名或密码错误")]
    stored: list[str] = []
    for entry in PLANTS:
        with tenant_scope(entry.tenant_id):
            stored += User.objects.values_list("password", flat=True)
    assert len(set(stored)) == len(stored) == 33, "two people share a hash"


def test_everybody_has_one_role_and_a_department_with_a_leader(plant: str) -> None:
    for entry in PLANTS:
        with tenant_scope(entry.tenant_id):
            assert UserRole.objects.count() == len(entry.people) == User.objects.exclude(dept=None).count()
            assert not User.objects.filter(dept__leader=None).exists()


def test_setup_prints_the_accounts_of_the_story_and_where_the_others_are(plant: str) -> None:
    path = Path(django_settings.DATA_DIR) / "demo-accounts.txt"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    password = demo._listed()[0][4]
    assert re.fullmatch(r"[a-z]{8}[2-9]{4}", password)
    for text in ("qin.y", "wei.b", "jiang.p", "qian.w", "zhao.m", "admin", password, JIANGBEI, YUNLING, str(path)):
        assert text in plant
    assert "you.r" not in plant


def test_a_later_start_changes_nothing_and_prints_the_same_accounts(plant: str) -> None:
    def count() -> tuple[int, ...]:
        with tenant_scope(JIANGBEI):
            return tuple(model.objects.count() for model in (User, Machine, RepairOrder, WorkItem, Event, Message))

    before = count()
    printed = _setup()
    assert count() == before
    assert printed.partition("Demo accounts:")[2] == plant.partition("Demo accounts:")[2] != ""


def test_without_the_list_a_later_start_says_how_to_get_in(plant: str) -> None:
    path = demo._list_path()
    kept = path.read_bytes()
    path.unlink()
    try:
        text = demo.accounts_text()
    finally:
        path.write_bytes(kept)
        path.chmod(0o600)
    assert str(path) in text
    assert "DEMO_PASSWORD" in text


@pytest.mark.parametrize("asked", ["short", "lettersonly", "12345678", "much2long" * 3])
def test_a_demo_password_that_breaks_the_rule_is_refused(settings: Any, asked: str) -> None:
    settings.DEMO_PASSWORD = asked
    with pytest.raises(BadEnvironment, match="6 to 20 characters"):
        demo._password()


def test_the_demo_password_of_the_environment_is_the_one_in_use(settings: Any) -> None:
    settings.DEMO_PASSWORD = "pumpe2026"
    assert demo._password() == "pumpe2026"


def test_days_off_are_taken_over_and_finished_permits_are_copied(jiangbei: None) -> None:
    year = clock.now().year
    days = _caller("zhao.m").get("yuzhu-equip/holiday/list", size=100).data["records"]
    assert {day["day"] for day in days} == {
        str(one.day) for each in (year, year + 1) for one in published.days_of(each)
    }  # fmt: skip
    copies = _caller("qian.w").get("blade-flow/work/copy-list").data["records"]
    assert {one["processDefinitionName"] for one in copies} == {"动火作业审批"}
    with tenant_scope(JIANGBEI):
        ended = ProcessInstance.objects.filter(definition__key="hotwork", definition__version=2, end_time__isnull=False)
        assert len(copies) == ended.count() > 0


def test_three_months_of_inspections_are_told(jiangbei: None) -> None:
    now = clock.now()
    tasks = InspectOrder.objects.filter(deadline__lt=now)
    number = tasks.count()
    assert 3700 <= number <= 4000
    shares = {status: 100 * count / number for status, count in Counter(tasks.values_list("status", flat=True)).items()}
    assert shares.keys() == {OrderStatus.DONE, OrderStatus.MISSED, OrderStatus.EXEMPT}
    assert shares == {
        OrderStatus.DONE: pytest.approx(95, abs=1), OrderStatus.MISSED: pytest.approx(2, abs=1),
        OrderStatus.EXEMPT: pytest.approx(3, abs=1),
    }  # fmt: skip
    points = InspectOrderDetail.objects.filter(order__in=tasks.values("pk"))
    assert 19_000 <= points.count() <= 22_000
    first = tasks.aggregate(first=Min("business_date"))["first"]
    assert timedelta(days=89) <= now.date() - first <= timedelta(days=91)
    # Each route but the sealed one is walked, and each by the rotation's people.
    walked = set(tasks.filter(status=OrderStatus.DONE).values_list("group__group_code", flat=True))
    assert walked == set(Route.objects.exclude(group_code="XL-ZP2").values_list("group_code", flat=True))
    assert tasks.filter(status=OrderStatus.DONE).values("executor").distinct().count() >= 12
    assert not InspectOrder.objects.filter(is_suspect=True).exists()


def _told_in_rows() -> Any:
    """The tasks that nobody has walked by commands."""
    walked = InspectOrderDetail.objects.filter(client_id__isnull=False)
    return InspectOrder.objects.exclude(pk__in=walked.values("order")).values("pk")


def test_what_an_inspection_has_found_was_repaired_and_is_shown_there(jiangbei: None) -> None:
    records = InspectOrderRecord.objects.filter(repair_order_id__isnull=False).select_related("detail__snapshot")
    orders = RepairOrder.objects.filter(source=INSPECTED).in_bulk(field_name="pk")
    assert {record.repair_order_id for record in records} == set(orders) and len(orders) == 17
    for record in records:
        order = orders[record.repair_order_id]
        item = next(one for one in record.detail.snapshot.items if one["itemId"] == record.item_id)
        assert (item["abnormalAction"], record.result, order.machine_id) == (2, Finding.ABNORMAL, record.machine_id)
        assert (order.source_id, order.report_user_id) == (record.detail_id, record.user_id)
        assert record.false_alarm == (order.status == Status.CANCELLED)
        assert order.description.startswith(f"点检异常：{record.item_name}")
    # Whatever is reported by itself has an order.
    for record in InspectOrderRecord.objects.filter(result=Finding.ABNORMAL).select_related("detail__snapshot"):
        item = next(one for one in record.detail.snapshot.items if one["itemId"] == record.item_id)
        assert (item["abnormalAction"] == 2) == (record.repair_order_id is not None)


def test_results_of_a_month_are_whole_and_older_ones_are_numbers(jiangbei: None) -> None:
    border = clock.now() - timedelta(days=31)
    told = InspectOrderRecord.objects.filter(detail__order__in=_told_in_rows())
    old = told.filter(check_time__lt=border)
    new = told.filter(check_time__gte=border + timedelta(days=2))
    assert set(old.values_list("value_type", flat=True)) == {ValueType.NUMBER}
    assert set(new.values_list("value_type", flat=True)) == set(ValueType) - {ValueType.TEXT}
    assert 20_000 <= old.count() <= 30_000 and 18_000 <= new.count() <= 30_000
    found = Counter(InspectOrderRecord.objects.exclude(result=Finding.NOT_APPLICABLE).values_list("result", flat=True))
    number = sum(found.values())
    assert 100 * found[Finding.ABNORMAL] / number == pytest.approx(1.5, abs=0.3)
    assert 100 * found[Finding.WARNING] / number == pytest.approx(3, abs=0.6)
    # What the rows say is what the server would say of them.
    for record in [*new.filter(result__gt=1).order_by("pk")[:50], *old.filter(result__gt=1).order_by("pk")[:50]]:
        item = next(one for one in record.detail.snapshot.items if one["itemId"] == record.item_id)
        assert judge(item, record.value).result == record.result
    for order in InspectOrder.objects.filter(status=OrderStatus.DONE).order_by("pk")[:4000:40]:
        counts = Counter(order.details.values_list("status", flat=True))
        results = Counter(order.records.values_list("result", flat=True))
        assert (order.point_done, order.point_skipped, order.point_exempt, order.point_total) == (
            counts[DetailStatus.CHECKED], counts[DetailStatus.SKIPPED], counts[DetailStatus.EXEMPT],
            sum(counts.values()),
        )  # fmt: skip
        assert (order.item_done, order.abnormal_count, order.warn_count) == (
            sum(results.values()), results[Finding.ABNORMAL], results[Finding.WARNING],
        )  # fmt: skip
        assert order.open_time <= order.start_time <= order.finish_time <= order.deadline
        assert order.is_late == (order.finish_time > order.plan_end)


def test_now_there_is_something_to_inspect_and_the_last_hours_were_walked_by_people(jiangbei: None) -> None:
    now = clock.now()
    open_now = InspectOrder.objects.filter(open_time__lte=now, deadline__gt=now)
    states = Counter(open_now.values_list("status", flat=True))
    assert states[OrderStatus.TODO] >= 3 and states[OrderStatus.IN_PROGRESS] >= 1
    missed = InspectOrder.objects.filter(status=OrderStatus.MISSED, deadline__gt=now - timedelta(days=1))
    assert missed.exists()
    submitted = Event.objects.filter(business_type="inspectorder", operation="inspectorder.point").count()
    assert submitted == InspectOrderDetail.objects.filter(client_id__isnull=False).count() >= 100
    mine = _caller("qian.w").get("yuzhu-equip/inspectorder/getOrderNowTask", scope="dept").data
    assert mine["counts"]["current"] >= 3 and mine["counts"]["upcoming"] >= 1
    forecasts = InspectForecast.objects.filter(status=ForecastStatus.IN_FORCE).values_list("item_name", flat=True)
    assert sorted(forecasts) == ["密封水流量", "排烟温度"]
    # The machining shop stood for a holiday, and nobody had to inspect it.
    stop = Stoppage.objects.filter(machine__machine_code="JJ", rest_type=3).order_by("-start_time")[0]
    assert stop.end_time - stop.start_time == timedelta(days=2)
    inside = InspectOrder.objects.filter(
        group__group_code__in=("XL-JJ1", "XL-JJ2"), plan_start__gte=stop.start_time, plan_end__lte=stop.end_time
    )
    assert inside.count() == 12 and set(inside.values_list("status", flat=True)) == {OrderStatus.EXEMPT}


def test_the_designers_own_model_has_versions_that_ran_and_a_draft_that_goes_on(jiangbei: None) -> None:
    designer = _caller("gao.l")
    row = designer.get("blade-flow/model/overview", key="hotwork").data["records"][0]
    assert (row["state"], row["versions"], row["running"], row["overdue"], row["failed"]) == ("active", 2, 2, 1, 0)
    assert (row["draft"]["version"], row["draft"]["note"]) == (4, "试加动火监护，限时改为4小时，待安环部确认")
    history = designer.get("blade-flow/model/detail", id=row["draft"]["id"]).data["history"]
    assert [(one["version"], one["isAutomatic"]) for one in history] == [(4, False), (3, True), (2, False), (1, False)]
    versions = designer.get("blade-flow/manager/versions", key="hotwork").data["records"]
    assert [(one["version"], one["note"], one["running"]) for one in versions] == [
        (2, "安全检查整改项", 2), (1, "安环部要求，动火须先审批", 0),
    ]  # fmt: skip
    times = designer.get("blade-flow/manager/times", key="hotwork").data
    assert times["instances"] == {"started": 10, "ended": 8, "running": 2, "medianSeconds": 180 * 60}
    assert {one["node"]: (one["count"], one["waiting"], one["overdue"]) for one in times["nodes"]} == {
        "review": (9, 1, 1), "approve": (2, 0, 0), "close": (7, 1, 0),
    }  # fmt: skip
    ends = ProcessInstance.objects.filter(definition__key="hotwork").values_list("status", flat=True)
    assert Counter(ends) == {InstanceStatus.COMPLETED: 7, InstanceStatus.REJECTED: 1, InstanceStatus.RUNNING: 2}
    draft = designer.post_json("blade-flow/model/validate", {"id": row["draft"]["id"]}).data
    assert (draft["status"], [one["code"] for one in draft["problems"]]) == ("ready", ["no_form"])
