"""The shipped dictionaries (domain 3.22), as far as screens use them, and their names by key."""

from __future__ import annotations

from collections.abc import Mapping

from core.system.models import DictionaryEntry

SHIPPED: Mapping[str, tuple[tuple[int, str, str], ...]] = {
    "equip_tag_type": (
        (1, "设备标牌", "Machine plate"),
        (2, "点位标牌", "Point plate"),
        (3, "分类标签", "Class label"),
        (4, "故障现象", "Symptom"),
        (5, "故障原因", "Cause"),
        (6, "处理措施", "Action"),
        (7, "停机原因", "Stop reason"),
    ),
    "machine_node_type": (
        (1, "厂区", "Site"),
        (2, "车间", "Workshop"),
        (3, "产线/区域", "Line/Area"),
        (4, "设备", "Machine"),
        (5, "部件", "Component"),
    ),
    "machine_run_state": (
        (1, "运行", "Running"),
        (2, "待机", "Idle"),
        (3, "故障停机", "Down"),
        (4, "维修中", "Repairing"),
        (5, "保养中", "Maintaining"),
        (6, "停用", "Disabled"),
        (7, "报废", "Scrapped"),
    ),
    "machine_importance": ((1, "A关键", "A Critical"), (2, "B重要", "B Important"), (3, "C一般", "C Ordinary")),
    "repair_source": (
        (1, "人工报修", "Reported by hand"),
        (2, "点检异常", "Inspection finding"),
        (3, "保养发现", "Maintenance finding"),
        (4, "图语记录", "Site note"),
        (5, "扫码匿名", "Anonymous scan"),
        (6, "开放接口", "Open API"),
    ),
    "repair_status": (
        (1, "待派单", "To dispatch"),
        (2, "待接单", "To accept"),
        (3, "维修中", "Repairing"),
        (4, "已挂起", "On hold"),
        (5, "待验收", "To check"),
        (6, "已完成", "Closed"),
        (7, "已取消", "Cancelled"),
    ),
    "repair_urgency": ((1, "特急", "Critical"), (2, "紧急", "Urgent"), (3, "一般", "Normal")),
    "repair_type": (
        (1, "机械", "Mechanical"),
        (2, "电气", "Electrical"),
        (3, "液压气动", "Hydraulic/pneumatic"),
        (4, "仪表自控", "Instrumentation"),
        (5, "其他", "Other"),
    ),
    "repair_work_type": (
        (1, "诊断", "Diagnosis"),
        (2, "维修", "Repair"),
        (3, "换件", "Replacement"),
        (4, "调试", "Adjustment"),
        (5, "外协", "Outsourced"),
        (6, "清理", "Cleaning"),
    ),
    "repair_hang_reason": (
        (1, "待备件", "Waiting for parts"),
        (2, "待外协", "Waiting for a vendor"),
        (3, "待停机窗口", "Waiting for a stop window"),
        (4, "待确认", "Waiting for a decision"),
        (5, "其他", "Other"),
    ),
    "repair_cancel": (
        (1, "误报", "False alarm"),
        (2, "重复", "Duplicate"),
        (3, "已自行恢复", "Recovered by itself"),
        (4, "其他", "Other"),
    ),
    "check_result": ((1, "通过", "Pass"), (2, "不通过", "Fail")),
    "flow": (
        (1, "请假", "Leave"),
        (2, "维修", "Repair"),
        (3, "保养", "Maintenance"),
        (4, "加入审核", "Join review"),
    ),
}
ROUTES = {"flow": {1: "leave", 2: "repair", 3: "maintain", 4: "join"}}


def install() -> None:
    """Write the shipped dictionaries; entries that exist keep their changes."""
    existing = set(DictionaryEntry.objects.values_list("code", "dict_key"))
    DictionaryEntry.objects.bulk_create(
        DictionaryEntry(
            code=code,
            dict_key=str(key),
            dict_value=zh,
            dict_value_en=en,
            sort=place,
            remark=ROUTES.get(code, {}).get(key, ""),
        )
        for code, entries in SHIPPED.items()
        for place, (key, zh, en) in enumerate(entries)
        if (code, str(key)) not in existing
    )
