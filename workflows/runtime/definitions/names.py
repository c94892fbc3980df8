"""The variables that expressions of a model may read; instances and the designer's previews share them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core import ports
from workflows import engine
from workflows.forms import model
from workflows.forms.values import Schema


class Members(Mapping[str, list[str]]):
    """The ids, as texts, of those who may work now, by candidate rule such as `role:hr`; read on demand."""

    def __getitem__(self, rule: str) -> list[str]:
        keys = ports.people.candidate_keys([rule]).values()
        return [str(pk) for pk in ports.people.behind(keys).values_list("pk", flat=True)[: engine.MAX_INSTANCES + 1]]

    def get(self, rule: str, default: Any = None) -> Any:
        """Return the members of any rule; nobody for a rule that names nothing."""
        return self[rule]

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def readable(
    specification: engine.Specification,
    forms: Mapping[str, Schema],
    *,
    record: Mapping[str, Any],
    starter: tuple[int, str],
    form: Mapping[str, Any],
) -> Mapping[str, Any]:
    """Return `record.*`, `starter.id`, `starter.name`, `form.*` and `members[…]`.

    In models of other engines a field's bare name can be read too, and the name that the start event gives to the
    starter, as Flowable's `initiator`.
    """
    own: dict[str, Any] = {"record": record, "starter": {"id": starter[0], "name": starter[1]}, "form": form}
    beside = {"members": Members()}
    if specification.is_vendor:
        first = specification.nodes.get(specification.first)
        if first and (initiator := first.extensions.get("initiator")):
            own = {initiator: str(starter[0]), **own}
        return {**beside, **dict.fromkeys(model.declared(forms)), **form, **own}
    return {**beside, **own}


def titles(
    specification: engine.Specification, names: Mapping[str, Any], starter: str, model: tuple[str, str]
) -> tuple[str, str]:
    """Return the title of a standalone process in both languages.

    It is the one that its model declares, else made of the names of the starter and of the model (Chinese, English).
    """
    said = specification.extensions.get("title")
    if said and (found := str(engine.evaluate(said, names) or "").strip()):
        return found, found
    zh, en = model
    return f"{starter} · {zh}", f"{starter} · {en or zh}"
