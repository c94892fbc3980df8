"""What the expressions of a model may read: a name space that instances and the designer's previews share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.kernel import ports
from workflows import engine
from workflows.forms import model
from workflows.forms.values import Schema


class Members(Mapping[str, list[str]]):
    """By candidate rule, such as `role:hr` or `team:3`, the ids of who may work now, as texts; asked when read."""

    def __getitem__(self, rule: str) -> list[str]:
        keys = ports.people.candidate_keys([rule]).values()
        return [str(pk) for pk in ports.people.behind(keys).values_list("pk", flat=True)[: engine.MAX_INSTANCES + 1]]

    def get(self, rule: str, default: Any = None) -> Any:
        """Those of any rule; nobody where it names nothing."""
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
    """`record.*`, `starter.*` (id and name), `form.*`, `members[…]`; in other engines' models a field's bare name too.

    There the start may also give a name to who starts, as Flowable's `initiator`.
    """
    own: dict[str, Any] = {"record": record, "starter": {"id": starter[0], "name": starter[1]}, "form": form}
    beside = {"members": Members()}
    if specification.is_vendor:
        first = specification.nodes.get(specification.first)
        if first and (initiator := first.extensions.get("initiator")):
            own = {initiator: str(starter[0]), **own}
        return {**beside, **dict.fromkeys(model.declared(forms)), **form, **own}
    return {**beside, **own}


def title(specification: engine.Specification, usual: str, names: Mapping[str, Any]) -> str:
    """What an instance without a record is called: what the model says, where it says something."""
    said = specification.extensions.get("title")
    found = str(engine.evaluate(said, names) or "")[:200].strip() if said else ""
    return found or usual
