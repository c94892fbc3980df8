"""Wire forms of deployed models, as the family's pages read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers

from core.kernel import dictionaries
from core.kernel.texts import choose, moment
from workflows.deployments.gate import Verdict
from workflows.deployments.models import Definition
from workflows.engine.errors import Problem


class DefinitionRow(serializers.Serializer):  # type: ignore[type-arg]
    """A deployed version; `tenantId` is empty for a general one."""

    id = serializers.CharField()
    tenantId = serializers.CharField()
    category = serializers.CharField()
    categoryName = serializers.CharField()
    key = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    suspensionState = serializers.IntegerField(help_text="1 active, 2 suspended")
    isHalted = serializers.BooleanField(help_text="Suspended together with what runs on it.")
    deploymentTime = serializers.CharField()
    deploymentId = serializers.CharField()
    deployUserName = serializers.CharField()
    businessType = serializers.CharField()
    note = serializers.CharField(help_text="Why it was deployed.")


class Standing(serializers.Serializer):  # type: ignore[type-arg]
    """How what runs stands, of the own company."""

    running = serializers.IntegerField()
    overdue = serializers.IntegerField(
        help_text="Of these, where a step waits although a deadline drawn round it (a timer that breaks nothing off) "
        "has passed."
    )
    failed = serializers.IntegerField(help_text="Of these, what stands still until somebody looks after it.")


class VersionRow(Standing, DefinitionRow):
    """A deployed version, and how what runs on it stands."""


class VersionDetail(DefinitionRow):
    """A deployed version with its drawing."""

    xml = serializers.CharField()


class InstanceTimes(serializers.Serializer):  # type: ignore[type-arg]
    """Processes in the window; those that run are counted whenever they began."""

    started = serializers.IntegerField()
    ended = serializers.IntegerField()
    running = serializers.IntegerField()
    medianSeconds = serializers.IntegerField(allow_null=True, help_text="From start to end, of those that ended.")


class NodeTimes(serializers.Serializer):  # type: ignore[type-arg]
    """A step of people: how often it was done in the window and how long it took, and how many wait now."""

    node = serializers.CharField()
    count = serializers.IntegerField()
    waiting = serializers.IntegerField()
    overdue = serializers.IntegerField(help_text="Of those that wait.")
    medianSeconds = serializers.IntegerField(allow_null=True)
    p90Seconds = serializers.IntegerField(allow_null=True)
    longestSeconds = serializers.IntegerField(allow_null=True)


class Times(serializers.Serializer):  # type: ignore[type-arg]
    """What history says of a version, or of all versions of a model; of the own company."""

    begin = serializers.CharField(help_text="The window as it was taken: from this moment …")
    end = serializers.CharField(help_text="… to before this one.")
    instances = InstanceTimes()
    nodes = NodeTimes(many=True)


class StartRow(DefinitionRow):
    """A version that the caller may start."""

    startPage = serializers.CharField(help_text="Address in the console where the start is made.")


def category_names() -> dict[str, str]:
    """flow_2 → its name in the caller's language; one statement."""
    return {f"flow_{key}": name for key, name in dictionaries.names_of("flow").items()}


def definition_rows(definitions: Iterable[Definition]) -> list[dict[str, Any]]:
    """The rows of a list; one statement more for the categories."""
    names = category_names()
    return [definition_row(row, names) for row in definitions]


def definition_row(row: Definition, names: Mapping[str, str]) -> dict[str, Any]:
    """A version as lists show it; `names` are those of the categories."""
    return {
        "id": str(row.pk),
        "tenantId": "" if row.is_general else row.tenant_id,
        "category": row.category,
        "categoryName": names.get(row.category, ""),
        "key": row.key,
        "name": str(row),
        "version": row.version,
        "suspensionState": 1 if row.is_active else 2,
        "isHalted": row.is_halted,
        "deploymentTime": moment(row.deploy_time),
        # Each version is deployed by itself, so that one can be taken back without the others.
        "deploymentId": str(row.pk),
        "deployUserName": row.deploy_user_name,
        "businessType": row.business_type,
        "note": row.note,
    }


class ProblemRow(serializers.Serializer):  # type: ignore[type-arg]
    """One reason why a drawing is refused, or one warning; `message` is in the caller's language."""

    element = serializers.CharField()
    code = serializers.CharField()
    level = serializers.ChoiceField(choices=["error", "warning"])
    message = serializers.CharField()
    messageZh = serializers.CharField()
    messageEn = serializers.CharField()


class DeployedRow(serializers.Serializer):  # type: ignore[type-arg]
    """A version that a deployment made, or found unchanged."""

    id = serializers.CharField()
    tenantId = serializers.CharField()
    version = serializers.IntegerField()


class FileReport(serializers.Serializer):  # type: ignore[type-arg]
    """What became of one drawing."""

    file = serializers.CharField()
    key = serializers.CharField()
    name = serializers.CharField()
    businessType = serializers.CharField()
    status = serializers.ChoiceField(choices=["ready", "refused", "deployed", "unchanged"])
    problems = ProblemRow(many=True)
    definitions = DeployedRow(many=True)


class Deployed(serializers.Serializer):  # type: ignore[type-arg]
    """What a deployment answers: a report for each drawing."""

    files = FileReport(many=True)


_MOST_PROBLEMS = 100
_MOST_SIGNS = 400


def wire(problem: Problem) -> dict[str, Any]:
    """A problem as it is sent."""
    zh, en = problem.text_zh[:_MOST_SIGNS], problem.text_en[:_MOST_SIGNS]
    return {
        "element": problem.element, "code": problem.code, "level": problem.level,
        "message": choose(zh, en), "messageZh": zh, "messageEn": en,
    }  # fmt: skip


def report(file: str, verdict: Verdict) -> dict[str, Any]:
    """What the gate says of a drawing, before anything is deployed."""
    return {
        "file": file,
        "key": verdict.key,
        "name": verdict.name,
        "businessType": verdict.meta["business_type"] if verdict.meta else "",
        "status": "refused" if verdict.errors else "ready",
        "problems": [wire(problem) for problem in verdict.problems[:_MOST_PROBLEMS]],
        "definitions": [],
    }
