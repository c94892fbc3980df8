"""The deletion check: finds the rows that refer to a row, from the foreign keys of all models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from core.kernel.errors import Conflict

EVERYTHING = "*"
"""Value of `may_lose`: no relation stops the deletion."""


@dataclass(frozen=True)
class Use:
    """A model, and how many of its rows refer to a row."""

    name: str
    """The name of the model in the caller's language."""
    count: int


def relations(model: type[models.Model]) -> Iterator[Any]:
    """Yield every foreign key that points to the model, those without a reverse name (`related_name="+"`) too."""
    for relation in model._meta.get_fields(include_hidden=True):
        if relation.auto_created and not relation.concrete and (relation.one_to_many or relation.one_to_one):
            yield relation.field  # type: ignore[union-attr]


def name_of(field: models.ForeignKey[Any, Any]) -> str:
    """Return the name of a foreign key in `may_lose`, such as `machine.dept`."""
    return f"{field.model._meta.model_name}.{field.name}"


def guarded(model: type[models.Model]) -> list[Any]:
    """Return the foreign keys that stop the deletion of a row of this model."""
    may_lose = getattr(model, "may_lose", ())
    if EVERYTHING in may_lose:
        return []
    return [field for field in relations(model) if name_of(field) not in may_lose]


def _owners(model: type[models.Model], but: Any) -> list[Any]:
    """Return the foreign keys by which a row belongs to another row with soft deletion."""
    return [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey)
        and field != but
        and field.remote_field.on_delete is models.CASCADE
        and hasattr(field.related_model, "is_deleted")
    ]


def uses(row: models.Model) -> list[Use]:
    """Return the models and numbers of rows that refer to the row.

    Deleted rows, and parts of deleted rows, do not count.
    """
    found: dict[str, int] = {}
    for field in guarded(type(row)):
        owners = _owners(field.model, field)
        rows = field.model._default_manager.filter(**{field.name: row.pk})
        count = rows.filter(**{f"{owner.name}__is_deleted": False for owner in owners}).count()
        if count:
            # A row that only links two others is told by what it links: a post is used by people.
            kind = owners[0].related_model if owners else field.model
            name = str(kind._meta.verbose_name)
            found[name] = found.get(name, 0) + count
    return [Use(name, count) for name, count in found.items()]


def refuse_if_used(row: models.Model) -> None:
    """Raise Conflict if rows refer to the row; its sentence names the models and the numbers."""
    found = uses(row)
    if found:
        told = _("，").join(_("{kind}：{n}").format(kind=use.name, n=use.count) for use in found)
        text = _("「{name}」正在使用中（{uses}），不能删除").format(name=row, uses=told)
        raise Conflict("data.inUse", text, {"uses": [{"name": use.name, "count": use.count} for use in found]})
