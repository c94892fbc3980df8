"""The system check of cases: what a declaration forgets or misspells is told at the start, with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, register

from core.cases.case import HANDS_ON, WAITING, Case, Command, cases
from core.cases.inputs import input_of
from core.cases.models import CaseModel

VERBS = (*HANDS_ON, "withdraw")
"""The buttons of the queues that a command may stand for."""


@register()
def every_case_is_whole(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each fault of a registered case."""
    views = [view for view in _views() if hasattr(view, "case")]
    served = {view.case.name for view in views}
    listed = {getattr(view, "noun", "") for view in views}
    found: list[CheckMessage] = [
        Error(f"case {case.name}: {fault}", id="cases.E001") for case in cases.values() for fault in faults(case)
    ]
    for name in set(cases) - served:
        found.append(Error(f"case {name}: no viewset names it as its `case`; see core/cases/views.py", id="cases.E002"))
    for case in cases.values():
        if case.listing is not None and case.listing.noun not in listed:
            text = f"case {case.name}: no CaseListViewSet serves its listing; see core/cases/lists.py"
            found.append(Error(text, id="cases.E003"))
    return found


def _views() -> Iterator[Any]:
    from django.urls import get_resolver

    from core.rest.routes import routed_actions

    for view, _action in routed_actions(get_resolver()):
        yield view


def faults(case: Case) -> Iterator[str]:
    """Yield what is wrong with a declaration, a sentence each."""
    if not issubclass(case.model, CaseModel):
        yield f"its model {case.model.__name__} does not derive from CaseModel."
        return
    if case.name != case.model._meta.model_name:
        yield f"it has to be called “{case.model._meta.model_name}”, like its model."
    columns = {field.name for field in case.model._meta.concrete_fields}
    if bool(case.start.input) == bool(case.start.fields):
        yield "its start needs either `fields` or an `input`."
    named = (("number", case.number.column), ("start.owner", case.start.owner))
    for place, column in (*named, *(("start.fields", name) for name in case.start.fields)):
        if column not in columns:
            yield f"`{place}` names “{column}”, which is no column of {case.model.__name__}."
    for command in case.commands:
        yield from _faults_of_command(case, command)
    for step in case.process.steps:
        if not any(step in command.steps for command in case.commands):
            yield f"no command completes the step “{step}” of `process.steps`."
    effects = {effect.name for effect in case.effects}
    for name in (name for group in case.process.required for name in group):
        if name not in effects:
            yield f"`process.required` names the effect “{name}”, which is not declared."
    for column in case.listing.fields if case.listing is not None else ():
        if column not in columns | {WAITING}:
            yield f"`listing` names “{column}”, which is no column of {case.model.__name__}."
    if case.ended_by and case.ended_by not in case.command:
        yield f"`ended_by` names “{case.ended_by}”, which is no command."
    statuses = set(case.status_names())
    for effect in case.effects:
        if effect.becomes is not None and effect.becomes not in statuses:
            model = case.model.__name__
            yield f"the effect “{effect.name}” gives the status {effect.becomes}, which {model} does not have."
        if effect.becomes is None and not effect.label:
            yield f"the effect “{effect.name}” gives no status and needs a label."
        if effect.now and effect.now not in columns:
            yield f"the effect “{effect.name}” keeps its moment in “{effect.now}”, which is no column."


def _faults_of_command(case: Case, command: Command) -> Iterator[str]:
    if sum(map(bool, (command.steps, command.message, command.run))) != 1:
        yield f"the command “{command.name}” needs either `steps`, a `message` or a `run`."
    if command.message and not command.statuses:
        yield f"the command “{command.name}” sends a message and needs the `statuses` at which it may."
    for step in command.steps:
        if step not in case.process.steps:
            yield f"the command “{command.name}” completes the step “{step}”, which `process.steps` does not have."
    if command.verb is not None and command.verb.name not in VERBS:
        yield f"the command “{command.name}” stands for the verb “{command.verb.name}”; use one of {', '.join(VERBS)}."
    if not command.will:
        yield f"the command “{command.name}” does not say what it `will` do; its form shows that."
    if command.comment and command.comment not in input_of(case, command)().fields:
        place = f"“{command.comment}”, which its input does not have."
        yield f"the comment of the command “{command.name}” goes into {place}"
