"""The calls whose work a job does: found by their address, made as the person who asked, with the rights of now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from core.identity.authentication import actor_of
from core.identity.models import Tenant
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, NotAllowed, Refusal
from core.kernel.tenancy import tenant_scope
from core.rest.routes import call_of
from core.rest.sheets import MOST_IN, Export, Import, title_of
from core.sheetjobs.models import JobKind, SheetJob

_CALLS: Mapping[int, tuple[str, type, str]] = {
    JobKind.EXPORT: ("get", Export, "export"),
    JobKind.IMPORT: ("post", Import, "import_rows"),
}
"""By kind of job the method of the call, what its view set is, and its action."""


def found(kind: int, call: str) -> tuple[Any, str]:
    """Return view set and action of the export or import at an address without `/api`.

    Raises Invalid where there is none, Refusal where no job does its work.
    """
    method, base, name = _CALLS[kind]
    try:
        at: Any = resolve(f"/api/{call}").func
    except Resolver404:
        at = None
    view, action = getattr(at, "cls", None), getattr(at, "actions", {}).get(method, "")
    if view is None or not issubclass(view, base) or call_of(view, action) != (view, name):
        raise Invalid({"call": _("请求参数格式错误: {name}").format(name="call")})
    if kind == JobKind.IMPORT and not view.imports_later():
        text = _("「{name}」不能在后台导入，请拆分表格，每次最多导入{n}行")
        raise Refusal("sheetJob.onlyAtOnce", text.format(name=title_of(view), n=MOST_IN))
    return view, action


@contextmanager
def made(kind: int, call: str, query: Mapping[str, str], actor: Actor) -> Iterator[Any]:
    """Yield the view set as in this call by this person, inside the tenant scope that it works in. Raises Refusal."""
    view, action = found(kind, call)
    with view.again(action, actor, query) as made_again:
        yield made_again


@contextmanager
def of(job: SheetJob) -> Iterator[Any]:
    """Yield the view set as in the call of a job, with the rights that its person has now.

    Raises NotAllowed where the person or the tenant has been closed, or a right has been taken away.
    """
    with tenant_scope(job.tenant_id):
        is_open = Tenant.objects.get(tenant_id=job.tenant_id).is_open
        actor = actor_of(job.user_id, job.tenant_id) if is_open else None
    if actor is None:
        raise NotAllowed(_("账号已停用，任务结束"))
    with made(job.kind, job.call, job.query, actor) as view:
        yield view
