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
from core.kernel.errors import Invalid, NotAllowed
from core.kernel.tenancy import tenant_scope
from core.rest.routes import call_of
from core.rest.sheets import Export
from core.sheetjobs.models import SheetJob


def found(call: str) -> tuple[Any, str]:
    """Return view set and action of the export at an address without `/api`.

    Raises Invalid where there is none.
    """
    try:
        at: Any = resolve(f"/api/{call}").func
    except Resolver404:
        at = None
    view, action = getattr(at, "cls", None), getattr(at, "actions", {}).get("get", "")
    if view is None or not issubclass(view, Export) or call_of(view, action) != (view, "export"):
        raise Invalid({"call": _("请求参数格式错误: {name}").format(name="call")})
    return view, action


@contextmanager
def made(call: str, query: Mapping[str, str], actor: Actor) -> Iterator[Any]:
    """Yield the view set as in this call by this person, inside the tenant scope that it works in. Raises Refusal."""
    view, action = found(call)
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
    with made(job.call, job.query, actor) as view:
        yield view
