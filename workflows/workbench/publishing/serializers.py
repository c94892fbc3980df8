"""Wire forms of deployed models, as the family's pages read them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.kernel.texts import choose
from workflows.engine.errors import Problem
from workflows.runtime.calls.definition_serializers import DefinitionRow
from workflows.workbench.gate import Verdict


class StatusCounts(serializers.Serializer):  # type: ignore[type-arg]
    """How what runs stands, of the own company."""

    running = serializers.IntegerField()
    overdue = serializers.IntegerField(
        help_text="Of these, where a step waits although a deadline drawn round it (a timer that breaks nothing off) "
        "has passed."
    )
    failed = serializers.IntegerField(help_text="Of these, what stands still until somebody looks after it.")


class DeploymentRow(DefinitionRow):
    """A deployed version, and whether it is in force."""

    isInForce = serializers.BooleanField(help_text="The company's starts take it, unless it is suspended.")
    isScheduled = serializers.BooleanField(help_text="It may start by time.")


class VersionRow(StatusCounts, DeploymentRow):
    """A deployed version, and how what runs on it stands."""


class VersionDetail(DefinitionRow):
    """A deployed version with its model."""

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


class ProblemRow(serializers.Serializer):  # type: ignore[type-arg]
    """One reason why a model is refused, or one warning; `message` is in the caller's language."""

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
    """What became of one model."""

    file = serializers.CharField()
    key = serializers.CharField()
    name = serializers.CharField()
    businessType = serializers.CharField()
    status = serializers.ChoiceField(choices=["ready", "refused", "deployed", "unchanged"])
    problems = ProblemRow(many=True)
    definitions = DeployedRow(many=True)


class Deployed(serializers.Serializer):  # type: ignore[type-arg]
    """What a deployment answers: a report for each model."""

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
    """Return what the gate says of a model, before anything is deployed."""
    return {
        "file": file,
        "key": verdict.key,
        "name": verdict.name,
        "businessType": verdict.meta["business_type"] if verdict.meta else "",
        "status": "refused" if verdict.errors else "ready",
        "problems": [wire(problem) for problem in verdict.problems[:_MOST_PROBLEMS]],
        "definitions": [],
    }
