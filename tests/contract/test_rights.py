"""Every call refuses whoever is not signed in, or lacks its permission code; read off the URL table."""

from __future__ import annotations

from django.conf import settings
from django.db.models import F

from core.access.models import RoleMenu
from core.access.seed import ROLES
from core.equipment.models import Machine
from core.identity.models import Tenant
from core.kernel.operation import SIGNED_IN
from core.kernel.permissions import PUBLIC
from core.kernel.tenancy import tenant_scope
from tests.cast import PEOPLE, A, Caller, Cast
from tests.contract.routes import Call, calls

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
}


def _ask(caller: Caller, call: Call) -> tuple[int, int]:
    body = caller.get(call.path) if call.method == "get" else caller.post_json(call.path)
    return body.status, body.code


def test_the_public_calls_are_these_and_no_others() -> None:
    assert {(call.method, call.path) for call in calls() if call.code == PUBLIC} == PUBLIC_CALLS


def test_nobody_gets_anything_but_401_from_the_other_calls(cast: Cast) -> None:
    answers = {call: _ask(Caller(), call) for call in calls() if call.code != PUBLIC}
    assert len(answers) > 30
    assert {call.path: answer for call, answer in answers.items() if answer != (401, 401)} == {}


def test_a_role_without_the_code_gets_403_from_every_call_that_has_one(cast: Cast) -> None:
    asked = 0
    for account, (_name, role, _dept, _team) in PEOPLE.items():
        caller = cast.client_for(account)
        for call in calls():
            if call.code not in (PUBLIC, SIGNED_IN) and call.code not in ROLES[role][2]:
                assert _ask(caller, call) == (403, 403), (account, call)
                asked += 1
    assert asked > 20


def test_a_foreign_tenant_header_on_a_signed_in_call_is_403(cast: Cast) -> None:
    mine = cast.client_for("operator")
    foreign = Caller(tenant="100002", token=mine.token)
    assert foreign.get("yuzhu-equip/repairorder/list").status == 403


def test_adding_and_changing_a_noun_have_codes_of_their_own(cast: Cast) -> None:
    path = "yuzhu-equip/inspectmachine/submit"
    dept, lathes = str(cast.machine("M1").dept_id), str(cast.machine_class("LATHES").pk)
    body = {"machineCode": "N1", "machineName": "新", "deptId": dept, "nodeType": 4, "typeId": lathes}
    manager, machine = cast.client_for("equip_manager"), str(cast.machine("M1").pk)
    with tenant_scope(A):
        RoleMenu.objects.filter(menu__code="inspectmachine_add").delete()
    assert manager.post_json(path, body).status == 403
    assert manager.post_json(path, {"id": machine, "machineName": "改"}).status == 200
    with tenant_scope(A):
        RoleMenu.objects.filter(menu__code="inspectmachine_edit").delete()
        assert not Machine.objects.filter(machine_code="N1").exists()
    Tenant.objects.update(rights_version=F("rights_version") + 1)
    assert manager.post_json(path, {"id": machine, "machineName": "又改"}).status == 403
    assert cast.machine("M1").machine_name == "改"


def test_every_operation_has_a_code_that_a_button_grants() -> None:
    from core.access.seed import BUTTONS
    from core.kernel.operation import SYSTEM, registry

    granted = {row[0] for row in BUTTONS}
    codes = {entry.code for entry in registry.values()} - {SIGNED_IN, SYSTEM}
    assert codes - granted == set()
    assert {call.code for call in calls()} - {PUBLIC, SIGNED_IN} - granted == set()


def test_no_settings_switch_opens_anything() -> None:
    assert settings.DEBUG is False
