"""The plate at a point: which one opens it, in which way it is read, and what follows where it cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from core.audit.models import Event
from core.desk.models import Message
from core.equipment.models import Carrier, Tag, TagType
from core.inspection.models import Route
from core.kernel.tenancy import tenant_scope
from core.rounds import scans
from core.rounds.models import InspectOrder, InspectOrderDetail
from core.scheduling import outbox
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.core.rounds.test_life import _tasks
from tests.core.rounds.walking import GOOD, ORDERS, at, body, details, fresh, ok, submit, swept

FIRST = "请先扫描点位标牌"
OTHER = "扫描的标牌与点位「点1」不符"
TOKEN, OWN, ASSET, UID = f"{A}-AbCdEfGhJkMnPqRs", "POINT2345678", "ASSET2345678", "04A1B2C3D4E5F6"
DAMAGED = {"reason": "标牌被油污覆盖"}


def _plate(cast: Cast, code: str, tenant: str = A, **values: Any) -> Tag:
    kind = TagType.POINT_PLATE if "point_id" in values else TagType.MACHINE_PLATE
    with tenant_scope(tenant):
        row: Tag = Tag.objects.create(
            type=kind, tag_code=code, tag_name=f"牌{code}",
            **{"carrier": Carrier.QR, "token": f"{tenant}-{code:Z<16.16}", **values},
        )  # fmt: skip
    return row


def _point(cast: Cast, mode: int = 1, **more: Any) -> tuple[InspectOrder, InspectOrderDetail]:
    """The first point of a task of the operator, with a plate of its own, and one of its asset."""
    order = _tasks(cast, scanMode=mode, **more)[0]
    detail = details(order)[0]
    _plate(cast, OWN, point_id=detail.point_id, token=TOKEN)
    _plate(cast, ASSET, machine_id=detail.machine_id, carrier=Carrier.BOTH, nfc_uid=UID)
    return order, detail


def _send(cast: Cast, detail: InspectOrderDetail, code: str = "", **more: Any) -> Body:
    return submit(cast, "operator", body(detail, GOOD, scanCode=code, **more))


@pytest.mark.parametrize(
    ("mode", "code", "stored"),
    [
        (1, TOKEN, TOKEN),
        (1, f"https://plant.example.com/scan/{TOKEN}", TOKEN),
        (1, f"  {OWN.lower()} ", OWN),
        (1, ASSET, ASSET),
        (2, UID, UID),
        (2, "04:a1:b2:c3:d4:e5:f6", UID),
        (3, UID, UID),
        (3, TOKEN, TOKEN),
        (1, UID, None),
        (2, TOKEN, None),
        (2, ASSET, None),
        (1, f"{A}-BbCdEfGhJkMnPqRs", None),
        (1, "M1", None),
        (1, "/equip/machine/1", None),
        (1, "x" * 500, None),
    ],
)
def test_a_plate_of_the_point_or_its_asset_opens_it(cast: Cast, mode: int, code: str, stored: str | None) -> None:
    order, detail = _point(cast, mode)
    with at("2026-09-01 09:00"):
        before = checksum(A)
        refused = _send(cast, detail)
        assert (refused.status, refused["error"], refused.msg) == (400, "inspectorder.scanFirst", FIRST)
        if stored is None:
            refused = _send(cast, detail, code)
            assert (refused.status, refused["error"], refused.msg) == (400, "inspectorder.scanOther", OTHER)
        assert checksum(A) == before
        if stored is None:
            return
        ok(_send(cast, detail, code, scanTime="2026-09-01 08:59:00"))
        page = ok(cast.client_for("operator").get("yuzhu-equip/inspectorderdetail/detail", id=str(detail.pk)))
    assert [page[name] for name in ("scanCode", "scanTime", "scanOk", "noScanReason")] == [
        stored, "2026-09-01 08:59:00", 1, "",
    ]  # fmt: skip
    assert not fresh(order).is_suspect
    with tenant_scope(A):
        used = {tag.tag_code: tag.last_scan_user_id for tag in Tag.objects.exclude(last_scan_time=None)}
    assert used == {(OWN if stored in (TOKEN, OWN) else ASSET): cast.user("operator").pk}


def test_plates_elsewhere_and_sealed_ones_open_nothing(cast: Cast) -> None:
    _order, detail = _point(cast)
    other = details(_order)[1]
    _plate(cast, "ELSEWHERE", point_id=other.point_id)
    _plate(cast, "MACHINE2", machine_id=cast.machine("M2").pk)
    _plate(cast, "SPARE")
    _plate(cast, "FOREIGN", tenant=B, machine_id=cast.machine("M1", B).pk)
    with tenant_scope(A):
        Tag.objects.filter(tag_code=ASSET).update(is_sealed=True)
    with at("2026-09-01 09:00"):
        before = checksum(A)
        for code in ("ELSEWHERE", "MACHINE2", "SPARE", "FOREIGN", f"{B}-FOREIGNZZZZZZZZZ", ASSET):
            assert _send(cast, detail, code).msg == OTHER
        english = cast.client_for("operator").in_english()
        said = english.post_json("yuzhu-equip/inspectorderdetail/submit", body(detail, GOOD, scanCode="SPARE"))
        assert said.msg == 'The scanned plate is not that of point "点1"'
        assert checksum(A) == before


def test_who_may_not_do_the_task_is_told_so_before_any_plate(cast: Cast) -> None:
    order, detail = _point(cast)
    with at("2026-09-01 09:00"):
        ok(cast.client_for("operator").post_json(f"{ORDERS}/start", {"id": str(order.pk)}))
        assert submit(cast, "shift_leader", body(detail, GOOD)).msg == "该任务已由秦操领取"


def test_no_scan_is_asked_for_where_route_or_point_needs_none_nor_of_a_point_that_is_left_out(cast: Cast) -> None:
    order, detail = _point(cast)
    with at("2026-09-01 09:00"):
        ok(submit(cast, "operator", body(detail, {}, skip={"reason": "通道封闭施工"}, noScan=DAMAGED)))
        with tenant_scope(A):
            Route.objects.update(need_scan=False)
        page = ok(cast.client_for("operator").get(f"{ORDERS}/task", id=str(order.pk)))
        assert [(one["needsScan"], one["plates"]) for one in page["details"]] == [(0, []), (0, [])]
        ok(submit(cast, "operator", body(details(order)[1], GOOD, scanCode="什么都行", noScan=DAMAGED)))
    rows = details(order)
    assert [(one.scan_ok, one.scan_code, one.no_scan_reason) for one in rows] == [(False, "", ""), (False, "", "")]
    assert not fresh(order).is_suspect


def test_a_damaged_plate_is_stood_in_for_by_a_reason_a_mark_and_a_note_to_the_leader(cast: Cast) -> None:
    order, detail = _point(cast)
    with at("2026-09-01 09:00"):
        before = checksum(A)
        for reason in ("", "坏", "  坏了了 "):
            refused = _send(cast, detail, noScan={"reason": reason})
            assert (refused.status, refused.msg) == (400, "请填写未扫码原因（至少4个字）")
        assert checksum(A) == before
        ok(_send(cast, detail, "别的标牌", noScan=DAMAGED))
        ok(submit(cast, "operator", body(details(order)[1], GOOD, noScan={"reason": "标牌已丢失"})))
        page = ok(cast.client_for("equip_manager").get(f"{ORDERS}/task", id=str(order.pk)))
    assert page["order"]["suspectReasons"] == [
        "「点1」未扫码，手动确认：标牌被油污覆盖", "「点2」未扫码，手动确认：标牌已丢失",
    ]  # fmt: skip
    assert [(one["scanOk"], one["noScanReason"]) for one in page["details"]] == [
        (0, "标牌被油污覆盖"), (0, "标牌已丢失"),
    ]  # fmt: skip
    assert page["order"]["statusName"] == "已完成"
    while outbox.deliver_due():
        pass
    with tenant_scope(A):
        told = Message.objects.filter(title__startswith="点位未扫码").values_list("user_id", "title", "content")
        assert list(told) == [
            (cast.user("shift_leader").pk, "点位未扫码：点1", "路线R1「点1」由秦操手动确认：标牌被油污覆盖")
        ]


def test_the_page_says_by_digests_what_opens_a_point(cast: Cast) -> None:
    order, detail = _point(cast, 3)
    other = details(order)[1]
    with at("2026-09-01 09:00"):
        page = ok(cast.client_for("operator").get(f"{ORDERS}/task", id=str(order.pk)))
    texts = (f"{A}-{ASSET}ZZZZ", ASSET, UID)
    assert [(one["needsScan"], sorted(one["plates"])) for one in page["details"]] == [
        (1, sorted(scans.digest(detail.pk, text) for text in (TOKEN, OWN, *texts))),
        (1, sorted(scans.digest(other.pk, text) for text in texts)),
    ]
    # As `platesOpen` of web/src/screens/inspect/scans.test.ts has it.
    assert scans.digest(5, "ABC") == "956f8a665156f276f345d4dad2f1b2748b179002bc0f6ad1a63e96ba2c9ad33c"


def test_a_late_point_is_judged_by_the_plates_as_they_are_then(cast: Cast) -> None:
    order, detail = _point(cast)
    sent = body(
        detail, GOOD, "2026-09-01 15:00:00", scanCode=TOKEN, scanTime="2026-09-01 14:59:00",
        sentTime="2026-09-01 20:00:00",
    )  # fmt: skip
    with tenant_scope(A):
        Route.objects.update(allow_supplement=True)
        Tag.objects.filter(tag_code=OWN).update(is_sealed=True)
    with at("2026-09-01 20:00"):
        swept()
        assert submit(cast, "operator", sent).msg == OTHER
        with tenant_scope(A):
            Tag.objects.filter(tag_code=OWN).update(
                is_sealed=False, last_scan_time="2026-09-01T19:00:00+08:00", last_scan_user=None
            )
        ok(submit(cast, "operator", sent))
    with tenant_scope(A):
        # A scan that comes late does not hide a later one.
        assert Tag.objects.get(tag_code=OWN).last_scan_user_id is None
        assert Event.objects.filter(operation="inspectorder.point").count() == 1
    assert [one["code"] for one in fresh(order).suspect_reasons] == []
