"""Models of the repair that a company draws for itself: one with a parallel branch, one with two checkers.

Each says in words of its own where an order waits after an act, so that tests need not ask the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tests.cast import A, Cast
from tests.workflows.workbench.test_upload import send
from workflows.runtime.tables.deployments.models import Definition

LEADS_TO: Mapping[str, tuple[tuple[str, ...], str]] = {
    "dispatch": (("dispatch", "accept"), "accept"), "claim": (("dispatch",), "repair"),
    "accept": (("accept",), "repair"), "refuse": (("accept",), "dispatch"), "finish": (("repair",), "check"),
    "hang": (("repair",), "hold"), "resume": (("hold",), "repair"), "transfer": (("repair",), "accept"),
    "pass": (("check",), ""), "fail": (("check",), "repair"), "autoCheck": (("check",), ""),
}  # fmt: skip
"""By outcome of the shipped steps, at which of them it may be, and which one is next; none where the order is over."""


@dataclass(frozen=True)
class Place:
    """Where an order waits: at which step of the shipped model, and at which steps that the company added."""

    main: str
    beside: frozenset[str]

    @property
    def steps(self) -> frozenset[str]:
        """The open steps: nobody checks before what stands beside is done."""
        is_held_up = not self.main or (self.main == "check" and self.beside)
        return self.beside if is_held_up else self.beside | {self.main}


@dataclass(frozen=True)
class Model:
    """A model of the repair, shipped or drawn."""

    name: str
    draw: Callable[[str], str] = field(default=lambda xml: xml)
    """Return the drawing made of the shipped one."""
    opens: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By act, the steps that it opens beside the shipped ones."""
    asked: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By added step, the roles that may do it."""

    def begin(self) -> Place:
        """Where an order waits that was just reported."""
        return Place("dispatch", self.opens.get("save", frozenset()))

    def may_be(self, place: Place, act: str) -> bool:
        """Whether the order takes the act at the place."""
        if act == "cancel":
            return place.main in ("dispatch", "accept", "repair", "hold")
        steps = {act} if act in self.asked else LEADS_TO[act][0]
        return bool(place.steps.intersection(steps))

    def after(self, place: Place, act: str) -> Place:
        """Where it waits after the act, which must be one that may be there."""
        assert self.may_be(place, act), (place, act)
        if act == "cancel":
            return Place("", frozenset())
        if act in self.asked:
            return Place(place.main, place.beside - {act})
        return Place(LEADS_TO[act][1], place.beside | self.opens.get(act, frozenset()))

    def ways(self, place: Place) -> Iterator[tuple[str, Place]]:
        """What people can do at a place, and where the order waits then."""
        for act in (*self.asked, *LEADS_TO, "cancel"):
            if act != "autoCheck" and self.may_be(place, act):
                yield act, self.after(place, act)

    def places(self) -> list[Place]:
        """Every place at which an order can wait."""
        found = [self.begin()]
        for place in found:
            found += [after for after in dict(self.ways(place)).values() if after not in found]
        return list(dict.fromkeys(found))

    def deploy(self, cast: Cast, tenant: str = A) -> None:
        """Let the company draw it."""
        xml = self.draw(bytes(Definition.objects.get(key="repairorder", is_general=True).xml).decode())
        files = {"r.bpmn": xml.encode()}
        answer = send(cast.client_for("flow_designer", tenant), files, category="", confirm=1, tenantIds=tenant)
        assert answer.status == 200, answer
        assert answer.data["files"][0]["problems"] == []


def _step(node: str, zh: str, en: str, candidates: str) -> str:
    return f'<userTask id="{node}" name="{zh}" xw:nameEn="{en}" xw:candidates="{candidates}" xw:formKey="repair"/>'


def _gateways(*nodes: str) -> str:
    return "".join(f'<parallelGateway id="{node}" name="同时" xw:nameEn="At once"/>' for node in nodes)


def _flows(*ends: tuple[str, str]) -> str:
    return "".join(f'<sequenceFlow id="{a}To{b}" sourceRef="{a}" targetRef="{b}"/>' for a, b in ends)


def _flow(xml: str, flow: str) -> str:
    """The drawn flow of this id."""
    there = re.search(f'<sequenceFlow id="{flow}"[^>]*?(/>|>.*?</sequenceFlow>)', xml, re.DOTALL)
    assert there is not None
    return there[0]


def _redirected(xml: str, flow: str, target: str) -> str:
    """The drawing with this flow leading elsewhere."""
    drawn = _flow(xml, flow)
    return xml.replace(drawn, re.sub('targetRef="[^"]*"', f'targetRef="{target}"', drawn))


def _reviewed(xml: str) -> str:
    """Somebody reviews the safety beside all that is done from the report to the finish, and anew for a rework."""
    inside = ("toRepairing", "toAfterRepair", "afterToResponding", "afterToCheck")
    moved = "".join(_flow(xml, flow) for flow in inside)
    for flow in inside:
        xml = xml.replace(_flow(xml, flow), "")
    begin, end = xml.index('<subProcess id="responding"'), xml.index('<userTask id="check"')
    xml = (
        f'{xml[:begin]}<subProcess id="working" name="维修与评估" xw:nameEn="Repair and review">{xml[begin:end]}{moved}'
        + '<startEvent id="workingStart" name="开始" xw:nameEn="Begin"/>'
        + _step("review", "安全评估", "Safety review", "role:equip_manager role:repairer")
        + '<exclusiveGateway id="again" name="是否返修" xw:nameEn="A rework?" default="againToresponding"/>'
        + '<sequenceFlow id="againToRepairing" sourceRef="again" targetRef="repairing">'
        + "<conditionExpression>${outcome == 'fail'}</conditionExpression></sequenceFlow>"
        + '<endEvent id="worked" name="已完成" xw:nameEn="Done"/>'
        + _gateways("fork", "join")
        + _flows(("workingStart", "fork"), ("fork", "again"), ("again", "responding"), ("fork", "review"))
        + f"{_flows(('review', 'join'), ('join', 'worked'))}</subProcess>{_flows(('working', 'check'))}{xml[end:]}"
    )
    for flow, target in (("afterToCheck", "join"), ("toResponding", "working"), ("failedToRepairing", "working")):
        xml = _redirected(xml, flow, target)
    return xml


def _looked_at(xml: str) -> str:
    """Two people look at the finished work, side by side, before it is checked."""
    xml = _redirected(xml, "afterToCheck", "both")
    looks = _step("first", "复核一", "First look", "role:repair_leader role:equip_manager")
    looks += _step("second", "复核二", "Second look", "role:equip_manager role:shift_leader") + _gateways(
        "both", "seen"
    )
    looks += _flows(("both", "first"), ("both", "second"), ("first", "seen"), ("second", "seen"), ("seen", "check"))
    place = xml.index('<userTask id="check"')
    return xml[:place] + looks + xml[place:]


SHIPPED = Model("shipped")
PARALLEL = Model(
    "parallel",
    _reviewed,
    {"save": frozenset({"review"}), "fail": frozenset({"review"})},
    {"review": frozenset({"equip_manager", "repairer"})},
)
"""With a step beside the way of the order, which the repairers may do as well as the equipment manager."""
CHECKERS = Model(
    "checkers",
    _looked_at,
    {"finish": frozenset({"first", "second"})},
    {"first": frozenset({"repair_leader", "equip_manager"}), "second": frozenset({"equip_manager", "shift_leader"})},
)
"""With two who look at the work before the check; the equipment manager may do either, and the check too."""
