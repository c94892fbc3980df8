"""What a definition that no record is bound to says of its steps and starters, read from the drawing.

For a bound one its `process.toml` says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workflows.engine import Node, OutgoingFlow, Problem, Specification
from workflows.forms import model
from workflows.forms.values import Schema

AGREE, REJECT, SUBMIT, OTHER = "agree", "reject", "submit", "other"
_YES = (AGREE, "ok", "yes", "pass", "approve", "approved", "true")
_NO = (REJECT, "no", "fail", "refuse", "rejected", "false")
_WORDS = {AGREE: ("同意", "Approve"), REJECT: ("驳回", "Reject"), SUBMIT: ("提交", "Submit"), OTHER: ("其他", "Other")}
MAX_OUTCOME = 40


def of(specification: Specification, forms: Mapping[str, Schema]) -> dict[str, Any]:
    """`starters`, the rules of who may start it (empty for all), and `nodes`, of each user task its outcomes and the
    fields that who works on it does not read."""
    every = sorted(model.declared(forms))
    tasks = [node for node in specification.nodes.values() if node.kind == "userTask"]
    return {
        "starters": starters(specification),
        "nodes": {
            node.id: {
                **step(node, forms.get(node.id)),
                "hidden": every if "*" in (names := model.named_fields(node, "hiddenFields")) else sorted(names),
            }
            for node in tasks
        },
    }


def problems(specification: Specification, forms: Mapping[str, Schema], is_bound: bool) -> list[Problem]:
    """Outcomes that are too long to be kept, and forms where the record's own page asks."""
    zh, en = f"处理结果不能超过{MAX_OUTCOME}个字符", f"An outcome has at most {MAX_OUTCOME} characters"
    found = [
        Problem(node.id, "outcome", zh, en)
        for node in specification.nodes.values()
        if any(len(outcome) > MAX_OUTCOME for outcome in [*declared(node), *(way.outcome for way in node.outgoing)])
    ]
    if is_bound:
        zh, en = "由业务单据发起的流程不能有表单", "A process that is started by a record cannot have forms"
        found += [Problem(node, "form_place", zh, en) for node in forms]
    return found


def starters(specification: Specification) -> list[str]:
    """Ours as `role:<code>` and `user:<account or id>`; other engines name groups and users."""
    said = specification.extensions

    def listed(name: str) -> list[str]:
        return [word.strip() for word in said.get(name, "").split(",") if word.strip()]

    groups, users = listed("candidateStarterGroups"), listed("candidateStarterUsers")
    return [*said.get("starters", "").split(), *(f"role:{one}" for one in groups), *(f"user:{one}" for one in users)]


def declared(node: Node) -> list[str]:
    """Return the outcomes that a node declares itself."""
    return [word.strip() for word in node.extensions.get("outcomes", "").split(",") if word.strip()]


def step(node: Node, form: Schema | None) -> dict[str, Any]:
    """Outcomes with their labels, which of them agrees and which rejects, and which end the process.

    They are those the node declares, or those the gateway behind it asks; else a form is submitted, and without a form
    one agrees or rejects. Where no condition looks at the outcome before the next step of a person, a rejection ends
    the process: it must not go on as if it were an agreement.
    """
    ways = {way.outcome: way for way in node.outgoing}
    said = declared(node)
    rest = ways.pop("", None)
    keys = said or list(ways)
    if rest is not None and not said:
        other = REJECT if _first(keys, _YES) else AGREE if _first(keys, _NO) else OTHER
        ways[other] = OutgoingFlow(other, rest.name, rest.name_en)
        keys.append(other)
    if not keys:
        keys = [SUBMIT] if model.is_to_fill(form) else [AGREE, REJECT]
    no = _first(keys, _NO)
    yes = _first(keys, _YES) or next((key for key in keys if key != no), "")
    return {
        "outcomes": [{"key": key, **_label(key, ways.get(key))} for key in keys],
        "positive": yes,
        "negative": no or (next(key for key in keys if key != yes) if len(keys) == 2 else ""),
        "ends": [REJECT] if REJECT in keys and not node.is_asked else [],
    }


def _first(keys: list[str], words: tuple[str, ...]) -> str:
    return next((key for key in keys if key.lower() in words), "")


def label_of(key: str) -> dict[str, str]:
    """Return what an outcome is called that nothing in the model names, in both languages."""
    zh, en = _WORDS.get(key, (key, key))
    return {"zh": zh, "en": en}


def _label(key: str, way: OutgoingFlow | None) -> dict[str, str]:
    zh, en = _WORDS.get(key, (key, key))
    name = way.name if way else ""
    return {"zh": name or zh, "en": (way.name_en if way else "") or name or en}
