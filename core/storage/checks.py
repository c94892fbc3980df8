"""System checks of stored files: a column that a call writes names of files to is declared as one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error, register
from django.urls import get_resolver
from rest_framework import serializers

from core.kernel import stored_files
from core.kernel.models import AuditedModel
from core.rest.routes import routed_actions

KINDS = frozenset({"image", "images", "files", "voice"})
"""The kinds of serializer fields whose value is a name of a stored file, or a list of names."""


@register()
def columns_of_files_are_declared(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report serializer fields for files whose column is no `StoredFile` and no `StoredFiles`, or not given."""
    routed_actions(get_resolver())  # imports the modules of all calls, and with them their serializers
    return [problem for serializer in _serializers(serializers.Serializer) for problem in undeclared(serializer)]


@register()
def rows_that_name_files_are_kept(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report tables with columns of stored files whose rows may be deleted for good, and their uses with nobody."""
    return [
        Error("columns of stored files need an AuditedModel", obj=model, id="storage.E002")
        for model in apps.get_models()
        if stored_files.columns(model) and not issubclass(model, AuditedModel)
    ]


def _serializers(base: Any) -> Iterator[Any]:
    for one in base.__subclasses__():
        yield one
        yield from _serializers(one)


def undeclared(serializer: Any) -> list[CheckMessage]:
    """Return the problems of one serializer."""
    problems: list[CheckMessage] = []
    for name, field in serializer._declared_fields.items():
        if getattr(field, "kind", "") not in KINDS or field.read_only:
            continue
        model, column = _column_of(serializer, name, field)
        if column not in [one.name for one in (stored_files.columns(model) if model else ())]:
            hint = "make the column a StoredFiles or StoredFile; a serializer without a model says `column=`"
            problems.append(Error(f"{name} writes no column of stored files", hint, obj=serializer, id="storage.E001"))
    return problems


def _column_of(serializer: Any, name: str, field: Any) -> tuple[Any, str]:
    """Return the model and the column that a field writes; None where the serializer does not say."""
    if label := getattr(field, "column", ""):
        app, model_name, column = label.split(".")
        return apps.get_model(app, model_name), column
    model = getattr(getattr(serializer, "Meta", None), "model", None)
    return model, field.source or name
