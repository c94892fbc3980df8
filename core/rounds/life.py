"""The life of a task, as a state machine: whoever changes a task holds the lock of its row, and does it here.

| from → to | what does it | who |
|---|---|---|
| to do → in progress | `start`, or the first point | who may do it |
| in progress → done | the last open point, one of them checked | who does it |
| to do, in progress → missed | `miss_due`, after the deadline | the system |
| to do, in progress → exempt | `exempt`, or the last open point is exempt | the equipment manager |
| to do, in progress → exempt or done, and back | a stoppage of the machines, or its end: `exemptions.py` | the system |
| to do → void | `void` | the equipment manager, who leads the route |
| to do → void | a start-up check whose stoppage was withdrawn: `startup.py` | the system |
| missed → done | points that were checked in time and are uploaded late | who did it |

Locks are taken in this order: task, number of repair orders, repair order, machine of meter readings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from core import ports
from core.access.people import holders_of_code
from core.equipment import meters
from core.equipment.models import Importance, ReadingSource
from core.inspection.models import OrderMode, PhotoRule, ScanMode, ValueType
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, operation
from core.kernel.texts import moment
from core.rounds import findings, scans, suspicion
from core.rounds.inputs import ABNORMAL_IMAGES, ABNORMAL_REMARK
from core.rounds.judging import Judged, Wrong, judge, judge_text, limits_of, words_of
from core.rounds.models import (
    OPEN,
    DetailStatus,
    Finding,
    InspectOrder,
    InspectOrderDetail,
    InspectOrderRecord,
    OrderStatus,
    TaskSource,
)
from core.rounds.queries import NOUN, is_claimed, may_do, visible
from core.system import parameters, required
from core.system.required import Scene
from core.system.written import written_at

Pairs = list[tuple[Mapping[str, Any], InspectOrderRecord]]
MANAGES = "repairorder_manage"
"""Permission code of the equipment managers, who are told of what is abnormal at critical assets."""
_CORRECTED_WITHIN = timedelta(hours=24)
_NOTED = ("images", "remark")


def locked(actor: Actor, order_id: int) -> InspectOrder:
    """Return a task that the person sees, locked; the audit entry is about it. Raises Missing."""
    rows = visible(actor).select_for_update(of=("self",)).select_related("group")
    order: InspectOrder | None = rows.filter(pk=order_id).first()
    if order is None:
        raise Missing()
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = NOUN, order.pk, str(order)
    return order


def wrong_state(order: InspectOrder, action: str) -> Refusal:
    """Return the refusal of what does not fit the task's state."""
    text = _("当前状态为「{status}」，不能{action}").format(status=order.get_status_display(), action=action)
    return Refusal("inspectorder.wrongState", text)


def become(order: InspectOrder, status: OrderStatus) -> None:
    """Give the task another state, and note it in the audit entry; the caller stores the task."""
    entry = current_entry()
    if entry.from_status is None:
        entry.from_status = order.status
    entry.to_status = status
    order.status = status


def check_doer(actor: Actor, order: InspectOrder) -> None:
    """Raise Conflict where somebody else has claimed the task, NotAllowed where the person is none of those for it."""
    if order.pk not in may_do(actor, [order]):
        raise NotAllowed()
    if is_claimed(order, actor):
        raise claimed(order)


def claimed(order: InspectOrder) -> Conflict:
    """Return the refusal that names who has claimed the task."""
    name = ports.people.names({order.executor_id or 0}).get(order.executor_id or 0, "")
    return Conflict("inspectorder.claimed", _("该任务已由{name}领取").format(name=name), {"userName": name})


def _leads(actor: Actor, order: InspectOrder, code: str) -> bool:
    return actor.may(code) or order.group.leader_id == actor.user_id


# --- the whole task -------------------------------------------------------------------------------------------------


@operation("inspectorder.start", code="inspectorder_inspect")
def start(actor: Actor, order_id: int, begun: datetime | None = None) -> dict[str, Any]:
    """Begin a task, and claim it where one person does it. Begun again by the same person it stays as it is.

    A phone without a network tells later of a task that was `begun` before; it was not before its time.
    """
    order = locked(actor, order_id)
    check_doer(actor, order)
    if order.status == OrderStatus.IN_PROGRESS:
        current_entry().nothing_happened = True
        return answer(order)
    if order.status != OrderStatus.TODO:
        raise wrong_state(order, _("开始"))
    now = clock.now()
    _check_early(order, now)
    if now > order.deadline:
        raise _too_late()
    _begin(actor, order, min(max(begun or now, order.open_time), now))
    order.save()
    return answer(order)


def _begin(actor: Actor, order: InspectOrder, now: datetime) -> None:
    become(order, OrderStatus.IN_PROGRESS)
    order.start_time = now
    order.executor_id = order.executor_id or actor.user_id


def _check_early(order: InspectOrder, now: datetime) -> None:
    if now < order.open_time:
        text = _("未到任务开始时间（{t}）").format(t=moment(order.open_time)[:16])
        raise Refusal("inspectorder.tooEarly", text)


def _too_late() -> Refusal:
    return Refusal("inspectorder.tooLate", _("任务已超过截止时间，不能提交"))


@operation("inspectorder.release", code=SIGNED_IN)
def release(actor: Actor, order_id: int) -> dict[str, Any]:
    """Let others do a task that somebody has claimed: that person, or who leads the route. What is checked stays."""
    order = locked(actor, order_id)
    if order.status != OrderStatus.IN_PROGRESS or order.executor_id is None:
        raise wrong_state(order, _("退回"))
    if order.executor_id != actor.user_id and not _leads(actor, order, "inspectorder_void"):
        raise NotAllowed()
    current_entry().from_holder = order.executor_id
    order.executor_id = None
    order.save()
    return answer(order)


@operation("inspectorder.void", code=SIGNED_IN)
def void(actor: Actor, order_id: int, reason: str) -> dict[str, Any]:
    """Take a task that nobody has begun out of all rates."""
    order = locked(actor, order_id)
    if not _leads(actor, order, "inspectorder_void"):
        raise NotAllowed()
    if order.status != OrderStatus.TODO:
        raise wrong_state(order, _("作废"))
    become(order, OrderStatus.VOID)
    order.void_reason = current_entry().remark = reason
    order.save()
    return answer(order)


@operation("inspectorder.exempt", code="inspectorder_exempt")
def exempt(actor: Actor, order_id: int, reason: str) -> dict[str, Any]:
    """Exempt all open points of a task; one of which no point is checked is exempt itself."""
    order = locked(actor, order_id)
    if order.status not in OPEN:
        raise wrong_state(order, _("免检"))
    order.details.filter(status=DetailStatus.TODO).update(status=DetailStatus.EXEMPT)
    order.exempt_reason = current_entry().remark = reason
    settle(order, clock.now())
    order.save()
    return answer(order)


@operation("inspectorder.review", code=SIGNED_IN)
def review(actor: Actor, order_id: int, values: Mapping[str, str]) -> dict[str, Any]:
    """Say why a task was missed, or what is to be said of one that is done."""
    order = locked(actor, order_id)
    if not _leads(actor, order, "inspectorder_review"):
        raise NotAllowed()
    now, reason, remark = clock.now(), values.get("missReason"), values.get("checkRemark")
    if reason is not None and order.status != OrderStatus.MISSED:
        raise wrong_state(order, _("填写漏检原因"))
    if remark is not None and order.status not in (OrderStatus.DONE, OrderStatus.MISSED):
        raise wrong_state(order, _("审核"))
    if reason is not None:
        order.miss_reason, order.miss_user_id = reason, actor.user_id
    if remark is not None:
        order.check_remark, order.check_user_id, order.check_time = remark, actor.user_id, now
    current_entry().remark = (reason or remark or "")[:500]
    order.save()
    return answer(order)


def answer(order: InspectOrder) -> dict[str, Any]:
    """Return what everything that is done to a task answers."""
    return {
        "id": str(order.pk),
        "orderNo": order.order_no,
        "status": order.status,
        "statusName": order.get_status_display(),
        "lockVersion": InspectOrder.objects.filter(pk=order.pk).values_list("lock_version", flat=True)[0],
    }


# --- a point --------------------------------------------------------------------------------------------------------


@operation("inspectorder.point", code="inspectorder_inspect")
def submit_point(actor: Actor, values: Mapping[str, Any]) -> dict[str, Any]:
    """Submit a point: its values are judged here, and what follows from them is done in the same transaction.

    The same submission again changes nothing, whenever it comes, and is answered as it was.
    """
    found = InspectOrderDetail.objects.filter(pk=values["id"]).values_list("order_id", flat=True).first()
    order = locked(actor, found or 0)
    before = InspectOrderDetail.objects.filter(client_id=values["clientId"]).first()
    if before is not None:
        if before.pk != values["id"] or before.user_id != actor.user_id:
            raise Conflict("inspectorder.submissionUsed", _("该提交标识已用于其他点位"))
        current_entry().nothing_happened = True
        return dict(before.answer or {})
    return _Submission(actor, order, values).store()


@dataclass
class _Submission:
    """A submission of a point of a locked task, which nobody has sent before."""

    actor: Actor
    order: InspectOrder
    values: Mapping[str, Any]

    def store(self) -> dict[str, Any]:
        """Check, judge, store, and return what is answered."""
        values, order, now = self.values, self.order, clock.now()
        rows = order.details.select_related("snapshot", "machine").order_by("sort", "pk")
        details = list(rows)
        detail = next((one for one in details if one.pk == values["id"]), None)
        if detail is None:
            raise Missing()
        # Before the state of the task, which the other submission may have ended: who and when says more.
        self._check_free(detail)
        is_supplement = self._check_open(now)
        check_doer(self.actor, order)
        scanned = self._scanned(detail)
        self._check_order(details, detail)
        pairs: Pairs = []
        if values["skip"] is None:
            pairs = self._judged(detail)
            self._check_photos(detail, pairs)
            self._check_asked(pairs)
        if order.status == OrderStatus.TODO:
            since = values["startTime"]
            _begin(self.actor, order, min(max(self._arrived(), order.open_time), now))
        else:
            since = values["startTime"] or self._last_time() or order.start_time
        self._fill(detail, pairs, now)
        self._fill_scan(detail, scanned)
        if findings.to_report(pairs):
            ports.repairs.hold()
        repair = findings.report(self.actor, order.order_no, detail, pairs)
        self._read_meters(detail, pairs)
        detail.save()
        InspectOrderRecord.objects.bulk_create(record for _item, record in pairs)
        skew = (values["sentTime"] or now) - now
        suspicion.of_point(order, detail, since if pairs else None, skew)
        suspicion.of_photos(order, [*detail.images, *(name for _item, record in pairs for name in record.images)])
        order.is_supplement = order.is_supplement or is_supplement
        settle(order, now)
        if order.status == OrderStatus.DONE:
            suspicion.of_task(order, details)
        order.save()
        scans.note(self.actor, scanned, detail.scan_time)
        self._tell(detail)
        self._tell_unscanned(detail)
        detail.answer = self._answer(detail, details, pairs, repair)
        InspectOrderDetail.objects.filter(pk=detail.pk).update(answer=detail.answer)
        current_entry().remark = str(detail)
        return detail.answer

    def _check_free(self, detail: InspectOrderDetail) -> None:
        if detail.status not in (DetailStatus.CHECKED, DetailStatus.SKIPPED):
            return
        name = ports.people.names({detail.user_id or 0}).get(detail.user_id or 0, "")
        time = moment(detail.submit_time)
        text = _("该点位已由{name}于{time}完成巡检").format(name=name, time=time)
        raise Conflict("inspectorder.pointDone", text, {"userName": name, "time": time})

    def _check_open(self, now: datetime) -> bool:
        """Raise Refusal where nothing more is taken; return whether this comes late, and is taken all the same."""
        order, checked = self.order, self.values["clientTime"]
        if order.status in OPEN and now <= order.deadline:
            _check_early(order, now)
            return False
        if order.status not in (*OPEN, OrderStatus.MISSED):
            raise wrong_state(order, _("提交"))
        if not order.group.allow_supplement or not order.open_time <= checked <= order.deadline:
            raise _too_late()
        if now > order.deadline + timedelta(hours=parameters.inspection().offline_hours):
            raise Refusal("inspectorder.tooLate", _("离线数据已超过补传期限"))
        return True

    def _scanned(self, detail: InspectOrderDetail) -> scans.Scanned | None:
        """Return what was scanned where the point is opened by it; raises Refusal for another plate, and for none.

        Nobody scans a point that is left out, and one whose plate is damaged is opened by hand, with a reason.
        """
        mode = scans.mode_of(self.order.group, detail.snapshot)
        if mode == ScanMode.NONE or self.values["skip"] is not None or self.values["noScan"] is not None:
            return None
        text = self.values["scanCode"].strip()
        if not text:
            raise Refusal("inspectorder.scanFirst", _("请先扫描点位标牌"))
        found = scans.find(detail, mode, text)
        if found is None:
            text = _("扫描的标牌与点位「{name}」不符").format(name=detail)
            raise Refusal("inspectorder.scanOther", text)
        return found

    def _check_order(self, details: Sequence[InspectOrderDetail], detail: InspectOrderDetail) -> None:
        if self.order.order_mode != OrderMode.IN_ORDER:
            return
        for one in details:
            if one.pk == detail.pk:
                return
            if one.status in (DetailStatus.TODO, DetailStatus.MISSED):
                raise Refusal("inspectorder.outOfOrder", _("请先完成点位「{name}」").format(name=one))

    def _judged(self, detail: InspectOrderDetail) -> Pairs:
        """Return the items that were filled in, each with its record; raises Invalid that names each wrong one."""
        items = {item["itemId"]: item for item in detail.snapshot.items}
        sent = {one["itemId"]: one for one in self.values["records"]}
        errors: dict[str, str] = {}
        if unknown := set(sent) - set(items):
            errors[f"records.{sorted(unknown)[0]}"] = _("数据不存在或已被删除")
        pairs: Pairs = []
        for item_id, item in items.items():
            try:
                judged = self._judge(item, sent.get(item_id))
            except Wrong as wrong:
                errors[f"records.{item_id}"] = wrong.text
                continue
            if judged is not None:
                pairs.append((item, self._record(detail, item, sent[item_id], judged)))
        if errors:
            raise Invalid(errors)
        return pairs

    def _judge(self, item: Mapping[str, Any], sent: Mapping[str, Any] | None) -> Judged | None:
        """Return what an item's value means; None where nothing was entered and nothing has to be. Raises Wrong."""
        name = item["itemName"]
        value = sent["value"].strip() if sent is not None else ""
        if sent is not None and sent["result"] == Finding.NOT_APPLICABLE:
            if not sent["remark"].strip():
                raise Wrong(_("检查项「{name}」不适用时请填写备注").format(name=name))
            return Judged("", Finding.NOT_APPLICABLE)
        if item["valueType"] == ValueType.PHOTO:
            if sent is not None and sent["images"]:
                return judge(item, value, sent["result"])
            if item["required"]:
                raise Wrong(_("「{name}」需要拍照").format(name=name))
            return None
        if not value:
            if item["required"]:
                raise Wrong(_("检查项「{name}」未填写").format(name=name))
            return None
        assert sent is not None
        return judge(item, value, sent["result"])

    def _record(
        self, detail: InspectOrderDetail, item: Mapping[str, Any], sent: Mapping[str, Any], judged: Judged
    ) -> InspectOrderRecord:
        lower, warn_lower, warn_upper, upper = limits_of(item)
        return InspectOrderRecord(
            order=self.order, detail=detail, point_id=detail.point_id, machine_id=detail.machine_id,
            item_id=item["itemId"], item_name=item["itemName"], part=item["part"], value_type=item["valueType"],
            unit=item["unit"], decimals=item["decimals"], lower=lower, warn_lower=warn_lower,
            warn_upper=warn_upper, upper=upper, words=words_of(item, judged.value), value=judged.value,
            num_value=judged.number, result=judged.result, images=sent["images"], remark=sent["remark"],
            check_time=self._checked_at(), user_id=self.actor.user_id,
        )  # fmt: skip

    def _checked_at(self) -> datetime:
        """When the point was checked: as the client says, as far as that can be."""
        return min(max(self.values["clientTime"], self.order.open_time), clock.now())  # type: ignore[no-any-return]

    def _check_photos(self, detail: InspectOrderDetail, pairs: Pairs) -> None:
        errors = {
            f"records.{item['itemId']}": _("「{name}」需要拍照").format(name=item["itemName"])
            for item, record in pairs
            if not record.images
            and record.result != Finding.NOT_APPLICABLE
            and (
                item["needPhoto"] == PhotoRule.ALWAYS
                or (item["needPhoto"] == PhotoRule.WHEN_ABNORMAL and record.result == Finding.ABNORMAL)
            )
        }
        if detail.snapshot.photo_required and not self.values["images"]:
            errors["images"] = _("「{name}」需要拍照").format(name=detail)
        if errors:
            raise Invalid(errors)

    def _check_asked(self, pairs: Pairs) -> None:
        """Raise Invalid for what the company asks for of a point, or of an abnormal item, and is not there."""
        asked = {one.field: one for one in required.decided([Scene.INSPECTION])[Scene.INSPECTION]}
        errors = {name: asked[name].refusal() for name in _NOTED if not asked[name].fits(self.values[name])}
        for item, record in pairs:
            if record.result != Finding.ABNORMAL:
                continue
            for name, value in ((ABNORMAL_IMAGES, record.images), (ABNORMAL_REMARK, record.remark.strip())):
                if not asked[name].fits(value):
                    errors.setdefault(f"records.{item['itemId']}", asked[name].refusal())
        if errors:
            raise Invalid(errors)

    def _arrived(self) -> datetime:
        """When the person came to the point, by our clock."""
        values = self.values
        return written_at(values["startTime"] or values["clientTime"], values["sentTime"])

    def _last_time(self) -> datetime | None:
        """When the point before this one was checked."""
        found = self.order.details.aggregate(last=Max("client_time"))["last"]
        return found if found is not None and found <= self.values["clientTime"] else None

    def _fill(self, detail: InspectOrderDetail, pairs: Pairs, now: datetime) -> None:
        values, snapshot = self.values, detail.snapshot
        detail.status = DetailStatus.CHECKED
        if values["skip"] is not None:
            detail.status, detail.skip_reason = DetailStatus.SKIPPED, values["skip"]["reason"]
        detail.client_id, detail.client_time, detail.start_time = (
            values["clientId"], values["clientTime"], values["startTime"],
        )  # fmt: skip
        detail.submit_time, detail.user_id = now, self.actor.user_id
        detail.images, detail.remark = values["images"], values["remark"]
        detail.lng, detail.lat = values["lng"], values["lat"]
        if None not in (detail.lng, detail.lat, snapshot.lng, snapshot.lat):
            detail.distance = suspicion.distance((detail.lng, detail.lat), (snapshot.lng, snapshot.lat))
        results = [record.result for _item, record in pairs if record.result != Finding.NOT_APPLICABLE]
        detail.result = max(results, default=Finding.NORMAL if pairs else None)
        detail.abnormal_count = results.count(Finding.ABNORMAL)

    def _fill_scan(self, detail: InspectOrderDetail, scanned: scans.Scanned | None) -> None:
        values, order = self.values, self.order
        detail.scan_ok, detail.scan_code = scanned is not None, scanned.text if scanned else ""
        detail.scan_time = (values["scanTime"] or values["clientTime"]) if scanned else None
        by_hand = values["noScan"]
        if by_hand is None or values["skip"] is not None:
            return
        if scans.mode_of(order.group, detail.snapshot) != ScanMode.NONE:
            detail.no_scan_reason = by_hand["reason"]
            suspicion.mark(order, "scan", point=detail.snapshot.point_name, reason=detail.no_scan_reason)

    def _read_meters(self, detail: InspectOrderDetail, pairs: Pairs) -> None:
        """Write the readings of counters; raises Invalid that names the item whose reading does not fit."""
        for item, record in pairs:
            if item["valueType"] != ValueType.METER or record.num_value is None:
                continue
            reading = {
                "value": record.num_value, "read_time": record.check_time, "source": ReadingSource.INSPECTION,
                "remark": self.order.order_no,
            }  # fmt: skip
            try:
                meters.add_reading(detail.machine_id, reading)
            except Invalid as wrong:
                raise Invalid({f"records.{item['itemId']}": wrong.text}) from None

    def _tell(self, detail: InspectOrderDetail) -> None:
        """Tell of what is abnormal at a critical asset."""
        if detail.result != Finding.ABNORMAL or detail.machine.importance != Importance.CRITICAL:
            return
        name, machine = detail.snapshot.point_name, f"{detail.machine.machine_code} {detail.machine}"
        people = [*holders_of_code(MANAGES), self.order.group.leader_id]
        ports.messages.send(
            [one for one in people if one != self.actor.user_id],
            (f"关键设备点检异常：{machine}", f"Critical asset abnormal: {machine}"),
            (
                f"{self.order.group_name}「{name}」发现{detail.abnormal_count}项异常。",
                f"{self.order.group_name}, {name}: {detail.abnormal_count} abnormal.",
            ),
            NOUN,
            self.order.pk,
        )

    def _tell_unscanned(self, detail: InspectOrderDetail) -> None:
        """Tell whoever leads the route of a point that was opened by hand: its plate wants replacing."""
        leader_id = self.order.group.leader_id
        if not detail.no_scan_reason or leader_id == self.actor.user_id:
            return
        # Once for a task: its page names all of them.
        if self.order.details.exclude(pk=detail.pk).exclude(no_scan_reason="").exists():
            return
        name = detail.snapshot.point_name
        ports.messages.send(
            [leader_id],
            (f"点位未扫码：{name}", f"Point not scanned: {name}"),
            (
                f"{self.order.group_name}「{name}」由{self.actor.name}手动确认：{detail.no_scan_reason}",
                f"{self.order.group_name}, {name}: confirmed by hand by {self.actor.name}: {detail.no_scan_reason}",
            ),
            NOUN,
            self.order.pk,
        )

    def _answer(
        self,
        detail: InspectOrderDetail,
        details: Sequence[InspectOrderDetail],
        pairs: Pairs,
        repair: ports.RepairState | None,
    ) -> dict[str, Any]:
        order = self.order
        suggested = findings.to_suggest(pairs)
        waiting = [one for one in details if one.status == DetailStatus.TODO]
        later = next((one for one in waiting if one.sort > detail.sort), waiting[0] if waiting else None)
        return {
            "id": str(detail.pk),
            "status": detail.status,
            "statusName": detail.get_status_display(),
            "result": detail.result,
            "records": [
                {
                    "itemId": record.item_id,
                    "result": record.result,
                    "resultName": record.get_result_display(),
                    "judgeText": judge_text(record),
                }
                for _item, record in pairs
            ],
            "orderId": str(order.pk),
            "orderStatus": order.status,
            "orderStatusName": order.get_status_display(),
            "pointTotal": order.point_total,
            "pointDone": order.point_done,
            "abnormalCount": order.abnormal_count,
            "warnCount": order.warn_count,
            "nextDetailId": str(later.pk) if later is not None else None,
            "repairOrderId": str(repair.id) if repair is not None else None,
            "repairOrderNo": repair.number if repair is not None else "",
            "suggestRepair": bool(suggested),
            "repair": {
                "machineId": str(detail.machine_id),
                "machineName": detail.snapshot.machine_name,
                "description": findings.description(suggested),
            }
            if suggested
            else None,
        }


def settle(order: InspectOrder, now: datetime) -> None:
    """Count the points and results of a task, and end it where no point is open; the caller stores it."""
    counts = Counter(order.details.values_list("status", flat=True))
    order.point_done, order.point_skipped = counts[DetailStatus.CHECKED], counts[DetailStatus.SKIPPED]
    order.point_missed, order.point_exempt = counts[DetailStatus.MISSED], counts[DetailStatus.EXEMPT]
    results = Counter(order.records.values_list("result", flat=True))
    order.item_done = sum(results.values())
    order.abnormal_count, order.warn_count = results[Finding.ABNORMAL], results[Finding.WARNING]
    found = [one for one in (Finding.ABNORMAL, Finding.WARNING, Finding.NORMAL) if results[one]]
    order.result = found[0] if found else (Finding.NORMAL if order.point_done else None)
    if (status := ended(order, counts, now)) is not None:
        become(order, status)


def ended(order: InspectOrder, counts: Counter[int], now: datetime) -> OrderStatus | None:
    """Return how a counted task ends, with its time where it is done; None while a point is open."""
    if counts[DetailStatus.TODO] or counts[DetailStatus.MISSED]:
        return None
    if order.point_done:
        order.finish_time = now
        # What is uploaded late was done when it was checked.
        done = order.details.aggregate(last=Max("client_time"))["last"] if order.is_supplement else now
        order.is_late = (done or now) > order.plan_end
        return OrderStatus.DONE
    return OrderStatus.EXEMPT if order.point_exempt == order.point_total else None


def miss(order: InspectOrder, now: datetime) -> None:
    """End a locked task whose deadline has passed; the caller stores it."""
    order.details.filter(status=DetailStatus.TODO).update(status=DetailStatus.MISSED)
    settle(order, now)
    become(order, OrderStatus.MISSED)
    order.miss_time = now


# --- what is corrected afterwards -----------------------------------------------------------------------------------


@operation("inspectorder.removePoints", code="inspectorder_delete")
def remove_points(actor: Actor, ids: Sequence[int]) -> None:
    """Take points out of a task by hand that nobody has begun, all or none; at least one stays."""
    details = list(InspectOrderDetail.objects.filter(pk__in=ids).order_by("pk"))
    if not ids or len(details) != len(ids) or len({one.order_id for one in details}) != 1:
        raise Missing()
    order = locked(actor, details[0].order_id)
    if order.source != TaskSource.BY_HAND or order.status != OrderStatus.TODO:
        raise Conflict("inspectorder.executed", _("已执行的任务不能删除"))
    if order.details.count() == len(details):
        raise Conflict("inspectorder.lastPoint", _("任务至少保留一个点位，请删除任务"))
    for detail in details:
        detail.remove()
    left = list(order.details.select_related("snapshot"))
    order.point_total = len(left)
    order.item_total = sum(len(one.snapshot.items) for one in left)
    order.save()


@operation("inspectorder.note", code="inspectorder_inspect")
def note(actor: Actor, record_id: int, values: Mapping[str, Any]) -> dict[str, Any]:
    """Add pictures or a remark to one's own result within a day; what was found stays."""
    found = InspectOrderRecord.objects.filter(pk=record_id).values_list("order_id", flat=True).first()
    order = locked(actor, found or 0)
    record = order.records.select_for_update(of=("self",)).filter(pk=record_id).first()
    if record is None:
        raise Missing()
    if record.user_id != actor.user_id:
        raise NotAllowed()
    if clock.now() > record.create_time + _CORRECTED_WITHIN:
        raise Conflict("inspectorder.fixed", _("检查结果提交24小时后不能修改"))
    current_entry().nothing_happened = not record.change({name: values[name] for name in _NOTED if name in values})
    return {"id": str(record.pk)}
