"""System checks of the models: every table belongs to a tenant or says why it is shared; deletions are guarded."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error, register

from core.kernel import references
from core.kernel.models import AuditedModel, SharedModel, TenantModel

OURS = ("core.", "workflows.")


@register()
def every_table_has_its_wall(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report tables without a tenant that do not say why, and unique constraints that do not begin with the tenant."""
    problems: list[CheckMessage] = []
    for model in apps.get_models():
        if not model.__module__.startswith(OURS):
            continue
        if issubclass(model, TenantModel):
            for constraint in model._meta.constraints:
                names = getattr(constraint, "fields", ())
                if names and names[0] != "tenant_id":
                    problems.append(
                        Error(
                            f"{constraint.name}: a tenant's unique rule begins with tenant_id",
                            obj=model,
                            id="kernel.E001",
                        )
                    )
            base = "with_removed" if issubclass(model, AuditedModel) else "objects"
            if model._default_manager.name != "objects" or model._base_manager.name != base:
                problems.append(Error("Meta must derive from its base's Meta", obj=model, id="kernel.E002"))
        elif not issubclass(model, SharedModel) or not getattr(model, "shared_because", ""):
            problems.append(
                Error("derive from TenantModel, or from SharedModel with shared_because", obj=model, id="kernel.E003")
            )
        elif not model.own_rows and any(field.column == "tenant_id" for field in model._meta.concrete_fields):
            problems.append(
                Error(
                    "say by own_rows which rows a tenant's scope finds: the table has one", obj=model, id="kernel.E006"
                )
            )
    return problems


@register()
def what_is_removed_is_guarded(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report models with soft deletion that foreign keys refer to and that are no AuditedModel with its deletion check.

    Another model says in `may_lose` which relations need not stop a removal; each entry names a relation that exists.
    """
    problems: list[CheckMessage] = []
    for model in apps.get_models():
        known = {references.name_of(field) for field in references.relations(model)}
        may_lose = set(getattr(model, "may_lose", ()))
        if unknown := may_lose - known - {references.EVERYTHING}:
            problems.append(Error(f"may_lose names no relation: {sorted(unknown)}", obj=model, id="kernel.E004"))
        removed_softly = any(field.name == "is_deleted" for field in model._meta.concrete_fields)
        if removed_softly and not issubclass(model, AuditedModel) and references.guarded(model):
            problems.append(
                Error(
                    "rows are removed softly while others refer to them: derive from AuditedModel, or say may_lose",
                    obj=model,
                    id="kernel.E005",
                )
            )
    return problems
