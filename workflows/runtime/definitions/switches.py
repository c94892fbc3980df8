"""The switches of a model: what people may do with a process beside completing its steps, unless it says no."""

from __future__ import annotations

from collections.abc import Iterable

from workflows.engine import Problem, Specification
from workflows.runtime.definitions import library

SEND_BACK, TAKE_BACK, WITHDRAW = "sendBack", "takeBack", "withdraw"
OFF = "no"
_OF_STEPS = (SEND_BACK, TAKE_BACK)


def allows(definition_id: int, switch: str, node: str = "") -> bool:
    """Return whether the model allows it, in the whole process and at this step."""
    specification = library.specification(definition_id)
    drawn = specification.nodes.get(node)
    said = (specification.extensions.get(switch), drawn.extensions.get(switch) if drawn else None)
    return OFF not in said


def problems(specification: Specification, *, is_bound: bool) -> Iterable[Problem]:
    """Yield what is wrong with the switches of a model; a case decides itself who may withdraw it."""
    said = [(specification.process_id, one, specification.extensions.get(one)) for one in (*_OF_STEPS, WITHDRAW)]
    said += [(node.id, one, node.extensions.get(one)) for node in specification.nodes.values() for one in _OF_STEPS]
    for element, switch, value in said:
        if value not in (None, OFF):
            zh, en = f"“{switch}”只能是“no”或不设置", f"“{switch}” can only be “no” or not set"
            yield Problem(element, "switch", zh, en)
    if is_bound and specification.extensions.get(WITHDRAW) is not None:
        zh, en = (
            "业务流程的撤回由单据决定，此设置无效",
            "A case decides itself who may withdraw it: this setting has no effect",
        )
        yield Problem(specification.process_id, "no_effect", zh, en, "warning")
