"""What the model of a case must keep and offer, in the form that a deployment stores beside the drawing."""

from __future__ import annotations

from typing import Any

from core.cases.case import Case, Effect
from core.kernel.texts import both, label


def declaration(case: Case) -> dict[str, Any]:
    """Return what the gate and the queues must know of the case's model and its drawing cannot say."""
    process = case.process
    name, name_en = both(process.name)
    return {
        "key": case.model_key,
        "name": name,
        "name_en": name_en,
        "category": f"flow_{process.category}",
        "business_type": case.name,
        "form_key": case.segment,
        "effects": {"required_on_every_path": [[f"{case.name}.{one}" for one in group] for group in process.required]},
        "verbs": _verbs(case),
        "nodes": {node: {"status": int(step.status), **_outcomes(case, node)} for node, step in process.steps.items()},
    }


def _verbs(case: Case) -> dict[str, Any]:
    """By button of the queues the command that it stands for; those that are not named are refused."""
    found: dict[str, Any] = {}
    for command in case.commands:
        if command.verb is not None:
            said: dict[str, Any] = {"command": f"{case.name}.{command.name}"}
            if command.verb.person:
                said["person"] = command.verb.person
            if command.steps:
                said["nodes"] = list(command.steps)
            found[command.verb.name] = said
    return found


def _outcomes(case: Case, node: str) -> dict[str, Any]:
    """The outcomes of a step, and which of them the queue's flag means and which its absence."""
    offered = [
        (outcome, command.labels.get(node, outcome.label))
        for command in case.commands
        if node in command.steps
        for outcome in command.all_outcomes()
    ]
    texts = [(outcome.key, *both(text)) for outcome, text in offered]
    return {
        "positive": next((outcome.key for outcome, _text in offered if not outcome.refuses), ""),
        "negative": next((outcome.key for outcome, _text in offered if outcome.refuses), ""),
        "outcomes": [{"key": key, "zh": zh, "en": en} for key, zh, en in texts],
    }


def label_of(case: Case, effect: Effect) -> str:
    """Return what the effect is called, by default after the status that it gives."""
    if effect.label or effect.becomes is None:
        return effect.label
    zh, en = both(case.status_names()[effect.becomes])
    return label(f"状态改为{zh}", f"Set the status to “{en}”")


def title_of(case: Case, effect: Effect) -> str:
    """Return the title of a message that says no other: the case and the status that the effect gives."""
    if effect.becomes is None:
        return case.title
    (zh, en), (status, status_en) = both(case.title), both(case.status_names()[effect.becomes])
    return label(f"{zh}{status}", f"{en}: {status_en[:1].lower()}{status_en[1:]}")


def does(case: Case, effect: Effect) -> str:
    """Return in one sentence what the effect does to the record and whom it tells."""
    parts: list[tuple[str, str]] = []
    if effect.becomes is not None:
        zh, en = both(case.status_names()[effect.becomes])
        parts.append((f"状态变为{zh}", f"status becomes {en}"))
    if effect.does:
        parts.append(both(effect.does))
    if effect.tells:
        people = [both(one.people.label) for one in effect.tells]
        parts.append((f"通知{'、'.join(zh for zh, _en in people)}", f"tells {', '.join(en for _zh, en in people)}"))
    text = "; ".join(part[1] for part in parts)
    return label("，".join(part[0] for part in parts), text[:1].upper() + text[1:])
