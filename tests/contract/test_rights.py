"""Every call refuses whoever is not signed in, or lacks its permission code; read off the URL table."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db.models import F

from core.access.models import RoleMenu
from core.access.seed import grants
from core.equipment.models import Machine
from core.identity.models import Tenant
from core.kernel.operation import SIGNED_IN
from core.kernel.tenancy import tenant_scope
from core.rest.permissions import PUBLIC
from tests.cast import PEOPLE, A, Caller, Cast
from tests.contract.routes import Call, by_call, calls

PUBLIC_CALLS = {
    ("get", "blade-auth/captcha"),
    ("post", "blade-auth/token"),
    ("get", "blade-auth/oauth/captcha"),
    ("get", "blade-auth/oauth/sliderCaptcha"),
    ("post", "blade-auth/oauth/token"),
    ("get", "equip-auth/oauth/captcha"),
    ("get", "equip-auth/oauth/sliderCaptcha"),
    ("post", "equip-auth/oauth/token"),
    ("get", "blade-system/tenant/info"),
    ("get", "xunwei/site"),
    ("get", "yuzhu-equip/common/getTenantList"),
    ("get", "yuzhu-equip/scan/plate"),
    ("post", "yuzhu-equip/scan/report"),
}


CLOSED = [call for call in calls() if call.code != PUBLIC]
WITH_CODE = [call for call in CLOSED if call.code != SIGNED_IN]


def _asked(call: Call, caller: Caller) -> tuple[int, int]:
    answer = call.ask(caller)
    return answer.status, answer.code


def test_the_public_calls_are_these_and_no_others() -> None:
    assert {(call.method, call.path) for call in calls() if call.code == PUBLIC} == PUBLIC_CALLS


@pytest.mark.parametrize("call", by_call(CLOSED))
def test_nobody_gets_anything_but_401(cast: Cast, call: Call) -> None:
    assert _asked(call, Caller()) == (401, 401)


@pytest.mark.parametrize("call", by_call(WITH_CODE))
def test_a_role_without_the_code_gets_403(cast: Cast, call: Call) -> None:
    held = grants()
    without = [account for account, (_name, role, *_) in PEOPLE.items() if call.code not in held[role]]
    answers = {account: _asked(call, cast.client_for(account)) for account in without}
    assert answers == dict.fromkeys(without, (403, 403))


def test_a_foreign_tenant_header_on_a_signed_in_call_is_403(cast: Cast) -> None:
    mine = cast.client_for("operator")
    foreign = Caller(tenant="100002", token=mine.token)
    assert foreign.get("yuzhu-equip/repairorder/list").status == 403


def test_adding_and_changing_a_noun_have_codes_of_their_own(cast: Cast) -> None:
    path = "yuzhu-equip/inspectmachine/submit"
    dept, lathes = str(cast.machine("M1").dept_id), str(cast.machine_class("LATHES").pk)
    body = {"machineCode": "N1", "machineName": "新", "deptId": dept, "nodeType": 4, "typeId": lathes}
    manager, machine = cast.anew("equip_manager"), cast.machine("M1")
    old = {"id": str(machine.pk), "lockVersion": machine.lock_version}
    with tenant_scope(A):
        RoleMenu.objects.filter(menu__code="inspectmachine_add").delete()
    assert manager.post_json(path, body).status == 403
    assert manager.post_json(path, {**old, "machineName": "改"}).status == 200
    with tenant_scope(A):
        RoleMenu.objects.filter(menu__code="inspectmachine_edit").delete()
        assert not Machine.objects.filter(machine_code="N1").exists()
    Tenant.objects.update(rights_version=F("rights_version") + 1)
    assert manager.post_json(path, {**old, "machineName": "又改"}).status == 403
    assert cast.machine("M1").machine_name == "改"


def test_every_operation_has_a_code_that_a_button_grants() -> None:
    from core.access.seed import menu_rows
    from core.kernel.operation import SYSTEM, registry

    granted = {row.code for row in menu_rows()}
    assert len(granted) > 50
    assert {entry.code for entry in registry.values()} - {SIGNED_IN, SYSTEM} - granted == set()
    assert {call.code for call in WITH_CODE} - granted == set()


def test_no_settings_switch_opens_anything() -> None:
    assert settings.DEBUG is False
