"""The system check that each verb of a shipped process names a command that can be called."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from workflows.runtime.commands import verbs
from workflows.runtime.definitions import library


@register()
def verbs_name_commands(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each entry among the verbs of a shipped process that would fail when a person uses it."""
    return [
        Error(f"{meta['key']}, verbs: {problem}", id="runtime.E001")
        for _drawing, meta in library.shipped(settings.MODELS_DIR)
        for problem in verbs.problems(meta.get("verbs", {}))
    ]
