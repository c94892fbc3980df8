"""What is done with drafts: saving, with who, when and why; removing; deploying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.operation import operation
from core.kernel.texts import moment
from workflows import engine
from workflows.runtime.tables.deployments.models import Draft, Revision
from workflows.workbench.publishing.upload import UploadedModel
from workflows.workbench.publishing.versions import Judged, Terms, judge, publish

FIELDS = ("model_key", "name", "description", "category", "xml")
RUN = timedelta(minutes=10)
"""How long a run of automatic saves may be: so far back the history has no other model of it."""


@dataclass(frozen=True)
class Reason:
    """Why a draft is saved: what somebody wrote, or that the page saves by itself."""

    note: str = ""
    is_automatic: bool = False


def found(draft_id: int, *, lock: bool = False) -> Draft:
    """Return the draft of the tenant in scope; raises Missing."""
    rows = Draft.objects.select_for_update() if lock else Draft.objects
    draft = rows.filter(pk=draft_id).first()
    if draft is None:
        raise Missing()
    return draft  # type: ignore[no-any-return]


@operation("draft.add", code="flow_model_create")
def add(actor: Actor, values: Mapping[str, Any], reason: Reason) -> dict[str, Any]:
    """Begin a draft."""
    return _store(actor, Draft(), values, reason, None)


@operation("draft.edit", code="flow_model_update")
def edit(
    actor: Actor, draft_id: int, read_version: int, values: Mapping[str, Any], reason: Reason
) -> dict[str, Any]:  # fmt: skip
    """Save a draft as somebody drew it on from the version read; who read an older one is told who saved since."""
    draft = found(draft_id, lock=True)
    last = Revision.objects.filter(draft=draft).defer("xml").order_by("-version").first()
    # The same again is the same, whichever version it began from: a repeated request is no conflict with itself.
    if all(getattr(draft, name) == value for name, value in values.items()) and not _says_more(reason, last):
        current_entry().nothing_happened = True
        return _answer(draft)
    if read_version != draft.version:
        raise _stale(draft, last)
    return _store(actor, draft, values, reason, last)


def _says_more(reason: Reason, last: Revision | None) -> bool:
    """Return whether saving the same model again leaves something: that somebody meant to, and why."""
    if reason.is_automatic or last is None:
        return False
    return last.is_automatic or reason.note not in ("", last.note)


def _stale(draft: Draft, last: Revision | None) -> Conflict:
    name, time = (last.user_name, moment(last.time)) if last else ("", "")
    text = _("模型已由{name}于{time}保存（第{version}次保存），请刷新后合并您的修改")
    said = {"userName": name, "time": time, "version": draft.version}
    return Conflict("model.stale", text.format(name=name, time=time, version=draft.version), said)


def _store(
    actor: Actor, draft: Draft, values: Mapping[str, Any], reason: Reason, last: Revision | None
) -> dict[str, Any]:  # fmt: skip
    key = values.get("model_key", draft.model_key)
    if Draft.objects.filter(model_key=key).exclude(pk=draft.pk).exists():
        raise Invalid({"modelKey": _("流程标识已存在")})
    for name, value in values.items():
        setattr(draft, name, value)
    drawn = engine.process_id(draft.xml.encode())
    if drawn and drawn != key:
        raise Invalid({"modelKey": _("流程标识与流程图中的不一致")})
    draft.version += 1
    draft.save()
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = "draft", draft.pk, reason.note
    if last is not None and _goes_on(actor, reason, last):
        last.version, last.name, last.xml, last.time = draft.version, draft.name, draft.xml, clock.now()
        last.save(update_fields=["version", "name", "xml", "time"])
        entry.nothing_happened = True  # the run has its row since its first save
        return _answer(draft)
    Revision.objects.create(
        draft=draft, version=draft.version, name=draft.name, xml=draft.xml, note=reason.note,
        is_automatic=reason.is_automatic, user_id=actor.user_id, user_name=actor.name[:40],
    )  # fmt: skip
    return _answer(draft)


def _goes_on(actor: Actor, reason: Reason, last: Revision) -> bool:
    """Whether this save belongs to the run of automatic saves that the newest entry of the history stands for."""
    is_own = last.is_automatic and last.user_id == actor.user_id
    return reason.is_automatic and is_own and clock.now() < last.begin_time + RUN


def _answer(draft: Draft) -> dict[str, Any]:
    return {"id": str(draft.pk), "version": draft.version}


@operation("draft.delete", code="flow_model_delete")
def remove(actor: Actor, ids: list[int]) -> None:
    """Delete drafts, all or none; what was deployed of them stays."""
    drafts = list(Draft.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
    if not ids or len(drafts) != len(set(ids)):
        raise Missing()
    entry = current_entry()
    entry.business_type, entry.remark = "draft", ",".join(draft.model_key for draft in drafts)
    entry.business_id = drafts[0].pk if len(drafts) == 1 else None
    for draft in drafts:
        draft.remove()


def _judge(actor: Actor, draft_id: int, terms: Terms) -> tuple[int, Judged]:
    """Put a draft through the gate as it is stored now; return which version that was, too."""
    draft = found(draft_id)
    return draft.version, judge(actor, [UploadedModel(draft.name, draft.xml.encode())], _terms(draft, terms))


def _terms(draft: Draft, terms: Terms) -> Terms:
    """Return the terms with the draft's own category where they name none."""
    return replace(terms, category=terms.category or draft.category)


@operation("draft.deploy", code="flow_model_deploy", prepare=_judge)
def deploy(
    actor: Actor, draft_id: int, terms: Terms, prepared: tuple[int, Judged] | None = None
) -> dict[str, Any]:  # fmt: skip
    """Publish a draft as it is stored now; under its own category where the terms name none."""
    assert prepared is not None
    version, judged = prepared
    draft = found(draft_id, lock=True)
    if draft.version != version:
        text = _("检查期间，模型又有保存（第{version}次保存），请查看后重新部署").format(version=draft.version)
        raise Conflict("model.changed", text, {"version": draft.version})
    return publish(judged, _terms(draft, terms))
