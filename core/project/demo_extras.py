"""The extra fields of the demo plants: two that their assets have beside the usual ones, and one of work orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.system.models import ExtraField, ExtraOption, ExtraOwner, ExtraType

_ENERGY = (("1", "1级", "Class 1"), ("2", "2级", "Class 2"), ("3", "3级", "Class 3"))
_IMPACT = (("asset", "单台设备", "One asset"), ("line", "整条产线", "The whole line"))


def declare() -> None:
    """Add the fields to the tenant in scope."""
    ExtraField.objects.create(
        noun=ExtraOwner.MACHINE, key="contract_no", label="采购合同号", label_en="Purchase contract", sort=1
    )
    energy = ExtraField.objects.create(
        noun=ExtraOwner.MACHINE, key="energy_class", label="能效等级", label_en="Energy class", type=ExtraType.SELECT,
        sort=2,
    )  # fmt: skip
    impact = ExtraField.objects.create(
        noun=ExtraOwner.REPAIR_ORDER, key="impact", label="影响范围", label_en="Impact", type=ExtraType.SELECT, sort=1
    )
    for field, options in ((energy, _ENERGY), (impact, _IMPACT)):
        ExtraOption.objects.bulk_create(
            ExtraOption(field=field, value=value, label=zh, label_en=en) for value, zh, en in options
        )


def of_machine(code: str) -> dict[str, Any]:
    """Return what an asset has of them, which follows from its code."""
    number = sum(map(ord, code))
    return {"contract_no": f"HT-{2018 + number % 7}-{number % 900 + 100}", "energy_class": str(1 + number % 3)}


def of_report(carries: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a report says: a stopped asset stops its line."""
    return {"impact": "line" if carries.get("isStop") else "asset"}
