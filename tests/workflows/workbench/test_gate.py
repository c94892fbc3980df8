"""The deployment check of a record's process: its own steps and operations are done once."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from workflows.workbench import gate

pytestmark = pytest.mark.django_db

REPAIR = (Path(settings.MODELS_DIR) / "repairorder/repairorder.bpmn").read_text(encoding="utf-8")
LOOP = "<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>"


def refused_as_repeated(xml: str) -> set[str]:
    """The nodes of a document that the check refuses because they would be done several times."""
    return {problem.element for problem in gate.examine(xml.encode()).problems if problem.code == "many_own"}


def with_loop(kind: str, node: str) -> str:
    """The repair model with a loop in one of its activities."""
    head, found, rest = REPAIR.partition(f'<{kind} id="{node}"')
    assert found
    tag, _end, rest = rest.partition(">")
    if tag.endswith("/"):
        return f"{head}{found}{tag[:-1]}>{LOOP}</{kind}>{rest}"
    return f"{head}{found}{tag}>{LOOP}{rest}"


def test_the_shipped_model_repeats_nothing() -> None:
    assert refused_as_repeated(REPAIR) == set()


@pytest.mark.parametrize(
    ("kind", "node", "refused"),
    [
        ("serviceTask", "finished", {"finished"}),
        ("userTask", "check", {"check"}),
        ("subProcess", "repairing", {"repair", "transferred", "finished", "hung", "hold", "resumed"}),
    ],
)
def test_a_record_s_own_step_or_operation_in_a_loop_is_refused(kind: str, node: str, refused: set[str]) -> None:
    assert refused_as_repeated(with_loop(kind, node)) == refused
