"""What a cycle of maintenance is made of, in the numbers of the dictionaries."""

from __future__ import annotations

from django.db import models

from core.kernel.texts import label


class Trigger(models.IntegerChoices):
    """What makes maintenance due, numbered as the dictionary maintain_trigger."""

    CALENDAR = 1, label("按日历", "Calendar")
    METER = 2, label("按运行时长", "Run hours")
    FIRST = 3, label("先到为准", "Whichever comes first")


class CycleUnit(models.IntegerChoices):
    """In what a cycle is counted, numbered as the dictionary cycle_unit."""

    DAY = 1, label("天", "Day")
    WEEK = 2, label("周", "Week")
    MONTH = 3, label("月", "Month")
    QUARTER = 4, label("季", "Quarter")
    YEAR = 5, label("年", "Year")


class CycleAnchor(models.IntegerChoices):
    """What a cycle is counted from, numbered as the dictionary cycle_anchor."""

    FIXED = 1, label("固定周期", "Fixed cycle")
    COMPLETION = 2, label("完成后起算", "From completion")


class DueState(models.IntegerChoices):
    """How near maintenance is, numbered as the dictionary due_state."""

    NOT_DUE = 1, label("未到", "Not due")
    NEAR = 2, label("临近", "Near")
    DUE = 3, label("到期", "Due")
    OVERDUE = 4, label("逾期", "Overdue")
