"""Tables of shift plans: their shifts, their teams, and the calendar of which team works which shift."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from core.kernel.models import AuditedModel, TenantModel, unique_in_tenant
from core.kernel.texts import label

MOST_CYCLE_DAYS = 56
MOST_SHIFTS = 8
MOST_TEAMS = 16


class Pattern(models.IntegerChoices):
    """How the teams take turns; numbered as the dictionary shift_pattern."""

    DAY = 1, label("单白班", "Day shift only")
    TWO_TWO = 2, label("两班两运转", "Two shifts, two crews")
    THREE_THREE = 3, label("三班三运转", "Three shifts, three crews")
    FOUR_THREE = 4, label("四班三运转", "Three shifts, four crews")
    FOUR_TWO = 5, label("四班两运转", "Two shifts, four crews")
    CUSTOM = 9, label("自定义", "Custom")


class WorkdayMode(models.IntegerChoices):
    """The days on which the plan's shifts are worked."""

    EVERY_DAY = 1, label("连续", "Every day")
    MONDAY_TO_FRIDAY = 2, label("周一至周五", "Monday to Friday")
    LEGAL = 3, label("法定工作日", "Legal workdays")


class PlanStatus(models.IntegerChoices):
    """Whether the plan's calendar counts."""

    DRAFT = 1, label("草稿", "Draft")
    ENABLED = 2, label("启用", "Enabled")
    DISABLED = 3, label("停用", "Disabled")


class CellSource(models.IntegerChoices):
    """Where a cell of the calendar comes from."""

    PATTERN = 1, label("轮转", "Pattern")
    BY_HAND = 2, label("手工", "By hand")


class Plan(AuditedModel):
    """A shift plan of a department."""

    # Its parts and its calendar stay in the tables when it is removed, and are found through it alone.
    may_lose = ("shift.plan", "shiftteam.plan", "shiftteammember.plan", "cell.plan")

    config_code = models.CharField(label("方案编号", "Plan code"), max_length=40)
    config_name = models.CharField(label("方案名称", "Shift plan"), max_length=60)
    dept = models.ForeignKey(
        "identity.Department", models.PROTECT, related_name="+", verbose_name=label("适用部门", "Department")
    )
    start_date = models.DateField(label("开始日期", "Start date"))
    end_date = models.DateField(label("结束日期", "End date"), null=True, blank=True)
    pattern_type = models.IntegerField(label("倒班方式", "Shift pattern"), choices=Pattern.choices)
    cycle_days = models.IntegerField(
        label("轮转周期(天)", "Cycle (days)"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_CYCLE_DAYS)],
    )
    anchor_date = models.DateField(label("轮转起始日", "First day of the cycle"), null=True, blank=True)
    """Day 0 of the cycle; the start date where nobody says another one."""
    workday_mode = models.IntegerField(
        label("工作日", "Workdays"), choices=WorkdayMode.choices, default=WorkdayMode.EVERY_DAY
    )
    status = models.IntegerField(label("状态", "Status"), choices=PlanStatus.choices, default=PlanStatus.DRAFT)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")
    covered_to = models.DateField(label("已排至", "Scheduled to"), null=True, editable=False)
    """The last day of which the calendar has its cells; null before any has."""
    calendar_version = models.BigIntegerField(default=0, editable=False)
    """The version of the working calendar that the cells were made with, where legal workdays are worked."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("排班方案", "Shift plan")
        constraints = [
            unique_in_tenant("config_code"),
            models.CheckConstraint(
                condition=models.Q(end_date=None) | models.Q(end_date__gte=models.F("start_date")),
                name="plan_ends_after_start",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "dept", "status"]),
            models.Index(fields=["tenant_id", "create_time"]),
        ]

    def __str__(self) -> str:
        return self.config_name


class Shift(AuditedModel):
    """A shift of a plan as it is worked from `valid_from` until the day before `valid_until`.

    A change of an enabled plan ends this row and begins another one, so that the calendar before it stays as it was.
    """

    may_lose = ("cell.shift", "inspectorder.shift")

    plan = models.ForeignKey(Plan, models.CASCADE, related_name="shifts")
    shift_no = models.IntegerField(label("班次号", "Shift no."))
    shift_name = models.CharField(label("班次名称", "Shift"), max_length=20)
    start_time = models.TimeField(label("开始时间", "Start"))
    end_time = models.TimeField(label("结束时间", "End"))
    """On the next day where it is not after the start."""
    breaks = models.JSONField(label("休息时段", "Breaks"), default=list)
    """Of each break `start` and `end`, as `HH:mm`."""
    color = models.CharField(label("颜色", "Color"), max_length=7, blank=True, default="")
    valid_from = models.DateField(null=True)
    valid_until = models.DateField(null=True)

    class Meta(AuditedModel.Meta):
        verbose_name = label("班次", "Shift")
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "plan", "shift_no"],
                condition=models.Q(is_deleted=False, valid_until=None),
                name="shift_no_once",
            )
        ]

    def __str__(self) -> str:
        return self.shift_name


class ShiftTeam(AuditedModel):
    """A team of a plan, with its row of the rotation."""

    may_lose = ("cell.team", "shiftteammember.team", "inspectorder.team")

    plan = models.ForeignKey(Plan, models.CASCADE, related_name="teams")
    team_no = models.IntegerField(label("班组号", "Team no."))
    team_name = models.CharField(label("班组名称", "Team"), max_length=30)
    leader = models.ForeignKey(
        "identity.User", models.PROTECT, related_name="+", verbose_name=label("班组长", "Team leader")
    )
    repair = models.BooleanField(label("维修班组", "Repair team"), default=False)
    rotation = models.JSONField(default=list)
    """The number of the team's shift on each day of the cycle; 0 is a day of rest."""
    user_ids: list[int]
    user_names: list[str]
    """Its members, where it was read by `parts.teams_of`."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("班组", "Team")
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "plan", "team_name"],
                condition=models.Q(is_deleted=False),
                name="shift_team_name_once",
            )
        ]

    def __str__(self) -> str:
        return self.team_name


class ShiftTeamMember(TenantModel):
    """A person's place in a team of a plan; nobody has two in one plan."""

    plan = models.ForeignKey(Plan, models.CASCADE, related_name="+")
    team = models.ForeignKey(ShiftTeam, models.CASCADE, related_name="members")
    user = models.ForeignKey("identity.User", models.CASCADE, related_name="+")
    place = models.IntegerField(default=0)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "plan", "user"], name="shift_team_member_once")]


class Cell(TenantModel):
    """A team's shift on a day, or by hand that nobody works it: then `team` is empty.

    `day` is the business date: the day on which the shift starts.
    """

    plan = models.ForeignKey(Plan, models.CASCADE, related_name="cells")
    day = models.DateField()
    shift = models.ForeignKey(Shift, models.PROTECT, related_name="+")
    team = models.ForeignKey(ShiftTeam, models.PROTECT, null=True, related_name="+")
    user_ids = models.JSONField(default=list)
    """Who works in place of the team's members; empty for these."""
    source = models.IntegerField(choices=CellSource.choices, default=CellSource.PATTERN)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(TenantModel.Meta):
        verbose_name = label("排班", "Schedule")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "plan", "day", "shift", "team"], name="cell_once"),
            models.UniqueConstraint(
                fields=["tenant_id", "plan", "day", "shift"], condition=models.Q(team=None), name="empty_cell_once"
            ),
        ]
        indexes = [models.Index(fields=["tenant_id", "day"])]
