"""Parameters that rules read, with the specification's defaults."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class RepairParameters:
    """What the repair flow reads; minutes and hours."""

    claim_enabled: bool = True
    response_minutes: tuple[int, int, int] = (15, 60, 240)
    """By urgency 1, 2, 3."""
    finish_minutes: tuple[int, int, int] = (240, 480, 2880)
    auto_check_hours: int = 72
    repeat_days: int = 30
    labour_rate: Decimal = Decimal(60)
    """元/小时, for whom the post names none."""


def repair() -> RepairParameters:
    """The parameters of the tenant in scope."""
    return RepairParameters()
