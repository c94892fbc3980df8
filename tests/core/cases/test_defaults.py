"""What a declaration of a case leaves out follows from the rest of it."""

from __future__ import annotations

from dataclasses import replace

from core.cases.case import Case, Command, Effect, Process, Start
from core.cases.checks import faults
from core.cases.inputs import input_of, input_of_start
from core.cases.marks import shown
from core.cases.process import label_of, title_of
from core.cases.serializers import detail_of
from core.cases.views import buttons_of
from core.desk.leave.case import LEAVE
from core.desk.leave.models import Status
from core.kernel.texts import both, label
from core.rest.menus import EVERYTHING, MenuEntry, Place, ShippedRole
from core.storage.serializers import ImagesField
from tests.cast import Cast

START = Start("start", label("申请", "Ask"), "leave_add", fields=("type", "days", "attachments"))
PLAIN: Case = replace(LEAVE, name="plain", start=START, document=(), sample=None)


def test_the_input_of_a_start_is_made_of_its_columns() -> None:
    fields = input_of_start(PLAIN)().fields
    assert {name: field.required for name, field in fields.items()} == {
        "attachments": True, "type": False, "days": False, "processDefinitionId": False,
    }  # fmt: skip
    assert isinstance(fields["attachments"], ImagesField)
    assert input_of_start(LEAVE) is LEAVE.start.input


def test_pictures_in_the_input_of_a_command_are_links() -> None:
    command = Command("show", "示", ("approve",), fields=("attachments",))
    assert isinstance(input_of(PLAIN, command)().fields["attachments"], ImagesField)


def test_the_detail_shows_the_owner_and_what_the_start_asks_for() -> None:
    assert list(shown(PLAIN)) == ["userName", "typeName", "days", "attachments"]
    own = ["id", "leaveNo", "userId", "type", "days", "userName", "typeName", "attachments", "createTime"]
    assert list(detail_of(PLAIN)().fields)[: len(own)] == own


def test_effects_and_messages_are_called_after_the_status() -> None:
    effect = Effect("granted", becomes=Status.APPROVED)
    assert both(label_of(PLAIN, effect)) == ("状态改为已通过", "Set the status to “Approved”")
    assert both(title_of(PLAIN, effect)) == ("请假单已通过", "Leave request: approved")
    assert both(title_of(PLAIN, Effect("told", "告知"))) == ("请假单", "Leave request")


def test_buttons_are_called_after_start_and_commands() -> None:
    names = {"yes": label("同意", "Approve"), "no": label("驳回", "Reject")}
    commands = tuple(Command(name, text, code="plain_yes") for name, text in names.items())
    case = replace(PLAIN, commands=commands)
    buttons = buttons_of(case, MenuEntry("work_start", roles={ShippedRole.TENANT_ADMIN: EVERYTHING}))
    assert {ending: (*both(name), place) for ending, (name, place) in buttons.items()} == {
        "add": ("申请", "Ask", Place.TOOLBAR),
        "yes": ("请假单：同意、驳回", "Leave request: approve, reject", Place.ROW),
    }
    seen = buttons_of(case, MenuEntry("work_start", roles={ShippedRole.HR: {"view"}}))
    assert both(seen["view"].name) == ("查看全部请假单", "Leave request: view all")


def test_the_sample_has_its_owner(cast: Cast) -> None:
    actor = cast.actor_for("operator")
    assert (PLAIN.new_sample(actor).user_id, PLAIN.new_sample(actor).pk is not None) == (actor.user_id, True)


def test_the_model_has_the_name_of_the_case() -> None:
    assert PLAIN.model_key == "plain"
    assert replace(PLAIN, process=Process("", "1", {}, (), key="other")).model_key == "other"


def test_a_start_that_asks_for_nothing_is_told() -> None:
    for start in (replace(START, fields=()), replace(START, input=LEAVE.start.input)):
        assert "its start needs either `fields` or an `input`." in list(faults(replace(LEAVE, start=start)))
    told = list(faults(replace(LEAVE, start=replace(START, fields=("lost",)), effects=(Effect("lost"),))))
    assert "`start.fields` names “lost”, which is no column of Leave." in told
    assert "the effect “lost” gives no status and needs a label." in told
