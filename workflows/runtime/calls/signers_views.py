"""The calls of the work list that add signers to a step and remove them, and who signs a step."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.blade.parsers import parameters
from core.kernel.actor import Actor
from core.kernel.errors import Invalid
from core.kernel.texts import moment
from core.rest.serializers import IdListField
from workflows.runtime.calls.signer_serializers import AddSignersInput, RemoveSignerInput
from workflows.runtime.calls.task_inputs import TaskInputs
from workflows.runtime.calls.work_serializers import result
from workflows.runtime.commands import reassign, signers
from workflows.runtime.rows.signers import MOST
from workflows.runtime.tables.worklist.models import NOT_OVER, ItemState, WorkItem

_STATES = {ItemState.OPEN: "open", ItemState.WAITING: "waiting", ItemState.DONE: "done"}


class SignersCalls(TaskInputs):
    """What the holder of a step does with signers."""

    @extend_schema(request=AddSignersInput, responses=None)
    @action(detail=False, methods=["post"], url_path="add-signers")
    def add_signers(self, request: Request) -> Response:
        """Add people who sign before, beside or after me."""
        task, given = self.id_parameter("taskId"), parameters(request)
        try:
            people = IdListField(max_ids=MOST).run_validation(given.get("userIds") or "")
        except ValidationError as wrong:
            raise Invalid({"userIds": _("请选择{field}").format(field=_("加签人"))}) from wrong
        place = str(given.get("place") or "")
        return Response(signers.add(self.actor, task, people, place, self._reason(required=True)))

    @extend_schema(request=RemoveSignerInput, responses=None)
    @action(detail=False, methods=["post"], url_path="remove-signer")
    def remove_signer(self, request: Request) -> Response:
        """Remove a person whom I added, and who has not signed."""
        task, person = self.id_parameter("taskId"), self._person("userId", _("加签人"))
        return Response(signers.remove(self.actor, task, person, self._reason(required=True)))


def signer_rows(actor: Actor, item: WorkItem, *, reads: bool) -> list[dict[str, Any]]:
    """Return who signs the item's step beside its holder, as SignerRow rows; for a plain step without a statement.

    What they wrote is for those who may read the record.
    """
    members, to_come = signers.beside(item)
    manages = actor.may(reassign.CODE)
    people = {person for one in members for person in (one.assignee_id, one.added_by) if person}
    people.update(person for note in to_come.values() for person in (note["person"], note["by"]))
    names = ports.people.names(people) if people else {}
    rows = []
    for one in members:
        is_removable = one.state in NOT_OVER and (one.signs != "" or one.activity != "")
        rows.append(
            {
                "userId": str(one.assignee_id or ""),
                "userName": one.completed_by_name or names.get(one.assignee_id or 0, ""),
                "place": one.signs or ("" if one.added_by is None else "beside"),
                "state": _STATES[ItemState(one.state)],
                "addedByName": names.get(one.added_by or 0, ""),
                "comment": one.comment if reads else "",
                "endTime": moment(one.end_time),
                "canRemove": is_removable and (manages or one.added_by == actor.user_id),
                **{name: value for name, value in result(one).items() if name != "outcome"},
            }
        )
    nothing = {"outcomeName": "", "isNegative": False, "comment": "", "endTime": ""}
    rows += [
        {
            "userId": str(note["person"]),
            "userName": names.get(note["person"], ""),
            "place": signers.LAST,
            "state": "waiting",
            "addedByName": names.get(note["by"], ""),
            "canRemove": manages or note["by"] == actor.user_id,
            **nothing,
        }
        for _number, note in sorted(to_come.items())
    ]
    return rows
