"""Reports by people without an account, who scan the plate of an asset: when they are taken, and what comes of them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from core.audit.models import Event
from core.equipment.models import Carrier, Tag, TagType
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance import plate_views
from core.maintenance.models import RepairOrder
from core.storage.models import Attachment
from core.system import parameters
from core.system.models import Parameter
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.repairs import Story

LOOK, REPORT = "/api/yuzhu-equip/scan/plate", "/api/yuzhu-equip/scan/report"
CLOSED = {"isAllowed": False, "tenantName": "", "machineName": "", "machineCode": "", "location": "", "symptoms": []}
SAID = {"description": "主轴异响很大", "reporterName": "访客王", "reporterPhone": "138 0000 0000"}


@pytest.fixture(autouse=True)
def _uncounted() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def plate(cast: Cast) -> Tag:
    with tenant_scope(A):
        Parameter.objects.filter(param_key="repair.anonymous.enabled").update(own_value="1")
        return Tag.objects.create(  # type: ignore[no-any-return]
            type=TagType.MACHINE_PLATE, tag_code="P1", tag_name="甲牌", carrier=Carrier.QR,
            token=f"{A}-{'a' * 16}", machine=cast.machine("M1"),
        )  # fmt: skip


def _report(token: str, **values: Any) -> Any:
    # A token that a browser still sends from an old session changes nothing.
    return Client().post(
        f"{REPORT}?token={token}", {**SAID, **values}, "application/json", headers={"Blade-Auth": "bearer old"}
    )


def test_a_plate_tells_and_takes_no_more_than_it_must(cast: Cast, plate: Tag) -> None:
    symptom = cast.tag("异响")
    assert Client().get(LOOK, {"token": plate.token}).json()["data"] == {
        "isAllowed": True, "tenantName": "甲厂", "machineName": "车床", "machineCode": "M1", "location": "",
        "symptoms": [{"id": str(symptom.pk), "name": "异响"}],
    }  # fmt: skip
    answer = _report(plate.token, faultTagIds=str(symptom.pk), isStop=1)
    assert answer.status_code == 200 and list(answer.json()["data"]) == ["orderNo"]
    with tenant_scope(A):
        order = RepairOrder.objects.get()
        event = Event.objects.get(business_type="repairorder", operation="repairorder.reportByPlate")
    assert (order.source, order.report_user_id, order.reporter_name, order.plate_id) == (5, None, "访客王", plate.pk)
    assert (order.status, order.title, order.is_stop, event.user_id) == (1, "车床 异响", True, 0)
    row = cast.client_for("repair_leader").get("yuzhu-equip/repairorder/detail", id=str(order.pk)).data
    assert (row["reportUserId"], row["reporterName"], row["reporterPhone"]) == (None, "访客王", "138 0000 0000")
    asks = _report(plate.token, faultTagIds=str(symptom.pk)).json()["data"]
    assert asks["needConfirm"] and [set(one) for one in asks["orders"]] == [{"statusName", "reportTime"}]
    with tenant_scope(A):
        assert RepairOrder.objects.count() == 1
    assert _report(plate.token, faultTagIds=str(symptom.pk), force=1).status_code == 200


def test_the_order_goes_its_way_and_somebody_else_verifies(cast: Cast, plate: Tag) -> None:
    story = Story.__new__(Story)
    story.cast, number = cast, _report(plate.token).json()["data"]["orderNo"]
    row = cast.client_for("repair_leader").get("yuzhu-equip/repairorder/list", orderNo=number).data["records"][0]
    story.now = row
    story.send()
    begin = clock.now() - timedelta(hours=1)
    line = {"orderId": row["id"], "workType": 2, "content": "检查", "startTime": f"{begin:%Y-%m-%d %H:%M:%S}"}
    end = begin + timedelta(minutes=30)
    zone = {"startTime": _local(begin), "endTime": _local(end)}
    assert story.caller("repairer").post_json("yuzhu-equip/repairorderdetail/submit", {**line, **zone}).status == 200
    story.now = cast.client_for("repairer").get("yuzhu-equip/repairorder/detail", id=row["id"]).data
    story.act("repairer", "finish", **story.result())
    assert story.act("shift_leader", "check", checkResult=1)["status"] == 6


def _local(moment: Any) -> str:
    from core.kernel.texts import moment as said

    return said(moment)


def test_where_it_is_not_allowed_every_plate_looks_alike(cast: Cast, plate: Tag) -> None:
    def looks(token: str) -> Any:
        return Client().get(LOOK, {"token": token}).json()["data"]

    before = checksum(A)
    unknown = f"{A}-{'b' * 16}"
    for token in (unknown, f"999999-{'a' * 16}", "nonsense", plate.token.upper()):
        assert looks(token) == CLOSED
        assert _report(token).status_code == 404
    assert checksum(A) == before
    with tenant_scope(A):
        for values in ({"is_sealed": True}, {"machine": None}, {"type": TagType.POINT_PLATE}):
            kept = {name: getattr(plate, name) for name in values}
            Tag.objects.filter(pk=plate.pk).update(**values)
            assert looks(plate.token) == CLOSED, values
            Tag.objects.filter(pk=plate.pk).update(**kept)
        assert looks(plate.token)["isAllowed"] is True
        Parameter.objects.filter(param_key="repair.anonymous.enabled").update(own_value="0")
    assert looks(plate.token) == CLOSED
    cache.clear()
    assert _report(plate.token).status_code == 404
    with tenant_scope(A):
        assert not RepairOrder.objects.exists() and parameters.SHIPPED["repair.anonymous.enabled"].default == "0"


def test_a_plate_takes_five_reports_an_hour_and_an_address_as_many_a_minute(cast: Cast, plate: Tag) -> None:
    for number in range(operations_limit()):
        cache.clear()
        assert _report(plate.token, description=f"第{number}条：主轴异响").status_code == 200
    cache.clear()
    before = checksum(A)
    refused = _report(plate.token)
    assert (refused.status_code, refused.json()["error"]) == (429, "request.tooMany")
    assert checksum(A) == before
    for _one in range(plate_views.REPORTS_A_MINUTE):
        last = _report("nonsense")
    assert last.status_code == 429
    cache.clear()
    with clock.at(clock.now() + timedelta(minutes=61)):
        assert _report(plate.token).status_code == 200


def operations_limit() -> int:
    from core.maintenance.operations import MOST_BY_PLATE

    return MOST_BY_PLATE


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"description": "坏"}, "description"),
        ({"reporterName": " "}, "reporterName"),
        ({"reporterPhone": "none"}, "reporterPhone"),
        ({"faultTagIds": "1"}, "faultTagIds"),
    ],
)
def test_what_is_missing_is_said(cast: Cast, plate: Tag, values: dict[str, Any], field: str) -> None:
    before = checksum(A)
    refused = _report(plate.token, **values)
    assert (refused.status_code, list(refused.json()["data"]["fields"])) == (400, [field])
    # What only people with an account say is passed over.
    assert _report(plate.token, urgency=1, machineId=str(cast.machine("M2").pk)).status_code == 200
    with tenant_scope(A):
        order = RepairOrder.objects.get()
        assert (order.urgency, order.machine_id) == (3, plate.machine_id)
    assert checksum(A) != before


def _picture(color: str = "red", size: int = 2) -> SimpleUploadedFile:
    image = io.BytesIO()
    Image.new("RGB", (size, size), color).save(image, "PNG")
    return SimpleUploadedFile(f"{color}.png", image.getvalue(), "image/png")


def _with_pictures(token: str, *pictures: SimpleUploadedFile, **values: Any) -> Any:
    return Client().post(f"{REPORT}?token={token}", {**SAID, "images": list(pictures), **values})


def test_pictures_come_with_the_report_and_nobody_without_an_account_gets_a_link(cast: Cast, plate: Tag) -> None:
    answer = _with_pictures(plate.token, _picture(), _picture("blue"), isStop="1")
    assert answer.status_code == 200 and list(answer.json()["data"]) == ["orderNo"]
    with tenant_scope(A):
        order = RepairOrder.objects.get()
        stored = list(Attachment.objects.order_by("pk").values_list("name", "original_name", "create_user"))
    assert (order.is_stop, order.images) == (True, [name for name, _called, _by in stored])
    assert [(called, by) for _name, called, by in stored] == [("red.png", 0), ("blue.png", 0)]
    shown = cast.client_for("repair_leader").get("yuzhu-equip/repairorder/detail", id=str(order.pk)).data["images"]
    assert [Client().get(link).status_code for link in shown] == [200, 200]
    assert Client().get(shown[0].split("?")[0]).status_code == 404
    assert cast.client_for("repair_leader", B).get("yuzhu-equip/repairorder/detail", id=str(order.pk)).status == 404
    # Links in place of pictures are passed over: a stranger shows nothing of others.
    assert _report(plate.token, images=shown[0], force=1).status_code == 200
    with tenant_scope(A):
        assert RepairOrder.objects.order_by("pk").last().images == []  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("pictures", "text"),
    [
        ([_picture() for _one in range(4)], "最多上传3张图片"),
        ([SimpleUploadedFile("a.png", b"no picture", "image/png")], "只能上传jpg或png图片"),
        ([_picture(), SimpleUploadedFile("a.jpg", b"\xff\xd8\xffbroken", "image/jpeg")], "只能上传jpg或png图片"),
    ],
)
def test_wrong_pictures_are_refused_with_all_of_the_report(
    cast: Cast, plate: Tag, pictures: list[SimpleUploadedFile], text: str
) -> None:
    before = checksum(A)
    for one in pictures:
        one.seek(0)
    refused = _with_pictures(plate.token, *pictures)
    assert (refused.status_code, refused.json()["data"]["fields"]) == (400, {"images": text})
    assert checksum(A) == before


def test_pictures_of_what_is_not_taken_are_not_looked_at(
    cast: Cast, plate: Tag, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(*_given: Any) -> None:
        raise AssertionError("looked at")

    symptom = str(cast.tag("异响").pk)
    assert _report(plate.token, faultTagIds=symptom).status_code == 200
    before = checksum(A)
    # A likely duplicate stores no picture; it comes again with the answer.
    assert _with_pictures(plate.token, _picture(), faultTagIds=symptom).json()["data"]["needConfirm"]
    with tenant_scope(A):
        assert not Attachment.objects.exists()
    monkeypatch.setattr(plate_views.files, "look", look)
    assert _with_pictures(f"{A}-{'b' * 16}", _picture()).status_code == 404
    for _one in range(plate_views.REPORTS_A_MINUTE):
        last = _with_pictures("nonsense", _picture())
    assert last.status_code == 429
    assert checksum(A) == before
