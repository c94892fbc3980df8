"""System checks of the calls: every routed action has its permission code, every noun its place in the menu."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error, register
from django.urls import get_resolver

from core.rest.routes import routed_actions


@register()
def every_action_has_its_code(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report routed actions without a permission code; they would refuse everybody."""
    problems: list[CheckMessage] = []
    for view, action in routed_actions(get_resolver()):
        if action not in view.codes:
            problems.append(Error(f"action {action} has no permission code", obj=view, id="rest.E001"))
    return problems


@register()
def every_noun_stands_in_the_menu(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report nouns without a menu entry, permission codes without a button, and calls that no role can get."""
    from core.rest.menus import menus_of

    problems: list[CheckMessage] = []
    for view in dict.fromkeys(view for view, _action in routed_actions(get_resolver())):
        if getattr(view, "noun", "") and view.menu is None:
            problems.append(Error("declare `menu`: where it stands and which roles hold it", obj=view, id="rest.E002"))
        try:
            list(menus_of(view))
        except LookupError as missing:
            problems.append(Error(str(missing), obj=view, id="rest.E003"))
    return problems
