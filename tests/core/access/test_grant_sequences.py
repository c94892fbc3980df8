"""People with drawn parts of the administration give, take, widen, rename and move, one after another. After each act
nobody has gained or lost anything that whoever did it did not hold before.

What is held is worked out here from the tables, in another way than the product does. Small in the suite;
`GRANT_EXAMPLES` and `GRANT_STEPS` make it as large as one likes, as `make prove` does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from core.access.models import (
    ApiScope,
    DataScope,
    Menu,
    Role,
    RoleApiScope,
    RoleDataScope,
    RoleMenu,
    UserRole,
)
from core.identity import authentication
from core.identity.models import Department, TeamMember, User
from core.kernel.tenancy import tenant_scope
from tests.cast import A, Body, Caller, Cast

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("GRANT_EXAMPLES", "8"))
STEPS = int(os.environ.get("GRANT_STEPS", "8"))
ACTING = ("viewer", "operator2", "repairer_other")
OTHERS = ("operator", "shift_leader", "repair_leader")
PARTS = (
    "role_view role_add role_edit role_delete role_grant",
    "user_view user_add user_edit user_role user_reset",
    "dept_view dept_add dept_edit",
    "data_scope_view data_scope_add data_scope_edit data_scope_delete",
    "api_scope_view api_scope_add api_scope_edit api_scope_delete",
    "leave_view repairorder_dispatch",
)
"""Parts of the administration, and what a role without any of it holds."""
NAMED = {"repair_leader": False, "equip_manager": False, "shift_leader": True, "workshop_head": True}
"""Aliases in the shipped models, and whether a department stands behind them."""
ADDRESSES = {
    "/blade-system/role/list": "role_view", "/blade-system/dept/list": "dept_view",
    "/blade-user/list": "user_view", "/blade-user/page": "user_view",
}  # fmt: skip
"""What API scopes are about here, and the code that it needs anyway."""
ALL, OWN, DEPARTMENT, TREE, CUSTOM, TEAM = 1, 2, 3, 4, 5, 6

Held = frozenset[tuple[Any, ...]]


@dataclass(frozen=True)
class World:
    """What everybody holds at a moment."""

    people: dict[int, Held]
    roles: dict[int, Held]
    calls: dict[int, frozenset[str]]
    """Of the addresses above those that a person may call."""
    departments: frozenset[int]


def _look() -> World:
    """Read the tables of company A."""
    codes, data, api, mine = (_pairs(rows) for rows in _grants())
    scopes = {row.pk: row for row in DataScope.objects.all()}
    parents = dict(Department.objects.values_list("pk", "parent_id"))
    heads = dict(Department.objects.values_list("pk", "leader_id"))
    aliases = dict(Role.objects.values_list("pk", "role_alias"))
    teams = _pairs(TeamMember.objects.values_list("user_id", "team_id"))
    open_scopes = {row.pk: row.scope_path for row in ApiScope.objects.all()}

    def above(dept: int | None) -> Iterator[int]:
        while dept is not None:
            yield dept
            dept = parents[dept]

    def of_role(role: int) -> Held:
        found = {("code", code) for code in codes.get(role, ())}
        found |= {("api", scope) for scope in api.get(role, ()) if scope in open_scopes}
        found |= {("scope", *_meaning(scopes[pk])) for pk in data.get(role, ()) if pk in scopes}
        return frozenset(found | ({("alias", aliases[role])} if aliases[role] in NAMED else set()))

    roles = {role: of_role(role) for role in aliases}
    people, calls = {}, {}
    for user, dept in User.objects.values_list("pk", "dept_id"):
        own = [role for role in mine.get(user, ()) if role in roles]
        plain = {fact for role in own for fact in roles[role]}
        rows = set()
        for _word, resource, kind, text in [fact for fact in plain if fact[0] == "scope"]:
            if kind == ALL:
                rows.add(("all", resource))
            if kind == CUSTOM:
                rows.add(("text", resource, text))
            if kind == TEAM:
                rows |= {("team", resource, team) for team in teams.get(user, ())}
            if kind in (DEPARTMENT, TREE) and dept is not None:
                seen = {one for one in parents if dept in above(one)} if kind == TREE else {dept}
                rows |= {("dept", resource, one) for one in seen}
        heading = {("head", one) for one in parents if user in (heads[top] for top in above(one))}
        seats = {("seat", aliases[role], dept) for role in own if NAMED.get(aliases[role])}
        people[user] = frozenset({fact for fact in plain if fact[0] != "scope"} | rows | heading | seats)
        keys = {fact[1] for fact in plain if fact[0] == "api"}
        words = {fact[1] for fact in plain if fact[0] == "code"}
        calls[user] = frozenset(
            address
            for address, code in ADDRESSES.items()
            if code in words and (not (closing := _closing(open_scopes, address)) or closing & keys)
        )
    return World(people, roles, calls, frozenset(parents))


def _grants() -> tuple[Any, ...]:
    return (
        RoleMenu.objects.values_list("role_id", "menu__code"),
        RoleDataScope.objects.values_list("role_id", "scope_id"),
        RoleApiScope.objects.values_list("role_id", "scope_id"),
        UserRole.objects.values_list("user_id", "role_id"),
    )


def _pairs(rows: Any) -> dict[int, set[Any]]:
    found: dict[int, set[Any]] = {}
    for one, other in rows:
        found.setdefault(one, set()).add(other)
    return found


def _meaning(scope: DataScope) -> tuple[str, int, str]:
    return scope.resource_code, scope.scope_type, scope.scope_value if scope.scope_type == CUSTOM else ""


def _closing(scopes: dict[int, str], address: str) -> set[int]:
    """Return the scopes that bind a call: `list` and `page` of people are one call."""
    return {pk for pk, path in scopes.items() if path.replace("/page", "/list") == address.replace("/page", "/list")}


def _within(fact: tuple[Any, ...], held: Held, roles: Held) -> bool:
    kind, *rest = fact
    if fact in held or fact in roles:
        return True
    if kind in ("dept", "team", "text"):
        return ("all", rest[0]) in held
    if kind == "scope":
        wide = ("scope", rest[0], ALL, "") in roles
        return wide or rest[1] == OWN or (rest[1] == DEPARTMENT and ("scope", rest[0], TREE, "") in roles)
    return False


def _place_of(fact: tuple[Any, ...]) -> int | None:
    return fact[-1] if fact[0] in ("dept", "seat", "head") else None


def _check(before: World, after: World, actor: int, act: str) -> None:
    mine = before.people[actor]
    own = frozenset().union(*(before.roles[role] for role in _roles_before(before, actor)))
    pairs = [(before.people.get(pk, Held()), after.people.get(pk, Held())) for pk in before.people | after.people]
    pairs += [(before.roles.get(pk, Held()), after.roles.get(pk, Held())) for pk in before.roles | after.roles]
    for one, other in pairs:
        for fact in one ^ other:
            place = _place_of(fact)
            is_empty = place is not None and not {place} <= before.departments & after.departments
            if is_empty and fact[0] != "head":
                continue  # a department that was made just now has nothing in it
            if is_empty and not _named_head(fact, after):
                continue
            if is_empty and _heads_above(fact[1], mine):
                continue
            assert _within(fact, mine, own), (act, fact)
    for user in before.calls.keys() & after.calls.keys():
        if "api-scope" in act:
            assert before.calls[user] ^ after.calls[user] <= before.calls[actor], act


_held_roles: dict[int, set[int]] = {}


def _roles_before(world: World, actor: int) -> set[int]:
    return {role for role in _held_roles.get(actor, set()) if role in world.roles}


def _named_head(fact: tuple[Any, ...], world: World) -> bool:
    return Department.objects.filter(pk=fact[1], leader__isnull=False).exists()


def _heads_above(dept: int, mine: Held) -> bool:
    parent = Department.objects.values_list("parent_id", flat=True).get(pk=dept)
    return ("head", parent) in mine


# --- acts -------------------------------------------------------------------------------------------------------------

Draw = Callable[[int], int]


def _one(rows: Any, draw: Draw) -> Any:
    found = list(rows)
    return found[draw(len(found))]


def _grant(caller: Caller, draw: Draw) -> tuple[str, Body]:
    role = _one(Role.objects.order_by("pk"), draw)
    menus = Menu.objects.filter(code__in=" ".join(PARTS).split()).order_by("pk")
    word, model, column, rows = _one(
        (
            ("menuIds", RoleMenu, "menu_id", menus),
            ("menuIds", RoleMenu, "menu_id", menus),
            ("dataScopeIds", RoleDataScope, "scope_id", DataScope.objects.filter(resource_code__in=RESOURCES)),
            ("apiScopeIds", RoleApiScope, "scope_id", ApiScope.objects.order_by("pk")),
        ),
        draw,
    )
    held = set(model.objects.filter(role=role).values_list(column, flat=True))
    rows = list(rows.order_by("pk"))
    if not rows:
        return "nothing", caller.get("blade-user/info")
    change = {_one(rows, draw).pk} if draw(6) else held
    given = [str(pk) for pk in held ^ change]
    return "role/grant", caller.post_json("blade-system/role/grant", {"roleIds": str(role.pk), word: given})


RESOURCES = ("repairorder", "user")


def _role(caller: Caller, draw: Draw) -> tuple[str, Body]:
    role = _one(Role.objects.filter(role_alias__in=(*NAMED, "hr", "d0", "d1", "d2")).order_by("pk"), draw)
    if draw(4) == 0:
        return "role/remove", caller.post_json("blade-system/role/remove", ids=str(role.pk))
    alias = _one(("repair_leader", "shift_leader", "vendor", "mine", "yours", "theirs", "ours"), draw)
    if draw(2):
        body = {"roleName": "新", "roleAlias": alias}
        return "role/add", caller.post_json("blade-system/role/submit", body)
    return "role/alias", caller.change("blade-system/role", {"id": str(role.pk), "roleAlias": alias})


def _data_scope(caller: Caller, draw: Draw) -> tuple[str, Body]:
    scope = _one(DataScope.objects.filter(resource_code__in=RESOURCES).order_by("pk"), draw)
    if draw(4) == 0:
        return "data-scope/remove", caller.post_json("blade-system/data-scope/remove", ids=str(scope.pk))
    body: dict[str, Any] = {"scopeType": _one((ALL, OWN, DEPARTMENT, TREE, CUSTOM, TEAM), draw)}
    if body["scopeType"] == CUSTOM:
        body["scopeValue"] = {"user": "sex=1", "repairorder": "status=1"}[scope.resource_code]
    if draw(3) == 0:
        body |= {"resourceCode": scope.resource_code, "scopeName": "新", "menuId": str(scope.menu_id)}
        return "data-scope/add", caller.post_json("blade-system/data-scope/submit", body)
    return "data-scope/edit", caller.change("blade-system/data-scope", {"id": str(scope.pk), **body})


def _api_scope(caller: Caller, draw: Draw) -> tuple[str, Body]:
    scopes, path = list(ApiScope.objects.order_by("pk")), _one(ADDRESSES, draw)
    if scopes and draw(2):
        scope = _one(scopes, draw)
        if draw(2):
            return "api-scope/remove", caller.post_json("blade-system/api-scope/remove", ids=str(scope.pk))
        return "api-scope/edit", caller.change("blade-system/api-scope", {"id": str(scope.pk), "scopePath": path})
    menu = str(Menu.objects.get(code="role").pk)
    body = {"menuId": menu, "resourceCode": "x", "scopeName": "限", "scopePath": path}
    return "api-scope/add", caller.post_json("blade-system/api-scope/submit", body)


def _user_roles(caller: Caller, draw: Draw) -> tuple[str, Body]:
    user, role = _user(draw), _one(Role.objects.order_by("pk"), draw)
    held = set(UserRole.objects.filter(user=user).values_list("role_id", flat=True))
    roles = ",".join(str(pk) for pk in held ^ {role.pk})
    if draw(3) == 0:
        body = {"account": f"neu{draw(10**6)}", "realName": "新", "deptId": str(user.dept_id), "roleId": str(role.pk)}
        return "user/add", caller.post_json("blade-user/submit", body)
    return "user/grant", caller.post_json("blade-user/grant", userIds=str(user.pk), roleIds=roles)


def _user(draw: Draw) -> User:
    return _one(User.objects.filter(account__in=(*ACTING, *OTHERS)).order_by("pk"), draw)  # type: ignore[no-any-return]


def _user_place(caller: Caller, draw: Draw) -> tuple[str, Body]:
    user, dept = _user(draw), _one(Department.objects.order_by("pk"), draw)
    return "user/dept", caller.change("blade-user", {"id": str(user.pk), "deptId": str(dept.pk)})


def _password(caller: Caller, draw: Draw) -> tuple[str, Body]:
    user = _user(draw)
    answer = caller.post_json("blade-user/reset-password", userIds=str(user.pk))
    return f"user/reset {user.pk}", answer


def _department(caller: Caller, draw: Draw) -> tuple[str, Body]:
    one, other = (_one(Department.objects.order_by("pk"), draw) for _ in range(2))
    leader = {"leaderId": str(_user(draw).pk) if draw(4) else ""}
    if draw(3) == 0:
        body = {"deptName": "新组", "parentId": str(one.pk), **(leader if draw(2) else {})}
        return "dept/add", caller.post_json("blade-system/dept/submit", body)
    if draw(2):
        return "dept/leader", caller.change("blade-system/dept", {"id": str(one.pk), **leader})
    return "dept/move", caller.change("blade-system/dept", {"id": str(one.pk), "parentId": str(other.pk)})


ACTS = (_grant, _role, _data_scope, _api_scope, _user_roles, _user_place, _password, _department)


def _begin(draw: Draw) -> None:
    """Three people with drawn parts of the administration, in a small tree of departments."""
    repair, shop = (Department.objects.get(dept_name=name) for name in ("设备部", "机加车间"))
    line = Department.objects.create(dept_name="线", parent=shop)
    Department.objects.create(dept_name="组", parent=repair)
    scopes = list(DataScope.objects.filter(resource_code__in=RESOURCES).order_by("pk"))
    for number, account in enumerate(ACTING):
        user, role = User.objects.get(account=account), Role.objects.create(role_alias=f"d{number}", role_name="代")
        codes = [code for part in PARTS if draw(4) for code in part.split()]
        RoleMenu.objects.bulk_create(
            RoleMenu(role=role, menu=menu) for menu in Menu.objects.filter(code__in=codes).order_by("pk")
        )
        drawn = [scope for scope in scopes if draw(3) == 0]
        RoleDataScope.objects.bulk_create(RoleDataScope(role=role, scope=scope) for scope in drawn)
        UserRole.objects.create(user=user, role=role)
        if draw(3) == 0:
            UserRole.objects.create(user=user, role=Role.objects.get(role_alias="shift_leader"))
        if draw(3) == 0:
            Department.objects.filter(pk=(repair, shop, line)[draw(3)].pk).update(leader=user)


seen: Counter[str] = Counter()


def _follow(cast: Cast, draw: Draw) -> None:
    with tenant_scope(A):
        _begin(draw)
        after = _look()
    for _step in range(STEPS):
        account = ACTING[draw(len(ACTING))]
        caller, actor = cast.anew(account), cast.user(account).pk
        before = after  # nobody does anything in between
        with tenant_scope(A):
            _held_roles.clear()
            _held_roles.update(_pairs(UserRole.objects.values_list("user_id", "role_id")))
            act, answer = _one(ACTS, draw)(caller, draw)
            after = _look()
        assert answer.status < 500, (act, answer)
        seen[f"{act.split()[0]} {answer.status}"] += 1
        if answer.status != 200:
            assert before == after, act
            continue
        with tenant_scope(A):
            _check(before, after, actor, act)
            if act.startswith("user/reset"):
                # Who sets the password is the other one, if they like.
                assert all(
                    _within(fact, before.people[actor], Held()) for fact in before.people[int(act.split()[1])]
                ), act


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    derandomize="GRANT_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def _sequences(cast: Cast, data: st.DataObject) -> None:
    def draw(most: int) -> int:
        return data.draw(st.integers(0, most - 1))

    authentication._snapshots.clear()
    with transaction.atomic():
        _follow(cast, draw)
        transaction.set_rollback(True)


def test_nobody_ends_with_more_than_was_held(cast: Cast) -> None:
    try:
        _sequences(cast)
    finally:
        authentication._snapshots.clear()
    if "GRANT_EXAMPLES" in os.environ:
        print(f"\n{EXAMPLES} sequences: {dict(sorted(seen.items()))}")
        assert {word.split("/")[0] for word in seen if word.endswith(" 200")} >= {
            "role", "data-scope", "api-scope", "user", "dept",
        }  # fmt: skip
