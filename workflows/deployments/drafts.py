"""What is done with drafts: saving, with who, when and why; removing; deploying."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.operation import operation
from core.kernel.texts import moment
from workflows import engine
from workflows.deployments.models import Draft, Revision
from workflows.deployments.operations import Order, publish
from workflows.deployments.upload import Drawing

FIELDS = ("model_key", "name", "description", "category", "xml")


def found(draft_id: int, *, lock: bool = False) -> Draft:
    """The draft of the tenant in scope; raises Missing."""
    rows = Draft.objects.select_for_update() if lock else Draft.objects
    draft = rows.filter(pk=draft_id).first()
    if draft is None:
        raise Missing()
    return draft  # type: ignore[no-any-return]


@operation("draft.add", code="flow_model_create")
def add(actor: Actor, values: Mapping[str, Any], note: str) -> dict[str, Any]:
    """Begin a draft."""
    return _store(actor, Draft(), values, note)


@operation("draft.edit", code="flow_model_update")
def edit(actor: Actor, draft_id: int, read_version: int, values: Mapping[str, Any], note: str) -> dict[str, Any]:
    """Save a draft as somebody drew it on from the version read; who read an older one is told who saved since."""
    draft = found(draft_id, lock=True)
    # The same again is the same, whichever version it began from: a repeated request is no conflict with itself.
    if all(getattr(draft, name) == value for name, value in values.items()):
        current_act().nothing_happened = True
        return _answer(draft)
    if read_version != draft.version:
        raise _stale(draft)
    return _store(actor, draft, values, note)


def _stale(draft: Draft) -> Conflict:
    last = Revision.objects.filter(draft=draft).order_by("-version").first()
    name, time = (last.user_name, moment(last.time)) if last else ("", "")
    text = _("模型已由{name}于{time}保存为第{version}版，请刷新后合并您的修改")
    said = {"userName": name, "time": time, "version": draft.version}
    return Conflict("model.stale", text.format(name=name, time=time, version=draft.version), said)


def _store(actor: Actor, draft: Draft, values: Mapping[str, Any], note: str) -> dict[str, Any]:
    key = values.get("model_key", draft.model_key)
    if Draft.objects.filter(model_key=key).exclude(pk=draft.pk).exists():
        raise Invalid({"modelKey": _("模型标识已存在")})
    for name, value in values.items():
        setattr(draft, name, value)
    drawn = engine.process_id(draft.xml.encode())
    if drawn and drawn != key:
        raise Invalid({"modelKey": _("模型标识与图中的流程标识不一致")})
    draft.version += 1
    draft.save()
    Revision.objects.create(
        draft=draft, version=draft.version, name=draft.name, xml=draft.xml, note=note,
        user_id=actor.user_id, user_name=actor.name[:40],
    )  # fmt: skip
    act = current_act()
    act.business_type, act.business_id, act.remark = "draft", draft.pk, note
    return _answer(draft)


def _answer(draft: Draft) -> dict[str, Any]:
    return {"id": str(draft.pk), "version": draft.version}


@operation("draft.delete", code="flow_model_delete")
def remove(actor: Actor, ids: list[int]) -> None:
    """Delete drafts, all or none; what was deployed of them stays."""
    drafts = list(Draft.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
    if not ids or len(drafts) != len(set(ids)):
        raise Missing()
    act = current_act()
    act.business_type, act.remark = "draft", ",".join(draft.model_key for draft in drafts)
    act.business_id = drafts[0].pk if len(drafts) == 1 else None
    for draft in drafts:
        draft.is_deleted = True
        draft.save(update_fields=["is_deleted", "update_user", "update_time"])


@operation("draft.deploy", code="flow_model_deploy")
def deploy(actor: Actor, draft_id: int, category: str, tenant_ids: list[str], confirmed: bool) -> dict[str, Any]:
    """Publish a draft as it is stored now."""
    draft = found(draft_id, lock=True)
    drawing = Drawing(draft.name, draft.xml.encode())
    return publish(actor, Order([drawing], category or draft.category, tenant_ids, confirmed))
