"""Check standards, inspection routes and their points of the demo plants, made under the rules that people work under.

The limits are believable samples for a demonstration, and no engineering advice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from core.equipment.models import Machine, MachineClass, NodeType
from core.identity.models import Department, User
from core.inspection.models import CheckStandard, Route
from core.inspection.views import PointViewSet, RouteViewSet, StandardViewSet
from core.kernel.actor import Actor, acting

NUMBER, PASS_FAIL, CHOICE, TEXT, PHOTO, METER = 1, 2, 3, 4, 5, 6
Item = Mapping[str, Any]


def _number(name: str, unit: str, decimals: int, *limits: float | None, **more: Any) -> Item:
    """A number with its four limits, None for those that it has not."""
    named = dict(zip(("lower", "warnLower", "warnUpper", "upper"), limits, strict=True))
    return {"itemName": name, "valueType": NUMBER, "unit": unit, "decimals": decimals, "method": 4, **named, **more}


def _look(name: str, standard: str = "", **more: Any) -> Item:
    """Something that is right or not."""
    return {"itemName": name, "valueType": PASS_FAIL, "standardText": standard, **more}


def _choose(name: str, *options: tuple[str, str, int], **more: Any) -> Item:
    """One of a few states: in both languages, with what each of them means."""
    named = [{"label": zh, "labelEn": en, "result": result} for zh, en, result in options]
    return {"itemName": name, "valueType": CHOICE, "options": named, **more}


def _plain(kind: int, name: str, **more: Any) -> Item:
    return {"itemName": name, "valueType": kind, **more}


_OIL = _look("油位", "油标上下刻线之间", part="油箱", needPhoto=2)
_NOISE = _look("异响振动", "运转平稳，无异响", method=2, machineState=1)
_TIDY = _look("清洁与防护", "防护罩齐全，无积屑、无漏油")
_EARTH = _look("接地与急停", "接地可靠，急停有效", method=6, importance=1)

_STANDARDS: Mapping[str, tuple[str, str, tuple[Item, ...]]] = {
    "BZ-CNC": ("数控车床日点检", "JC-LA", (
        _look("主轴箱油位", "油标中线以上", part="主轴箱", needPhoto=2),
        _number("液压压力", "MPa", 1, 3.0, 3.2, 4.8, 5.0, part="液压站", machineState=1),
        _number("主轴前轴承温度", "℃", 1, None, None, 60, 70, part="主轴", machineState=1, abnormalAction=2,
                repairUrgency=2, importance=1),
        _choose("导轨润滑", ("充足", "Sufficient", 1), ("偏少", "Low", 2), ("缺油", "Dry", 3), part="导轨", method=3),
        _NOISE,
        _TIDY,
    )),
    "BZ-MC": ("加工中心日点检", "JC-MC", (
        _number("气源压力", "MPa", 2, 0.50, 0.55, 0.70, 0.75, part="气动单元"),
        _number("主轴冷却油温", "℃", 1, None, None, 35, 40, part="油冷机", machineState=1, abnormalAction=2),
        _number("切削液浓度", "%", 1, 4, 5, 10, 12, part="水箱", tips="用折光仪在搅拌后取样测量"),
        _choose("切削液液位", ("正常", "Normal", 1), ("偏低", "Low", 2), ("见底", "Empty", 3), part="水箱"),
        _look("刀库换刀", "换刀到位，无卡滞", part="刀库", method=6, machineState=2),
        _NOISE,
    )),
    "BZ-ZZ": ("主轴点检", "BJ-SP", (
        _number("主轴振动速度", "mm/s", 1, None, None, 2.8, 4.5, machineState=1, importance=1),
        _number("主轴温升", "℃", 1, None, None, 30, 40, machineState=1),
        _look("主轴拉刀", "拉紧、松开正常", method=6, machineState=2),
    )),
    "BZ-JC": ("普通机床周点检", "JC", (
        _OIL, _NOISE, _EARTH, _look("皮带张紧", "按压挠度10～15 mm", method=3, machineState=2), _TIDY,
    )),
    "BZ-IF": ("中频炉安全巡检", "ZZ-IF", (
        _number("冷却水出口温度", "℃", 1, None, None, 50, 55, part="冷却水", abnormalAction=2, repairUrgency=1,
                importance=1),
        _number("冷却水流量", "m³/h", 1, 8.0, 9.0, None, None, part="冷却水", abnormalAction=2, repairUrgency=1,
                importance=1),
        _look("炉衬漏炉报警", "报警装置无报警", part="炉衬", abnormalAction=2, repairUrgency=1, importance=1),
        _number("炉体绝缘电阻", "MΩ", 2, 0.50, 1.00, None, None, part="炉体", machineState=2),
        _look("水冷电缆", "无渗漏、无过热变色", part="水冷电缆"),
        _plain(PHOTO, "炉口照片", needPhoto=1),
    )),
    "BZ-RL": ("热处理炉巡检", "ZZ-RF", (
        _number("炉温偏差", "℃", 0, -15, -10, 10, 15, machineState=1, tips="与仪表设定值之差"),
        _look("热电偶与补偿导线", "接线牢固，无断线", part="热电偶"),
        _look("炉门密封", "无明显漏火", part="炉门"),
        _EARTH,
    )),
    "BZ-QL": ("清理除尘日点检", "ZZ-DC", (
        _number("除尘器压差", "Pa", 0, 300, 500, 1500, 1800, part="布袋"),
        _choose("排放烟色", ("无色", "Clear", 1), ("微灰", "Slightly grey", 2), ("冒灰", "Dusty", 3)),
        _look("卸灰阀", "转动灵活，不漏灰", part="卸灰阀"),
        _NOISE,
    )),
    "BZ-ZP": ("装配线日点检", "ZP-AL", (
        _number("线体气压", "MPa", 2, 0.45, 0.50, 0.70, 0.80),
        _look("输送链条", "张紧适度，润滑良好", part="链条"),
        _look("工装夹具", "定位可靠，无松动", part="夹具"),
        _EARTH,
    )),
    "BZ-YY": ("液压站点检", "BJ-HY", (
        _number("系统压力", "MPa", 1, 12.0, 13.0, 19.0, 20.0, machineState=1),
        _number("油温", "℃", 0, 15, 20, 55, 60, machineState=1),
        _OIL,
        _choose("滤芯压差指示", ("绿", "Green", 1), ("黄", "Yellow", 2), ("红", "Red", 3), part="滤芯"),
        _look("管路接头", "无渗漏", part="管路"),
    )),
    "BZ-SY": ("试验台专业点检", "ZP-TS", (
        _number("压力表零位偏差", "kPa", 1, -2, -1, 1, 2, method=4),
        _number("流量计示值误差", "%", 2, -0.50, -0.30, 0.30, 0.50, importance=1),
        _look("安全阀", "铅封完好，在检定期内", part="安全阀", importance=1),
        _plain(TEXT, "异常情况记录", required=0, abnormalAction=0),
    )),
    "BZ-TZ": ("涂装线日点检", "TZ", (
        _number("固化炉温度", "℃", 0, 160, 170, 190, 200, machineState=1),
        _number("喷淋压力", "MPa", 2, 0.08, 0.10, 0.18, 0.20, machineState=1),
        _look("可燃气体报警器", "指示正常，无报警", importance=1, abnormalAction=2, repairUrgency=1),
        _look("排风机", "运转正常，风量足", method=2),
    )),
    "BZ-KY": ("螺杆空压机巡检", "DL-CA-AC", (
        _number("排气压力", "MPa", 2, 0.60, 0.65, 0.78, 0.80, machineState=1, importance=1),
        _number("排气温度", "℃", 1, None, None, 100, 105, machineState=1, abnormalAction=2, repairUrgency=2,
                importance=1),
        _number("油气分离压差", "MPa", 3, None, None, 0.080, 0.100, part="油分芯", machineState=1),
        _plain(METER, "运行小时", unit="h", decimals=1, abnormalAction=0),
        _look("油位", "视镜1/2以上", part="油分罐", needPhoto=2),
        _look("冷凝水排放", "自动排水正常"),
    )),
    "BZ-BY": ("变压器巡检", "DL-EL", (
        _number("绕组温度", "℃", 0, None, None, 85, 95, importance=1, abnormalAction=2, repairUrgency=1),
        _number("三相电流不平衡", "%", 1, None, None, 10.0, 15.0),
        _look("运行声音", "均匀的嗡嗡声，无放电声", method=2),
        _plain(PHOTO, "柜体照片", needPhoto=1),
    )),
    "BZ-SB": ("离心水泵巡检", "DL-WA-WP", (
        _number("出口压力", "MPa", 2, 0.28, 0.30, 0.45, 0.50, machineState=1),
        _number("轴承振动速度", "mm/s", 1, None, None, 4.5, 7.1, part="轴承", machineState=1, importance=1),
        _choose("机械密封泄漏", ("无", "None", 1), ("滴漏", "Dripping", 2), ("线漏", "Running", 3), part="机械密封"),
        _number("轴承温度", "℃", 0, None, None, 70, 80, part="轴承", machineState=1),
    )),
    "BZ-GL": ("燃气锅炉巡检", "DL-BL", (
        _number("出水温度", "℃", 0, 60, 65, 85, 90, machineState=1, importance=1),
        _number("锅炉压力", "MPa", 2, 0.20, 0.25, 0.60, 0.70, machineState=1, importance=1),
        _number("燃气压力", "kPa", 1, 3.0, 4.0, 9.0, 10.0, part="燃气管路"),
        _look("安全阀与水位计", "灵敏可靠，在检定期内", importance=1, abnormalAction=2, repairUrgency=1),
        _look("燃气泄漏检测", "检漏仪无报警", method=5, importance=1, abnormalAction=2, repairUrgency=1),
    )),
    "BZ-QZ": ("起重机与叉车月检", "QZ", (
        _number("制动器间隙", "mm", 2, 0.30, 0.40, 0.80, 1.00, part="制动器", machineState=2, importance=1),
        _number("钢丝绳断丝数", "根", 0, None, None, 6, 10, part="钢丝绳", machineState=2, importance=1),
        _look("限位动作", "到位即停", part="限位", method=6, importance=1, abnormalAction=2, repairUrgency=1),
        _look("吊钩与防脱", "无裂纹，防脱钩装置完好", part="吊钩", machineState=2),
        _look("声光警示", "喇叭、警示灯正常", method=6),
    )),
}  # fmt: skip
"""By code: the name, the asset type that it is meant for, and the items."""

Stop = tuple[str, str, str] | tuple[str, str, str, tuple[Item, ...]]
"""A point: the asset, what is added to its name, codes of standards, and items of its own."""

_ROUTES: Sequence[tuple[str, str, str, str, Mapping[str, Any], tuple[Stop, ...]]] = (
    ("XL-JJ1", "机加数控日点检", "机加车间", "li.q", {"estMinutes": 40}, (
        ("JJ-CNC-001", "", "BZ-CNC"), ("JJ-CNC-001-01", "", "BZ-ZZ"), ("JJ-CNC-002", "", "BZ-CNC"),
        ("JJ-CNC-002-01", "", "BZ-ZZ"), ("JJ-CNC-003", "", "BZ-CNC"), ("JJ-CNC-003-01", "", "BZ-ZZ"),
        ("JJ-TC-001", "", "BZ-CNC"), ("JJ-TC-001-01", "", "BZ-ZZ"),
    )),
    ("XL-JJ2", "加工中心日点检", "机加车间", "li.q", {"estMinutes": 45}, (
        ("JJ-VMC-001", "", "BZ-MC"), ("JJ-VMC-001-01", "", "BZ-ZZ"), ("JJ-VMC-002", "", "BZ-MC"),
        ("JJ-VMC-002-01", "", "BZ-ZZ"), ("JJ-HMC-001", "", "BZ-MC"), ("JJ-HMC-001-03", "", "BZ-YY"),
        ("JJ-GMC-001", "", "BZ-MC"), ("JJ-GMC-001-02", "", "BZ-YY"),
    )),
    ("XL-JJ3", "磨钻铣周点检", "机加车间", "li.q", {"estMinutes": 60, "groupType": 2}, tuple(
        (code, "", "BZ-JC") for code in ("JJ-CG-001", "JJ-SG-001", "JJ-RD-001", "JJ-VM-001", "JJ-GH-001")
    )),
    ("XL-ZZ1", "熔炼安全巡检", "铸造热处理车间", "zhou.l", {"groupType": 3, "orderMode": 1, "estMinutes": 25}, (
        ("ZZ-IF-001", "", "BZ-IF"), ("ZZ-IF-001-01", "", "", (
            _number("炉衬厚度", "mm", 0, 60, 75, None, None, machineState=2, importance=1),
            _look("炉衬裂纹", "无贯穿裂纹", importance=1),
        )),
        ("ZZ-IF-002", "", "BZ-IF"), ("ZZ-IF-002-01", "", "", (
            _number("炉衬厚度", "mm", 0, 60, 75, None, None, machineState=2, importance=1),
            _look("炉衬裂纹", "无贯穿裂纹", importance=1),
        )),
        ("ZZ-SM-001", "", "BZ-JC"), ("ZZ-BC-001", "驾驶室", "", (_look("钥匙与操作证", "钥匙专人保管"), _EARTH)),
    )),
    ("XL-ZZ2", "热处理巡检", "铸造热处理车间", "zhou.l", {"estMinutes": 20}, (
        ("ZZ-BF-001", "", "BZ-RL"), ("ZZ-BF-001", "电控柜", "", (
            _number("柜内温度", "℃", 0, None, None, 45, 55), _look("接触器", "吸合无异响", method=2),
        )),
        ("ZZ-TF-001", "", "BZ-RL"), ("ZZ-TF-001", "淬火油槽", "", (
            _number("淬火油温", "℃", 0, 30, 40, 80, 90, importance=1), _OIL,
        )),
    )),
    ("XL-ZZ3", "清理除尘日点检", "铸造热处理车间", "zhou.l", {"estMinutes": 15}, (
        ("ZZ-SB-001", "", "BZ-QL"), ("ZZ-DC-001", "", "BZ-QL"), ("ZZ-SR-001", "", "BZ-QL"),
    )),
    ("XL-ZP1", "装配线日点检", "装配试验车间", "zheng.h", {"estMinutes": 30}, (
        ("ZP-AL-001", "", "BZ-ZP"), ("ZP-AL-002", "", "BZ-ZP"), ("ZP-HP-001", "", "BZ-ZP"),
        ("ZP-HP-001-01", "", "BZ-YY"), ("ZP-DB-001", "", "BZ-JC"), ("ZP-JC-001", "", "BZ-QZ"),
    )),
    ("XL-ZP2", "试验台专业点检", "装配试验车间", "zheng.h", {"estMinutes": 50, "groupType": 2}, (
        ("ZP-PT-001", "", "BZ-SY"), ("ZP-HT-001", "", "BZ-SY"),
    )),
    ("XL-TZ1", "涂装线日点检", "涂装车间", "hu.y", {"estMinutes": 30}, (
        ("TZ-PT-001", "", "BZ-TZ"), ("TZ-SB-001", "", "BZ-TZ"), ("TZ-CO-001", "", "BZ-TZ"),
        ("TZ-OC-001", "", "BZ-ZP"), ("TZ-OC-001-01", "", "", (_OIL, _NOISE)),
    )),
    ("XL-DL1", "空压站巡检", "动力站", "qian.w", {"estMinutes": 20}, (
        ("DL-AC-001", "", "BZ-KY"), ("DL-AC-002", "", "BZ-KY"), ("DL-RD-001", "", "", (
            _number("露点温度", "℃", 1, None, None, 8, 10, machineState=1), _NOISE,
        )),
        ("DL-AT-001", "", "", (
            _number("储气压力", "MPa", 2, 0.55, 0.60, 0.78, 0.80, importance=1),
            _look("安全阀与压力表", "在检定期内，铅封完好", importance=1),
        )),
        ("DL-L1", "站房", "", (_number("室内温度", "℃", 0, 0, 5, 38, 42), _TIDY)),
    )),
    ("XL-DL2", "配电室巡检", "动力站", "qian.w", {"groupType": 3, "estMinutes": 15}, (
        ("DL-HV-001", "", "", (
            _look("带电指示", "三相指示正常", importance=1), _look("柜内放电声", "无放电声、无焦糊味", method=5),
            _plain(PHOTO, "仪表照片", needPhoto=1),
        )),
        ("DL-TR-001", "", "BZ-BY"),
        ("DL-HV-001", "母线室", "", (
            _number("环境湿度", "%", 0, None, None, 75, 85), _plain(PHOTO, "现场照片", needPhoto=1),
        )),
    )),
    ("XL-DL3", "锅炉与循环水巡检", "动力站", "qian.w", {"estMinutes": 35}, (
        ("DL-BL-001", "", "BZ-GL"), ("DL-BL-001-01", "", "", (
            _look("火焰状态", "稳定，无脉动"), _number("排烟温度", "℃", 0, None, None, 160, 180, machineState=1),
        )),
        ("DL-WP-001", "", "BZ-SB"), ("DL-WP-002", "", "BZ-SB"), ("DL-CT-001", "", "BZ-JC"), ("DL-WP-001-01", "", "", (
            _number("密封水流量", "L/min", 1, 2.0, 3.0, None, None, machineState=1),
        )),
    )),
    ("XL-QZ1", "起重与叉车月检", "设备部", "wei.b", {"groupType": 2, "estMinutes": 90}, (
        ("ZZ-BC-001", "", "BZ-QZ"), ("ZP-JC-001", "月检", "BZ-QZ"), ("CC-FK-001", "", "BZ-QZ"),
        ("CC-AGV-001", "", "BZ-JC"),
    )),
)  # fmt: skip
"""By code: the name, the department, who is in charge, what differs from the usual, and the points."""
_EITHER = {"XL-ZZ1": 3}
_PHOTO = {"XL-DL2"}
_SEALED = {"XL-ZP2"}
_WALKERS = {"XL-JJ1": ("wang.f", "feng.y"), "XL-JJ2": ("wang.f",), "XL-DL1": ("chen.l", "chu.x"), "XL-DL2": ("chen.l",)}


def keep(view_class: Any, actor: Actor | None, body: Mapping[str, Any], row: Any = None) -> Any:
    """Add or change one row, as the call does it."""
    view = view_class()
    view.request, view.action = SimpleNamespace(user=actor), "submit"
    kind = view.get_serializer_class()
    serializer = kind(row, data=dict(body), partial=row is not None, context={"view": view})
    serializer.is_valid(raise_exception=True)
    return serializer.save()


def build(actor: Actor) -> None:
    """Make everything in the actor's company, which has the machines and the people."""
    with acting(actor):
        _build(actor)


def _build(actor: Actor) -> None:
    classes = dict(MachineClass.objects.values_list("type_code", "pk"))
    machines = {machine.machine_code: machine for machine in Machine.objects.select_related("parent")}
    people = dict(User.objects.values_list("account", "pk"))
    depts = dict(Department.objects.values_list("dept_name", "pk"))
    standards: dict[str, CheckStandard] = {}
    for code, (name, kind, items) in _STANDARDS.items():
        body = {"configCode": code, "configName": name, "typeId": classes[kind], "items": list(items)}
        standards[code] = keep(StandardViewSet, actor, body)
    for place, (code, name, dept, leader, more, stops) in enumerate(_ROUTES, 1):
        walkers = ",".join(str(people[account]) for account in _WALKERS.get(code, ()))
        body = {
            "groupCode": code, "groupName": name, "deptId": depts[dept], "leaderId": people[leader],
            "userIds": walkers, "sort": place, **more,
        }  # fmt: skip
        route = keep(RouteViewSet, actor, body)
        for number, stop in enumerate(stops, 1):
            keep(PointViewSet, actor, _point(route, number, stop, machines, standards))
        if code in _SEALED:
            keep(RouteViewSet, actor, {"isSealed": 1}, Route.objects.get(pk=route.pk))


def _point(
    route: Route, number: int, stop: Stop, machines: Mapping[str, Machine], standards: Mapping[str, CheckStandard]
) -> dict[str, Any]:
    machine, where, codes, *own = stop
    asset = machines[machine]
    above: Any = asset.parent if asset.node_type == NodeType.COMPONENT else None
    name = f"{above.machine_name} {asset.machine_name}" if above else asset.machine_name
    return {
        "groupId": route.pk,
        "machineId": asset.pk,
        "pointCode": f"{route.group_code}-{number:02d}",
        "pointName": f"{name} {where}".strip(),
        "location": asset.location or (above.location if above else ""),
        "configIds": ",".join(str(standards[code].pk) for code in codes.split()),
        "items": list(own[0]) if own else [],
        "photoRequired": int(route.group_code in _PHOTO),
        **({"scanMode": _EITHER[route.group_code]} if route.group_code in _EITHER else {}),
    }
