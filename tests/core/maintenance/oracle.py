"""Who may do what with a repair order at a moment, and what they are told otherwise: the specification's rules, in a
second writing that shares nothing with the product's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.maintenance.models import Status
from tests import cast
from tests.core.maintenance.drawn_models import LEADS_TO, Model, Place

ROLE = {account: role for account, (_name, role, _dept, _team) in cast.PEOPLE.items()}
TEAM = {account: team for account, (_name, _role, _dept, team) in cast.PEOPLE.items()}
_REPAIR, _LEAD = {"repairer", "repair_leader"}, {"equip_manager", "repair_leader"}
_CHECK = {"operator", "shift_leader", "equip_manager"} | _REPAIR  # whoever may report
HELD: Mapping[str, set[str]] = {
    "dispatch": _LEAD, "claim": _REPAIR, "accept": _REPAIR, "refuse": _REPAIR, "finish": _REPAIR, "hang": _REPAIR,
    "resume": _REPAIR, "transfer": _REPAIR | _LEAD, "pass": _CHECK, "fail": _CHECK,
    "cancel": {"operator", "shift_leader", "repairer", *_LEAD}, "edit": {"operator", "shift_leader", *_REPAIR, *_LEAD},
}  # fmt: skip
"""By act, the roles that hold its permission."""
ACTS = tuple(HELD)
COMMAND = {"pass": "check", "fail": "check"}
"""The command that an act belongs to, where it has another name."""
DONE = "done"


@dataclass(frozen=True)
class Moment:
    """What decides who may do what with an order; people by account, teams by key, nobody is empty."""

    place: Place
    status: int
    holders: frozenset[tuple[str, str]]
    """Open steps that one person alone has, by claim or because the model named that person."""
    reporter: str
    repairer: str
    team: str
    """The team that was asked to come."""
    machine_team: str
    workers: frozenset[str]
    """Those who have a work line."""

    def holder(self, step: str) -> str:
        """Who alone has the step."""
        return dict(self.holders).get(step, "")

    def sees(self, who: str) -> bool:
        """Everybody of the shop and the maintenance; repairers what is their team's or their own."""
        if ROLE[who] != "repairer":
            return True
        return TEAM[who] in (self.machine_team, self.team) or who in (self.reporter, self.repairer)

    def is_asked(self, model: Model, who: str, step: str) -> bool:
        """Whether the step was offered to the person, whoever has taken it since."""
        role = ROLE[who]
        if step == "dispatch":
            return role in ("repair_leader", "equip_manager") or TEAM[who] == self.machine_team
        if step == "accept":
            return TEAM[who] != "" and TEAM[who] == self.team
        if step == "check":
            return who == self.reporter or role in ("equip_manager", "shift_leader")
        return role in model.asked.get(step, ())

    def is_for(self, model: Model, who: str, step: str) -> bool:
        """Whether the step waits for the person."""
        holder = self.holder(step)
        return holder == who if holder else self.is_asked(model, who, step)

    def by_record(self, model: Model, who: str, act: str) -> str:
        """`done`, or what the person is refused with who does this on the order."""
        if ROLE[who] not in HELD[act]:
            return "access.denied"
        if not self.sees(who):
            return "data.missing"
        if act == "edit":
            return DONE if self.place.main and self._speaks_for_it(who) else "access.denied"
        if act == "cancel":
            if self.place.main in ("", "check"):
                return "order.wrongState"
            return DONE if self._may_cancel(who) else "access.denied"
        steps = self.place.steps.intersection(LEADS_TO[act][0])
        if not steps:
            return "order.taken" if self._is_taken(who, act) else "order.wrongState"
        [step] = steps
        is_step_asked = act not in ("dispatch", "transfer")
        if (not is_step_asked or self.is_for(model, who, step)) and self._fits(who, act):
            return "order.noLines" if act == "finish" and not self.workers else DONE
        if self._is_taken(who, act):
            return "order.taken"
        return "workflow.taskTaken" if is_step_asked and self.holder(step) not in ("", who) else "access.denied"

    def by_step(self, model: Model, who: str, step: str, outcome: str) -> str:
        """The same of whoever does the open step with this outcome, from the queue."""
        if self.holder(step) not in ("", who) and self.is_asked(model, who, step):
            return "workflow.taskTaken"
        if step in model.asked:
            if outcome != "":
                return "workflow.outcome"
            return DONE if self.is_for(model, who, step) else "access.denied" if self.sees(who) else "data.missing"
        if step not in LEADS_TO.get(outcome, ((), ""))[0]:
            return "workflow.outcome"
        return self.by_record(model, who, outcome)

    def offered(self, model: Model, who: str) -> set[str] | None:
        """The commands that the order's page offers; None where the person does not see the order."""
        if not self.sees(who):
            return None
        may = {act for act in ACTS if self.by_record(model, who, act) in (DONE, "order.noLines")}
        return {COMMAND.get(act, act) for act in may}

    def _speaks_for_it(self, who: str) -> bool:
        return who == self.reporter or ROLE[who] in _LEAD

    def _fits(self, who: str, act: str) -> bool:
        """What else must hold between the person and the order."""
        if act == "claim":
            return TEAM[who] != "" and TEAM[who] == self.machine_team
        if act == "transfer":
            return who == self.repairer or ROLE[who] in _LEAD
        return act not in ("pass", "fail") or (who != self.repairer and who not in self.workers)

    def _is_taken(self, who: str, act: str) -> bool:
        """Whether somebody wants to accept what is another's to repair, or to accept."""
        if act not in ("claim", "accept") or who == self.repairer:
            return False
        if self.status == Status.DISPATCHED:
            return self.repairer != "" or TEAM[who] != self.team
        return self.repairer != "" and self.status in (Status.REPAIRING, Status.ON_HOLD, Status.TO_CHECK)

    def _may_cancel(self, who: str) -> bool:
        if self.status in (Status.REPAIRING, Status.ON_HOLD):
            return ROLE[who] == "equip_manager"
        return ROLE[who] in _LEAD or (self.status == Status.REPORTED and who == self.reporter)
