"""People and their accounts: what may be done to them, by whom, and what follows from it.

Nobody locks themselves out, and no company is left without an administrator. These functions run inside an operation,
which writes the audit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.identity import credentials, passwords, quotas, tokens
from core.identity.models import Tenant, User, UserPost
from core.kernel import clock, outbox
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, NotAllowed, Refusal
from core.kernel.tenancy import current_tenant
from core.kernel.texts import plural
from core.rest import rights

ROLE_CODE = "user_role"
MOST_RESET = 100
"""People whose passwords are reset at once: 2 s of the processor."""
PERSON_LEFT = "identity.personLeft"
"""Topic of the outbox: an account was removed or disabled. `userId`, and `managerId` or None."""


def _own_tenant() -> Tenant:
    """Return the tenant in scope, locked: who counts its people counts them alone."""
    return Tenant.objects.select_for_update(no_key=True).get(tenant_id=current_tenant())


@contextmanager
def in_turn() -> Iterator[None]:
    """Let one person at a time change accounts and what they hold; entered before any account is locked."""
    _own_tenant()
    yield


def _check_room(more: int) -> None:
    """Raise a Refusal when the company may not have so many more accounts."""
    limit = _own_tenant().account_number
    if limit < 0:
        return
    count = User.objects.filter(is_enabled=True).count() + more
    if count > limit:
        raise Refusal("user.limit", _("账号数量已达上限{n}个，请联系平台管理员").format(n=limit))
    quotas.people_now(limit, count)


@contextmanager
def keeping_an_administrator() -> Iterator[None]:
    """Raise Conflict when the block has taken the company's last administrator."""
    _own_tenant()
    had_one = rights.has_administrator()
    yield
    if had_one and not rights.has_administrator():
        raise Conflict("user.lastAdministrator", _("至少要保留一名管理员"))


def _set_posts(user: User, post_ids: Collection[int]) -> None:
    UserPost.objects.filter(user=user).delete()
    UserPost.objects.bulk_create(UserPost(user=user, post_id=post_id) for post_id in post_ids)


def add(actor: Actor, values: Mapping[str, Any], ready: tuple[str, str]) -> tuple[User, str]:
    """Make an account; answers it and its one-time password, which is empty where a password was given.

    `values` are columns, `role_ids`, `post_ids` and `password`. Whoever is told a password by somebody has to
    replace it. `ready` is that password, or a one-time one, with its stored form, made before anything is locked.
    """
    columns = {**values}
    roles, posts, given = columns.pop("role_ids", ()), columns.pop("post_ids", ()), columns.pop("password", "")
    if roles:
        _check_roles(actor, (), roles)
    if columns.get("is_enabled", True):
        _check_room(1)
    text, stored = ready
    user = User(
        **columns,
        password=stored,
        must_change_password=True,
        password_expires_at=None if given else clock.now() + passwords.ONE_TIME_FOR,
    )
    made: list[int] = []
    with rights.within(actor, made) if roles or posts else nullcontext():
        user.save()
        made.append(user.pk)
        _set_posts(user, posts)
        if roles:
            rights.assign([user.pk], roles)
    return user, "" if given else text


def change(actor: Actor, user: User, values: Mapping[str, Any]) -> None:
    """Change an account. Its password is not among what can be changed: see `reset`."""
    columns = {**values}
    roles, posts = columns.pop("role_ids", None), columns.pop("post_ids", None)
    columns.pop("password", None)
    rights.check_managing(actor, [user.pk])
    was_enabled = user.is_enabled
    is_enabled = columns.get("is_enabled", was_enabled)
    if user.pk == actor.user_id and not is_enabled:
        raise Refusal("user.self", _("不能停用自己的账号"))
    if is_enabled and not user.is_enabled:
        _check_room(1)
    held = rights.held_by([user.pk]).get(user.pk, {})
    moves = columns.get("dept_id", user.dept_id) != user.dept_id or (roles is not None and set(roles) != set(held))
    moves |= posts is not None and set(posts) != set(user.posts.values_list("post_id", flat=True))
    with keeping_an_administrator(), rights.within(actor, [user.pk]) if moves else nullcontext():
        if not user.change(columns) and (posts is not None or roles is not None):
            User.count_write([user.pk])
        if posts is not None:
            _set_posts(user, posts)
        if roles is not None and set(roles) != set(held):
            _check_roles(actor, [user.pk], roles)
            rights.assign([user.pk], roles)
    if user.is_enabled:
        tokens.touch_user(user.pk)
    else:
        tokens.revoke_user(user.pk)
        if was_enabled:
            _announce_leaving(user)


def _announce_leaving(user: User) -> None:
    """Let whoever keeps work for the person know that the person works here no longer, after the commit."""
    outbox.send(PERSON_LEFT, {"userId": user.pk, "managerId": ports.people.head_of(user.pk)})


def _check_roles(actor: Actor, user_ids: Collection[int], role_ids: Collection[int]) -> None:
    """Roles need a right of their own, by whatever form they come in."""
    if not actor.may(ROLE_CODE):
        raise NotAllowed()
    rights.check_assigning(actor, user_ids, role_ids)


def grant(actor: Actor, users: Sequence[User], role_ids: Collection[int]) -> None:
    """Replace the roles of these people; it counts from the next request on."""
    ids = [user.pk for user in users]
    _check_roles(actor, ids, role_ids)
    with keeping_an_administrator(), rights.within(actor, ids):
        rights.assign(ids, role_ids)
        User.count_write(ids)
    for user_id in ids:
        tokens.touch_user(user_id)


def check_reset(actor: Actor, users: Sequence[User]) -> None:
    """Raise a Refusal unless the actor may give these people one-time passwords, all at once."""
    if len(users) > MOST_RESET:
        raise Refusal("user.tooMany", plural("一次最多重置{n}人的密码，请分几次进行", MOST_RESET))
    if any(user.pk == actor.user_id for user in users):
        raise Refusal("user.self", _("请在个人中心修改自己的密码"))
    rights.check_managing(actor, [user.pk for user in users])


def reset(actor: Actor, users: Sequence[User], stored: Sequence[str]) -> None:
    """Give these people one-time passwords, whose stored forms were made before, a person each."""
    check_reset(actor, users)
    for user, password in zip(users, stored, strict=True):
        credentials.give_one_time(user, password)


def leave(actor: Actor, user: User) -> None:
    """Remove an account: its sessions end, and what the person did keeps the name."""
    if user.pk == actor.user_id:
        raise Refusal("user.self", _("不能删除自己的账号"))
    rights.check_managing(actor, [user.pk])
    _announce_leaving(user)
    with keeping_an_administrator():
        user.remove()
    tokens.revoke_user(user.pk)
