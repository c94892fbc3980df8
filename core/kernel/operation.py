"""Operations: functions with a name and a permission code that run in one transaction and store one audit entry."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import orjson
from django.db import IntegrityError, connection, transaction

from core.kernel import audit_entry
from core.kernel.actor import Actor, acting
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import NotAllowed, Refusal

P = ParamSpec("P")
R = TypeVar("R")

SIGNED_IN = "*"
"""Instead of a permission code: every signed-in person may call the operation, which checks further rights itself."""
SYSTEM = "-"
"""Instead of a permission code: only timers, jobs and the installation may call the operation."""


@dataclass(frozen=True)
class Operation:
    """A registered operation. Contract tests and the screens of permissions read the registry."""

    name: str
    code: str
    function: Callable[..., Any]


registry: dict[str, Operation] = {}


def digest(value: object) -> str:
    """Return a digest of JSON-like input; the order of keys does not matter."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS, default=str)).hexdigest()


def check_code(actor: Actor, code: str) -> None:
    """Raise NotAllowed unless the actor holds the permission code, or SIGNED_IN or SYSTEM fits the actor."""
    if code == SIGNED_IN and not actor.is_system:
        return
    if actor.is_system if code == SYSTEM else actor.may(code):
        return
    raise NotAllowed()


def perform(
    entry: AuditEntry, request: object, function: Callable[[], R], prepare: Callable[[], object] | None = None
) -> R:
    """Run the function in a transaction and store its audit entry; return the stored answer to a repeated request.

    `request` is the input as plain data. Its digest tells a repeated request from another request with the same key.
    `prepare` does what takes long, before anything is written or locked, so that nobody waits for it.
    """
    actor = entry.actor
    if actor.idempotency_key:
        entry.digest = digest([entry.operation, request])
        found, answer = audit_entry.replay(entry)
        if found:
            return answer  # type: ignore[no-any-return]
    if prepare is not None:
        with acting(actor):
            prepare()
    token = audit_entry._current.set(entry)
    try:
        # On PostgreSQL the tenant's scope is a transaction already, and is rolled back as a whole: a savepoint is
        # worth its statements only where a lost race has to be answered from inside it.
        savepoint = bool(actor.idempotency_key) or connection.vendor != "postgresql"
        with acting(actor), transaction.atomic(savepoint=savepoint):
            answer = function()
            if not entry.nothing_happened:
                audit_entry.write(entry, answer)
        return answer
    except (IntegrityError, Refusal):
        # Two requests with one key ran at once: the other one was first, and its answer is ours. It shows as the
        # key's second row, or as a refusal, because the record has moved on meanwhile.
        if actor.idempotency_key:
            found, answer = audit_entry.replay(entry)
            if found:
                return answer  # type: ignore[no-any-return]
        raise
    finally:
        audit_entry._current.reset(token)


def operation(
    name: str, *, code: str, prepare: Callable[..., Any] | None = None
) -> Callable[[Callable[Concatenate[Actor, P], R]], Callable[Concatenate[Actor, P], R]]:
    """Decorate a function as the operation `name`, which checks its code, opens the transaction and stores the entry.

    The first argument of the function is the actor. Its return value must be JSON, because it is stored and returned to
    a repeated request with the same idempotency key. An operation called inside another one joins the outer audit
    entry.

    `prepare` is called with the same arguments, before anything is written or locked; the function gets what it returns
    as `prepared`, which no caller gives.
    """

    def wrap(function: Callable[Concatenate[Actor, P], R]) -> Callable[Concatenate[Actor, P], R]:
        @wraps(function)
        def run(actor: Actor, *args: P.args, **kwargs: P.kwargs) -> R:
            check_code(actor, code)
            ready: dict[str, Any] = {}

            def before() -> None:
                if prepare is not None:
                    ready["prepared"] = prepare(actor, *args, **kwargs)

            def act() -> R:
                return function(actor, *args, **kwargs, **ready)

            if audit_entry._current.get() is not None:
                before()
                return act()
            return perform(AuditEntry(name, actor), [args, kwargs], act, before)

        if name in registry:
            raise ValueError(f"operation {name} is registered twice")
        registry[name] = Operation(name, code, run)
        return run  # type: ignore[return-value]  # wraps() keeps the first parameter's name, the type has none

    return wrap
