"""The cast of all tests: two companies alike, A and B, with one person for each role that matters; and their calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.test import Client

from core.access import seed
from core.access.models import UserRole
from core.equipment.models import Importance, Machine, MachineClass, NodeType, Tag, TagType
from core.identity import authentication, passwords, tokens
from core.identity.authentication import actor_of
from core.identity.models import Department, Session, Team, TeamMember, Tenant, User
from core.kernel.actor import Actor
from core.kernel.models import SharedModel, TenantModel
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.system import install as system
from tests import logins
from workflows.workbench.publishing.shipped import deploy_shipped

A, B = "100001", "100002"
"""Two companies alike; the third tenant is the platform's own, with one administrator, `platform`."""
PASSWORD = "abc12345"

# account: name, role, department, team
PEOPLE: Mapping[str, tuple[str, str, str, str]] = {
    "operator": ("秦操", "operator", "shop", ""),
    "operator2": ("尤操", "operator", "shop", ""),
    "shift_leader": ("李班", "shift_leader", "shop", ""),
    "repair_leader": ("卫长", "repair_leader", "repair", ""),
    "repairer": ("蒋修", "repairer", "repair", "mechanics"),
    "repairer2": ("沈修", "repairer", "repair", "mechanics"),
    "repairer_other": ("韩修", "repairer", "repair", "electricians"),
    "equip_manager": ("钱管", "equip_manager", "repair", ""),
    "viewer": ("何看", "viewer", "repair", ""),
    "flow_designer": ("高流", "flow_designer", "repair", ""),
    "tenant_admin": ("赵理", "tenant_admin", "repair", ""),
}
DEPARTMENTS = {"shop": ("机加车间", "Machine shop"), "repair": ("设备部", "Maintenance")}
TEAMS = {"mechanics": ("机修班", "Mechanics"), "electricians": ("电修班", "Electricians")}

# code: name, English, above, importance of new machines
CLASSES: Mapping[str, tuple[str, str, str, Importance]] = {
    "TOOLS": ("机床", "Machine tools", "", Importance.IMPORTANT),
    "LATHES": ("车床类", "Lathes", "TOOLS", Importance.CRITICAL),
    "GRINDERS": ("磨床类", "Grinders", "TOOLS", Importance.ORDINARY),
    "PARTS": ("部件", "Components", "", Importance.IMPORTANT),
}

# code: name, level, above, team, class
MACHINES: Mapping[str, tuple[str, NodeType, str, str, str]] = {
    "SITE": ("厂区", NodeType.SITE, "", "", ""),
    "SHOP": ("车间", NodeType.WORKSHOP, "SITE", "", ""),
    "LINE": ("产线", NodeType.LINE, "SHOP", "", ""),
    "M1": ("车床", NodeType.MACHINE, "LINE", "mechanics", "LATHES"),
    "M2": ("磨床", NodeType.MACHINE, "LINE", "electricians", "GRINDERS"),
    "M1-SPINDLE": ("主轴", NodeType.COMPONENT, "M1", "mechanics", "PARTS"),
}
TAGS: Mapping[str, tuple[TagType, str]] = {
    "异响": (TagType.SYMPTOM, "Noise"),
    "磨损": (TagType.CAUSE, "Wear"),
    "更换": (TagType.ACTION, "Replaced"),
}


def install() -> None:
    """Menus, dictionaries, shipped models, and the companies A and B; no repair orders."""
    seed.install()
    system.install()
    deploy_shipped(settings.MODELS_DIR)
    for tenant_id, name in ((A, "甲厂"), (B, "乙厂")):
        Tenant.objects.create(
            tenant_id=tenant_id, tenant_name=name, tenant_name_en=f"Plant {tenant_id}", tenant_code=tenant_id
        )
        with tenant_scope(tenant_id):
            _install_company()
    Tenant.objects.create(tenant_id=PLATFORM, tenant_name="平台", tenant_name_en="Platform", tenant_code=PLATFORM)
    with tenant_scope(PLATFORM):
        roles = seed.install_roles()
        system.install_for_tenant()
        dept = Department.objects.create(dept_name="平台", dept_name_en="Platform")
        user = User.objects.create(account="platform", real_name="平理", dept=dept, password=_hash())
        UserRole.objects.create(user=user, role=roles["administrator"])
    _sign_in_all()


_OURS = (TenantModel, SharedModel)
_rows: dict[str, list[tuple[Any, ...]]] = {}
"""The rows of each of our tables, as the database gives them."""


def remember() -> None:
    """Read all rows, for `put_back`, and everybody's session; for the moment when nothing but the cast is installed."""
    with logins.owner_cursor() as cursor:
        _rows.update(_read(cursor))
    _remember_sessions()


def put_back() -> None:
    """Give the tables that a test with transactions of its own has changed their kept rows again.

    Django would empty all tables, which takes PostgreSQL a second, and installing the cast anew takes several.
    """
    with logins.owner_cursor() as cursor:
        changed = [table for table, rows in _read(cursor).items() if rows != _rows[table]]
        # References are looked at when the transaction ends, so that the order of the tables is free.
        for table in changed:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
        for table in changed:
            if rows := _rows[table]:
                values = ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f"INSERT INTO {connection.ops.quote_name(table)} VALUES ({values})", rows)


def _read(cursor: Any) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of all our tables by table; Django's own tables keep what its migrations wrote."""
    found = {}
    for table in sorted(model._meta.db_table for model in apps.get_models() if issubclass(model, _OURS)):
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")
        found[table] = cursor.fetchall()
    return found


_shared: dict[tuple[str, str], Session] = {}
"""By tenant and account, everybody's session of `client_for`."""
_rights_kept: set[tuple[int, int, int]] = set()
"""Keys of the rights of those sessions, as authentication keeps them, while nobody has changed any right."""


def _sign_in_all() -> None:
    """Give everybody a session, which stands in the database as long as the cast."""
    for tenant in Tenant.objects.all():
        with tenant_scope(tenant.tenant_id):
            people = list(User.objects.values_list("pk", flat=True))
        for user_id in people:
            tokens.begin(tenant, user_id)


def _remember_sessions() -> None:
    for session in Session.objects.select_related("tenant"):
        with tenant_scope(session.tenant.tenant_id):
            account = User.objects.get(pk=session.user_id).account
        _shared[session.tenant.tenant_id, account] = session
        # Read before any test could change them.
        authentication._snapshot(session)
        _rights_kept.add((session.pk, session.rights_version, session.tenant.rights_version))


def forget_changed_rights() -> None:
    """Forget what authentication keeps of rights that a test has changed: its transaction is taken back."""
    for key in set(authentication._snapshots) - _rights_kept:
        del authentication._snapshots[key]
    for actor in authentication._snapshots.values():
        if actor is not None:
            actor.kept.clear()


@cache
def _hash() -> str:
    return passwords.make(PASSWORD)


def _install_company() -> None:
    roles = seed.install_roles()
    system.install_for_tenant()
    depts = {key: Department.objects.create(dept_name=zh, dept_name_en=en) for key, (zh, en) in DEPARTMENTS.items()}
    teams = {key: Team.objects.create(team_name=zh, team_name_en=en) for key, (zh, en) in TEAMS.items()}
    for account, (name, role, dept, team) in PEOPLE.items():
        user = User.objects.create(account=account, real_name=name, dept=depts[dept], password=_hash())
        UserRole.objects.create(user=user, role=roles[role])
        if team:
            TeamMember.objects.create(team=teams[team], user=user)
    classes: dict[str, MachineClass] = {}
    for code, (name, english, above, importance) in CLASSES.items():
        classes[code] = MachineClass.objects.create(
            type_code=code,
            type_name=name,
            type_name_en=english,
            parent=classes.get(above),
            default_importance=importance,
        )
    machines: dict[str, Machine] = {}
    for code, (name, level, above, team, class_code) in MACHINES.items():
        machines[code] = Machine.objects.create(
            machine_code=code,
            machine_name=name,
            node_type=level,
            parent=machines.get(above),
            dept=depts["shop"],
            team=teams.get(team),
            type=classes.get(class_code),
        )
    for word, (kind, english) in TAGS.items():
        Tag.objects.create(type=kind, tag_name=word, tag_name_en=english)


class Cast:
    """The installed cast, by names that tests can read; A is the company meant where none is named."""

    def user(self, account: str, tenant: str = A) -> User:
        """The person."""
        with tenant_scope(tenant):
            return User.objects.select_related("dept").get(account=account)  # type: ignore[no-any-return]

    def machine(self, code: str, tenant: str = A) -> Machine:
        """The machine as it stands now."""
        with tenant_scope(tenant):
            return Machine.objects.get(machine_code=code)  # type: ignore[no-any-return]

    def machine_class(self, code: str, tenant: str = A) -> MachineClass:
        """The machine class as it stands now."""
        with tenant_scope(tenant):
            return MachineClass.objects.get(type_code=code)  # type: ignore[no-any-return]

    def team(self, key: str, tenant: str = A) -> Team:
        """The repair team."""
        with tenant_scope(tenant):
            return Team.objects.get(team_name=TEAMS[key][0])  # type: ignore[no-any-return]

    def tag(self, word: str, tenant: str = A) -> Tag:
        """The fault word."""
        with tenant_scope(tenant):
            return Tag.objects.get(tag_name=word)  # type: ignore[no-any-return]

    def actor_for(self, account: str, tenant: str = A) -> Actor:
        """The person as an actor, for calling operations without HTTP."""
        with tenant_scope(tenant):
            actor = actor_of(User.objects.get(account=account).pk, tenant)
        assert actor is not None
        return actor

    def client_for(self, account: str, tenant: str = A) -> Caller:
        """The person signed in: somebody of the cast with the session that all tests share, others with their own."""
        session = _shared.get((tenant, account))
        return Caller(tenant, tokens.pair(session, 0)["access_token"]) if session else self.anew(account, tenant)

    def anew(self, account: str, tenant: str = A) -> Caller:
        """The person with a session of the test's own: for tests of sessions, and where rights change unannounced."""
        pair = tokens.begin(Tenant.objects.get(tenant_id=tenant), self.user(account, tenant).pk)
        return Caller(tenant, pair["access_token"])

    def platform(self) -> Caller:
        """The administrator of the platform, signed in."""
        return self.client_for("platform", PLATFORM)


class Body(dict[str, Any]):
    """An answer's JSON body; `status` is the HTTP status."""

    status: int

    @property
    def code(self) -> int:
        """The envelope's code."""
        return self["code"]  # type: ignore[no-any-return]

    @property
    def data(self) -> Any:
        """What was answered."""
        return self["data"]

    @property
    def msg(self) -> str:
        """The sentence for the person."""
        return self["msg"]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Caller:
    """Somebody who calls the API; without a token nobody in particular."""

    tenant: str = A
    token: str = ""
    language: str = "zh-CN"

    def in_english(self) -> Caller:
        """The same person, reading English."""
        return replace(self, language="en-US")

    def _headers(self, key: str = "") -> dict[str, str]:
        headers = {"Accept-Language": self.language, "Tenant-Id": self.tenant}
        if self.token:
            headers["Blade-Auth"] = f"bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        return headers

    def get(self, path: str, **parameters: Any) -> Body:
        """GET /api/<path> with query parameters."""
        return _body(Client().get(f"/api/{path}", parameters, headers=self._headers()))

    def post_json(self, path: str, body: Mapping[str, Any] | None = None, *, key: str = "", **parameters: Any) -> Body:
        """POST /api/<path> with a JSON body and query parameters; `key` is the idempotency key."""
        response = Client().post(
            f"/api/{path}",
            dict(body or {}),
            content_type="application/json",
            headers=self._headers(key),
            query_params=parameters,
        )
        return _body(response)

    def change(self, noun: str, body: Mapping[str, Any], **parameters: Any) -> Body:
        """Submit a change of the noun's row `id` as a form does: with the version that its detail has now."""
        return self.post_json(f"{noun}/submit", {**self.version(noun, body), **body}, **parameters)

    def version(self, noun: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The `lockVersion` that the row `id` of the body has now, as part of a body; nothing where it is not seen."""
        asked = {name: body[name] for name in ("id", "code", "tenantId") if name in body}
        found = self.get(f"{noun}/detail", **asked).get("data") or {}
        return {"lockVersion": found["lockVersion"]} if "lockVersion" in found else {}

    def post_form(self, path: str, **fields: Any) -> Body:
        """POST /api/<path> with a form, files among its fields."""
        return _body(Client().post(f"/api/{path}", fields, headers=self._headers()))


def _body(response: Any) -> Body:
    is_json = response["Content-Type"].startswith("application/json")
    body = Body(response.json() if is_json else {"code": response.status_code})
    body.status = response.status_code
    return body
