"""Tables of task rules, of inspection tasks with their points and results, and of what was made in the background."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from core.equipment.models import Machine, Stoppage
from core.inspection.models import OrderMode, Route, RoutePoint, ScanMode, StoredItems, ValueType
from core.kernel import clock
from core.kernel.models import AuditedModel, DictionaryField, TenantModel, unique_in_tenant
from core.kernel.stored_files import StoredFiles
from core.kernel.texts import label
from core.shifts.models import Plan, Shift, ShiftTeam


class Frequency(models.IntegerChoices):
    """How often a rule makes a task, numbered as the dictionary inspect_freq."""

    EACH_SHIFT = 1, label("每班一次", "Once a shift")
    TIMES_A_SHIFT = 2, label("每班多次", "Several times a shift")
    EVERY_HOURS = 3, label("每N小时", "Every N hours")
    DAILY = 4, label("每天", "Daily")
    WEEKLY = 5, label("每周", "Weekly")
    MONTHLY = 6, label("每月", "Monthly")
    EVERY_DAYS = 7, label("每N天", "Every N days")
    NTH_WEEKDAY = 8, label("每月第N个星期X", "Nth weekday of a month")


OF_SHIFTS = (Frequency.EACH_SHIFT, Frequency.TIMES_A_SHIFT, Frequency.EVERY_HOURS)
OF_DATES = (Frequency.WEEKLY, Frequency.MONTHLY, Frequency.EVERY_DAYS, Frequency.NTH_WEEKDAY)


class AssignMode(models.IntegerChoices):
    """Who does a task, numbered as the dictionary assign_mode."""

    TEAM_CLAIMS = 1, label("班组抢单", "Team claims")
    NAMED = 2, label("指定人员", "Named people")
    IN_TURN = 3, label("轮流", "In turn")


class TaskSource(models.IntegerChoices):
    """Where a task comes from, numbered as the dictionary inspect_source."""

    PLAN = 1, label("排班生成", "From the plan")
    BY_HAND = 2, label("手工", "By hand")


class OrderStatus(models.IntegerChoices):
    """State of a task, numbered as the dictionary inspect_order_status; `life.py` alone assigns it."""

    TODO = 1, label("待巡检", "To do")
    IN_PROGRESS = 2, label("巡检中", "In progress")
    DONE = 3, label("已完成", "Done")
    MISSED = 4, label("漏检", "Missed")
    EXEMPT = 5, label("免检", "Exempt")
    VOID = 6, label("已作废", "Void")


OPEN = (OrderStatus.TODO, OrderStatus.IN_PROGRESS)


class DetailStatus(models.IntegerChoices):
    """State of a point of a task, numbered as the dictionary inspect_detail_status."""

    TODO = 1, label("待检", "To inspect")
    CHECKED = 2, label("已检", "Checked")
    MISSED = 3, label("漏检", "Missed")
    EXEMPT = 4, label("免检", "Exempt")
    SKIPPED = 5, label("跳过", "Skipped")


class Finding(models.IntegerChoices):
    """What was found at an item, numbered as the dictionary inspect_result; the worst is that of point and task."""

    NORMAL = 1, label("正常", "Normal")
    WARNING = 2, label("预警", "Warning")
    ABNORMAL = 3, label("异常", "Abnormal")
    NOT_APPLICABLE = 4, label("不适用", "N/A")


class MakingState(models.IntegerChoices):
    """How far the making of tasks in the background is."""

    RUNNING = 1, label("进行中", "Running")
    DONE = 2, label("已完成", "Done")
    FAILED = 3, label("失败", "Failed")


class ForecastLimit(models.IntegerChoices):
    """Which limit of an item a forecast is about."""

    LOWER = 1, label("下限", "Lower limit")
    WARN_LOWER = 2, label("预警下限", "Lower warning")
    WARN_UPPER = 3, label("预警上限", "Upper warning")
    UPPER = 4, label("上限", "Upper limit")


class ForecastStatus(models.IntegerChoices):
    """What has become of a forecast."""

    IN_FORCE = 1, label("有效", "In force")
    SET_ASIDE = 2, label("已搁置", "Set aside")
    ENDED = 3, label("已结束", "Ended")


def _whole(zh: str, en: str, least: int, most: int, **given: Any) -> models.IntegerField:  # type: ignore[type-arg]
    return models.IntegerField(label(zh, en), validators=[MinValueValidator(least), MaxValueValidator(most)], **given)


def _person(zh: str, en: str) -> models.ForeignKey:  # type: ignore[type-arg]
    return models.ForeignKey(
        "identity.User", models.PROTECT, null=True, blank=True, editable=False, related_name="+",
        verbose_name=label(zh, en),
    )  # fmt: skip


def _count(zh: str, en: str) -> models.IntegerField:  # type: ignore[type-arg]
    return models.IntegerField(label(zh, en), default=0, editable=False)


def _text(zh: str, en: str, most: int = 200, **given: Any) -> models.CharField:  # type: ignore[type-arg]
    return models.CharField(label(zh, en), max_length=most, blank=True, default="", **given)


class TaskRule(AuditedModel):
    """When a route of a shift plan is inspected, and by whom."""

    may_lose = ("inspectorder.rule",)

    config = models.ForeignKey(Plan, models.PROTECT, related_name="+", verbose_name=label("排班方案", "Shift plan"))
    rule_name = models.CharField(label("规则名称", "Rule"), max_length=60)
    group = models.ForeignKey(
        Route, models.PROTECT, related_name="+", verbose_name=label("点检路线", "Inspection route")
    )
    frequency = models.IntegerField(
        label("巡检频次", "Frequency"), choices=Frequency.choices, default=Frequency.EACH_SHIFT
    )
    times_per_shift = _whole("每班次数", "Times a shift", 2, 12, default=2)
    every_hours = _whole("间隔小时", "Every (hours)", 1, 12, default=2)
    shift_nos = models.JSONField(label("班次", "Shifts"), default=list, blank=True)
    """Numbers of the shifts; empty for all of them, or for the whole business day."""
    week_days = _text("星期", "Days of the week", 20)
    """Numbers joined by commas, 1 for Monday."""
    every_weeks = _whole("间隔周数", "Every (weeks)", 1, 8, default=1)
    month_days = _text("日期", "Days of the month", 80)
    """Numbers joined by commas, -1 for the last day."""
    every_days = _whole("间隔天数", "Every (days)", 1, 366, default=1)
    nth = _whole("第几个", "Which one", -1, 5, default=1)
    """Of the weekday in the month, -1 for the last one."""
    week_day = _whole("星期几", "Weekday", 1, 7, default=1)
    start_offset = _whole("开始偏移(分钟)", "Start offset (min)", 0, 1440, default=0)
    duration = _whole("任务时长(分钟)", "Duration (min)", 1, 1440, null=True, blank=True)
    """Empty: until the end of the shift, or of its part."""
    window_days = _whole("可执行天数", "Days to do it in", 1, 31, default=1)
    ahead_minutes = _whole("可提前(分钟)", "May start early (min)", 0, 240, default=30)
    grace_minutes = _whole("宽限(分钟)", "Grace (min)", 0, 720, default=30)
    skip_holiday = models.BooleanField(label("节假日不生成", "Not on holidays"), default=False)
    assign_mode = models.IntegerField(
        label("派工方式", "Assignment"), choices=AssignMode.choices, default=AssignMode.TEAM_CLAIMS
    )
    user_ids = models.JSONField(label("人员", "People"), default=list, blank=True)
    startup_check = models.BooleanField(label("开机点检", "Start-up check"), default=False)
    """Whether one more task is made when a critical asset of the route restarts after a long stoppage."""
    start_date = models.DateField(label("开始日期", "Start date"), null=True, blank=True)
    end_date = models.DateField(label("结束日期", "End date"), null=True, blank=True)
    enabled = models.BooleanField(label("是否启用", "Enabled"), default=True)

    class Meta(AuditedModel.Meta):
        verbose_name = label("任务规则", "Task rule")
        constraints = [unique_in_tenant("config", "rule_name", name="task_rule_name_once")]
        indexes = [
            models.Index(fields=["tenant_id", "config", "id"]),
            models.Index(fields=["tenant_id", "group"]),
            models.Index(fields=["tenant_id", "-create_time", "-id"]),
        ]

    def __str__(self) -> str:
        return self.rule_name


def _listed(*columns: str, name: str) -> models.Index:
    """Return an index of the rows that a list shows: with these columns it is counted without reading a row."""
    return models.Index(fields=["tenant_id", *columns], condition=models.Q(is_deleted=False), name=name)


class PointSnapshot(AuditedModel):
    """A point as it was when a task was made: all tasks made while it stayed so share the row."""

    insert_only = True

    point = models.ForeignKey(RoutePoint, models.PROTECT, related_name="+")
    digest = models.CharField(max_length=64)
    point_name = models.CharField(label("点位名称", "Point name"), max_length=80)
    machine_name = models.CharField(label("设备名称", "Asset"), max_length=80)
    location = models.CharField(label("位置", "Location"), max_length=120, blank=True, default="")
    scan_mode = models.IntegerField(label("扫码方式", "Scan"), choices=ScanMode.choices)
    lng = models.DecimalField(max_digits=10, decimal_places=6, null=True)
    lat = models.DecimalField(max_digits=10, decimal_places=6, null=True)
    radius = models.IntegerField(default=0)
    photo_required = models.BooleanField(default=False)
    min_seconds = models.IntegerField(default=0)
    stop_check = models.BooleanField(default=True)
    items = StoredItems(label("检查项", "Check items"), default=list)

    class Meta(AuditedModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "point", "digest"], name="point_snapshot_once")]


class InspectOrder(AuditedModel):
    """An inspection task: one run along a route within a window of time."""

    may_lose = ("inspectorderdetail.order", "inspectcandidate.order")

    order_no = models.CharField(label("任务单号", "Task no."), max_length=20, editable=False)
    source = models.IntegerField(
        label("来源", "Source"), choices=TaskSource.choices, default=TaskSource.BY_HAND, editable=False
    )
    rule = models.ForeignKey(
        TaskRule, models.PROTECT, null=True, editable=False, related_name="+", verbose_name=label("任务规则", "Rule")
    )
    config = models.ForeignKey(
        Plan, models.PROTECT, null=True, editable=False, related_name="+",
        verbose_name=label("排班方案", "Shift plan"),
    )  # fmt: skip
    group = models.ForeignKey(
        Route, models.PROTECT, related_name="+", verbose_name=label("点检路线", "Inspection route")
    )
    group_name = models.CharField(label("路线名称", "Route"), max_length=60, editable=False)
    group_type = DictionaryField(
        label("路线类型", "Route type"), dictionary="inspect_group_type", default=1, editable=False
    )
    order_mode = models.IntegerField(choices=OrderMode.choices, default=OrderMode.ANY, editable=False)
    business_date = models.DateField(label("业务日期", "Business date"), editable=False)
    shift = models.ForeignKey(
        Shift, models.PROTECT, null=True, editable=False, related_name="+", verbose_name=label("班次", "Shift")
    )
    shift_name = models.CharField(label("班次", "Shift"), max_length=20, blank=True, default="", editable=False)
    plan_start = models.DateTimeField(label("计划开始", "Planned start"))
    plan_end = models.DateTimeField(label("计划结束", "Planned end"))
    open_time = models.DateTimeField(editable=False)
    """From when on it may be started."""
    deadline = models.DateTimeField(label("截止时间", "Due time"), editable=False)
    team = models.ForeignKey(
        ShiftTeam, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=label("班组", "Team")
    )
    assign_mode = models.IntegerField(choices=AssignMode.choices, default=AssignMode.NAMED, editable=False)
    executor = _person("执行人", "Inspector")
    start_time = models.DateTimeField(label("开始时间", "Started"), null=True, editable=False)
    finish_time = models.DateTimeField(label("完成时间", "Finished"), null=True, editable=False)
    status = models.SmallIntegerField(
        label("状态", "Status"), choices=OrderStatus.choices, default=OrderStatus.TODO, editable=False
    )
    result = models.SmallIntegerField(label("结果", "Result"), choices=Finding.choices, null=True, editable=False)
    point_total = _count("点位数", "Points")
    point_done = _count("已检点位", "Points checked")
    point_skipped = _count("跳过点位", "Points skipped")
    point_missed = _count("漏检点位", "Points missed")
    point_exempt = _count("免检点位", "Points exempt")
    item_total = _count("检查项数", "Items")
    item_done = _count("已检项数", "Items checked")
    abnormal_count = _count("异常数", "Abnormal")
    warn_count = _count("预警数", "Warnings")
    is_late = models.BooleanField(label("超时完成", "Finished late"), default=False, editable=False)
    is_suspect = models.BooleanField(label("可疑", "Suspect"), default=False, editable=False)
    suspect_reasons = models.JSONField(default=list, editable=False)
    """Of each mark its `code`, and what its sentence names."""
    is_supplement = models.BooleanField(label("补传", "Uploaded late"), default=False, editable=False)
    miss_reason = _text("漏检原因", "Reason for the miss", editable=False)
    miss_user = _person("原因填写人", "Reason given by")
    miss_time = models.DateTimeField(label("漏检时间", "Missed"), null=True, editable=False)
    check_user = _person("审核人", "Reviewed by")
    check_time = models.DateTimeField(label("审核时间", "Reviewed"), null=True, editable=False)
    check_remark = _text("审核意见", "Review", editable=False)
    void_reason = _text("作废原因", "Reason for voiding", editable=False)
    exempt_reason = _text("免检原因", "Reason for the exemption", editable=False)
    # Null where there is none: a key is unique, and nulls differ from each other.
    gen_key = models.CharField(max_length=80, null=True, editable=False)  # noqa: DJ001
    """Of a task made by a rule which of its occurrences it is: rule, business date, shift and number."""
    is_reminded = models.BooleanField(default=False, editable=False)
    remark = _text("备注", "Remark", 255)

    class Meta(AuditedModel.Meta):
        verbose_name = label("点检任务", "Inspection task")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "gen_key"], name="inspect_order_key_once"),
            models.UniqueConstraint(fields=["tenant_id", "order_no"], name="inspect_order_no_once"),
            models.CheckConstraint(
                condition=models.Q(plan_end__gt=models.F("plan_start")), name="inspect_order_ends_after_start"
            ),
            models.CheckConstraint(condition=models.Q(status__gte=1, status__lte=6), name="inspect_order_status"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "status", "deadline"]),
            # With what a word is looked for in, so that neither counting nor searching reads the rows.
            _listed("-plan_start", "-id", "order_no", "group_name", name="inspect_order_list"),
            _listed("status", "-plan_start", "-id", name="inspect_order_status_list"),
            models.Index(fields=["tenant_id", "-create_time", "-id"]),
            models.Index(fields=["tenant_id", "business_date", "group"]),
            models.Index(fields=["tenant_id", "group", "-plan_start"]),
            models.Index(fields=["tenant_id", "rule", "business_date"]),
            models.Index(fields=["tenant_id", "executor", "-plan_start"]),
        ]

    def __str__(self) -> str:
        return self.order_no

    def remove(self) -> None:
        """Remove the task softly, and its points with it; nobody has begun it, so that it has no results."""
        super().remove()
        self.details.update(is_deleted=True)


class InspectCandidate(TenantModel):
    """Somebody who may do a task."""

    order = models.ForeignKey(InspectOrder, models.CASCADE, related_name="candidates")
    user = models.ForeignKey("identity.User", models.CASCADE, related_name="+")

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user", "order"], name="inspect_candidate_once")]


class InspectOrderDetail(AuditedModel):
    """A point of a task."""

    may_lose = ("inspectorderrecord.detail",)

    order = models.ForeignKey(
        InspectOrder, models.CASCADE, related_name="details", verbose_name=label("点检任务", "Inspection task")
    )
    point = models.ForeignKey(
        RoutePoint, models.PROTECT, related_name="+", verbose_name=label("点检点位", "Inspection point")
    )
    snapshot = models.ForeignKey(PointSnapshot, models.PROTECT, related_name="+")
    machine = models.ForeignKey(Machine, models.PROTECT, related_name="+", verbose_name=label("设备", "Asset"))
    sort = models.IntegerField(label("序号", "No."), default=0)
    status = models.SmallIntegerField(label("状态", "Status"), choices=DetailStatus.choices, default=DetailStatus.TODO)
    result = models.SmallIntegerField(label("结果", "Result"), choices=Finding.choices, null=True)
    skip_reason = _text("跳过原因", "Reason for skipping")
    scan_code = _text("扫码内容", "Scanned code", 64)
    scan_time = models.DateTimeField(label("扫码时间", "Scanned"), null=True)
    scan_ok = models.BooleanField(label("扫码通过", "Scan matched"), default=False)
    """Whether what was scanned is a plate of the point or of its asset."""
    no_scan_reason = _text("未扫码原因", "Why not scanned")
    """Of a point that was opened by hand, its plate being damaged or gone."""
    lng = models.DecimalField(label("经度", "Longitude"), max_digits=10, decimal_places=6, null=True)
    lat = models.DecimalField(label("纬度", "Latitude"), max_digits=10, decimal_places=6, null=True)
    distance = models.IntegerField(label("距离(米)", "Distance (m)"), null=True)
    start_time = models.DateTimeField(label("到位时间", "Arrived"), null=True)
    client_time = models.DateTimeField(label("检查时间", "Checked"), null=True)
    """By the clock of the phone or the desk, at which the point was checked."""
    submit_time = models.DateTimeField(label("提交时间", "Submitted"), null=True)
    client_id = models.CharField(max_length=36, null=True)  # noqa: DJ001  # unique, and nulls differ from each other
    """Made by whoever submits, one for each submission: sent twice, it changes nothing the second time."""
    user = _person("检查人", "Checked by")
    images = StoredFiles(label("照片", "Photos"), default=list)
    remark = _text("备注", "Remark", 255)
    repair_order_id = models.BigIntegerField(label("维修工单", "Work order"), null=True)
    abnormal_count = models.IntegerField(label("异常数", "Abnormal"), default=0)
    rest = models.ForeignKey(
        Stoppage,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=label("停机记录", "Stoppage"),
    )
    """Because of which the point is exempt."""
    answer = models.JSONField(null=True)
    """What the submission was answered, for the same one again."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("任务点位", "Point of a task")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "client_id"], name="inspect_submission_once"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "order", "sort"]),
            _listed("-create_time", "-id", name="inspect_detail_list"),
            _listed("machine", "-create_time", "-id", name="inspect_detail_machine_list"),
            _listed("point", "-submit_time", name="inspect_detail_point_times"),
            _listed("machine", "-submit_time", name="inspect_detail_machine_times"),
            # Of the points of an asset those that wait: few beside those of a year.
            models.Index(
                fields=["tenant_id", "machine", "order"],
                name="inspect_detail_machine_todo",
                condition=models.Q(is_deleted=False, status=DetailStatus.TODO),
            ),
        ]

    def __str__(self) -> str:
        return self.snapshot.point_name


class InspectOrderRecord(AuditedModel):
    """What was entered for a check item, and what the server says of it."""

    order = models.ForeignKey(
        InspectOrder, models.CASCADE, related_name="records", verbose_name=label("点检任务", "Inspection task")
    )
    detail = models.ForeignKey(InspectOrderDetail, models.CASCADE, related_name="records")
    point = models.ForeignKey(
        RoutePoint, models.PROTECT, related_name="+", verbose_name=label("点检点位", "Inspection point")
    )
    machine = models.ForeignKey(Machine, models.PROTECT, related_name="+", verbose_name=label("设备", "Asset"))
    item_id = models.CharField(label("检查项标识", "Item id"), max_length=16)
    item_name = models.CharField(label("检查项", "Check item"), max_length=80)
    part = _text("部位", "Component", 60)
    value_type = models.IntegerField(label("结果类型", "Value type"), choices=ValueType.choices)
    unit = _text("单位", "Unit", 16)
    decimals = models.IntegerField(label("小数位", "Decimals"), default=1)
    lower = models.DecimalField(label("下限", "Lower limit"), max_digits=14, decimal_places=4, null=True)
    warn_lower = models.DecimalField(label("预警下限", "Lower warning"), max_digits=14, decimal_places=4, null=True)
    warn_upper = models.DecimalField(label("预警上限", "Upper warning"), max_digits=14, decimal_places=4, null=True)
    upper = models.DecimalField(label("上限", "Upper limit"), max_digits=14, decimal_places=4, null=True)
    words = models.JSONField(default=dict)
    """Of a choice its option, of pass and fail the two words: in both languages as the item has them."""
    value = _text("值", "Value", 500)
    num_value = models.DecimalField(label("数值", "Number"), max_digits=14, decimal_places=4, null=True)
    result = models.SmallIntegerField(label("结果", "Result"), choices=Finding.choices)
    images = StoredFiles(label("照片", "Photos"), default=list)
    remark = _text("备注", "Remark", 255)
    repair_order_id = models.BigIntegerField(label("维修工单", "Work order"), null=True)
    false_alarm = models.BooleanField(label("误报", "False alarm"), default=False)
    check_time = models.DateTimeField(label("检查时间", "Checked"), default=clock.now)
    user = _person("检查人", "Checked by")

    class Meta(AuditedModel.Meta):
        verbose_name = label("检查结果", "Result of a check item")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "detail", "item_id"], name="inspect_record_once"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "order"]),
            models.Index(fields=["tenant_id", "repair_order_id"]),
            _listed("-check_time", "-id", name="inspect_record_list"),
            _listed("result", "-check_time", "-id", name="inspect_record_result_list"),
            _listed("item_id", "-check_time", "-id", name="inspect_record_item_list"),
            _listed("point", "item_id", "-check_time", name="inspect_record_point_list"),
            _listed("machine", "item_id", "-check_time", name="inspect_record_machine_list"),
        ]

    def __str__(self) -> str:
        return self.item_name


class InspectPhoto(TenantModel):
    """The digest of a photo of a task: the same photo at another task is suspect."""

    order = models.ForeignKey(InspectOrder, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant_id", "digest"])]


class InspectForecast(AuditedModel):
    """When a check item will cross its nearer limit by the trend of its readings; one row for an item of a point.

    `forecasting.py` alone writes it: every night it is made, made anew or ended.
    """

    point = models.ForeignKey(
        RoutePoint, models.PROTECT, related_name="+", editable=False, verbose_name=label("点检点位", "Inspection point")
    )
    machine = models.ForeignKey(
        Machine, models.PROTECT, related_name="+", editable=False, verbose_name=label("设备", "Asset")
    )
    item_id = models.CharField(label("检查项标识", "Item id"), max_length=16, editable=False)
    item_name = models.CharField(label("检查项", "Check item"), max_length=80, editable=False)
    unit = _text("单位", "Unit", 16, editable=False)
    decimals = models.IntegerField(label("小数位", "Decimals"), default=1, editable=False)
    limit_kind = models.SmallIntegerField(label("界限", "Limit"), choices=ForecastLimit.choices, editable=False)
    limit_value = models.DecimalField(label("界限值", "Limit value"), max_digits=14, decimal_places=4, editable=False)
    crosses_on = models.DateField(label("预计超限日", "Crosses on"), editable=False)
    earliest = models.DateField(label("最早", "Earliest"), editable=False)
    latest = models.DateField(label("最晚", "Latest"), editable=False)
    slope_per_day = models.DecimalField(
        label("每日变化", "Change a day"), max_digits=20, decimal_places=8, editable=False
    )
    level = models.DecimalField(label("当前水平", "Level"), max_digits=16, decimal_places=4, editable=False)
    as_of = models.DateField(label("最近读数日", "Last reading"), editable=False)
    since = models.DateField(label("趋势起始日", "Trend since"), editable=False)
    readings = models.IntegerField(label("读数个数", "Readings"), editable=False)
    recent = models.JSONField(default=list, editable=False)
    """Medians of the last days with a reading, each its `day` and `value`: what a list draws."""
    status = models.SmallIntegerField(
        label("状态", "Status"), choices=ForecastStatus.choices, default=ForecastStatus.IN_FORCE, editable=False
    )
    dismiss_user = _person("搁置人", "Set aside by")
    dismiss_time = models.DateTimeField(label("搁置时间", "Set aside"), null=True, editable=False)
    dismiss_reason = _text("搁置原因", "Reason", editable=False)
    dismiss_until = models.DateField(label("搁置至", "Until"), null=True, editable=False)
    dismissed_day = models.DateField(null=True, editable=False)
    """On which day it was to cross when it was set aside: it comes back where that gets earlier."""
    end_time = models.DateTimeField(label("结束时间", "Ended"), null=True, editable=False)

    class Meta(AuditedModel.Meta):
        verbose_name = label("超限预测", "Forecast")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "point", "item_id"], name="inspect_forecast_once"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "status", "crosses_on", "id"]),
            models.Index(fields=["tenant_id", "crosses_on", "id"]),
            models.Index(fields=["tenant_id", "machine", "crosses_on"]),
            models.Index(fields=["tenant_id", "-create_time", "-id"]),
        ]

    def __str__(self) -> str:
        return self.item_name


class TaskRun(TenantModel):
    """Tasks that are made in the background, some at a time; whatever is made stays, and is not made again."""

    config = models.ForeignKey(Plan, models.CASCADE, related_name="+")
    user_id = models.BigIntegerField()
    rule_ids = models.JSONField(default=list)
    first = models.DateField()
    last = models.DateField()
    state = models.SmallIntegerField(choices=MakingState.choices, default=MakingState.RUNNING)
    total = models.IntegerField(default=0)
    done = models.IntegerField(default=0)
    created = models.IntegerField(default=0)
    reason = models.CharField(max_length=500, blank=True, default="")
    create_time = models.DateTimeField(default=clock.now)
    end_time = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        verbose_name = label("任务生成", "Making of tasks")
        indexes = [models.Index(fields=["tenant_id", "config", "-id"])]
