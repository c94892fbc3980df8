"""System checks that keep doors closed: every table has its wall, every action its code."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error, register

from core.kernel.models import SharedModel, TenantModel

OURS = ("core.", "workflows.")


@register()
def every_table_has_its_wall(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """A table is a tenant's or says why all share it; unique rules of a tenant's table begin with the tenant."""
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
            if model._default_manager.name != "objects" or model._base_manager.name != "objects":
                problems.append(Error("Meta must derive from its base's Meta", obj=model, id="kernel.E002"))
        elif not issubclass(model, SharedModel) or not getattr(model, "shared_because", ""):
            problems.append(
                Error("derive from TenantModel, or from SharedModel with shared_because", obj=model, id="kernel.E003")
            )
    return problems


@register()
def every_action_has_its_code(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """An action that is routed and has no permission code would refuse everybody; say so at start-up."""
    from django.urls import get_resolver

    problems: list[CheckMessage] = []
    for view, action in routed_actions(get_resolver()):
        if action not in view.codes:
            problems.append(Error(f"action {action} has no permission code", obj=view, id="kernel.E004"))
    return problems


def routed_actions(resolver: Any) -> list[tuple[Any, str]]:
    """Every (viewset class, action name) of the URL table."""
    found: list[tuple[Any, str]] = []
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            found += routed_actions(pattern)
        elif hasattr(pattern.callback, "actions"):
            found += [(pattern.callback.cls, action) for action in pattern.callback.actions.values()]
    return found
