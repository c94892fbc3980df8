"""System check of the models: the database can compare the tenant of every row with that of the row it refers to."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error, register

from core.database import tenant_references


@register()
def every_reference_has_its_wall(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report foreign keys of tenants' rows whose target names its tenant in a way that the database cannot compare."""
    return [
        Error(
            f"{target._meta.label} does not say by the id of a tenant whose its rows are", obj=field, id="database.E001"
        )
        for model in apps.get_models()
        if tenant_references.has_tenant(model)
        for field in model._meta.concrete_fields
        if (target := field.related_model) is not None
        and not tenant_references.has_tenant(target)
        and any(other.column == "tenant_id" for other in target._meta.concrete_fields)
    ]
