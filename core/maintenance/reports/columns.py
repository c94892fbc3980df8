"""The columns of the reports on repair, as the screen, the workbook and the PDF show them."""

from __future__ import annotations

from core.kernel.texts import label
from core.rest.tables import Column

PEOPLE = (
    Column("userName", label("维修人员", "Technician"), "text"),
    Column("teamName", label("维修班组", "Repair team"), "text"),
    Column("deptName", label("部门", "Department"), "text"),
    Column("mergedMinutes", label("实际用时", "Time worked"), "minutes"),
    Column("labourMinutes", label("登记工时", "Labor entries"), "minutes"),
    Column("orderCount", label("参与工单", "Work orders")),
    Column("finishCount", label("完工", "Completed")),
    Column("reworkCount", label("返修", "Reworks")),
    Column("firstPassRate", label("一次验收合格率", "First-pass rate"), "percent"),
    Column("avgResponseMinutes", label("平均响应", "Mean response"), "minutes"),
    Column("avgRepairMinutes", label("平均维修", "Mean repair time"), "minutes"),
    Column("nightMinutes", label("夜间用时", "Night work"), "minutes"),
    Column("scheduledMinutes", label("排班时间", "Scheduled"), "minutes"),
    Column("overtimeMinutes", label("班外用时", "Outside shifts"), "minutes"),
    Column("utilization", label("工时利用率", "Utilization"), "percent"),
    Column("labourAmount", label("工时费", "Labor cost"), "money"),
)
_GROUP = {
    "user": label("维修人员", "Technician"),
    "team": label("维修班组", "Repair team"),
    "dept": label("部门", "Department"),
    "machine": label("设备", "Asset"),
    "type": label("维修类别", "Repair type"),
    "symptom": label("故障现象", "Symptom"),
}
_WORK = (
    Column("reported", label("报修", "Reported")),
    Column("dispatched", label("派单", "Dispatched")),
    Column("finished", label("完工", "Completed")),
    Column("checked", label("验收通过", "Verified")),
    Column("open", label("未完成", "Open")),
    Column("overdue", label("超时", "Overdue")),
    Column("reworked", label("返修", "Reworks")),
    Column("repeated", label("重复故障", "Repeat failures")),
    Column("cancelled", label("取消", "Cancelled")),
    Column("labourMinutes", label("登记工时", "Labor entries"), "minutes"),
    Column("share", label("工时占比", "Share of labor"), "percent"),
    Column("avgRepairMinutes", label("平均维修", "Mean repair time"), "minutes"),
    Column("stopMinutes", label("停机时间", "Downtime"), "minutes"),
    Column("spareQuantity", label("领用备件数", "Parts issued"), "quantity"),
    Column("spareAmount", label("备件费", "Spare parts cost"), "money"),
    Column("totalCost", label("总费用", "Total cost"), "money"),
)


def groups(by: str) -> tuple[Column, ...]:
    """Return the columns of work per group."""
    return (Column("name", _GROUP[by], "text"), *_WORK)
