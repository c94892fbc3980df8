"""A model as it would be deployed, examined once however often it is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core import ports
from core.ports import Effects
from workflows import engine
from workflows.forms import model as forms
from workflows.forms.values import Schema
from workflows.workbench import gate


@dataclass(frozen=True)
class ExaminedModel:
    """A model that passes the gate, with what a definition would keep of it."""

    specification: engine.Specification
    forms: Mapping[str, Schema]
    meta: Mapping[str, Any]

    @property
    def bound(self) -> Effects | None:
        """Return what the record's application gives it; None where no record is bound to it."""
        return ports.effects.get(self.meta["business_type"])

    def step(self, node: str) -> Mapping[str, Any]:
        """Return what the definition would say of a user task."""
        found: Mapping[str, Any] = self.meta["nodes"].get(node, {})
        return found


def examined(xml: bytes) -> tuple[gate.Verdict, ExaminedModel | None]:
    """Return what the gate says of the model, and the model where it lets it pass.

    A dry run asks about the same model at each of its acts; the answer follows from the text alone, unless that calls
    other processes.
    """
    return _examined.__wrapped__(xml) if b"callActivity" in xml else _examined(xml)


@lru_cache(maxsize=16)
def _examined(xml: bytes) -> tuple[gate.Verdict, ExaminedModel | None]:
    verdict = gate.examine(xml)
    if verdict.meta is None:
        return verdict, None
    specification = engine.parse(verdict.whole or xml)
    schemas, _problems = forms.forms_of(specification, {})
    return verdict, ExaminedModel(specification, schemas, verdict.meta)
