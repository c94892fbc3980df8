"""Builds the demo plants on an empty installation, and tells their accounts.

The records are made by the same commands that people use, played again with the clock set to the past: every step is
done by somebody who may do it, the timers fire when they fell due, and the messages lie on the right desks.
"""

from __future__ import annotations

import os
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache, partial
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core.access import seed
from core.access.models import UserRole
from core.cases import commands
from core.desk.leave.case import LEAVE
from core.desk.models import Leave, Message
from core.desk.views import mark_read
from core.equipment import plates
from core.equipment.models import Carrier, Machine, MachineClass, NodeType, Tag, TagType
from core.identity import companies, passwords
from core.identity.authentication import actor_of
from core.identity.models import Department, Post, Team, TeamMember, Tenant, User, UserPost
from core.inspection.models import RoutePoint
from core.kernel import clock
from core.kernel.actor import Actor, acting, system
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import both
from core.maintenance import operations
from core.maintenance.case import REPAIR
from core.maintenance.models import RepairOrder
from core.project import (
    demo_extras,
    demo_found,
    demo_inspection,
    demo_machines,
    demo_maintenance,
    demo_processes,
    demo_shifts,
    demo_spares,
    demo_tasks,
    demo_upkeep,
)
from core.project.demo_data import JIANGBEI, PLANTS, SHOWN, TAGS, Area, Kind, Plant, Step
from core.project.demo_found import Fault
from core.project.demo_pictures import draw
from core.project.env import BadEnvironment
from core.scheduling import outbox
from core.storage import files
from core.system import holidays, install, periods, published
from core.system.models import Parameter
from workflows.runtime.commands import sweep
from workflows.runtime.tables.timers.models import Timer

POSTS_OF_ROLES = {"viewer": "ceo", "equip_manager": "manager", "workshop_head": "manager", "repair_leader": "engineer"}
READ_AFTER = timedelta(days=1)
"""Older messages of the played past count as read."""
HISTORY = timedelta(days=90)
"""How long ago the plants were set up, as far as their history tells."""


def build(*, is_small: bool = False) -> None:
    """Make all demo plants and write the list of accounts: everything or, when it fails, nothing.

    A small one has a tenth of the inspection tasks.
    """
    now = clock.now().replace(microsecond=0)
    password = _password()
    with transaction.atomic():
        for plant in PLANTS:
            _found(plant, password)
            _keep_holidays(plant, now)
            _keep_machines(plant, now)
            _lay_routes(plant, now)
            demo_shifts.plan(plant, now, _actor)
            _plan_upkeep(plant, now)
            _put_plates(plant, now)
        _play(now, demo_tasks.SMALL if is_small else demo_tasks.DAYS)
        # Before the commit: a password that was made up must not be lost when the next moment fails.
        _write_accounts(password)


@contextmanager
def _as_system(tenant_id: str) -> Iterator[None]:
    with tenant_scope(tenant_id), acting(system(tenant_id)):
        yield


def _found(plant: Plant, password: str) -> None:
    """The tenant with its departments, people, teams, fault words and machines."""
    Tenant.objects.create(
        tenant_id=plant.tenant_id,
        tenant_name=plant.name,
        tenant_name_en=plant.name_en,
        tenant_code=plant.code,
        is_listed=plant.is_listed,
    )
    with _as_system(plant.tenant_id):
        roles = seed.install_roles()
        companies.install_posts()
        install.install_for_tenant()
        posts = {post.post_code: post for post in Post.objects.all()}
        depts: dict[str, Department] = {}
        for place, dept in enumerate(plant.depts):
            depts[dept.name] = Department.objects.create(
                dept_name=dept.name,
                dept_name_en=dept.name_en,
                parent=depts.get(dept.above),
                dept_category=2 if dept.above else 1,
                sort=place,
            )
        users: dict[str, User] = {}
        for place, person in enumerate(plant.people):
            users[person.account] = User.objects.create(
                account=person.account,
                real_name=person.name,
                phone=f"139{plant.tenant_id[-4:]}{place + 1:04d}",
                dept=depts[person.dept],
                is_enabled=person.is_enabled,
                password=passwords.make(password),
            )
            UserRole.objects.create(user=users[person.account], role=roles[person.role])
            post = posts[POSTS_OF_ROLES.get(person.role, "staff")]
            UserPost.objects.create(user=users[person.account], post=post)
        for dept in plant.depts:
            Department.objects.filter(pk=depts[dept.name].pk).update(leader=users[dept.leader])
        crews: dict[str, tuple[Team, list[User]]] = {}
        for place, crew in enumerate(plant.crews):
            team = Team.objects.create(
                team_name=crew.name, team_name_en=crew.name_en, leader=users[crew.leader], sort=place
            )
            members = [users[account] for account in crew.members]
            TeamMember.objects.bulk_create(TeamMember(team=team, user=member) for member in members)
            crews[crew.name] = team, members
        if plant.site is not None:
            demo_extras.declare()
            owners = {users[p.account].dept_id: users[p.account] for p in plant.people if p.role == "operator"}
            classes = dict(_classify(plant.kinds, None))
            _install(plant.site, NodeType.SITE, None, depts, crews, owners, classes)
            Tag.objects.bulk_create(
                Tag(type=kind, tag_name=word, tag_name_en=english, sort=place)
                for kind, words in TAGS.items()
                for place, (word, english) in enumerate(words)
            )


def _put_plates(plant: Plant, now: datetime) -> None:
    """Let the equipment manager put a plate on each machine and each point, and keep two that are bound to nothing."""
    account = next((person.account for person in plant.people if person.role == "equip_manager"), None)
    if account is None or plant.site is None:
        return
    with clock.at(now - HISTORY), tenant_scope(plant.tenant_id):
        actor = _actor(User.objects.values_list("pk", flat=True).get(account=account))
        machines = list(Machine.objects.filter(node_type=NodeType.MACHINE).values_list("pk", flat=True))
        plates.make_plates(actor, TagType.MACHINE_PLATE, machines[: plates.MOST_MADE])
        points = list(RoutePoint.objects.values_list("pk", flat=True))
        if points:
            plates.make_plates(actor, TagType.POINT_PLATE, points[: plates.MOST_MADE])
        printed = list(Tag.objects.filter(type=TagType.MACHINE_PLATE).values_list("pk", flat=True))
        plates.count_print(actor, printed)
        with acting(actor):
            for number in (1, 2):
                Tag.objects.create(
                    type=TagType.MACHINE_PLATE, tag_name=f"备用标牌{number}", tag_code=plates.new_code(),
                    token=plates.new_token(), carrier=Carrier.QR,
                )  # fmt: skip
        # Whoever scans one may report a fault, so that this can be tried.
        Parameter.objects.filter(param_key="repair.anonymous.enabled").update(own_value="1")


def _keep_holidays(plant: Plant, now: datetime) -> None:
    """Let its administrator take over the published days off of this year and the next one; the platform has none."""
    account = next((person.account for person in plant.people if person.role == "tenant_admin"), None)
    if account is None:
        return
    with clock.at(now - HISTORY), tenant_scope(plant.tenant_id):
        administrator = _actor(User.objects.values_list("pk", flat=True).get(account=account))
        for year in sorted({now.year, now.year + 1}.intersection(published.years())):
            holidays.take_over(administrator, year)


def _lay_routes(plant: Plant, now: datetime) -> None:
    """Let the equipment manager of the large plant make its check standards, inspection routes and points."""
    if plant is JIANGBEI:
        with clock.at(now - HISTORY), tenant_scope(plant.tenant_id):
            demo_inspection.build(_actor(User.objects.values_list("pk", flat=True).get(account="qian.w")))


def _plan_upkeep(plant: Plant, now: datetime) -> None:
    """Let the equipment manager of the large plant make its maintenance standards."""
    if plant is JIANGBEI:
        with clock.at(now - HISTORY), tenant_scope(plant.tenant_id):
            demo_upkeep.standards(_actor(User.objects.values_list("pk", flat=True).get(account="qian.w")), now)
            demo_maintenance.move_plans(now)


def _keep_machines(plant: Plant, now: datetime) -> None:
    """Let people read the meters of machines for 90 days, and say why some are out of use."""
    if plant.site is None:
        return
    with tenant_scope(plant.tenant_id):
        for role, keep in (
            ("operator", demo_machines.read_meters),
            ("equip_manager", demo_machines.keep_states),
            ("equip_manager", demo_machines.keep_stoppages),
        ):
            account = next(person.account for person in plant.people if person.role == role and person.is_enabled)
            keep(_actor(User.objects.values_list("pk", flat=True).get(account=account)), now)


def _classify(kinds: Iterable[Kind], above: MachineClass | None) -> Iterator[tuple[str, MachineClass]]:
    """Make the machine classes; gives what machines and components of each are known by."""
    for place, kind in enumerate(kinds):
        made = MachineClass.objects.create(
            parent=above,
            type_code=kind.code,
            type_name=kind.name,
            type_name_en=kind.name_en,
            default_importance=kind.importance,
            expected_mtbf_hours=kind.mtbf,
            sort=place,
        )
        yield from ((name, made) for name in kind.of)
        yield from _classify(kind.below, made)


def _install(
    area: Area, level: NodeType, above: Machine | None, depts: Mapping[str, Department],
    crews: Mapping[str, tuple[Team, list[User]]], owners: Mapping[int | None, User],
    classes: Mapping[str, MachineClass],
) -> None:  # fmt: skip
    """A site, workshop or line with what is below it; its department is the one above where it names none."""
    dept = depts[area.dept] if area.dept else above.dept if above else None
    node = Machine.objects.create(
        parent=above, node_type=level, machine_code=area.code, machine_name=area.name, dept=dept
    )
    for line in area.lines:
        _install(line, NodeType(level + 1), node, depts, crews, owners, classes)
    for place, item in enumerate(area.machines):
        team, members = crews[item.crew]
        machine = Machine.objects.create(
            parent=node,
            node_type=NodeType.MACHINE,
            machine_code=item.code,
            machine_name=item.name,
            type=classes[item.code.rpartition("-")[0]],
            model=item.model,
            importance=item.importance,
            run_state=item.state,
            dept=dept,
            location=f"{area.name}{place + 1}号位",
            **demo_machines.plate(item.code, item.remark, periods.today()),
            team=team,
            duty_user=owners.get(node.dept_id),
            maintain_user=members[place % len(members)],
            remark=item.remark,
        )
        for number, part in enumerate(item.parts):
            Machine.objects.create(
                parent=machine,
                node_type=NodeType.COMPONENT,
                machine_code=f"{item.code}-{number + 1:02d}",
                machine_name=part,
                type=classes[part],
                importance=item.importance,
                dept=dept,
                team=team,
            )


class _Agenda:
    """What happens in the played past, in the order of time; while it is gone through, more may come."""

    def __init__(self) -> None:
        self._waiting: list[tuple[datetime, int, Callable[[], None]]] = []
        self._number = count()

    def add(self, moment: datetime, act: Callable[[], None]) -> None:
        """Let this happen at a moment, after whatever else happens then."""
        heappush(self._waiting, (moment, next(self._number), act))

    def __iter__(self) -> Iterator[tuple[datetime, Callable[[], None]]]:
        while self._waiting:
            moment, _number, act = heappop(self._waiting)
            yield moment, act


def _play(now: datetime, days: int) -> None:
    """Let everything happen that happened before the installation, in the order of time."""
    story = [
        (plant.tenant_id, do, name, step)
        for plant in PLANTS
        for do, records in (
            (_do, plant.orders),
            (_do_leave, plant.leaves),
            (demo_maintenance.do, demo_maintenance.story(now) if plant is JIANGBEI else {}),
            (demo_processes.draw, plant.models),
            (demo_processes.take, plant.permits),
        )
        for name, steps in records.items()
        for step in steps
    ]
    made: dict[tuple[str, str], int] = {}
    agenda = _Agenda()
    actor_of_user = cache(_actor)  # nobody's rights change any more

    def take(tenant_id: str, do: Callable[..., int], name: str, step: Step) -> None:
        with tenant_scope(tenant_id):
            actor = actor_of_user(User.objects.values_list("pk", flat=True).get(account=step.who))
            made[tenant_id, name] = do(actor, step, name, made.get((tenant_id, name)), now)

    for tenant_id, do, name, step in story:
        agenda.add(now - timedelta(minutes=step.ago), partial(take, tenant_id, do, name, step))
    for plant in PLANTS:

        def inside(moment: datetime, act: Callable[[], None], tenant_id: str = plant.tenant_id) -> None:
            def within() -> None:
                with tenant_scope(tenant_id):
                    act()

            agenda.add(moment, within)

        def repair(fault: Fault, order_id: int, finder: Actor, at: datetime, tenant_id: str = plant.tenant_id) -> None:
            name = f"{fault.machine}@{order_id}"
            made[tenant_id, name] = order_id
            for step in demo_found.steps(fault, finder.account, int((now - at).total_seconds() // 60)):
                agenda.add(now - timedelta(minutes=step.ago), partial(take, tenant_id, _do, name, step))

        demo_tasks.plan(plant.tenant_id, now, actor_of_user, days, repair, inside)
    for moment, act in agenda:
        _let_time_pass(moment)
        with clock.at(moment):
            act()
    _let_time_pass(now)
    for plant in PLANTS:
        demo_tasks.settle(plant.tenant_id, now)
        demo_spares.fill(plant.tenant_id, now, _actor)
    while outbox.deliver_due():
        pass
    _let_time_pass(now)  # of maintenance that the last readings have made due
    while outbox.deliver_due():
        pass
    for plant in PLANTS:
        with clock.at(now), tenant_scope(plant.tenant_id):
            _tidy_desks(now - READ_AFTER)


def _let_time_pass(until: datetime) -> None:
    """Fire the timers that fall due up to a moment, each with the clock at its own moment."""
    waiting = Timer.objects.filter(is_parked=False, due_time__lte=until).order_by("due_time")
    while due := waiting.values_list("due_time", flat=True).first():
        with clock.at(due):
            if not sweep.fire_due(now=due):
                raise RuntimeError("a timer of the demo plant did not fire; the log says why")


def _tidy_desks(before: datetime) -> None:
    """Everybody has read what is old."""
    old = Message.objects.filter(create_time__lt=before).order_by("id")
    desks: dict[int, list[int]] = {}
    for user_id, message_id in old.values_list("user_id", "pk"):
        desks.setdefault(user_id, []).append(message_id)
    for user_id, ids in desks.items():
        mark_read(_actor(user_id), ids)


def _actor(user_id: int) -> Actor:
    actor = actor_of(user_id, User.objects.values_list("tenant_id", flat=True).get(pk=user_id))
    if actor is None:
        raise RuntimeError(f"user {user_id} of the demo plant is disabled and cannot act")
    return actor


def _do(actor: Actor, step: Step, machine_code: str, order_id: int | None, now: datetime) -> int:
    """One step of the story, through the command that people use; answers the order's id."""
    with acting(actor):
        carries = _resolved(step.carries, now)
    if step.action == "save":
        machine = Machine.objects.values_list("pk", flat=True).get(machine_code=machine_code.partition("#")[0])
        answer: dict[str, Any] = operations.save(
            actor, {"machineId": str(machine), "ext": demo_extras.of_report(carries), **carries}
        )
        return int(answer["id"])
    if order_id is None:
        raise RuntimeError(f"the story of {machine_code} does not begin with its report")
    if step.action == "line":
        operations.write_line(actor, None, order_id, {"user_id": actor.user_id, **carries})
    else:
        version = RepairOrder.objects.values_list("lock_version", flat=True).get(pk=order_id)
        commands.by_record(REPAIR, actor, order_id, version, step.action, carries)
    return order_id


def _do_leave(actor: Actor, step: Step, name: str, leave_id: int | None, now: datetime) -> int:
    """One step of a request for leave; answers its id."""
    carries = dict(step.carries)
    for key, wire in (("from", "startTime"), ("to", "endTime")):
        if key in carries:
            days, hour = carries.pop(key)
            day = timezone.localtime(now) + timedelta(days=days)
            carries[wire] = day.replace(hour=hour, minute=0, second=0).isoformat()
    if "approver" in carries:
        carries["taskUser"] = str(User.objects.get(account=carries.pop("approver")).pk)
    if step.action == "draft":
        return int(commands.operation_of(LEAVE, "saveDraft")(actor, carries)["id"])
    if step.action == "start":
        return int(commands.operation_of(LEAVE, "start")(actor, carries)["id"])
    if leave_id is None:
        raise RuntimeError(f"the story of the leave “{name}” does not begin with its request")
    version = Leave.objects.values_list("lock_version", flat=True).get(pk=leave_id)
    commands.by_record(LEAVE, actor, leave_id, version, step.action, carries)
    return leave_id


def _resolved(carries: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Return the input of a step with ids for names, links for pictures and moments for minutes."""

    def text(minutes: int) -> str:
        return (now - timedelta(minutes=minutes)).isoformat()

    found: dict[str, Any] = {}
    for name, value in carries.items():
        match name:
            case "faults":
                found["faultTagIds"] = _word_ids(value)
            case "cause":
                found["causeTagId"] = _word_ids((value,))
            case "done":
                found["actionTagIds"] = _word_ids(value)
            case "helpers":
                found["helperIds"] = ",".join(str(User.objects.get(account=account).pk) for account in value)
            case "part":
                found["partMachineId"] = str(Machine.objects.get(machine_code=value).pk)
            case "repairer":
                found["repairUserId"] = str(User.objects.get(account=value).pk)
            case "crew":
                found["teamId"] = str(Team.objects.get(team_name=value).pk)
            case "planFinish":
                found["planFinishTime"] = text(value)
            case "stopStart" | "stopEnd":
                found[name] = text(value)
            case "from" | "to":
                found["start_time" if name == "from" else "end_time"] = now - timedelta(minutes=value)
            case "type":
                found["work_type"] = value
            case "pictures" | "afterPictures":
                links = [files.signed_link(files.store_image(*draw(picture)).name) for picture in value]
                found["images" if name == "pictures" else "afterImages"] = ",".join(links)
            case _:
                found[name] = value
    return found


def _word_ids(words: tuple[str, ...]) -> str:
    ids = dict(Tag.objects.filter(tag_name__in=words).values_list("tag_name", "pk"))
    return ",".join(str(ids[word]) for word in words)


def _list_path() -> Path:
    return Path(settings.DATA_DIR) / "demo-accounts.txt"


def _listed() -> list[list[str]]:
    """Rows of the list of accounts: tenant, account, name, role, password; none when there is no list."""
    try:
        lines = _list_path().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [row for row in rows if len(row) == 5]


def _password() -> str:
    """Return the one asked for, else that of an earlier list, else a new one that can be read aloud."""
    asked = settings.DEMO_PASSWORD
    if asked:
        if not 6 <= len(asked) <= 20 or not re.search("[A-Za-z]", asked) or not re.search("[0-9]", asked):
            raise BadEnvironment("DEMO_PASSWORD must have 6 to 20 characters, letters and digits among them.")
        return str(asked)
    for row in _listed():
        return row[4]
    syllables = [secrets.choice("bdfghkmnprstvz") + secrets.choice("aeiou") for _ in range(4)]
    return "".join(syllables) + "".join(secrets.choice("23456789") for _ in range(4))


def _write_accounts(password: str) -> None:
    """The list of all accounts, for the owner of the installation alone."""
    path = _list_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".new")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write("# Accounts of the demo plants: tenant, account, name, role, password (tab separated)\n")
        for plant in PLANTS:
            for person in plant.people:
                role = both(seed.ROLES[person.role])[0] + ("" if person.is_enabled else "（已停用）")
                file.write("\t".join((plant.tenant_id, person.account, person.name, role, password)) + "\n")
    temporary.replace(path)


def _padded(text: str, width: int) -> str:
    """Return the text filled up with spaces; a Chinese character is two columns wide."""
    return text + " " * (width - sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text))


def accounts_text() -> str:
    """Return the main story's accounts as a short table for the terminal; works at every start."""
    shown = [row for row in _listed() if (row[0], row[1]) in SHOWN]
    if not shown:
        if not Tenant.objects.filter(tenant_id=SHOWN[0][0]).exists():
            return "There is no demo plant in this installation."
        return (
            f"The list of demo accounts, {_list_path()}, is gone, and passwords cannot be read from the database.\n"
            "Sign in with the password you know, or start with an empty DATA_DIR (and DATABASE_URL) to build the demo "
            "plant again; DEMO_PASSWORD chooses its password."
        )
    shown.sort(key=lambda row: SHOWN.index((row[0], row[1])))
    rows = [["Tenant", "Account", "Name", "Role"], *(row[:4] for row in shown)]
    table = [f"  {_padded(a, 8)}{_padded(b, 10)}{_padded(c, 12)}{d}" for a, b, c, d in rows]
    plants = [f"{plant.tenant_id} {plant.name} ({plant.name_en})" for plant in PLANTS if plant.is_listed]
    return "\n".join(
        (
            "Demo accounts:",
            *table,
            f"Password of all of them: {shown[0][4]}",
            f"Tenants: {', '.join(plants)}",
            f"All accounts are listed in {_list_path()}",
        )
    )
