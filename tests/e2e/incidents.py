"""Let processes of the demo plant come to an incident of every kind, as the test of many followed processes does.

Run on the plant's DATA_DIR: `python -m tests.e2e.incidents`. It writes a line of JSON for each kind: the incident's
code, its element, and the ids of the processes.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import replace

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "core.project.settings")
os.environ["FOLLOWED"] = "13"  # two with each kind of incident, and one without
django.setup()

from core import ports  # noqa: E402
from core.identity import tokens  # noqa: E402
from core.identity.models import Tenant, User  # noqa: E402
from core.kernel.tenancy import tenant_scope  # noqa: E402
from tests.cast import A, Caller, Cast  # noqa: E402
from tests.workflows.workbench import test_follow_many as many  # noqa: E402

PEOPLE = {"operator": "qin.y", "repair_leader": "wei.b"}


class Demo(Cast):
    """People of the demo plant in the places of the tests' own."""

    def client_for(self, account: str, tenant: str = A) -> Caller:
        """Return the person of the plant who has this role."""
        with tenant_scope(tenant):
            user = User.objects.get(account=PEOPLE[account])
        return Caller(tenant, tokens.begin(Tenant.objects.get(tenant_id=tenant), user.pk)["access_token"])


if __name__ == "__main__":
    logging.disable(logging.ERROR)  # each failure is logged with its trace
    holder: list[many.Plant] = []
    ports.common[many.CALL] = replace(  # type: ignore[index]
        ports.common["message.send"], name=many.CALL, parameters=(), run=lambda *said: holder[0].call(*said)
    )
    holder.append(many.Plant(Demo()))
    holder[0].break_all()
    for kind, (_mover, _form, code, node) in many.KINDS.items():
        print(json.dumps({"kind": kind, "code": code, "node": node, "ids": list(map(str, holder[0].broken[kind]))}))
