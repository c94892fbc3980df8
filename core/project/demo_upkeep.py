"""Maintenance standards of the demo plants with the assets that they plan, made under the rules that people work under.

Cycles and items are believable samples for a demonstration, and no engineering advice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from core.equipment.models import Machine, MachineClass
from core.identity.models import Team
from core.inspection.views import StandardViewSet
from core.kernel.actor import Actor, acting
from core.project.demo_inspection import Item, _look, _number, _plain, keep

DAY, WEEK, MONTH, QUARTER, YEAR = 1, 2, 3, 4, 5
_TEXT, _PHOTO, _METER = 4, 5, 6
_MECHANICS, _ELECTRICIANS = "机修班", "电修班"
_LOCK = "停机、断电、上锁挂牌；确认无残余压力和旋转"


@dataclass(frozen=True)
class Upkeep:
    """A maintenance standard: its cycle, and by asset in how many days, or after how many hours, it is due next."""

    code: str
    name: str
    kind: str
    level: int
    cycle: Mapping[str, Any]
    due: Mapping[str, int]
    items: Sequence[Item]
    minutes: int
    team: str = _MECHANICS
    hours: Mapping[str, int] | None = None
    more: Mapping[str, Any] | None = None


def _by_date(value: int, unit: int, **more: Any) -> Mapping[str, Any]:
    return {"triggerType": 1, "cycleValue": value, "cycleUnit": unit, **more}


def _do(name: str, standard: str = "") -> Item:
    """Work that is done, and recorded in a word."""
    return _plain(_TEXT, name, standardText=standard, abnormalAction=0, required=0)


STANDARDS: Sequence[Upkeep] = (
    Upkeep("BY-CNC1", "CNC 一级保养", "JC", 2, _by_date(1, MONTH), {
        "JJ-CNC-001": 1, "JJ-CNC-002": 4, "JJ-CNC-003": 8, "JJ-TC-001": 12, "JJ-VMC-001": 2, "JJ-HMC-001": 16,
    }, (
        _do("清理铁屑和冷却箱"), _look("导轨刮屑板", "无破损"), _look("皮带张紧", "按压10 mm"),
        _number("液压压力", "MPa", 1, 3.0, 3.2, 4.8, 5.0, abnormalAction=2), _do("更换冷却液过滤棉"),
    ), 120, more={"safety": _LOCK, "tools": "吸尘器、张力计、扳手"}),
    Upkeep("BY-CNC2", "CNC 二级保养", "JC", 3, {
        "triggerType": 3, "cycleValue": 6, "cycleUnit": MONTH, "runInterval": 2000,
    }, {"JJ-CNC-001": 75, "JJ-VMC-001": 20, "JJ-HMC-001": 110}, (
        _number("主轴径向跳动", "mm", 3, None, None, 0.008, 0.012, abnormalAction=2),
        _number("X轴反向间隙", "mm", 3, None, None, 0.010, 0.020, abnormalAction=1), _do("更换液压油和滤芯"),
        _look("电气柜风扇和滤网", "清洁，运转正常"), _plain(_METER, "运行小时", unit="h"),
    ), 480, hours={"JJ-CNC-001": 900, "JJ-VMC-001": 120, "JJ-HMC-001": 1500},
        more={"safety": _LOCK, "peopleCount": 2, "needSign": 1}),
    Upkeep("BY-ZZRH", "主轴润滑", "JC", 5, _by_date(2, WEEK), {
        "JJ-CNC-001": 2, "JJ-CNC-002": 3, "JJ-TC-001": 6, "JJ-VMC-001": 9, "JJ-GMC-001": 10,
    }, (_do("加注主轴润滑脂", "每点2–3 g"), _look("油管接头", "无渗漏")), 30,
        more={"needCheck": 0, "needStop": 0, "leadDays": 2}),
    Upkeep("BY-KYJ1", "空压机 换油换滤", "DL-CA-AC", 3, {"triggerType": 2, "runInterval": 2000}, {}, (
        _do("更换润滑油", "20 L"), _do("更换油滤、空滤"), _look("管路接头", "无渗漏"),
        _number("排气温度", "℃", 0, None, None, 100, 105, abnormalAction=2), _plain(_METER, "运行小时", unit="h"),
    ), 240, _ELECTRICIANS, hours={"DL-AC-001": 60, "DL-AC-002": 700}, more={"safety": _LOCK, "leadHours": 100}),
    Upkeep("BY-KYJ2", "空压机 油分芯", "DL-CA-AC", 3, {
        "triggerType": 3, "cycleValue": 1, "cycleUnit": YEAR, "runInterval": 4000,
    }, {"DL-AC-001": 150, "DL-AC-002": 40}, (
        _do("更换油分芯"), _number("油气分离压差", "MPa", 3, None, None, 0.080, 0.100, abnormalAction=2),
    ), 180, _ELECTRICIANS, hours={"DL-AC-001": 1600, "DL-AC-002": 2300}, more={"safety": _LOCK}),
    Upkeep("BY-GZJ", "干燥机清洗", "DL-CA-RD", 2, _by_date(3, MONTH), {"DL-RD-001": 5}, (
        _do("清洗冷凝器"), _look("自动排水器", "动作正常"),
        _number("露点温度", "℃", 0, None, None, 8, 10, abnormalAction=1),
    ), 90, _ELECTRICIANS),
    Upkeep("BY-LC", "中频炉 炉衬检查", "ZZ-IF", 2, _by_date(7, DAY), {"ZZ-IF-001": 1, "ZZ-IF-002": 4}, (
        _number("炉衬剩余厚度", "mm", 0, 60, 75, None, None, abnormalAction=2, repairUrgency=1),
        _look("炉口和浇口", "无裂纹"), _plain(_PHOTO, "炉衬照片", needPhoto=1, abnormalAction=0),
    ), 60, _ELECTRICIANS, more={"safety": "断电，炉温低于60℃后进入", "leadDays": 1}),
    Upkeep("BY-XHB", "循环泵 轴承润滑", "DL-WA-WP", 5, {"triggerType": 2, "runInterval": 500}, {}, (
        _do("加注轴承润滑脂"), _number("轴承振动速度", "mm/s", 1, None, None, 4.5, 7.1, abnormalAction=2),
    ), 30, hours={"DL-WP-001": 40, "DL-WP-002": 260}, more={"needCheck": 0, "needStop": 0, "leadHours": 48}),
    Upkeep("BY-CC", "除尘布袋检查", "ZZ-DC", 2, _by_date(1, MONTH), {"ZZ-DC-001": 9}, (
        _look("布袋破损", "无破损"), _number("进出口压差", "Pa", 0, None, None, 1500, 1800, abnormalAction=1),
    ), 90, more={"safety": "停机断电，佩戴防尘面具"}),
    Upkeep("BY-GL", "锅炉月度保养", "DL-BL", 2, _by_date(1, MONTH, anchor=1), {"DL-BL-001": 6}, (
        _look("安全阀手动排放", "动作灵活"), _look("水位计冲洗", "清晰"), _do("清洗燃烧器点火电极"),
        _number("炉水pH", "", 1, 9.0, 9.5, 11.5, 12.0, abnormalAction=1),
    ), 180, more={"safety": _LOCK, "needSign": 1}),
    Upkeep("BY-BYQ", "变压器年度预试", "DL-EL", 6, _by_date(1, YEAR, anchor=1), {"DL-TR-001": 25}, (
        _number("绝缘电阻", "MΩ", 0, 1000, 1500, None, None, abnormalAction=2),
        _number("直流电阻不平衡", "%", 1, None, None, 1.5, 2.0, abnormalAction=1),
        _plain(_PHOTO, "试验报告", needPhoto=1, abnormalAction=0),
    ), 360, _ELECTRICIANS, more={"safety": "停电、验电、接地、挂牌", "peopleCount": 2, "leadDays": 14}),
    Upkeep("BY-QZJ", "起重机 一级保养", "QZ-CR", 2, _by_date(1, MONTH), {"ZZ-BC-001": 3, "ZP-JC-001": 13}, (
        _number("钢丝绳断丝数", "根", 0, None, None, 6, 10, abnormalAction=2), _look("限位动作", "灵敏可靠"),
        _number("制动器间隙", "mm", 1, None, None, 1.0, 1.5, abnormalAction=1), _do("减速机补油"),
    ), 120, more={"safety": "断开主电源、挂牌，设置地面警戒"}),
    Upkeep("BY-YLB", "压力表检定", "DL", 6, _by_date(6, MONTH, anchor=1), {
        "DL-AT-001": 18, "DL-BL-001": 18, "DL-AC-001": 19,
    }, (
        _look("示值误差", "在允许误差内"), _plain(_PHOTO, "检定标签", needPhoto=1, abnormalAction=0),
    ), 45, _ELECTRICIANS,
        more={"needStop": 0, "leadDays": 10}),
    Upkeep("BY-XF", "消防设施检查", "DL", 2, _by_date(1, MONTH, anchor=1), {"DL-HV-001": 7, "TZ-SB-001": 7}, (
        _look("灭火器压力", "指针在绿区"), _look("应急照明", "断电能点亮"), _look("消防通道", "畅通"),
    ), 40, _ELECTRICIANS, more={"needStop": 0}),
)  # fmt: skip
"""As section 5 of domain.md has them."""


def standards(actor: Actor, now: datetime) -> None:
    """Make the standards of the actor's company, which has assets, classes and teams; `now` is the installation."""
    day = now.astimezone(timezone.get_default_timezone()).date()
    with acting(actor):
        classes = dict(MachineClass.objects.values_list("type_code", "pk"))
        machines = {one.machine_code: one for one in Machine.objects.all()}
        teams = dict(Team.objects.values_list("team_name", "pk"))
        for one in STANDARDS:
            rows = []
            for code in dict.fromkeys((*one.due, *(one.hours or {}))):
                machine, row = machines[code], {"machineId": machines[code].pk}
                if code in one.due:
                    row["firstDueDate"] = str(day + timedelta(days=one.due[code]))
                if one.hours and code in one.hours:
                    ahead = machine.run_hours + Decimal(one.hours[code])
                    row["firstDueHours"] = str(ahead.quantize(Decimal(1)))
                rows.append(row)
            body = {
                "configType": 2, "configCode": one.code, "configName": one.name, "typeId": classes[one.kind],
                "level": one.level, **one.cycle, "estMinutes": one.minutes, "teamId": teams[one.team],
                "items": list(one.items), "machines": rows, **(one.more or {}),
            }  # fmt: skip
            keep(StandardViewSet, actor, body)
