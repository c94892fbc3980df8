"""What the document of the calls says of a case (`x-case`): the console makes its pages and forms from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rest_framework import serializers

from core.cases.case import Case, Command, Shown
from core.cases.inputs import input_of, input_of_start
from core.kernel.texts import both, camel
from core.rest.shapes import shape


def marks(case: Case, key: str) -> dict[str, Any]:
    """Return the case as plain values; `key` is the parameter of the detail that takes the record's id.

    Each text is a pair, Chinese and English. An `input` is the name of a schema of the document.
    """
    start = case.start
    return {
        "name": case.name,
        "title": both(case.title),
        "segment": case.segment,
        "key": key,
        "number": camel(case.number.column),
        "statuses": [
            [value, *both(text), case.tones.get(value, "quiet")] for value, text in case.status_names().items()
        ],
        "start": {
            "call": start.call, "name": start.name, "label": both(start.label), "code": start.code,
            "page": case.start_page, "drafts": start.draft is not None, "input": _schema(input_of_start(case)),
        },
        "commands": [_command(case, command) for command in case.commands],
        "steps": list(case.process.steps),
        "open": sorted({int(step.status) for step in case.process.steps.values()}),
        "document": _groups(case.document or tuple(shown(case))),
        "sections": [{"title": both(one.title), "fields": _groups(one.fields)} for one in case.sections],
        "others": list(case.other_actions),
        "acts": {name: both(text) for name, text in case.act_names().items()},
    }  # fmt: skip


def shown(case: Case) -> Iterator[str]:
    """Yield the fields of the detail that stand for owner and input of the start: names in place of ids."""
    for column in (case.start.owner, *case.start.fields):
        names = list(shape(case.model, column).fields(case.model))
        yield names[-1] if names else camel(column)


def _command(case: Case, command: Command) -> dict[str, Any]:
    return {
        "name": command.name,
        "label": both(command.button or command.label),
        "labels": {step: both(text) for step, text in command.labels.items()},
        "will": both(command.will),
        "tone": command.tone,
        "code": command.code,
        "input": _schema(input_of(case, command)),
        "edits": command.edits or command.prefilled,
        "remark": command.remark.name if command.remark else command.comment,
        "steps": list(command.steps),
        "outcomes": []
        if command.run
        else [
            {"key": one.key, "label": both(one.label), "values": dict(one.values), "refuses": one.refuses}
            for one in command.all_outcomes()
        ],
    }


def _groups(fields: tuple[Shown, ...]) -> list[list[str]]:
    return [[one] if isinstance(one, str) else list(one) for one in fields]


def _schema(kind: type[serializers.Serializer[Any]]) -> str:
    return f"{kind.__name__}Request"
