"""Give every noun of the demo plant that has no rows one sample row, so that its screen shows one in a browser.

New work orders wait for somebody who dispatches them, whatever the hour: whoever is on duty gets none by itself. Most
maintenance that is offered to whole teams is cancelled: what a story makes stands on the first page of its people.

Run after the plant has been built, on its DATA_DIR: `python -m tests.e2e.rows`.
"""

from __future__ import annotations

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "core.project.settings")
django.setup()

from core.identity import tokens  # noqa: E402
from core.identity.models import Tenant, User  # noqa: E402
from core.kernel.tenancy import PLATFORM, tenant_scope  # noqa: E402
from core.system.models import ParameterDefault  # noqa: E402
from tests.cast import A, Caller, Cast  # noqa: E402
from tests.contract.nouns import Noun, ledgers, nouns, sample  # noqa: E402

ADMINISTRATORS = {A: "zhao.m", PLATFORM: "admin"}


class Plant(Cast):
    """The demo plant's administrators, in the places that the tests' own people have elsewhere."""

    def client_for(self, account: str, tenant: str = A) -> Caller:
        """Return the tenant's administrator, whoever is asked for."""
        with tenant_scope(tenant):
            user = User.objects.get(account=ADMINISTRATORS[tenant])
        return Caller(tenant, tokens.begin(Tenant.objects.get(tenant_id=tenant), user.pk)["access_token"])


def add_row(noun: Noun, cast: Cast) -> str:
    """Add a row where the tenant's list is empty; return why that failed, or ''."""
    keeper = noun.keeper(cast, A)
    with tenant_scope(keeper.tenant):
        if noun.view.queryset.model._default_manager.exists():
            return ""
    call = "submit" if hasattr(noun.view, "submit") else "save"
    body = sample(noun, cast, keeper.tenant)
    if (
        "coverId" in body
    ):  # The sample names the first person, who is the administrator here: nobody covers for oneself.
        with tenant_scope(keeper.tenant):
            body["coverId"] = str(User.objects.exclude(account__in=ADMINISTRATORS.values()).order_by("pk")[0].pk)
    answer = keeper.post_json(f"{noun.path}/{call}", body)
    return "" if answer.status == 200 else f"{noun.path}: {answer}"


def cancel_maintenance(cast: Cast, left: int = 2) -> list[str]:
    """Cancel the maintenance orders that nobody has begun, but for so many; return why that failed."""
    admin, path = cast.client_for("tenant_admin"), "yuzhu-equip/maintainorder"
    rows = admin.get(f"{path}/list", status=1, size=100).data["records"]
    answers = [
        admin.post_json(
            f"{path}/update",
            {"id": row["id"], "lockVersion": row["lockVersion"], "action": "cancel", "cancelReason": "计划调整"},
        )
        for row in rows[left:]
    ]
    return [f"{path}: {answer}" for answer in answers if answer.status != 200]


if __name__ == "__main__":
    ParameterDefault.objects.filter(param_key="repair.dispatch.auto").update(param_value="0")
    failed = [reason for noun in (*nouns(), *ledgers()) if (reason := add_row(noun, Plant()))]
    failed += cancel_maintenance(Plant())
    sys.exit("\n".join(failed) or 0)
