"""What is done with models: deploying them, suspending and activating what is deployed, deleting it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from core.kernel import tenants
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Refusal
from core.kernel.operation import operation
from core.kernel.tenancy import PLATFORM, current_tenant
from core.kernel.texts import plural
from workflows import engine
from workflows.runtime.calls.definition_serializers import category_names
from workflows.runtime.commands.end_running import end_running
from workflows.runtime.definitions import library
from workflows.runtime.execution import ending
from workflows.runtime.rows import schedules
from workflows.runtime.tables.deployments.models import Definition
from workflows.workbench import gate
from workflows.workbench.publishing.serializers import report, wire
from workflows.workbench.publishing.upload import UploadedModel


def _locked(actor: Actor, ids: list[int]) -> list[Definition]:
    """Definitions that belong to the tenant in scope, locked; starts that hold one of them are over by then."""
    schedules.lock(ids)
    rows = list(
        Definition.objects.select_for_update().defer("xml", "whole").filter(pk__in=ids, is_deleted=False).order_by("pk")
    )
    mine = [row for row in rows if row.tenant_id == current_tenant()]
    if not ids or len(mine) + sum(row.is_general for row in rows if row not in mine) != len(set(ids)):
        raise Missing()
    if len(mine) != len(rows) or (any(row.is_general for row in rows) and not actor.is_platform_administrator):
        raise NotAllowed(_("通用流程由平台管理"))
    return mine


@dataclass(frozen=True)
class Terms:
    """How to deploy: under which category, for whom and why; and whether somebody has confirmed the warnings."""

    category: str
    tenant_ids: list[str]
    """Empty: for everybody."""
    confirmed: bool
    note: str = ""


@dataclass(frozen=True)
class Judged:
    """Models that have passed the gate, before anything was written."""

    models: list[library.Prepared]
    reports: list[dict[str, Any]]
    targets: list[str]
    called: Mapping[str, tuple[Any, ...]]
    """The processes that they call and that were there already: by key, which version in which state."""


def judge(actor: Actor, models: list[UploadedModel], terms: Terms) -> Judged:
    """Read the models and put them through the gate, which takes long: outside of every write.

    Raises Refusal with a report for each file when a model does not pass, and Conflict when there are warnings that
    nobody has confirmed.
    """
    targets = _targets(actor, terms.tenant_ids)
    called = _called() if any(b"callActivity" in model.xml for model in models) else {}
    verdicts = _verdicts(models, terms, targets)
    reports = [report(model.name, verdict) for model, verdict in zip(models, verdicts, strict=True)]
    _check_passed(models, terms, verdicts, reports)
    prepared = [
        library.prepare(model.xml, verdict.meta or {}, verdict.whole)
        for model, verdict in zip(models, verdicts, strict=True)
    ]
    keys = {key for verdict in verdicts for key in (verdict.meta or {}).get("calls", ())}
    return Judged(prepared, reports, targets, {key: state for key, state in called.items() if key in keys})


def _called() -> dict[str, tuple[Any, ...]]:
    """Return which version a call would include now, and whether it may: by key."""
    return {row[0]: row for row in library.taken().values_list("key", "pk", "is_active")}


@operation("definition.upload", code="flow_manager_deploy", prepare=judge)
def deploy_files(
    actor: Actor, models: list[UploadedModel], terms: Terms, prepared: Judged | None = None
) -> dict[str, Any]:  # fmt: skip
    """Deploy uploaded models."""
    assert prepared is not None
    return publish(prepared, terms)


def check_files(actor: Actor, models: list[UploadedModel], terms: Terms) -> dict[str, Any]:
    """Return what would become of uploaded models: a report for each, and nothing is deployed.

    Refuses, as a deployment would, who may not deploy there, a file that holds a process twice, an unknown category.
    """
    verdicts = _verdicts(models, terms, _targets(actor, terms.tenant_ids))
    return {"files": [report(model.name, verdict) for model, verdict in zip(models, verdicts, strict=True)]}


def publish(judged: Judged, terms: Terms) -> dict[str, Any]:
    """Deploy models that were judged for all the tenants named, each model for each of them or none for anybody.

    Answers a report for each file. Raises Conflict where what they call has changed since they were judged.
    """
    now = _called() if judged.called else {}
    if any(now.get(key) != state for key, state in judged.called.items()):
        raise Conflict("model.changed", _("检查期间，所调用的流程有了变化，请重新部署"))
    reports = []
    for model, told in zip(judged.models, judged.reports, strict=True):
        stored = [library.store(model, tenant_id, terms.note) for tenant_id in judged.targets]
        for definition, _is_new in stored:
            schedules.settle(definition, current_entry().actor.user_id)
        definitions = [
            {"id": str(row.pk), "tenantId": "" if row.is_general else row.tenant_id, "version": row.version}
            for row, _is_new in stored
        ]
        status = "deployed" if any(is_new for _row, is_new in stored) else "unchanged"
        reports.append({**told, "status": status, "definitions": definitions})
    entry = current_entry()
    entry.business_type = "definition"
    entry.remark = ",".join(model.key for model in judged.models)
    entry.nothing_happened = all(told["status"] == "unchanged" for told in reports)
    return {"files": reports}


def _targets(actor: Actor, tenant_ids: list[str]) -> list[str]:
    """Return the tenants to deploy for; the platform's own id stands for everybody."""
    if actor.is_platform_administrator:
        if not all(tenants.exists(tenant_id) for tenant_id in tenant_ids):
            raise Invalid({"tenantIds": _("数据不存在或已被删除")})
        return tenant_ids or [PLATFORM]
    if not tenant_ids:
        raise NotAllowed(_("通用流程由平台管理"))
    if actor.is_of_platform or tenant_ids != [actor.tenant_id]:
        raise NotAllowed(_("只能部署到本企业"))
    return tenant_ids


def _verdicts(models: list[UploadedModel], terms: Terms, targets: list[str]) -> list[gate.Verdict]:
    if terms.category and terms.category not in category_names():
        raise Invalid({"category": _("数据不存在或已被删除")})
    together = {engine.process_id(model.xml): model.xml for model in models}
    verdicts = [gate.examine_for(targets, gate.examine(model.xml, terms.category, together)) for model in models]
    keys = [verdict.key for verdict in verdicts if verdict.key]
    if len(set(keys)) != len(keys):
        raise Invalid({"files": _("多个文件含有同一个流程标识")})
    return verdicts


def _check_passed(
    models: list[UploadedModel], terms: Terms, verdicts: list[gate.Verdict], reports: list[dict[str, Any]]
) -> None:
    for model, verdict in zip(models, verdicts, strict=True):
        if verdict.errors:
            first = wire(verdict.errors[0])
            problem = f"{first['element']}: {first['message']}" if first["element"] else first["message"]
            text = _("「{file}」未通过检查：{problem}").format(file=model.name, problem=problem)
            raise Refusal("model.refused", text, {"files": reports})
    if any(verdict.meta is not None and not verdict.meta["category"] for verdict in verdicts):
        raise Invalid({"category": _("缺少必要的请求参数: {name}").format(name="category")})
    if not terms.confirmed and (warned := sum(len(verdict.warnings) for verdict in verdicts)):
        text = plural("模型有{n}条警告，确认后才能部署", warned)
        raise Conflict("model.unconfirmed", text, {"files": reports})


@operation("definition.state", code="flow_manager_state")
def change_state(actor: Actor, definition_id: int, active: bool, with_running: bool) -> dict[str, Any]:
    """Suspend a definition for new starts, on demand also what runs on it; or activate it with all that runs."""
    (definition,) = _locked(actor, [definition_id])
    state = (active, not active and with_running)
    entry = current_entry()
    entry.business_type, entry.business_id = "definition", definition.pk
    entry.outcome = "active" if active else "suspend"
    if (definition.is_active, definition.is_halted) == state:
        entry.nothing_happened = True
    else:
        was_halted = definition.is_halted
        definition.is_active, definition.is_halted = state
        definition.save(update_fields=["is_active", "is_halted"])
        if was_halted:
            ending.resumed(definition)
        schedules.settle(definition)
    count = sum(map(len, ending.running(definition).values()))
    return {"id": str(definition.pk), "suspensionState": 1 if active else 2, "running": count}


@operation("definition.delete", code="flow_manager_remove")
def delete(actor: Actor, ids: list[int], cascade: bool, reason: str) -> dict[str, Any]:
    """Delete definitions, all or none. While instances run it refuses, unless it is told to end them, and why.

    Returns how many definitions were deleted, how many instances were `ended`, and how many the worker is `ending`.
    """
    definitions = _locked(actor, ids)
    if cascade and not reason:
        raise Invalid({"deleteReason": _("请填写删除原因")})
    ended, later = 0, 0
    for definition in definitions:
        count = sum(map(len, ending.running(definition).values()))
        if count and not cascade:
            said = {"name": definition, "version": definition.version}
            text = plural("「{name}」第{version}版还有{n}个流程在运行，不能删除", count, **said)
            raise Conflict("workflow.stillRuns", text, {"running": count, "deploymentId": str(definition.pk)})
        if count and definition.is_halted:  # its last step is to be ended
            definition.is_halted = False
            definition.save(update_fields=["is_halted"])
            ending.resumed(definition)
        done, left = end_running(actor, definition, reason)
        # A command may have refused to end one in a way of its own, or what ended may have begun another.
        if not left and ending.running(definition):
            raise Refusal("workflow.stillRuns", _("仍有流程在运行，不能删除"))
        definition.is_active, definition.is_deleted = False, True
        definition.save(update_fields=["is_active", "is_deleted"])
        schedules.settle(definition)
        ended, later = ended + done, later + left
    entry = current_entry()
    entry.business_type = "definition"
    entry.business_id = definitions[0].pk if len(definitions) == 1 else None
    entry.remark = reason or ",".join(f"{row.key} {row.version}" for row in definitions)
    return {"deleted": len(definitions), "ended": ended, "ending": later}
