"""Parameters: the platform's value counts until a company sets its own; nobody changes another one's."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.kernel.actor import acting
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.system import parameters
from core.system.models import Parameter, ParameterDefault
from tests.cast import A, B, Caller, Cast

PARAM = "blade-system/param"
KEY = "repair.autoCheck.hours"


def _row(caller: Caller, key: str = KEY) -> dict[str, Any]:
    (row,) = caller.get(f"{PARAM}/list", paramKey_equal=key).data["records"]
    return row  # type: ignore[no-any-return]


def _hours(tenant: str) -> int:
    with tenant_scope(tenant):
        return parameters.repair().auto_check_hours


def test_the_shipped_ones_are_those_that_something_reads(cast: Cast) -> None:
    shown = {
        row["paramKey"]: row["paramValue"]
        for row in cast.client_for("tenant_admin").get(f"{PARAM}/list", size=200).data["records"]
    }
    assert shown == {
        "repair.claim.enabled": "1", "repair.anonymous.enabled": "0", "repair.dispatch.auto": "1",
        "repair.response.minutes": "15,60,240", "repair.finish.minutes": "240,480,2880",
        "repair.autoCheck.hours": "72", "repair.repeat.days": "30", "report.month.startDay": "26",
        "inspect.generate.aheadDays": "2", "inspect.offline.hours": "24", "inspect.rest.coverPercent": "50",
        "report.year.end": "calendar", "labour.rate.default": "60", "log.keepDays": "180",
        "maintain.leadDays.default": "3", "report.month.graceDays": "8",
        "spare.reserve.auto": "1", "spare.twoPerson": "0",
        "work.hours": "08:00-12:00,13:00-17:00", "work.weekdays": "1,2,3,4,5",
    }  # fmt: skip
    with tenant_scope(A):
        assert parameters.repair() == parameters.RepairParameters(
            claim_enabled=True,
            anonymous_enabled=False,
            dispatch_auto=True,
            response_minutes=(15, 60, 240),
            finish_minutes=(240, 480, 2880),
            auto_check_hours=72,
            repeat_days=30,
            labour_rate=Decimal(60),
        )
        assert parameters.keep_days() == 180


def test_a_company_changes_its_own_value_and_nobody_elses(cast: Cast) -> None:
    admin, other = cast.client_for("tenant_admin"), cast.client_for("tenant_admin", B)
    defaults = list(ParameterDefault.objects.order_by("pk").values())
    changed = admin.change(f"{PARAM}", {"id": _row(admin)["id"], "paramValue": "0"})
    assert changed.status == 200, changed
    assert (_row(admin)["paramValue"], _row(admin)["defaultValue"]) == ("0", "72")
    assert (_row(other)["paramValue"], _row(other)["defaultValue"]) == ("72", "72")
    assert (_hours(A), _hours(B), _hours(PLATFORM)) == (0, 72, 72)
    assert list(ParameterDefault.objects.order_by("pk").values()) == defaults
    # What is removed is the deviation: the row stays, and then there is nothing more to remove.
    assert admin.post_json(f"{PARAM}/remove", ids=_row(admin)["id"]).status == 200
    assert (_row(admin)["paramValue"], _hours(A)) == ("72", 72)
    again = admin.post_json(f"{PARAM}/remove", ids=_row(admin)["id"])
    assert (again.status, again["error"]) == (409, "parameter.shipped")


def test_the_platform_changes_the_value_of_all_who_have_none(cast: Cast) -> None:
    admin, platform = cast.client_for("tenant_admin"), cast.platform()
    admin.change(f"{PARAM}", {"id": _row(admin)["id"], "paramValue": "24"})
    assert platform.change(f"{PARAM}", {"id": _row(platform)["id"], "paramValue": "48"}).status == 200
    assert (_hours(A), _hours(B), _hours(PLATFORM)) == (24, 48, 48)
    assert (_row(admin)["paramValue"], _row(admin)["defaultValue"]) == ("24", "48")
    parameters.install()
    assert _hours(B) == 48
    assert platform.post_json(f"{PARAM}/remove", ids=_row(platform)["id"]).status == 200
    assert (_hours(A), _hours(B)) == (24, 72)


def test_an_administrator_of_the_platform_changes_a_named_companys_value_alone(cast: Cast) -> None:
    platform = cast.platform()
    (row,) = platform.get(f"{PARAM}/list", paramKey_equal=KEY, tenantId=A).data["records"]
    asked = {"id": row["id"], "paramValue": "12", "tenantId": A}
    assert platform.change(PARAM, asked).status == 200
    assert (_hours(A), _hours(B)) == (12, 72)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        (KEY, ("-1", "72.5", "x", "8761", "７２", "1e3", " ")),
        ("repair.claim.enabled", ("2", "true", "yes")),
        ("repair.response.minutes", ("15,60", "15,60,0", "15,60,240,1", "15;60;240", "a,b,c", "15, 60, 240")),
        ("report.month.startDay", ("0", "29")),
        ("report.year.end", ("Calendar", "x")),
        ("report.month.graceDays", ("-1", "61")),
        ("labour.rate.default", ("-1", "NaN", "1e3", "60.123", "100001")),
        ("log.keepDays", ("0", "6", "99999")),
        ("work.hours", ("8-17", "17:00-08:00", "08:00-08:59", "08:00-12:00,11:00-17:00", "08:00-12:00;13:00-17:00")),
        ("work.weekdays", ("0", "8", "1,1", "1-5", "Mon")),
    ],
)
def test_a_value_that_does_not_fit_its_key_is_refused(cast: Cast, key: str, values: tuple[str, ...]) -> None:
    admin = cast.client_for("tenant_admin")
    row = _row(admin, key)
    for value in values:
        answer = admin.change(f"{PARAM}", {"id": row["id"], "paramValue": value})
        assert (answer.status, list(answer.data["fields"])) == (400, ["paramValue"]), value
    assert _row(admin, key)["paramValue"] == row["paramValue"]


def test_what_is_missing_is_named_in_the_words_of_the_specification(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    assert admin.post_json(f"{PARAM}/submit", {}).data["fields"] == {
        "paramName": "请输入参数名称", "paramKey": "请输入参数键名", "paramValue": "请输入参数键值",
    }  # fmt: skip
    english = admin.in_english().post_json(f"{PARAM}/submit", {"paramName": "x", "paramKey": "x.y"})
    assert english.msg == "Please enter Value"


def test_the_key_of_a_shipped_one_stays(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    answer = admin.change(f"{PARAM}", {"id": _row(admin)["id"], "paramKey": "mine"})
    assert answer.data["fields"] == {"paramKey": "系统参数的键名不能修改"}
    assert _row(admin)["paramKey"] == KEY


def test_they_are_read_once_a_request_and_anew_after_a_change(cast: Cast) -> None:
    actor = cast.actor_for("repairer")
    with tenant_scope(A), acting(actor):
        with CaptureQueriesContext(connection) as captured:
            assert parameters.repair().auto_check_hours == 72
            assert parameters.repair().repeat_days == 30
        assert len([query for query in captured if "system_parameter" in query["sql"]]) == 1
        row = Parameter.objects.get(param_key=KEY)
        parameters.store(row, "5")
        row.save()
        assert parameters.repair().auto_check_hours == 5
    with tenant_scope(B), acting(actor):
        assert parameters.repair().auto_check_hours == 72


@pytest.mark.parametrize("by", ["company", "platform"])
def test_a_change_counts_from_the_next_request_on_for_whoever_is_signed_in(cast: Cast, by: str) -> None:
    keeper = cast.client_for("tenant_admin") if by == "company" else cast.platform()
    repairer = cast.client_for("repairer")
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    order = cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", body).data["id"]

    def may_claim() -> bool:
        return "claim" in repairer.get("yuzhu-equip/repairorder/detail", id=order).data["allowedActions"]

    assert may_claim()
    row = _row(keeper, "repair.claim.enabled")
    assert keeper.change(f"{PARAM}", {"id": row["id"], "paramValue": "0"}).status == 200
    assert not may_claim()
    assert keeper.post_json(f"{PARAM}/remove", ids=row["id"]).status == 200
    assert may_claim()


def test_every_shipped_one_is_read_says_what_it_does_and_fits_its_own_default() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in Path(settings.BASE_DIR, "core").rglob("*.py"))
    for key, entry in parameters.SHIPPED.items():
        assert code.count(f'"{key}"') >= 2, key
        assert entry.check(entry.default) == ""
        assert all(text.endswith(stop) for text, stop in zip(entry.does, ("。", "."), strict=True)), key


def test_a_parameter_says_what_it_does_and_which_values_it_takes(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    claim, hours = _row(admin, "repair.claim.enabled"), _row(admin.in_english())
    assert (claim["paramValueName"], claim["rule"]["kind"]) == ("启用", "switch")
    assert claim["description"] == "启用后，维修人员可以对待派单的维修工单抢单；停用后只能等待派单。"
    assert (hours["paramValueName"], hours["defaultValueName"], hours["title"]) == (
        "72 h", "72 h", "Auto-verify after",
    )  # fmt: skip
    assert hours["rule"] == {"kind": "whole", "least": 0, "most": 8760, "unit": "h", "choices": []}
    assert _row(admin, "repair.finish.minutes")["paramValueName"] == "240 / 480 / 2880 分钟"
    assert _row(admin, "report.year.end")["rule"]["choices"] == [
        {"key": "calendar", "name": "延长到12月31日"}, {"key": "none", "name": "与其他月份相同"},
    ]  # fmt: skip
    # The company's own are texts that nobody explains.
    own = {"paramName": "看板", "paramKey": "board.url", "paramValue": "/x"}
    assert admin.post_json(f"{PARAM}/submit", own).status == 200
    row = _row(admin, "board.url")
    assert (row["rule"]["kind"], row["description"], row["paramValueName"]) == ("text", "", "/x")
    assert admin.change(PARAM, {"id": claim["id"], "paramValue": "0"}).status == 200
    (event, *_earlier) = admin.get("blade-log/usual/list").data["records"]
    assert event["changes"] == "参数键值：启用 → 停用"


def test_what_nothing_reads_any_more_is_taken_back_unless_somebody_has_set_it(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = ("once.read", "once.set")
    monkeypatch.setattr(parameters, "_TAKEN_BACK", keys)
    ParameterDefault.objects.create(param_key=keys[0], param_value="1")
    with tenant_scope(A):
        for key, value in zip(keys, ("", "1"), strict=True):
            Parameter.objects.create(param_key=key, param_name=key, own_value=value)
        Parameter.objects.filter(param_key=KEY).update(param_name="自动验收时限（小时，0为不自动验收）")
        parameters.install()
        parameters.install_for_tenant()
        assert set(Parameter.objects.values_list("param_key", flat=True)) - set(parameters.SHIPPED) == {keys[1]}
        assert Parameter.objects.get(param_key=KEY).param_name == "自动验收时限"
    assert not ParameterDefault.objects.filter(param_key__in=keys).exists()
