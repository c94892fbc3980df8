"""What the demo plants are made of, as tables: departments, people, machines, fault words and the story of each order.

Firms and people are invented. Moments are minutes before the installation; negative ones lie ahead of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.equipment.models import Importance, RunState, TagType
from core.kernel.tenancy import PLATFORM

A, B, C = Importance.CRITICAL, Importance.IMPORTANT, Importance.ORDINARY


@dataclass(frozen=True)
class Dept:
    """A department; `above` names the one it belongs to, '' the root."""

    name: str
    name_en: str
    above: str
    leader: str = ""


@dataclass(frozen=True)
class Person:
    """An account and the one role it has."""

    account: str
    name: str
    role: str
    dept: str
    is_enabled: bool = True


@dataclass(frozen=True)
class Crew:
    """A repair team."""

    name: str
    name_en: str
    leader: str
    members: tuple[str, ...]


@dataclass(frozen=True)
class ShiftCrew:
    """A team of a shift plan; the first of its members leads it."""

    name: str
    members: tuple[str, ...]
    is_repair: bool = False


@dataclass(frozen=True)
class Shifts:
    """A shift plan: its pattern, its shifts by name, start and end, and its teams."""

    code: str
    name: str
    dept: str
    pattern: int
    shifts: tuple[tuple[str, str, str], ...]
    crews: tuple[ShiftCrew, ...]
    workdays: int = 1
    pause: tuple[str, str] | None = None
    """A break of every shift."""
    swaps: tuple[tuple[int, str, str], ...] = ()
    """Changes by hand: so many days after the installation two teams change places."""


@dataclass(frozen=True)
class Item:
    """A machine with its components."""

    code: str
    name: str
    model: str
    importance: Importance
    crew: str
    parts: tuple[str, ...] = ()
    state: RunState = RunState.RUNNING
    remark: str = ""


@dataclass(frozen=True)
class Kind:
    """A machine class with those below it; `of` has the beginnings of its machines' codes, and names of components."""

    code: str
    name: str
    name_en: str
    importance: Importance
    of: tuple[str, ...] = ()
    below: tuple[Kind, ...] = ()
    mtbf: int | None = None


@dataclass(frozen=True)
class Area:
    """A workshop (with lines), or a line (with machines)."""

    code: str
    name: str
    dept: str = ""
    lines: tuple[Area, ...] = ()
    machines: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Step:
    """What somebody does to a record `ago` minutes before the installation: its making, a line, or an action.

    `carries` is the action's input, with names in place of ids and minutes in place of moments; see demo.py.
    """

    ago: int
    who: str
    action: str
    carries: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Plant:
    """A tenant."""

    tenant_id: str
    name: str
    name_en: str
    code: str
    is_listed: bool
    depts: tuple[Dept, ...]
    people: tuple[Person, ...]
    crews: tuple[Crew, ...] = ()
    shifts: tuple[Shifts, ...] = ()
    site: Area | None = None
    kinds: tuple[Kind, ...] = ()
    orders: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    """Story by the code of the machine; what follows a # tells several of one machine apart."""
    leaves: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    """Story of requests for leave, by any name."""
    models: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    """Story of models that the company draws for itself, by their keys."""
    permits: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    """Story of processes of these models, by key; what follows a # tells several of one model apart."""


TAGS: Mapping[TagType, tuple[tuple[str, str], ...]] = {
    TagType.CLASS_LABEL: (
        ("瓶颈设备", "Bottleneck"),
        ("进口设备", "Imported"),
        ("高能耗", "High energy use"),
        ("租赁设备", "Leased"),
    ),
    TagType.SYMPTOM: (
        ("异响", "Noise"),
        ("振动大", "Excessive vibration"),
        ("漏油", "Oil leak"),
        ("漏水漏气", "Water or air leak"),
        ("温度过高", "Overheating"),
        ("不动作", "Not operating"),
        ("精度超差", "Out of tolerance"),
        ("报警停机", "Alarm shutdown"),
        ("压力异常", "Abnormal pressure"),
        ("跳闸", "Tripped"),
    ),
    TagType.CAUSE: (
        ("磨损", "Wear"),
        ("松动", "Looseness"),
        ("密封老化", "Seal ageing"),
        ("润滑不良", "Poor lubrication"),
        ("电气元件损坏", "Electrical part failed"),
        ("线路接触不良", "Poor contact"),
        ("堵塞", "Blockage"),
        ("过载", "Overload"),
        ("操作不当", "Operating error"),
        ("参数漂移", "Parameters drifted"),
    ),
    TagType.ACTION: (
        ("更换零件", "Part replaced"),
        ("更换密封", "Seal replaced"),
        ("紧固", "Tightened"),
        ("调整", "Adjusted"),
        ("清洗疏通", "Cleaned"),
        ("润滑", "Lubricated"),
        ("修复线路", "Wiring repaired"),
        ("参数校正", "Parameters corrected"),
        ("复位", "Reset"),
        ("外协修理", "Repaired by a contractor"),
    ),
    TagType.STOP_REASON: (
        ("节假日停产", "Holiday shutdown"),
        ("年度检修", "Annual overhaul"),
        ("待料", "No material"),
        ("停电检修", "Power cut for maintenance"),
        ("换模换线", "Changeover"),
        ("无订单", "No orders"),
    ),
}

_M, _E = "机修班", "电修班"
SPECIAL = "特种设备，按期检验"

_JIANGBEI_KINDS = (
    Kind("JC", "金属切削机床", "Metal-cutting machines", B, below=(
        Kind("JC-LA", "车床", "Lathes", B, below=(
            Kind("JC-LA-CNC", "数控车床", "CNC lathes", B, ("JJ-CNC",), mtbf=900),
            Kind("JC-LA-TC", "车削中心", "Turning centres", B, ("JJ-TC",), mtbf=800),
        )),
        Kind("JC-MC", "加工中心", "Machining centres", A, below=(
            Kind("JC-MC-V", "立式加工中心", "Vertical machining centres", A, ("JJ-VMC",), mtbf=800),
            Kind("JC-MC-H", "卧式加工中心", "Horizontal machining centres", A, ("JJ-HMC",), mtbf=800),
            Kind("JC-MC-G", "龙门加工中心", "Gantry machining centres", A, ("JJ-GMC",), mtbf=700),
        )),
        Kind("JC-GR", "磨床", "Grinders", B, ("JJ-CG", "JJ-SG"), mtbf=1200),
        Kind("JC-DR", "钻床", "Drilling machines", C, ("JJ-RD",)),
        Kind("JC-MI", "铣床", "Milling machines", C, ("JJ-VM",)),
        Kind("JC-GH", "齿轮加工机床", "Gear cutting machines", B, ("JJ-GH",)),
    )),
    Kind("ZZ", "铸造与热处理设备", "Foundry and heat treatment", B, below=(
        Kind("ZZ-IF", "感应电炉", "Induction furnaces", A, ("ZZ-IF",), mtbf=1500),
        Kind("ZZ-SA", "砂处理设备", "Sand plants", B, ("ZZ-SM", "ZZ-SR")),
        Kind("ZZ-BL", "抛丸清理设备", "Shot blasting", B, ("ZZ-SB",)),
        Kind("ZZ-RF", "电阻炉", "Resistance furnaces", C, ("ZZ-BF", "ZZ-TF")),
        Kind("ZZ-DC", "除尘设备", "Dust collectors", B, ("ZZ-DC",)),
    )),
    Kind("ZP", "装配与试验设备", "Assembly and testing", B, below=(
        Kind("ZP-AL", "装配线", "Assembly lines", B, ("ZP-AL",)),
        Kind("ZP-HP", "液压机", "Hydraulic presses", B, ("ZP-HP",)),
        Kind("ZP-DB", "动平衡机", "Balancing machines", B, ("ZP-DB",)),
        Kind("ZP-TS", "试验台", "Test stands", B, ("ZP-PT", "ZP-HT")),
    )),
    Kind("TZ", "涂装设备", "Painting", B, below=(
        Kind("TZ-PT", "前处理设备", "Pretreatment", B, ("TZ-PT",)),
        Kind("TZ-SB", "喷漆设备", "Spray booths", B, ("TZ-SB",)),
        Kind("TZ-CO", "烘干设备", "Curing ovens", B, ("TZ-CO",)),
        Kind("TZ-OC", "悬挂输送机", "Overhead conveyors", B, ("TZ-OC",)),
    )),
    Kind("QZ", "起重运输设备", "Lifting and transport", C, below=(
        Kind("QZ-CR", "起重机", "Cranes", B, ("ZZ-BC", "ZP-JC")),
        Kind("QZ-FK", "叉车", "Forklifts", C, ("CC-FK",)),
        Kind("QZ-AGV", "自动导引车", "Guided vehicles", C, ("CC-AGV",)),
    )),
    Kind("DL", "动力设备", "Utilities", A, below=(
        Kind("DL-CA", "压缩空气系统", "Compressed air", A, below=(
            Kind("DL-CA-AC", "空压机", "Air compressors", A, ("DL-AC",), mtbf=2000),
            Kind("DL-CA-RD", "干燥机", "Air dryers", B, ("DL-RD",)),
            Kind("DL-CA-AT", "储气罐", "Air receivers", C, ("DL-AT",)),
        )),
        Kind("DL-WA", "给水与冷却", "Water and cooling", B, below=(
            Kind("DL-WA-WP", "水泵", "Pumps", B, ("DL-WP",), mtbf=2500),
            Kind("DL-WA-CT", "冷却塔", "Cooling towers", C, ("DL-CT",)),
        )),
        Kind("DL-EL", "变配电设备", "Power supply", A, ("DL-HV", "DL-TR")),
        Kind("DL-BL", "锅炉", "Boilers", A, ("DL-BL",)),
    )),
    Kind("BJ", "部件", "Components", B, below=(
        Kind("BJ-SP", "主轴", "Spindles", B, ("主轴",)),
        Kind("BJ-TM", "刀库", "Tool magazines", B, ("刀库",)),
        Kind("BJ-HY", "液压站", "Hydraulic units", B, ("液压站",)),
        Kind("BJ-DR", "电机与减速机", "Motors and gearboxes", B, ("主电机", "减速机")),
        Kind("BJ-SE", "密封与滤芯", "Seals and filters", C, ("机械密封", "油分芯")),
        Kind("BJ-FU", "炉衬与燃烧器", "Linings and burners", A, ("炉衬", "燃烧器")),
    )),
)  # fmt: skip

_JIANGBEI_SITE = Area(
    "JB", "江北厂区", "厂部",
    lines=(
        Area("JJ", "机加车间", "机加车间", lines=(
            Area("JJ-L1", "数控车削线", machines=(
                Item("JJ-CNC-001", "CK6150数控车床1#", "CK6150", B, _M, ("主轴",)),
                Item("JJ-CNC-002", "CK6150数控车床2#", "CK6150", B, _M, ("主轴",)),
                Item("JJ-CNC-003", "CK6150数控车床3#", "CK6150", B, _M, ("主轴",), RunState.IDLE),
                Item("JJ-TC-001", "斜床身车削中心", "TC-300", B, _M, ("主轴",)),
            )),
            Area("JJ-L2", "加工中心线", machines=(
                Item("JJ-VMC-001", "VMC850立式加工中心1#", "VMC850", A, _M, ("主轴", "刀库")),
                Item("JJ-VMC-002", "VMC850立式加工中心2#", "VMC850", A, _M, ("主轴", "刀库")),
                Item("JJ-HMC-001", "HMC630卧式加工中心", "HMC630", A, _M, ("主轴", "刀库", "液压站")),
                Item("JJ-GMC-001", "龙门加工中心", "GMC2030", A, _M, ("主轴", "液压站")),
            )),
            Area("JJ-L3", "磨钻铣", machines=(
                Item("JJ-CG-001", "M1432万能外圆磨床", "M1432", B, _M),
                Item("JJ-SG-001", "M7150平面磨床", "M7150", C, _M),
                Item("JJ-RD-001", "Z3050摇臂钻床", "Z3050", C, _M, (), RunState.IDLE),
                Item("JJ-VM-001", "X5032立式铣床", "X5032", C, _M),
                Item("JJ-GH-001", "Y3150滚齿机", "Y3150", B, _M),
            )),
        )),
        Area("ZZ", "铸造热处理车间", "铸造热处理车间", lines=(
            Area("ZZ-L1", "熔炼造型", machines=(
                Item("ZZ-IF-001", "1吨中频感应炉A", "GW-1T", A, _E, ("炉衬",)),
                Item("ZZ-IF-002", "1吨中频感应炉B", "GW-1T", A, _E, ("炉衬",)),
                Item("ZZ-SM-001", "树脂砂混砂机", "S2520", B, _M, ("减速机",)),
                Item("ZZ-SR-001", "旧砂再生线", "SR-10", B, _M),
                Item("ZZ-BC-001", "10吨桥式起重机", "QD10-16.5", B, _M, ("减速机",), remark=SPECIAL),
            )),
            Area("ZZ-L2", "清理热处理", machines=(
                Item("ZZ-SB-001", "抛丸清理机", "Q3730", B, _M),
                Item("ZZ-DC-001", "脉冲布袋除尘器", "DMC-96", B, _M),
                Item("ZZ-BF-001", "箱式电阻炉", "RX3-75", C, _E),
                Item("ZZ-TF-001", "井式回火炉", "RJ2-55", C, _E, (), RunState.DISABLED),
            )),
        )),
        Area("ZP", "装配试验车间", "装配试验车间", lines=(
            Area("ZP-L1", "装配线", machines=(
                Item("ZP-AL-001", "泵装配流水线1#", "AL-18", B, _M),
                Item("ZP-AL-002", "泵装配流水线2#", "AL-18", B, _M, (), RunState.MAINTAINING),
                Item("ZP-HP-001", "液压压装机", "YZ-63T", B, _M, ("液压站",)),
                Item("ZP-DB-001", "动平衡机", "DB-500", B, _E),
                Item("ZP-JC-001", "5吨悬臂吊", "BZD-5", C, _M),
            )),
            Area("ZP-L2", "试验", machines=(
                Item("ZP-PT-001", "泵性能试验台", "PT-400", A, _E),
                Item("ZP-HT-001", "水压试验机", "HT-16", C, _M, (), RunState.IDLE),
            )),
        )),
        Area("TZ", "涂装车间", "涂装车间", lines=(
            Area("TZ-L1", "涂装线", machines=(
                Item("TZ-PT-001", "前处理喷淋线", "PT-6", B, _M),
                Item("TZ-SB-001", "喷漆房", "SB-12", B, _M),
                Item("TZ-CO-001", "烘干固化炉", "CO-180", B, _E),
                Item("TZ-OC-001", "悬挂输送链", "XT-100", B, _M, ("减速机",)),
            )),
        )),
        Area("DL", "动力站", "动力站", lines=(
            Area("DL-L1", "空压站", machines=(
                Item("DL-AC-001", "螺杆空压机75kW 1#", "LG-75A", A, _E, ("主电机", "油分芯")),
                Item("DL-AC-002", "螺杆空压机75kW 2#", "LG-75A", A, _E, ("主电机", "油分芯")),
                Item("DL-RD-001", "冷冻式干燥机", "RD-150", B, _E),
                Item("DL-AT-001", "储气罐", "C-4/0.8", C, _M, remark=SPECIAL),
            )),
            Area("DL-L2", "水电热站房", machines=(
                Item("DL-WP-001", "循环水泵A", "IS125-100", B, _M, ("机械密封",)),
                Item("DL-WP-002", "循环水泵B", "IS125-100", B, _M, ("机械密封",), RunState.IDLE),
                Item("DL-CT-001", "冷却塔", "LBC-100", C, _M),
                Item("DL-HV-001", "10kV高压开关柜", "KYN28", A, _E),
                Item("DL-TR-001", "1#变压器1250kVA", "SCB13-1250", A, _E),
                Item("DL-BL-001", "燃气热水锅炉", "WNS2.8", A, _M, ("燃烧器",), remark=SPECIAL),
            )),
        )),
        Area("CC", "仓储物流", "仓储物流", machines=(
            Item("CC-FK-001", "3吨叉车", "CPCD30", C, _M, (), RunState.IDLE, SPECIAL),
            Item("CC-AGV-001", "AGV小车", "AGV-500", C, _E),
        )),
    ),
)  # fmt: skip

_JIANGBEI_ORDERS: Mapping[str, tuple[Step, ...]] = {
    # Closed: a stopped machine, with pictures before and after.
    "JJ-CNC-001": (
        Step(8700, "qin.y", "save", {
            "description": "主轴前轴承部位异响，工件表面有振纹，已停机等待检查。", "title": "主轴异响，表面有振纹",
            "urgency": 2, "repairType": 1, "isStop": 1, "stopStart": 8710, "faults": ("异响", "振动大"),
            "pictures": ("bearing-before",),
        }),
        Step(8685, "wei.b", "dispatch", {"repairer": "jiang.p", "planFinish": 8400}),
        Step(8670, "jiang.p", "accept"),
        Step(8490, "jiang.p", "line", {"type": 1, "from": 8665, "to": 8620, "content": "拆检主轴，前轴承滚道剥落"}),
        Step(8489, "jiang.p", "line", {"type": 3, "from": 8620, "to": 8495, "content": "更换角接触轴承7014，调整预紧"}),
        Step(8485, "jiang.p", "finish", {
            "solution": "更换主轴前轴承一组，重新预紧并跑合30分钟，温升正常。", "cause": "磨损",
            "done": ("更换零件", "润滑"), "stopEnd": 8490, "afterPictures": ("bearing-after",), "part": "JJ-CNC-001-01",
        }),
        Step(8420, "qin.y", "check", {"checkResult": 1, "checkScore": 5, "checkRemark": "试切合格，振纹消失"}),
    ),
    # Closed after a rework: claimed by a repairer, failed once, passed the second time.
    "ZZ-SB-001": (
        Step(5800, "wu.t", "save", {
            "description": "抛丸器运转时振动大，护板有撞击声。", "title": "抛丸器振动大", "repairType": 1,
            "faults": ("振动大", "异响"),
        }),
        Step(5770, "shen.k", "claim"),
        Step(5605, "shen.k", "line", {"type": 2, "from": 5760, "to": 5610, "content": "更换叶片两片，紧固护板"}),
        Step(5600, "shen.k", "finish", {
            "solution": "更换破损叶片，紧固护板螺栓。", "cause": "松动", "done": ("紧固",),
        }),
        Step(5540, "wu.t", "check", {"checkResult": 2, "checkRemark": "空载时仍有振动，请复查叶轮"}),
        Step(5400, "shen.k", "line", {"type": 4, "from": 5520, "to": 5410, "content": "叶轮重新配重并做动平衡"}),
        Step(5395, "shen.k", "finish", {
            "solution": "叶片成组更换，叶轮重新做动平衡。", "cause": "磨损", "done": ("更换零件", "调整"),
        }),
        Step(5330, "wu.t", "check", {"checkResult": 1, "checkScore": 4, "checkRemark": "振动正常"}),
    ),
    # Cancelled by the reporter.
    "ZP-HP-001": (
        Step(2900, "you.r", "save", {
            "description": "压力表读数为零，压头不动作。", "title": "压装机无压力", "repairType": 3,
            "faults": ("压力异常", "不动作"),
        }),
        Step(2880, "you.r", "cancel", {"cancelReason": 1, "remark": "压力表截止阀未打开，打开后恢复正常"}),
    ),
    # On hold for parts.
    "ZZ-DC-001": (
        Step(1500, "wu.t", "save", {
            "description": "进出口压差超过上限，排放口可见粉尘。", "title": "除尘器压差超限", "repairType": 1,
            "faults": ("压力异常",),
        }),
        Step(1480, "wei.b", "dispatch", {"repairer": "shen.k"}),
        Step(1450, "shen.k", "accept"),
        Step(1330, "shen.k", "line", {"type": 1, "from": 1440, "to": 1340, "content": "逐袋检查，3条布袋破损"}),
        Step(1325, "shen.k", "hang", {"hangReason": 1, "remark": "布袋φ130×2500缺货，等待到货"}),
    ),
    # To check.
    "JJ-SG-001": (
        Step(1100, "qin.y", "save", {
            "description": "电磁吸盘吸力不足，工件有移动风险。", "title": "电磁吸盘吸力不足", "repairType": 2,
            "faults": ("不动作",),
        }),
        Step(1080, "wei.b", "dispatch", {"repairer": "han.d"}),
        Step(1040, "han.d", "accept"),
        Step(195, "han.d", "line", {"type": 3, "from": 320, "to": 210, "content": "更换整流模块，测量吸盘电压"}),
        Step(190, "han.d", "finish", {
            "solution": "整流模块击穿，更换后吸盘直流电压恢复到110V。", "cause": "电气元件损坏", "done": ("更换零件",),
        }),
    ),
    # In repair and late on purpose: the finish limit has passed, the reminder was sent.
    "TZ-OC-001": (
        Step(620, "hu.y", "save", {
            "description": "驱动减速机漏油，链条运行时有爬行。", "title": "减速机漏油，链条爬行", "urgency": 2,
            "repairType": 1, "faults": ("漏油",),
        }),
        Step(610, "wei.b", "dispatch", {"repairer": "shen.k"}),
        Step(600, "shen.k", "accept"),
        Step(470, "shen.k", "line", {"type": 1, "from": 590, "to": 480, "content": "拆检减速机，输出轴油封老化"}),
    ),
    # To check, with pictures.
    "DL-WP-001": (
        Step(400, "xu.g", "save", {
            "description": "机械密封处滴漏，地面有积水。", "title": "循环水泵A机械密封滴漏", "repairType": 1,
            "faults": ("漏水漏气",), "pictures": ("seal-before",),
        }),
        Step(385, "wei.b", "dispatch", {"repairer": "jiang.p"}),
        Step(370, "jiang.p", "accept"),
        Step(125, "jiang.p", "line", {"type": 3, "from": 350, "to": 130, "content": "更换机械密封M7N-45，校正同轴度"}),
        Step(120, "jiang.p", "finish", {
            "solution": "更换机械密封，试运行30分钟无泄漏。", "cause": "密封老化", "done": ("更换密封", "调整"),
            "afterPictures": ("seal-after",),
        }),
    ),
    # To dispatch and late on purpose: the response limit has passed, the reminder was sent.
    "ZP-DB-001": (
        Step(300, "zheng.h", "save", {
            "description": "同一转子三次测量值相差较大，不能判定。", "title": "动平衡机测量值漂移", "repairType": 4,
            "faults": ("精度超差",),
        }),
    ),
    # In repair, taken by one of a team.
    "DL-RD-001": (
        Step(260, "xu.g", "save", {
            "description": "露点温度偏高报警，复位后十分钟再次出现。", "title": "干燥机露点偏高", "repairType": 2,
            "faults": ("温度过高",),
        }),
        Step(250, "wei.b", "dispatch", {"crew": "电修班"}),
        Step(220, "yang.s", "accept"),
        Step(100, "yang.s", "line", {"type": 1, "from": 210, "to": 110, "content": "检查冷媒压力与风机，清洗冷凝器"}),
    ),
    # In repair: the machine stands and is being repaired.
    "JJ-VMC-002": (
        Step(110, "qin.y", "save", {
            "description": "换刀时机械手卡在主轴口，机床报警停机。", "title": "换刀机械手卡滞", "urgency": 2,
            "repairType": 1, "isStop": 1, "stopStart": 112, "faults": ("报警停机", "不动作"),
        }),
        Step(100, "wei.b", "dispatch", {"repairer": "jiang.p", "helpers": ("shen.k",), "planFinish": -240}),
        Step(80, "jiang.p", "accept"),
        Step(30, "jiang.p", "line", {"type": 1, "from": 78, "to": 35, "content": "检查刀臂凸轮箱与刀套气缸"}),
    ),
    # To accept, by one of a team.
    "CC-AGV-001": (
        Step(70, "zhu.m", "save", {
            "description": "磁导航偏移报警，小车停在3号路口。", "title": "AGV磁导航偏移", "repairType": 4,
            "faults": ("报警停机",),
        }),
        Step(55, "wei.b", "dispatch", {"crew": "电修班", "planFinish": -1200}),
    ),
    # To dispatch.
    "JJ-GMC-001": (
        Step(45, "li.q", "save", {
            "description": "导轨润滑压力低报警，暂未停机。", "title": "导轨润滑压力低", "repairType": 3,
            "faults": ("压力异常",),
        }),
    ),
    # To accept: the compressor stands.
    "DL-AC-002": (
        Step(25, "xu.g", "save", {
            "description": "主电机过载跳闸，复位后再次跳闸，已停机。", "title": "2#空压机主电机跳闸", "urgency": 2,
            "repairType": 2, "isStop": 1, "stopStart": 28, "faults": ("跳闸",),
        }),
        Step(12, "wei.b", "dispatch", {"repairer": "han.d", "planFinish": -180}),
    ),
    # To dispatch, urgent and fresh.
    "ZZ-IF-002": (
        Step(8, "wu.t", "save", {
            "description": "冷却水流量低报警，出口温度升高。", "title": "冷却水流量低", "urgency": 2, "repairType": 1,
            "faults": ("温度过高", "压力异常"),
        }),
    ),
}  # fmt: skip

# `from` and `to` are (days from today, hour). One request in each state, and one for each who may be asked.
_JIANGBEI_LEAVES: Mapping[str, tuple[Step, ...]] = {
    "approved by head and HR": (
        Step(15900, "qin.y", "start", {
            "type": 3, "from": (-9, 8), "to": (-5, 17), "reason": "年假，陪父母外出",
        }),
        Step(15600, "sun.j", "approve", {"comment": "同意，机床由李强代管"}),
        Step(14700, "du.w", "approve", {"comment": "年假余额足够"}),
    ),
    "approved by the head": (
        Step(5900, "you.r", "start", {"type": 2, "from": (-4, 13), "to": (-3, 12), "reason": "感冒发烧，去医院就诊"}),
        Step(5860, "zheng.h", "approve", {"comment": "注意休息"}),
    ),
    "approved after a change": (
        Step(4500, "shen.k", "start", {"type": 1, "from": (2, 8), "to": (3, 17), "reason": "家中装修，需在场"}),
        Step(4380, "wei.b", "reject", {"comment": "后天抛丸机检修走不开，请改到周末前后"}),
        Step(4300, "shen.k", "submit", {"from": (4, 8), "to": (4, 17)}),
        Step(4200, "wei.b", "approve", {}),
    ),
    "withdrawn": (
        Step(2950, "yang.s", "start", {"type": 1, "from": (1, 8), "to": (1, 12), "reason": "办理居住证"}),
        Step(2820, "yang.s", "withdraw", {"comment": "已约到周六办理"}),
    ),
    "rejected, waits for the applicant": (
        Step(1600, "wu.t", "start", {"type": 1, "from": (3, 8), "to": (4, 17), "reason": "老家有事"}),
        Step(1450, "zhou.l", "reject", {"comment": "本周大修，请写明能否推迟"}),
    ),
    "waits for HR": (
        Step(1300, "li.q", "start", {"type": 4, "from": (10, 8), "to": (16, 17), "reason": "婚假"}),
        Step(1200, "sun.j", "approve", {"comment": "恭喜，工作已安排"}),
    ),
    "waits for the head": (
        Step(170, "xu.g", "start", {"type": 1, "from": (2, 13), "to": (2, 17), "reason": "接孩子参加考试"}),
    ),
    "waits for a chosen approver": (
        Step(95, "han.d", "start", {
            "type": 6, "from": (5, 8), "to": (5, 17), "reason": "参加电工证复审", "approver": "qian.w",
        }),
    ),
    "a draft": (
        Step(60, "feng.y", "draft", {"type": 3, "from": (20, 8), "reason": "年假"}),
    ),
}  # fmt: skip


_JIANGBEI_MODELS: Mapping[str, tuple[Step, ...]] = {
    "hotwork": (
        Step(87800, "gao.l", "save", {
            "drawing": "first", "name": "动火作业审批", "category": "flow_2", "note": "初稿：车间审核，完工后清理确认",
        }),
        Step(86500, "gao.l", "deploy", {"note": "安环部要求，动火须先审批"}),
        Step(36200, "gao.l", "save", {"drawing": "second", "note": "高风险须设备部批准，审批限时8小时"}),
        Step(34500, "gao.l", "deploy", {"note": "安全检查整改项"}),
        Step(4400, "gao.l", "save", {"drawing": "draft"}),
        Step(4380, "gao.l", "save", {"drawing": "draft", "note": "试加动火监护，限时改为4小时，待安环部确认"}),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Permit:
    """A permit for hot work, told in a line: asked for `ago`, then the minutes that each step took."""

    ago: int
    who: str
    place: str
    work: str
    hours: float
    review: int = 0
    close: int = 0
    approve: int = 0
    """Of a high risk, by the equipment department."""
    by: str = "sun.j"
    refused: str = ""
    """Why the workshop refused it."""


def _permit(permit: Permit) -> tuple[Step, ...]:
    """Return the story of a permit as far as it went: a step that took no time is not done yet."""
    asked = {
        "place": permit.place, "work": permit.work, "risk": "high" if permit.approve else "usual",
        "hours": permit.hours, "measures": "清除周围可燃物，备灭火器两具，专人监护",
    }  # fmt: skip
    steps, at = [Step(permit.ago, permit.who, "start", asked)], permit.ago
    said = {"flag": "", "comment": permit.refused} if permit.refused else {}
    for minutes, who, node, carries in (
        (permit.review, permit.by, "review", said),
        (permit.approve, "qian.w", "approve", {"comment": "作业期间停用相邻油站"}),
        (permit.close, permit.who, "close", {"cleared": True}),
    ):
        if minutes:
            at -= minutes
            steps.append(Step(at, who, node, carries))
    return tuple(steps)


_JIANGBEI_PERMITS = (
    Permit(80100, "shen.k", "机加车间主通道护栏", "weld", 2, review=35, close=190),
    Permit(70300, "jiang.p", "铸造车间砂斗", "cut", 3, review=260, close=240, by="zhou.l"),
    Permit(58800, "han.d", "配电间桥架支架", "weld", 1.5, review=50, close=130),
    Permit(45700, "shen.k", "抛丸室护板", "grind", 1, review=25, close=95, by="zhou.l"),
    Permit(31500, "shen.k", "热处理油槽旁管架", "weld", 3, review=90, approve=210, close=260, by="zhou.l"),
    Permit(24600, "yang.s", "机加车间线槽", "grind", 1, review=20, close=80),
    Permit(15900, "jiang.p", "涂装车间排风口", "cut", 2, review=70, refused="喷漆未停，改到周末停产后再申请"),
    Permit(11500, "jiang.p", "涂装车间排风口", "cut", 2, review=45, approve=560, close=210),
    Permit(700, "yang.s", "装配车间行车轨道", "weld", 4),
    Permit(320, "shen.k", "机加车间地沟盖板", "weld", 1, review=40),
)


@dataclass(frozen=True)
class Past:
    """An order of the last months, told in a line: a usual repair that ended `days` before the installation."""

    days: int
    code: str
    who: str
    mate: str
    symptom: str
    cause: str
    done: str
    said: str
    did: str
    accept: int = 25
    """Minutes from the report to the acceptance."""
    work: int = 80
    urgency: int = 3
    type: int = 1
    stop: bool = False
    helper: str = ""
    rework: str = ""
    """What the first check found."""
    vendor: tuple[str, int] | None = None
    end: str = "check"
    """check; auto: nobody checks, the system passes it; cancel: the reporter takes it back."""
    score: int = 5


def _steps(past: Past, leader: str) -> tuple[Step, ...]:
    """Return the story of a past order, step by step."""
    report = past.days * 1440 + 60 * (past.days % 7)
    begin = report - past.accept
    over = begin - past.work
    save: dict[str, Any] = {
        "description": past.said, "faults": (past.symptom,), "urgency": past.urgency, "repairType": past.type,
    }  # fmt: skip
    if past.stop:
        save |= {"isStop": 1, "stopStart": report + 5}
    first = Step(report, past.who, "save", save)
    if past.end == "cancel":
        return first, Step(report - 15, past.who, "cancel", {"cancelReason": 3, "remark": past.did})
    helpers = {"helpers": (past.helper,)} if past.helper else {}
    finish: dict[str, Any] = {"solution": past.did, "cause": past.cause, "done": (past.done,)}
    if past.vendor:
        finish |= {"isOutsource": 1, "vendorName": past.vendor[0], "outsourceCost": past.vendor[1]}
    stop = {"stopEnd": over, "afterPictures": ("bearing-after" if past.type == 1 else "seal-after",)}
    steps = [
        first,
        Step(report - 8, leader, "dispatch", {"repairer": past.mate, **helpers}),
        Step(begin, past.mate, "accept"),
        Step(over + 1, past.mate, "line", {"type": 2, "from": begin, "to": over + 1, "content": past.did}),
    ]
    if past.helper:
        steps.append(
            Step(over + 1, past.helper, "line", {"type": 2, "from": begin - 10, "to": over + 1, "content": ""})
        )
    steps.append(Step(over, past.mate, "finish", {**finish, **(stop if past.stop else {})}))
    if past.rework:
        steps += [
            Step(over - 60, past.who, "check", {"checkResult": 2, "checkRemark": past.rework}),
            Step(over - 120, past.mate, "line", {"type": 4, "from": over - 70, "to": over - 120, "content": "返修"}),
            Step(over - 125, past.mate, "finish", finish),
        ]
    if past.end == "check":
        steps.append(Step(over - 200, past.who, "check", {"checkResult": 1, "checkScore": past.score}))
    return tuple(steps)


def _past(rows: tuple[Past, ...], leader: str) -> dict[str, tuple[Step, ...]]:
    return {f"{row.code}#{place}": _steps(row, leader) for place, row in enumerate(rows, start=1)}


_JIANGBEI_PAST = (
    Past(88, "JJ-CNC-002", "qin.y", "jiang.p", "不动作", "线路接触不良", "修复线路",
         "刀塔不换刀，手动转位也不动。", "刀塔到位开关接线松脱，重新压接。", type=2),
    Past(86, "ZZ-IF-001", "wu.t", "han.d", "报警停机", "电气元件损坏", "更换零件",
         "整流柜过流报警，炉子停电。", "更换一只击穿的晶闸管，重新整定过流值。", 18, 210, 2, 2, stop=True,
         helper="yang.s"),
    Past(84, "DL-WP-002", "xu.g", "jiang.p", "漏水漏气", "密封老化", "更换密封",
         "填料函滴水成线。", "更换填料，压盖调整到每分钟十滴。", 30, 60),
    Past(82, "ZP-AL-001", "you.r", "shen.k", "异响", "润滑不良", "润滑",
         "流水线尾轮处有尖叫声。", "尾轮轴承缺油，清洗后加脂。", 40, 45, score=4),
    Past(79, "TZ-SB-001", "hu.y", "shen.k", "压力异常", "堵塞", "清洗疏通",
         "喷漆房负压不足，漆雾外溢。", "更换漆雾毡，清理排风管。", 35, 120),
    Past(77, "CC-FK-001", "zhu.m", "jiang.p", "漏油", "密封老化", "更换密封",
         "门架油缸漏油，地面有油迹。", "更换起升油缸油封。", 50, 150, type=3),
    Past(74, "JJ-VMC-001", "qin.y", "jiang.p", "精度超差", "参数漂移", "参数校正",
         "镗孔同轴度超差0.03。", "重新补偿Z轴反向间隙，试切合格。", 22, 160, 2, end="auto"),
    Past(72, "ZZ-SM-001", "wu.t", "shen.k", "振动大", "松动", "紧固",
         "混砂机运转时机身摇动。", "紧固地脚螺栓，加防松垫。", 28, 50),
    Past(70, "DL-CT-001", "xu.g", "jiang.p", "异响", "磨损", "更换零件",
         "冷却塔风机有周期性撞击声。", "更换风机皮带与张紧轮。", 45, 90),
    Past(67, "ZP-PT-001", "zheng.h", "han.d", "压力异常", "电气元件损坏", "更换零件",
         "出口压力显示不变化。", "更换压力变送器并校零。", 20, 70, 2, 4),
    Past(65, "JJ-CG-001", "li.q", "jiang.p", "精度超差", "磨损", "调整",
         "磨削圆度超差。", "调整砂轮主轴间隙，重新平衡砂轮。", 33, 180, rework="圆度仍有0.008，请再调"),
    Past(62, "TZ-CO-001", "hu.y", "yang.s", "温度过高", "电气元件损坏", "更换零件",
         "固化炉三区超温，温控表失灵。", "更换固态继电器与温控表。", 15, 95, 2, 2, stop=True),
    Past(60, "JJ-RD-001", "qin.y", "jiang.p", "不动作", "操作不当", "复位",
         "摇臂夹紧后松不开。", "主轴箱换向手柄未到位，复位并告知操作人员。", 38, 25, score=3),
    Past(57, "DL-AC-001", "xu.g", "han.d", "温度过高", "堵塞", "清洗疏通",
         "空压机排气温度108度报警。", "油冷却器翅片积灰，吹扫并清洗。", 16, 100, 2, 2),
    Past(55, "ZZ-BC-001", "wu.t", "jiang.p", "异响", "磨损", "外协修理",
         "大车减速机啃齿声明显。", "减速机返厂修理，更换一级齿轮副。", 24, 240, 2, stop=True, helper="shen.k",
         vendor=("江北减速机修配厂", 4800)),
    Past(52, "ZP-HP-001", "you.r", "shen.k", "压力异常", "密封老化", "更换密封",
         "压装机保压时压力下降快。", "更换主缸活塞密封，保压10分钟无降。", 31, 130, type=3),
    Past(50, "JJ-HMC-001", "qin.y", "jiang.p", "报警停机", "线路接触不良", "修复线路",
         "B轴编码器报警，机床停止。", "编码器插头氧化，清洁后紧固。", 12, 75, 2, 2, stop=True),
    Past(48, "CC-AGV-001", "zhu.m", "yang.s", "不动作", "电气元件损坏", "更换零件",
         "AGV上电后不走。", "更换驱动器保险。", 42, 40, type=2),
    Past(45, "DL-BL-001", "xu.g", "jiang.p", "报警停机", "堵塞", "清洗疏通",
         "锅炉点火失败报警三次。", "清洗点火电极与燃气过滤器。", 10, 85, 1, stop=True, helper="shen.k"),
    Past(43, "TZ-PT-001", "hu.y", "shen.k", "压力异常", "堵塞", "清洗疏通",
         "脱脂段喷淋压力低。", "清理喷嘴与水箱滤网。", 27, 65),
    Past(41, "JJ-GH-001", "li.q", "jiang.p", "振动大", "磨损", "更换零件",
         "滚齿时刀架振动，齿面有波纹。", "更换刀架主轴轴承。", 36, 230, 2, end="auto"),
    Past(38, "ZP-DB-001", "zheng.h", "han.d", "精度超差", "参数漂移", "参数校正",
         "平衡机重复性差。", "重新标定，更换一根传感器电缆。", 29, 90, type=4),
    Past(36, "ZZ-SR-001", "wu.t", "shen.k", "跳闸", "过载", "清洗疏通",
         "再生线提升机跳闸。", "底部积砂卡死，清理后试车。", 21, 110, 2, stop=True),
    Past(34, "DL-WP-001", "xu.g", "jiang.p", "振动大", "松动", "紧固",
         "循环水泵A振动大，联轴器有响声。", "更换联轴器弹性块，紧固地脚。", 26, 70),
    Past(32, "JJ-TC-001", "qin.y", "jiang.p", "漏油", "密封老化", "更换密封",
         "尾座油缸漏油。", "更换尾座油缸密封圈。", 44, 60, type=3, score=4),
    Past(30, "ZZ-SB-001", "wu.t", "shen.k", "异响", "磨损", "更换零件",
         "抛丸器护板有撞击声。", "更换护板两块。", 30, 95),
    Past(28, "JJ-SG-001", "li.q", "han.d", "跳闸", "线路接触不良", "修复线路",
         "上磁时漏电保护跳闸。", "接线盒进冷却液，清洁并更换接头。", 23, 55, type=2),
    Past(26, "JJ-CNC-001", "qin.y", "jiang.p", "异响", "润滑不良", "润滑",
         "主轴高速时有啸叫声。", "主轴轴承补充油脂，跑合一小时。", 25, 140, 2, end="auto"),
    Past(25, "ZP-JC-001", "you.r", "shen.k", "不动作", "电气元件损坏", "更换零件",
         "悬臂吊只升不降。", "更换下降接触器。", 19, 50, type=2),
    Past(23, "TZ-OC-001", "hu.y", "shen.k", "漏油", "密封老化", "更换密封",
         "驱动减速机渗油。", "补加润滑油，紧固端盖，更换油封。", 32, 75),
    Past(22, "DL-AC-002", "xu.g", "han.d", "跳闸", "过载", "清洗疏通",
         "空压机运行半小时后过载跳闸。", "更换堵塞的油分芯，清洗进气滤芯。", 14, 120, 2, 2, stop=True),
    Past(20, "JJ-VMC-002", "qin.y", "jiang.p", "精度超差", "磨损", "调整",
         "换刀时机械手不到位。", "调整刀臂原点，更换磨损的刀爪。", 17, 170, 2, rework="换大刀仍不到位"),
    Past(19, "DL-RD-001", "xu.g", "yang.s", "漏水漏气", "堵塞", "清洗疏通",
         "排水器一直漏气。", "清洗排水器浮球，疏通管路。", 37, 60, type=2),
    Past(17, "ZZ-DC-001", "wu.t", "shen.k", "漏水漏气", "磨损", "更换零件",
         "除尘器压差偏低，有粉尘跑出。", "更换破损布袋两条。", 48, 100),
    Past(16, "JJ-VM-001", "qin.y", "jiang.p", "异响", "润滑不良", "润滑",
         "进给箱变速时响。", "更换变质的润滑油。", 41, 45, end="cancel"),
    Past(14, "ZZ-BF-001", "wu.t", "yang.s", "温度过高", "电气元件损坏", "更换零件",
         "箱式炉升温不停。", "更换粘连的接触器。", 13, 65, 2, 2),
    Past(13, "JJ-GMC-001", "li.q", "jiang.p", "漏油", "堵塞", "清洗疏通",
         "导轨润滑管接头渗油。", "疏通回油孔，紧固接头。", 34, 55, type=3),
    Past(12, "ZP-PT-001", "zheng.h", "han.d", "压力异常", "参数漂移", "参数校正",
         "试验台压力比标准表低2%。", "变送器重新校准。", 22, 40, 3, 4, score=4),
    Past(11, "CC-AGV-001", "zhu.m", "yang.s", "不动作", "线路接触不良", "修复线路",
         "AGV急停报警，复位无效。", "急停按钮线断，重新焊接。", 26, 50, type=2, stop=True),
    Past(10, "DL-BL-001", "xu.g", "jiang.p", "报警停机", "参数漂移", "参数校正",
         "燃烧器熄火保护动作。", "调整风气比，检测火焰信号。", 9, 95, 1, stop=True, rework="夜里又熄火一次"),
    Past(9, "JJ-HMC-001", "li.q", "jiang.p", "漏油", "密封老化", "更换密封",
         "液压站油管接头渗油。", "更换O形圈两只。", 46, 40, type=3, end="auto"),
    Past(8, "ZP-AL-001", "you.r", "shen.k", "不动作", "松动", "紧固",
         "流水线中段链板卡住不动。", "紧固松脱的链板螺栓，校直导轨。", 20, 85, 2, stop=True, helper="jiang.p"),
    Past(7, "TZ-CO-001", "hu.y", "yang.s", "温度过高", "参数漂移", "参数校正",
         "三区温度比设定高15度。", "重新整定PID参数。", 18, 60, 3, 4, score=4),
    Past(6, "DL-TR-001", "xu.g", "han.d", "温度过高", "堵塞", "清洗疏通",
         "变压器温控报警，风机不转。", "清扫风道，更换一台冷却风机。", 15, 110, 2, 2),
    Past(5, "JJ-CNC-003", "qin.y", "jiang.p", "不动作", "操作不当", "复位",
         "卡盘夹不紧工件。", "现场已自行恢复。", end="cancel"),
)  # fmt: skip

PLATFORM_PLANT = Plant(
    PLATFORM, "平台", "Platform", "PLATFORM", False,
    depts=(Dept("平台", "Platform", "", "admin"),),
    people=(Person("admin", "平台管理员", "administrator", "平台"),),
)  # fmt: skip

_JIANGBEI_SHIFTS = (
    Shifts(
        "PB-SC", "四班三运转(生产)", "生产部", 4,
        # From the night on forward, so that every team has a day between two kinds of shifts.
        (("夜班", "00:00", "08:00"), ("早班", "08:00", "16:00"), ("中班", "16:00", "00:00")),
        (
            ShiftCrew("甲班", ("li.q", "qin.y", "wang.f")), ShiftCrew("乙班", ("wu.t", "feng.y")),
            ShiftCrew("丙班", ("zheng.h", "you.r", "chen.l")), ShiftCrew("丁班", ("hu.y", "chu.x")),
        ),
        swaps=((3, "甲班", "丙班"), (9, "乙班", "丁班")),
    ),
    Shifts(
        "PB-DL", "两班两运转(动力)", "动力站", 2, (("白班", "08:00", "20:00"), ("夜班", "20:00", "08:00")),
        (ShiftCrew("动力甲班", ("xu.g",)), ShiftCrew("动力乙班", ("cao.j",))),
    ),
    Shifts(
        "PB-SB", "常白班(设备部)", "设备部", 1, (("白班", "08:00", "17:00"),),
        (
            ShiftCrew("机修班", ("wei.b", "jiang.p", "shen.k"), is_repair=True),
            ShiftCrew("电修班", ("han.d", "yang.s"), is_repair=True),
        ),
        workdays=2, pause=("12:00", "13:00"),
    ),
)  # fmt: skip

JIANGBEI = Plant(
    "100001", "江北泵业示范工厂", "Jiangbei Pump demo plant", "JBPUMP", True,
    depts=(
        Dept("厂部", "Plant management", "", "he.z"),
        Dept("生产部", "Production", "厂部", "he.z"),
        Dept("机加车间", "Machining shop", "生产部", "sun.j"),
        Dept("铸造热处理车间", "Foundry and heat treatment", "生产部", "zhou.l"),
        Dept("装配试验车间", "Assembly and testing", "生产部", "zheng.h"),
        Dept("涂装车间", "Paint shop", "生产部", "hu.y"),
        Dept("设备部", "Equipment department", "厂部", "qian.w"),
        Dept("机修班", "Mechanical repair", "设备部", "wei.b"),
        Dept("电修班", "Electrical repair", "设备部", "wei.b"),
        Dept("点检班", "Inspection team", "设备部", "wang.f"),
        Dept("备件库", "Spare parts store", "设备部", "zhu.m"),
        Dept("动力站", "Power station", "厂部", "qian.w"),
        Dept("仓储物流", "Warehouse and logistics", "厂部", "zhu.m"),
        Dept("品质部", "Quality", "厂部", "he.z"),
        Dept("安环部", "Safety and environment", "厂部", "he.z"),
    ),
    people=(
        Person("zhao.m", "赵明", "tenant_admin", "厂部"),
        Person("qian.w", "钱伟", "equip_manager", "设备部"),
        Person("sun.j", "孙健", "workshop_head", "机加车间"),
        Person("zhou.l", "周磊", "workshop_head", "铸造热处理车间"),
        Person("li.q", "李强", "shift_leader", "机加车间"),
        Person("wu.t", "吴涛", "shift_leader", "铸造热处理车间"),
        Person("zheng.h", "郑浩", "shift_leader", "装配试验车间"),
        Person("hu.y", "胡勇", "shift_leader", "涂装车间"),
        Person("wang.f", "王芳", "inspector", "点检班"),
        Person("feng.y", "冯勇", "inspector", "点检班"),
        Person("chen.l", "陈林", "inspector", "点检班"),
        Person("chu.x", "褚霞", "inspector", "点检班"),
        Person("wei.b", "卫斌", "repair_leader", "机修班"),
        Person("jiang.p", "蒋平", "repairer", "机修班"),
        Person("shen.k", "沈凯", "repairer", "机修班"),
        Person("han.d", "韩东", "repairer", "电修班"),
        Person("yang.s", "杨硕", "repairer", "电修班"),
        Person("zhu.m", "朱敏", "storekeeper", "备件库"),
        Person("qin.y", "秦岳", "operator", "机加车间"),
        Person("you.r", "尤蓉", "operator", "装配试验车间"),
        Person("cao.j", "曹健", "operator", "动力站"),
        Person("xu.g", "许刚", "operator", "动力站"),
        Person("he.z", "何总", "viewer", "厂部"),
        Person("lv.w", "吕文", "vendor", "设备部", is_enabled=False),
        Person("gao.l", "高岚", "flow_designer", "厂部"),
        Person("du.w", "杜薇", "hr", "厂部"),
    ),
    crews=(
        Crew("机修班", "Mechanics", "wei.b", ("jiang.p", "shen.k")),
        Crew("电修班", "Electricians", "wei.b", ("han.d", "yang.s")),
    ),
    shifts=_JIANGBEI_SHIFTS,
    site=_JIANGBEI_SITE,
    kinds=_JIANGBEI_KINDS,
    leaves=_JIANGBEI_LEAVES,
    models=_JIANGBEI_MODELS,
    permits={f"hotwork#{place}": _permit(permit) for place, permit in enumerate(_JIANGBEI_PERMITS, start=1)},
    orders={**_JIANGBEI_ORDERS, **_past(_JIANGBEI_PAST, "wei.b")},
)  # fmt: skip

YUNLING = Plant(
    "100002", "云岭冷链示范", "Yunling Cold Chain demo", "YLCOLD", True,
    depts=(
        Dept("厂部", "Site management", "", "luo.m"),
        Dept("冷库运行部", "Cold store operation", "厂部", "bai.q"),
        Dept("设备部", "Equipment department", "厂部", "tan.w"),
    ),
    people=(
        Person("luo.m", "罗敏", "tenant_admin", "厂部"),
        Person("tan.w", "谭伟", "equip_manager", "设备部"),
        Person("shi.b", "石斌", "repair_leader", "设备部"),
        Person("gu.y", "顾岩", "repairer", "设备部"),
        Person("ren.k", "任凯", "repairer", "设备部"),
        Person("bai.q", "白倩", "operator", "冷库运行部"),
    ),
    crews=(Crew("制冷班", "Refrigeration crew", "shi.b", ("gu.y", "ren.k")),),
    kinds=(
        Kind("ZL", "制冷设备", "Refrigeration", A, below=(
            Kind("ZL-CP", "制冷压缩机组", "Refrigeration compressors", A, ("YL-CP",), mtbf=3000),
            Kind("ZL-EC", "冷凝器", "Condensers", B, ("YL-EC",)),
            Kind("ZL-AC", "冷风机", "Air coolers", B, ("YL-AC",)),
        )),
        Kind("KQ", "库区设施", "Store fittings", C, below=(
            Kind("KQ-FD", "快速门", "High-speed doors", C, ("YL-FD",)),
            Kind("KQ-DL", "升降平台", "Dock levellers", C, ("YL-DL",)),
        )),
    ),
    site=Area("YL", "云岭冷库", "冷库运行部", lines=(
        Area("YL-JF", "制冷机房", "冷库运行部", machines=(
            Item("YL-CP-001", "螺杆制冷机组1#", "LSZ-250", A, "制冷班"),
            Item("YL-CP-002", "螺杆制冷机组2#", "LSZ-250", A, "制冷班", (), RunState.IDLE),
            Item("YL-EC-001", "蒸发式冷凝器", "EC-800", B, "制冷班"),
        )),
        Area("YL-KQ", "库区", "冷库运行部", machines=(
            Item("YL-AC-001", "1号库冷风机", "DD-120", B, "制冷班"),
            Item("YL-FD-001", "2号库快速门", "FD-30", C, "制冷班"),
            Item("YL-DL-001", "月台升降平台", "DL-6", C, "制冷班"),
        )),
    )),
    orders={
        "YL-EC-001": (
            Step(4300, "bai.q", "save", {
                "description": "喷淋水泵有异响，水量偏小。", "title": "冷凝器喷淋水量偏小", "faults": ("异响",),
            }),
            Step(4280, "shi.b", "dispatch", {"repairer": "gu.y"}),
            Step(4270, "gu.y", "accept"),
            Step(4150, "gu.y", "line", {"type": 6, "from": 4260, "to": 4160, "content": "清洗喷嘴与滤网"}),
            Step(4145, "gu.y", "finish", {
                "solution": "滤网堵塞，清洗后水量恢复。", "cause": "堵塞", "done": ("清洗疏通",),
            }),
            Step(4100, "bai.q", "check", {"checkResult": 1, "checkScore": 5}),
        ),
        "YL-FD-001": (
            Step(35, "bai.q", "save", {
                "description": "快速门关到一半停住，需要手动复位。", "title": "快速门关不到位", "faults": ("不动作",),
            }),
        ),
    },
)  # fmt: skip

PLANTS = (PLATFORM_PLANT, JIANGBEI, YUNLING)

SHOWN = (
    ("100001", "qin.y"),
    ("100001", "wei.b"),
    ("100001", "jiang.p"),
    ("100001", "qian.w"),
    ("100001", "zhao.m"),
    (PLATFORM, "admin"),
)
"""Accounts of the main story, printed at each start."""
