"""Spare parts of the demo plant: 36 of them with their places, three months of movements, and requests in every state.

All of it goes through the commands that people use, with the clock at the moment of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from core.equipment.models import Machine
from core.identity.models import User
from core.kernel import clock
from core.kernel.actor import Actor, acting
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder, Status
from core.spares import counting, life, movements
from core.spares.models import OrderType, SpareFit, SparePart

_SEED = 20260301
_DAYS = 88
_COUNTED = 30
"""So many days ago the store was counted."""
KEEPER = "zhu.m"
_MECHANIC, _ELECTRICIAN = "jiang.p", "han.d"


@dataclass(frozen=True)
class _Part:
    """A part: what it is, how much was there at first, what is the least, and how much is used at a time."""

    code: str
    name: str
    spec: str
    category: int
    unit: str
    place: str
    price: str
    opening: str
    least: str
    most: str
    at: tuple[str, ...] = ()
    """Codes of the assets at which it is used."""
    is_whole: bool = True
    is_critical: bool = False
    supplier: str = "江城备件商行"


_TABLE = """\
BJ-ZC-6205|深沟球轴承6205|25×52×15|1|个|A-01-01|18.5|24|6|30|DL-WP-001,DL-WP-002|
BJ-ZC-6308|深沟球轴承6308|40×90×23|1|个|A-01-02|46|12|4|16|DL-WP-001|
BJ-ZC-7014|角接触轴承7014|P4级 配对|1|套|A-01-03|980|4|2|6|JJ-VMC-001,JJ-VMC-002|!
BJ-MF-M7N|机械密封M7N-45|碳化硅|2|套|A-02-01|265|8|3|10|DL-WP-001,DL-WP-002|
BJ-MF-TC50|骨架油封TC50×72×10|丁腈橡胶|2|个|A-02-02|6.8|40|10|50||
BJ-MF-TJ|密封圈套件|φ5–φ60|2|盒|A-02-03|58|6|2|8||
BJ-CD-B2240|三角带B-2240|B型|5|根|A-03-01|32|16|6|20||
BJ-CD-LT|链条销轴|φ16×60|5|个|A-03-02|9.5|60|20|80||
BJ-CD-GS14|钢丝绳φ14|6×37|5|米|A-03-03|12.4|80|20|100||~!
BJ-CD-ZD|制动片|YWZ-200|5|片|A-03-04|74|8|4|12||!
BJ-DQ-LC1|接触器LC1-D32|AC220V|3|个|B-01-01|168|10|3|12|JJ-CNC-001,JJ-CNC-002|
BJ-DQ-MY4|中间继电器MY4|DC24V|3|个|B-01-02|21|30|10|40||
BJ-DQ-IC65|断路器iC65N-C32|3P|3|个|B-01-03|96|8|3|10||
BJ-DQ-JK12|接近开关M12-PNP|常开 4mm|3|个|B-01-04|62|20|6|24|JJ-CNC-001,JJ-VMC-001|
BJ-DQ-FS|伺服风扇|A90L-0001|3|个|B-02-01|210|5|2|6|JJ-VMC-001,JJ-HMC-001|
BJ-DQ-BP|变频器7.5kW|380V|3|台|B-02-02|2350|2|1|2|DL-WP-001|!
BJ-DQ-PLC|PLC模块|16入16出|3|块|B-02-03|1480|2|1|2||!
BJ-DQ-BM|编码器|2500线|3|个|B-02-04|560|4|2|5|JJ-CNC-001|
BJ-YQ-HX63|液压滤芯HX-63|10μm|4|个|C-01-01|88|12|4|16|JJ-HMC-001|
BJ-YQ-4V210|电磁阀4V210-08|DC24V|4|个|C-01-02|54|14|5|18||
BJ-YQ-SC63|气缸SC63×100|标准型|4|个|C-01-03|132|5|2|6||
BJ-YQ-FT|喷枪嘴|1.3mm|4|个|C-01-04|85|10|4|12||
BJ-LX-KL|空滤(75kW)|原厂|8|个|C-02-01|165|6|2|8|DL-AC-001,DL-AC-002|
BJ-LX-YL|油滤(75kW)|原厂|8|个|C-02-02|98|8|3|10|DL-AC-001,DL-AC-002|
BJ-LX-YF|油分芯(75kW)|原厂|8|个|C-02-03|880|3|1|4|DL-AC-001,DL-AC-002|!
BJ-LX-BD|布袋φ130×2500|涤纶针刺毡|8|条|C-02-04|46|40|12|60||
BJ-RH-KYJ|空压机油20L|46号合成|7|桶|D-01-01|620|5|2|6|DL-AC-001,DL-AC-002|
BJ-RH-DG68|导轨油68#|18L|7|升|D-01-02|16.5|72|18|90|JJ-CNC-001,JJ-CNC-002|~
BJ-RH-KM46|抗磨液压油46#|200L|7|升|D-01-03|13.2|160|40|200||~
BJ-RH-ZZ|主轴润滑脂|NBU15|7|千克|D-01-04|310|3.5|1|4|JJ-VMC-001|~
BJ-RH-LQ|冷却液|半合成 20L|7|桶|D-01-05|285|9|3|12||
BJ-YB-RDO|热电偶K型|0–1300℃|9|支|B-03-01|78|10|4|12||
BJ-YB-YLB|压力表0–1.6MPa|φ100 1.6级|9|块|B-03-02|45|12|4|16|DL-AC-001|
BJ-DJ-CNMG|车刀片CNMG120408|10片/盒|6|盒|A-04-01|230|14|4|16|JJ-CNC-001,JJ-CNC-002|
BJ-DJ-APMT|铣刀片APMT1604|10片/盒|6|盒|A-04-02|195|12|4|16|JJ-VMC-001|
BJ-QT-LB|指示灯AD16-22|DC24V 红|10|个|B-04-01|8.5|30|10|40||
"""
"""Code, name, specification, category, unit, place, price, first stock, minimum, maximum, the assets at which it is
used; ~ is measured in parts of its unit, ! is critical."""


def _parts() -> tuple[_Part, ...]:
    found = []
    for line in _TABLE.splitlines():
        code, name, spec, category, unit, place, price, opening, least, most, at, marks = line.split("|")
        machines = tuple(filter(None, at.split(",")))
        found.append(
            _Part(
                code, name, spec, int(category), unit, place, price, opening, least, most, machines, "~" not in marks,
                "!" in marks,
            )
        )  # fmt: skip
    return tuple(found)


_PARTS = _parts()
_OUT = ("BJ-DQ-BM",)
"""What has run out by now."""
_LOW = ("BJ-MF-M7N", "BJ-LX-YL", "BJ-CD-ZD")
"""What is below its minimum by now."""


def fill(tenant_id: str, now: datetime, actor_of: Callable[[int], Actor]) -> None:
    """Keep the store of a plant that has a storekeeper: parts, movements in the order of time, and open requests."""
    with tenant_scope(tenant_id):
        people = dict(User.objects.filter(is_enabled=True).values_list("account", "pk"))
        if not {KEEPER, _MECHANIC, _ELECTRICIAN} <= set(people):
            return
        actors = {name: actor_of(people[name]) for name in (KEEPER, _MECHANIC, _ELECTRICIAN)}
        _Fill(now, actors, actor_of).run()


class _Fill:
    """Fills one store; whatever happens by chance is the same at each installation."""

    def __init__(self, now: datetime, actors: Mapping[str, Actor], actor_of: Callable[[int], Actor]):
        self.now, self.actors, self.actor_of = now, actors, actor_of
        self.chance = Random(_SEED)  # noqa: S311
        self.ids: dict[str, int] = {}

    def run(self) -> None:
        """Parts and opening stock, three months of use and purchases, a count, and what is open now."""
        with self._at(_DAYS * 24, KEEPER) as keeper:
            for part in _PARTS:
                self._enter_part(part)
                self._move(keeper, part.code, 1, part.opening, part.price)
        self._months()
        self._drain()
        self._open()

    def _at(self, hours: float, who: str) -> Any:
        return _At(self.now - timedelta(hours=hours), self.actors[who])

    def _enter_part(self, part: _Part) -> None:
        row = SparePart.objects.create(
            spare_code=part.code, spare_name=part.name, spec=part.spec, category=part.category, unit=part.unit,
            is_integer=part.is_whole, location_code=part.place, min_qty=Decimal(part.least),
            max_qty=Decimal(part.most), safety_qty=Decimal(part.least), supplier=part.supplier, lead_days=7,
            is_critical=part.is_critical, barcode=part.code,
        )  # fmt: skip
        self.ids[part.code] = row.pk
        machines = Machine.objects.filter(machine_code__in=part.at)
        SpareFit.objects.bulk_create(SpareFit(spare=row, machine=machine) for machine in machines)

    def _move(self, keeper: Actor, code: str, kind: int, qty: Any, price: Any = None, remark: str = "") -> None:
        body = {"spareId": str(self.ids[code]), "bizType": kind, "qty": str(qty), "remark": remark}
        movements.enter(keeper, body if price is None else {**body, "price": str(price)})

    def _request(self, who: Actor, wanted: Mapping[str, Any], **values: Any) -> dict[str, Any]:
        lines = [{"spareId": str(self.ids[code]), "planQty": str(qty)} for code, qty in wanted.items()]
        body = {"orderType": int(OrderType.OTHER), "remark": "日常维护领用", "lines": lines, **values}
        return life.submit(who, body)

    def _handle(self, keeper: Actor, asked: Mapping[str, Any], action: str, **values: Any) -> dict[str, Any]:
        return life.handle(
            keeper, {"id": asked["id"], "lockVersion": asked["lockVersion"], "action": action, **values}
        )  # fmt: skip

    def _months(self) -> None:
        """Every day somebody needs something; what has become little is bought, at a price near the last one."""
        for day in range(_DAYS - 2, 3, -1):
            if day == _COUNTED:
                with self._at(day * 24 + 20, KEEPER) as keeper:
                    self._count(keeper)
            part = self.chance.choice([one for one in _PARTS if one.code not in (*_OUT, *_LOW)])
            row = SparePart.objects.get(pk=self.ids[part.code])
            most = min(int(row.available_qty) // 3, int(row.available_qty - row.min_qty) - 1)
            bought = row.max_qty - row.available_qty
            if most < 1:
                if bought <= 0:
                    continue
                with self._at(day * 24 + 8, KEEPER) as keeper:
                    each = (Decimal(part.price) * Decimal(self.chance.randint(94, 108)) / 100).quantize(Decimal("0.01"))
                    self._move(keeper, part.code, 2, bought, each, "月度采购")
                continue
            qty = self.chance.randint(1, min(most, 6))
            who = _ELECTRICIAN if part.category == 3 else _MECHANIC
            with self._at(day * 24 + 6, who) as applicant:
                asked = self._request(applicant, {part.code: qty})
            with self._at(day * 24 + 5, KEEPER) as keeper:
                asked = self._handle(keeper, asked, "issue")
            if day % 10 == 0:
                with self._at(day * 24 + 2, KEEPER) as keeper:
                    back = [{"lineId": asked["lines"][0]["lineId"], "qty": 1}]
                    self._handle(keeper, asked, "return", lines=back, remark="未使用，退回")

    def _count(self, keeper: Actor) -> None:
        found = []
        for code, difference in (("BJ-MF-TC50", -1), ("BJ-DQ-MY4", 2), ("BJ-CD-LT", -3), ("BJ-LX-BD", 0)):
            row = SparePart.objects.get(pk=self.ids[code])
            found.append({"spareId": str(row.pk), "countedQty": str(row.stock_qty + difference)})
        counting.count(keeper, {"lines": found, "remark": "月末盘点"})
        self._move(keeper, "BJ-QT-LB", 8, 2, remark="外壳破损")

    def _drain(self) -> None:
        """What has run low or out by now was used by several requests, and not bought in time."""
        for number, code in enumerate((*_OUT, *_LOW)):
            row = SparePart.objects.get(pk=self.ids[code])
            left = Decimal(0) if code in _OUT else row.min_qty - 1
            rest = row.available_qty - left
            for step in range(3):
                qty = rest if step == 2 else min(rest - (2 - step), max(Decimal(1), rest // 3))
                if qty <= 0:
                    continue
                rest -= qty
                hours = (20 - 6 * step) * 24 + number * 5 + 7
                with self._at(hours, _MECHANIC) as applicant:
                    asked = self._request(applicant, {code: qty})
                with self._at(hours - 1, KEEPER) as keeper:
                    self._handle(keeper, asked, "issue")

    def _open(self) -> None:
        """What waits now: for orders in work, one of them for a part that is out, and one refused."""
        with self._at(30, _ELECTRICIAN) as applicant:
            refused = self._request(applicant, {"BJ-DQ-PLC": 2}, remark="备用")
        with self._at(29, KEEPER) as keeper:
            self._handle(keeper, refused, "reject", remark="关键备件不作备用领用，请按工单申请")
        wanted = ({"BJ-ZC-6308": 2, "BJ-MF-TC50": 2}, {"BJ-DQ-BM": 1}, {"BJ-YQ-4V210": 1, "BJ-MF-TJ": 1})
        orders = RepairOrder.objects.filter(status__in=(Status.REPAIRING, Status.ON_HOLD), repair_user__isnull=False)
        for number, order in enumerate(orders.order_by("pk")[: len(wanted)]):
            lines = [{"spareId": str(self.ids[code]), "planQty": qty} for code, qty in wanted[number].items()]
            body = {"orderType": int(OrderType.REPAIR), "orderId": str(order.pk), "lines": lines}
            repairer = self.actor_of(order.repair_user_id)
            if not repairer.may(life.APPLIES):
                continue
            with _At(self.now - timedelta(minutes=20 - number), repairer) as applicant:
                asked = life.submit(applicant, body)
            if number == 0:
                with _At(self.now - timedelta(minutes=9), self.actors[KEEPER]) as keeper:
                    line = asked["lines"][0]["lineId"]
                    self._handle(keeper, asked, "issue", lines=[{"lineId": line, "qty": 1}])
        with self._at(2, _MECHANIC) as applicant:
            self._request(applicant, {"BJ-RH-DG68": "3.5", "BJ-DJ-CNMG": 1}, remark="周保养用")


class _At:
    """The clock at a moment, with somebody who acts."""

    def __init__(self, moment: datetime, actor: Actor):
        self.clock, self.acting, self.actor = clock.at(moment), acting(actor), actor

    def __enter__(self) -> Actor:
        self.clock.__enter__()
        self.acting.__enter__()
        return self.actor

    def __exit__(self, *error: Any) -> None:
        self.acting.__exit__(*error)
        self.clock.__exit__(*error)
