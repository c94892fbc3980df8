"""Correcting what an instance of a standalone process holds, by a person who follows processes."""

from __future__ import annotations

from typing import Any

import orjson
from django.utils.translation import gettext as _

from core import ports
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Missing, Refusal
from core.kernel.operation import operation
from workflows.forms import references, values
from workflows.forms.values import Component
from workflows.runtime.commands import standalone
from workflows.runtime.definitions import carried, library
from workflows.runtime.execution import driver, ending
from workflows.runtime.rows import confidential
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance

CODE = "flow_follow_correct"
_MOST_NOTED = 120


@operation("process.correct", code=CODE)
def correct(actor: Actor, instance_id: int, key: str, value: Any, reason: str) -> dict[str, Any]:
    """Replace the value of one field by another one that fits the field; conditions read the new value from now on.

    Returns the field and both values. Raises Refusal where the process moves a record, whose data are changed there.
    """
    instance = ProcessInstance.objects.filter(pk=instance_id).first()
    if instance is None:
        raise Missing()
    if instance.business_type in ports.effects:
        text = _("「{title}」的数据在业务单据上，请在单据上修改")
        raise Refusal("workflow.bound", text.format(title=confidential.title(instance)))
    instance = driver.lock(STANDALONE, instance.business_id).instance
    if instance.is_over:
        raise ending.over()
    definition = library.definition(instance.definition_id)
    component = next((one for one in carried.fields(definition.forms) if one["key"] == key), None)
    if component is None:
        raise Invalid({"key": _("表单中没有字段“{name}”").format(name=key[:40])})
    before = instance.form.get(key)
    try:
        after = values.check_one(component, value, before)
    except values.Fault as fault:
        raise Invalid({"value": str(fault)}) from fault
    if before == after:
        raise Invalid({"value": _("{field}的值没有变化").format(field=values.label(component))})
    stored, instance.form = instance.form, {**instance.form, key: after}
    if len(orjson.dumps(instance.form)) > carried.MAX_FORM:
        raise Refusal("form.tooLarge", _("表单内容过大，请精简后再提交"))
    instance.save(update_fields=["form"])
    standalone.keep_files(instance, definition, stored)
    entry = current_entry()
    entry.business_type, entry.business_id, entry.instance_id = STANDALONE, instance.business_id, instance.pk
    name = component.get("label") or key  # stored once for readers of both languages, like every remark
    entry.remark = f"{name}：{_noted(component, before)} → {_noted(component, after)}（{reason}）"[:500]
    return {
        "key": key,
        "label": values.label(component),
        "before": references.wired(component, before),
        "after": references.wired(component, after),
        "texts": references.texts([(component, before), (component, after)]),
    }


def _noted(component: Component, value: Any) -> str:
    if (said := references.noted(component, value)) is not None:
        return said[:_MOST_NOTED]
    text = "-" if value is None else value if isinstance(value, str) else orjson.dumps(value).decode()
    return text if len(text) <= _MOST_NOTED else f"{text[:_MOST_NOTED]}…"
