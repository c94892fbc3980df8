"""What follows from abnormal results: a repair order for each machine, and back what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core import ports
from core.inspection.models import AbnormalAction
from core.kernel.actor import Actor
from core.rounds.judging import judge_text, value_text
from core.rounds.models import Finding, InspectOrderDetail, InspectOrderRecord

SOURCE = 2
"""An inspection, as the dictionary repair_source numbers it."""
_MOST_EARLIER = 200


def to_report(pairs: Sequence[tuple[Mapping[str, Any], InspectOrderRecord]]) -> list[InspectOrderRecord]:
    """Return the abnormal records of which a repair order is made by itself."""
    return [
        record
        for item, record in pairs
        if record.result == Finding.ABNORMAL and item["abnormalAction"] == AbnormalAction.REPORT
    ]


def to_suggest(pairs: Sequence[tuple[Mapping[str, Any], InspectOrderRecord]]) -> list[InspectOrderRecord]:
    """Return the abnormal records of which a repair order is suggested to the person."""
    return [
        record
        for item, record in pairs
        if record.result == Finding.ABNORMAL and item["abnormalAction"] == AbnormalAction.SUGGEST
    ]


def description(records: Sequence[InspectOrderRecord]) -> str:
    """Return what is wrong, in the words of the records."""
    said = "；".join(f"{record.item_name}{judge_text(record) or value_text(record)}" for record in records)
    return f"点检异常：{said}"[:1000]


def report(
    actor: Actor,
    order_no: str,
    detail: InspectOrderDetail,
    pairs: Sequence[tuple[Mapping[str, Any], InspectOrderRecord]],
) -> ports.RepairState | None:
    """Report what is abnormal at a point and to be repaired, and link it; the caller stores detail and records.

    Called while nobody else reports, see `ports.RepairPort.hold`.
    """
    records = to_report(pairs)
    if not records:
        return None
    urgency = min(item["repairUrgency"] for item, record in pairs if record in records)
    images = tuple(dict.fromkeys(name for record in records for name in record.images))
    earlier = InspectOrderRecord.objects.filter(
        machine=detail.machine_id, item_id__in=[record.item_id for record in records], repair_order_id__isnull=False
    )
    ids = earlier.order_by("-check_time").values_list("repair_order_id", flat=True)[:_MOST_EARLIER]
    fault = ports.Fault(
        machine_id=detail.machine_id, source=SOURCE, source_id=detail.pk, source_no=order_no,
        description=description(records), urgency=urgency, images=images or tuple(detail.images),
        earlier=frozenset(ids),
    )  # fmt: skip
    found = ports.repairs.report(actor, fault)
    detail.repair_order_id = found.id
    for record in records:
        record.repair_order_id = found.id
    return found


def repair_ended(order_id: int, is_false_alarm: bool) -> None:
    """Keep at the records that a fault was none: they leave the rate of abnormal results."""
    if is_false_alarm:
        InspectOrderRecord.objects.filter(repair_order_id=order_id).update(false_alarm=True)
