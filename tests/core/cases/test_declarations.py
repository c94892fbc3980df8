"""What a declaration of a case forgets is told at the start, and a shipped model passes the gate like any other."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from core.cases.case import Case, Command, Effect, Number, Verb, cases
from core.cases.checks import every_case_is_whole, faults
from core.cases.process import declaration
from core.desk.leave.case import LEAVE
from core.desk.leave.models import Leave
from core.kernel.models import AuditedModel
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition
from workflows.workbench.gate import judged
from workflows.workbench.publishing.shipped import deploy_shipped


def with_command(name: str, **changes: Any) -> Case:
    """Leave with one command changed."""
    commands = [replace(one, **changes) if one.name == name else one for one in LEAVE.commands]
    return replace(LEAVE, commands=tuple(commands))


FAULTY = [
    (replace(LEAVE, name="absence"), "it has to be called “leave”, like its model."),
    (replace(LEAVE, model=AuditedModel), "its model AuditedModel does not derive from CaseModel."),
    (replace(LEAVE, number=Number("number", "QJ")), "`number` names “number”, which is no column of Leave."),
    (replace(LEAVE, commands=LEAVE.commands[:2]), "no command completes the step “revise” of `process.steps`."),
    (
        with_command("approve", steps=("approve", "boss")),
        "the command “approve” completes the step “boss”, which `process.steps` does not have.",
    ),
    (with_command("approve", steps=()), "the command “approve” needs either `steps`, a `message` or a `run`."),
    (
        with_command("withdraw", statuses=()),
        "the command “withdraw” sends a message and needs the `statuses` at which it may.",
    ),
    (
        with_command("withdraw", verb=Verb("undo")),
        "the command “withdraw” stands for the verb “undo”; use one of delegate, transfer, withdraw.",
    ),
    (with_command("reject", will=""), "the command “reject” does not say what it `will` do; its form shows that."),
    (
        with_command("approve", comment="words"),
        "the comment of the command “approve” goes into “words”, which its input does not have.",
    ),
    (
        replace(LEAVE, effects=LEAVE.effects[1:]),
        "`process.required` names the effect “applied”, which is not declared.",
    ),
    (replace(LEAVE, ended_by="cancel"), "`ended_by` names “cancel”, which is no command."),
    (
        replace(LEAVE, effects=(*LEAVE.effects, Effect("lost", "", 9))),
        "the effect “lost” gives the status 9, which Leave does not have.",
    ),
    (
        replace(LEAVE, effects=(*LEAVE.effects, Effect("late", "", now="late_time"))),
        "the effect “late” keeps its moment in “late_time”, which is no column.",
    ),
]


@pytest.mark.parametrize(("case", "sentence"), FAULTY, ids=[sentence for _case, sentence in FAULTY])
def test_a_fault_of_a_declaration_is_told_in_one_sentence(case: Case, sentence: str) -> None:
    assert sentence in list(faults(case))


def test_the_cases_of_the_product_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert every_case_is_whole(None) == []
    monkeypatch.setitem(cases, "lost", replace(LEAVE, name="lost"))
    told = [error.msg for error in every_case_is_whole(None)]
    assert "case lost: no viewset names it as its `case`; see core/cases/views.py" in told


def test_every_step_of_a_shipped_model_is_declared_with_its_outcomes_and_form() -> None:
    for case in cases.values():
        drawing = settings.MODELS_DIR / case.model_key / f"{case.model_key}.bpmn"
        nodes = engine.parse(drawing.read_bytes()).nodes.values()
        people = {node.id: node.extensions for node in nodes if node.kind == "userTask"}
        declared = declaration(case)["nodes"]
        offered = {name: ",".join(one["key"] for one in step["outcomes"]) for name, step in declared.items()}
        assert offered == {name: node["outcomes"] for name, node in people.items()}
        assert {node["formKey"] for node in people.values()} == {case.segment}
        called = {node.extensions["operation"] for node in nodes if node.kind == "serviceTask"}
        assert called == set(case.operations), "an effect that no model calls, or a call of none"


@pytest.mark.django_db
def test_a_shipped_model_with_a_misspelt_operation_is_not_deployed(tmp_path: Path) -> None:
    folder = tmp_path / "bpmn"
    shutil.copytree(settings.MODELS_DIR, folder)
    drawing = folder / "leave" / "leave.bpmn"
    drawing.write_text(drawing.read_text("utf-8").replace("leave.approved", "leave.aproved"), "utf-8")
    before = Definition.objects.count()
    with pytest.raises(engine.ModelError) as refused:
        deploy_shipped(folder)
    assert {"operation_unknown"} <= {problem.code for problem in refused.value.problems}
    assert Definition.objects.count() == before


def test_what_a_deployment_keeps_of_a_shipped_model_is_what_its_case_declares() -> None:
    for drawing, meta in library.shipped(settings.MODELS_DIR):
        assert judged(drawing.read_bytes()).meta == meta


def test_a_command_without_outcomes_has_one_of_its_own_name() -> None:
    command = Command("approve", "同意", ("approve",))
    assert [(one.key, one.label) for one in command.all_outcomes()] == [("approve", "同意")]
    assert Leave._meta.model_name == LEAVE.name
