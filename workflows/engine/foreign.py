"""The one place at which the engine reaches for what only the models of other engines need.

Nothing else in the engine imports `dialects`, so that who learns the engine may stop here.
"""

from workflows.engine.dialects.cron import translate_cycles
from workflows.engine.dialects.flowable import OPTIONAL, translate_expressions
from workflows.engine.dialects.form_fields import form_fields
from workflows.engine.dialects.listeners import translate_listeners
from workflows.engine.dialects.participants import split
from workflows.engine.dialects.script_task import ScriptTask
from workflows.engine.dialects.scripts import read as read_script
from workflows.engine.dialects.translate import translate

__all__ = [
    "OPTIONAL",
    "ScriptTask",
    "form_fields",
    "read_script",
    "split",
    "translate",
    "translate_cycles",
    "translate_expressions",
    "translate_listeners",
]
