"""A verb is one operation: a function with a name and a permission code, run in one transaction with one audit row."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import orjson
from django.db import IntegrityError, connection, transaction

from core.kernel import act as acts
from core.kernel.actor import Actor, acting
from core.kernel.errors import NotAllowed, Refusal

P = ParamSpec("P")
R = TypeVar("R")

SIGNED_IN = "*"
"""In place of a permission code: everybody who is signed in; the operation checks what else is needed."""
SYSTEM = "-"
"""In place of a permission code: nobody in person, only timers, jobs and the installation."""


@dataclass(frozen=True)
class Operation:
    """An entry of the registry, for the contract tests and the rights screens."""

    name: str
    code: str
    function: Callable[..., Any]


registry: dict[str, Operation] = {}


def digest(value: object) -> str:
    """A digest of plain input, equal for equal input whatever the order of its keys."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS, default=str)).hexdigest()


def check_code(actor: Actor, code: str) -> None:
    """Raise NotAllowed unless the actor holds the code (or it is one of the two marks, and fits)."""
    if code == SIGNED_IN and not actor.is_system:
        return
    if actor.is_system if code == SYSTEM else actor.may(code):
        return
    raise NotAllowed()


def perform(act: acts.Act, request: object, function: Callable[[], R]) -> R:
    """Do an act: answer a repeated request from its key, open the transaction, write the audit row.

    `request` is the plain input; its digest tells a repeated request from another one under the same key.
    """
    actor = act.actor
    if actor.idempotency_key:
        act.digest = digest([act.operation, request])
        found, answer = acts.replay(act)
        if found:
            return answer  # type: ignore[no-any-return]
    token = acts._current.set(act)
    try:
        # On PostgreSQL the tenant's scope is a transaction already, and is rolled back as a whole: a savepoint is
        # worth its statements only where a lost race has to be answered from inside it.
        savepoint = bool(actor.idempotency_key) or connection.vendor != "postgresql"
        with acting(actor), transaction.atomic(savepoint=savepoint):
            answer = function()
            if not act.nothing_happened:
                acts.write(act, answer)
        return answer
    except (IntegrityError, Refusal):
        # Two requests with one key ran at once: the other one was first, and its answer is ours. It shows as the
        # key's second row, or as a refusal, because the record has moved on meanwhile.
        if actor.idempotency_key:
            found, answer = acts.replay(act)
            if found:
                return answer  # type: ignore[no-any-return]
        raise
    finally:
        acts._current.reset(token)


def operation(
    name: str, *, code: str
) -> Callable[[Callable[Concatenate[Actor, P], R]], Callable[Concatenate[Actor, P], R]]:
    """Make a function the operation `name`: check the code, open the transaction, write the audit row.

    The function's first argument is the actor. Its answer must be JSON: a repeated request with the same
    idempotency key is answered with the stored one. An operation called inside another one belongs to the outer act.
    """

    def wrap(function: Callable[Concatenate[Actor, P], R]) -> Callable[Concatenate[Actor, P], R]:
        @wraps(function)
        def run(actor: Actor, *args: P.args, **kwargs: P.kwargs) -> R:
            check_code(actor, code)
            if acts._current.get() is not None:
                return function(actor, *args, **kwargs)
            return perform(acts.Act(name, actor), [args, kwargs], lambda: function(actor, *args, **kwargs))

        if name in registry:
            raise ValueError(f"operation {name} is registered twice")
        registry[name] = Operation(name, code, run)
        return run  # type: ignore[return-value]  # wraps() keeps the first parameter's name, the type has none

    return wrap
