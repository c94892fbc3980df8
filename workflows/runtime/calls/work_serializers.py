"""Wire forms of work items, as the family's pages read them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from rest_framework import serializers

from core import ports
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.texts import choose, moment
from workflows.runtime.calls.definition_serializers import category_names
from workflows.runtime.calls.signer_serializers import SignerRow
from workflows.runtime.commands import reassign, signers, starters, verbs, work_items
from workflows.runtime.commands.signers import PLACES
from workflows.runtime.commands.work_items import outcomes
from workflows.runtime.definitions import library, switches
from workflows.runtime.rows import items
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import NO_PRIORITY, NOT_OVER, ItemState, WorkItem

ACTIONS = (
    "claim", "unclaim", "complete", "handBack", "delegate", "transfer", "addSigners", "sendBack", "takeBack",
    "reassign", "urge", "withdraw",
)  # fmt: skip
"""What a row may offer, so that buttons need no logic of their own."""


class Outcome(serializers.Serializer):  # type: ignore[type-arg]
    """A way to complete a step."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # Field.label is a name of DRF's own
    positive = serializers.BooleanField()
    negative = serializers.BooleanField()
    asks = serializers.ChoiceField(
        choices=[one.value for one in ports.Asks], help_text="What it takes beside the choice itself."
    )


class FlowTask(serializers.Serializer):  # type: ignore[type-arg]
    """A work item, or for what I started the instance, as the five lists send it."""

    taskId = serializers.CharField()
    taskName = serializers.CharField()
    node = serializers.CharField()
    title = serializers.CharField()
    category = serializers.CharField()
    categoryName = serializers.CharField()
    processDefinitionId = serializers.CharField()
    processDefinitionName = serializers.CharField()
    processDefinitionVersion = serializers.IntegerField()
    processInstanceId = serializers.CharField()
    businessTable = serializers.CharField()
    businessId = serializers.CharField()
    businessNo = serializers.CharField()
    assignee = serializers.CharField()
    assigneeName = serializers.CharField()
    starterName = serializers.CharField()
    formKey = serializers.CharField()
    subject = serializers.CharField(help_text="What the record is about, such as its machine.")
    priority = serializers.IntegerField(help_text="1 is the most urgent; -1 where there is none.")
    dueTime = serializers.CharField(help_text="When the first deadline of the step passes; empty where it has none.")
    secondsLeft = serializers.IntegerField(
        allow_null=True, help_text="Until that moment, below 0 after it; null where the step has no deadline."
    )
    why = serializers.CharField(help_text="Why the step waits for the caller; empty where it does not.")
    createTime = serializers.CharField()
    endTime = serializers.CharField()
    outcome = serializers.CharField()
    outcomeName = serializers.CharField()
    isNegative = serializers.BooleanField(help_text="Whether the outcome says no.")
    comment = serializers.CharField()
    processIsFinished = serializers.ChoiceField(choices=["finished", "unfinished"])
    parkedText = serializers.CharField()
    """Why the process stands still, where it does."""
    haltedText = serializers.CharField(help_text="That the process is suspended, alone or with its definition.")
    lateTime = serializers.CharField(help_text="Since when the step is overdue; empty while it is not.")
    taskActions = serializers.ListField(child=serializers.ChoiceField(choices=ACTIONS))
    outcomes = Outcome(many=True, help_text="The ways in which the caller may complete the step now.")


class TaskDetail(FlowTask):
    """A work item and what the caller may do with it."""

    canClaim = serializers.BooleanField()
    canUnclaim = serializers.BooleanField()
    canComplete = serializers.BooleanField()
    delegatedBy = serializers.CharField(help_text="Who gets it back from the holder, where it was delegated.")
    opinion = serializers.CharField(help_text="What the last one to hand it back had to say.")
    signPlaces = serializers.ListField(
        child=serializers.ChoiceField(choices=PLACES), help_text="Where the caller may add signers."
    )
    signers = SignerRow(many=True, help_text="Who signs the step beside the person whose task it is.")
    form = serializers.DictField(allow_null=True, help_text="The step's form-js schema, of a process without a record.")
    formData = serializers.DictField(help_text="What its fields hold, by key.")
    texts = serializers.DictField(
        child=serializers.CharField(),
        help_text="What values are called: by type and id such as `xw-person:7`, and by link of a file.",
    )


class StartForm(serializers.Serializer):  # type: ignore[type-arg]
    """What a person who starts a process without a record is asked."""

    processDefinitionId = serializers.CharField()
    processDefinitionKey = serializers.CharField()
    processDefinitionName = serializers.CharField()
    processDefinitionVersion = serializers.IntegerField()
    form = serializers.DictField(allow_null=True, help_text="A form-js schema; null where nothing is asked.")
    formData = serializers.DictField(help_text="What a withdrawn process holds in its fields, by key; else empty.")
    texts = serializers.DictField(
        child=serializers.CharField(),
        help_text="What values are called: by type and id such as `xw-person:7`, and by link of a file.",
    )


class StartInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of start-process."""

    processDefinitionId = serializers.CharField()
    variables = serializers.DictField(required=False, help_text="Values by the keys of the form.")


class Started(serializers.Serializer):  # type: ignore[type-arg]
    """What start-process answers, and complete-task for a process without a record."""

    processInstanceId = serializers.CharField()
    businessNo = serializers.CharField()
    title = serializers.CharField()
    processIsFinished = serializers.ChoiceField(choices=["finished", "unfinished"])


class Counts(serializers.Serializer):  # type: ignore[type-arg]
    """How much waits for a person."""

    claim = serializers.IntegerField()
    todo = serializers.IntegerField()
    copies = serializers.IntegerField(help_text="Copies that were not opened.")


class LeftTask(serializers.Serializer):  # type: ignore[type-arg]
    """A task that does not wait for the caller any more."""

    taskId = serializers.CharField()
    message = serializers.CharField(help_text="Who has taken or handled it, as far as the caller may know.")
    isOwn = serializers.BooleanField(help_text="Whether the caller handled it.")


class HandInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of delegate-task and transfer-task."""

    taskId = serializers.CharField()
    userId = serializers.CharField()
    reason = serializers.CharField()


class ReassignInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of reassign: one task, or all open tasks of a person."""

    taskId = serializers.CharField(required=False)
    fromUserId = serializers.CharField(required=False, help_text="In place of taskId: who holds the tasks now.")
    userId = serializers.CharField()
    reason = serializers.CharField()


class RefusedTask(serializers.Serializer):  # type: ignore[type-arg]
    """A task that could not be reassigned, and why."""

    taskId = serializers.CharField()
    title = serializers.CharField()
    message = serializers.CharField()


class Reassigned(serializers.Serializer):  # type: ignore[type-arg]
    """The answer of reassign."""

    moved = serializers.IntegerField()
    left = serializers.IntegerField(help_text="How many the person still holds beyond what one request takes.")
    refused = RefusedTask(many=True)


class ProcessInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of withdraw and urge."""

    processInstanceId = serializers.CharField()
    reason = serializers.CharField(required=False)


class CompleteInput(serializers.Serializer):  # type: ignore[type-arg]
    """The body of complete-task."""

    taskId = serializers.CharField()
    processInstanceId = serializers.CharField(required=False)
    comment = serializers.CharField(required=False)
    flag = serializers.CharField(required=False)
    outcome = serializers.CharField(required=False)
    variables = serializers.DictField(required=False)


def _process(definition: Definition, categories: dict[str, str]) -> dict[str, Any]:
    return {
        "category": definition.category,
        "categoryName": categories.get(definition.category, ""),
        "processDefinitionId": str(definition.pk),
        "processDefinitionName": str(definition),
        "processDefinitionVersion": definition.version,
    }


def result(item: WorkItem) -> dict[str, Any]:
    """Return the chosen outcome, its label in the caller's language, and whether it says no."""
    found = next((entry for entry in outcomes(item) if item.outcome and entry["value"] == item.outcome), None)
    if item.outcome == items.SENT_BACK and found is None:
        drawn = library.specification(item.definition_id).nodes.get((item.answer or {}).get("to", ""))
        to = choose(drawn.name, drawn.name_en) if drawn else ""
        text = _("退回至「{step}」").format(step=to) if to else _("退回")
        return {"outcome": item.outcome, "outcomeName": text, "isNegative": True}
    name = choose(found["zh"], found["en"]) if found else item.outcome
    return {"outcome": item.outcome, "outcomeName": name, "isNegative": bool(found and found["negative"])}


def outcome_rows(item: WorkItem, ways: Sequence[ports.Offered]) -> list[dict[str, Any]]:
    """Return those outcomes of the item's step that are offered, as Outcome rows in the order of the drawing."""
    asked = {way.outcome: way.asks for way in ways}
    return [
        {
            "value": entry["value"],
            "label": choose(entry["zh"], entry["en"]),
            "positive": entry["positive"],
            "negative": entry["negative"],
            "asks": asked[entry["value"]],
        }
        for entry in (outcomes(item) if ways else ())
        if entry["value"] in asked
    ]


STANDING = (
    "status", "park_text", "park_text_en", "halt_time", "halt_user_name", "definition__is_halted", "definition__name",
    "definition__name_en",
)  # fmt: skip
"""Columns of an instance that say how it stands."""


def _standing(status: int, *why: Any) -> dict[str, str]:
    """Of STANDING whether it is over, and why it stands still where it does."""
    if status != InstanceStatus.RUNNING:
        return {"processIsFinished": "finished", "parkedText": "", "haltedText": ""}
    incident, suspended = items.still_of(*why) if why else ("", "")
    return {"processIsFinished": "unfinished", "parkedText": incident, "haltedText": suspended}


def _is_still(stands: Mapping[str, str]) -> bool:
    return stands["parkedText"] != "" or stands["haltedText"] != ""


def allowed(actor: Actor, item: WorkItem, ways: Sequence[ports.Offered], stands: Mapping[str, str]) -> list[str]:
    """Return what the person, to whom these outcomes are offered, may do with the item; a process that stands still
    takes no step."""
    if item.state not in NOT_OVER:
        return []
    is_still, is_suspended = _is_still(stands), stands["haltedText"] != ""
    step = [] if is_still or not ways else ["complete"]
    operate = ["reassign"] if actor.may(reassign.CODE) else []
    signs = [] if is_still or item.assignee_id != actor.user_id or not signers.places(item) else ["addSigners"]
    if item.state == ItemState.WAITING:
        return [*signs, *operate]
    if item.assignee_id is None:
        claims = not is_suspended and work_items.may_claim(actor, item, ways)
        return [*(["claim"] if claims else []), *step, *operate]
    if item.assignee_id != actor.user_id:
        return operate
    found = ["handBack"] if item.delegators else step
    if work_items.may_unclaim(actor, item):
        found.append("unclaim")
    for verb in (verbs.DELEGATE, verbs.TRANSFER):
        # A record's own command has its place on the record's page, with what it asks for.
        if verbs.meaning_of(verb, item) == verbs.TASK:
            found.append(verb)
    return [*found, *signs]


def task_rows(
    actor: Actor, rows: Iterable[WorkItem], standing: Mapping[int, Sequence[Any]], to_take_back: Collection[int] = ()
) -> list[dict[str, Any]]:
    """Items as FlowTask rows; two statements for all names together, and one or two for the records of each case.

    `standing` has the STANDING of each instance that is over or stands still, `to_take_back` are the items whose
    completion the person may take back.
    """
    found = list(rows)
    ways = work_items.offered(actor, found)
    stands = {
        pk: _standing(*standing.get(pk, (InstanceStatus.RUNNING,))) for pk in {item.instance_id for item in found}
    }
    asked = {person for item in found for person in (item.assignee_id, item.added_by, *item.delegators[-1:]) if person}
    names = {**ports.people.names(asked - {actor.user_id}), actor.user_id: actor.name}
    categories = category_names()
    actions = {item.pk: allowed(actor, item, ways[item.pk], stands[item.instance_id]) for item in found}
    actions |= {pk: ["takeBack"] for pk in to_take_back}
    return [
        {
            **_process(library.definition(item.definition_id), categories),
            "taskId": str(item.pk),
            "taskName": item.step,
            "node": item.node,
            "title": item.called,
            "processInstanceId": str(item.instance_id),
            "businessTable": item.business_type,
            "businessId": str(item.business_id),
            "businessNo": item.business_no,
            "assignee": str(item.assignee_id or ""),
            "assigneeName": names.get(item.assignee_id or 0, ""),
            "starterName": item.starter_name,
            "formKey": item.form_key,
            "subject": choose(item.subject, item.subject_en),
            "priority": -1 if item.priority == NO_PRIORITY else item.priority,
            "dueTime": moment(item.due_time) if item.state == ItemState.OPEN else "",
            "secondsLeft": _seconds_left([item]),
            "why": _why(actor, item, names),
            "createTime": moment(item.create_time),
            "lateTime": moment(item.late_time) if item.state == ItemState.OPEN else "",
            "endTime": moment(item.end_time),
            **result(item),
            "comment": item.comment,
            **stands[item.instance_id],
            "taskActions": actions[item.pk],
            "outcomes": outcome_rows(item, ways[item.pk] if "complete" in actions[item.pk] else ()),
        }
        for item in found
    ]


def _seconds_left(several: Iterable[WorkItem]) -> int | None:
    """Return how long it is until the first deadline of these open items; None where none has one."""
    times = [item.due_time or item.late_time for item in several if item.state == ItemState.OPEN]
    first = min((time for time in times if time), default=None)
    return int((first - clock.now()).total_seconds()) if first else None


def _why(actor: Actor, item: WorkItem, names: Mapping[int, str]) -> str:
    """Return why the open item waits for the person: how they came to hold it, or to which of their teams it goes."""
    if item.state != ItemState.OPEN or item.assignee_id not in (None, actor.user_id):
        return ""
    if item.delegators:
        return _("由{name}委派").format(name=names.get(item.delegators[-1], ""))
    if item.added_by is not None:
        return _("由{name}加签").format(name=names.get(item.added_by, ""))
    if item.assignee_id is not None:
        return _("已领取") if item.claim_time and item.candidate_keys else _("指派给您")
    kept = f"work.keys.{get_language()}"  # the names of the person's own roles and teams, as long as the rights last
    if kept not in actor.kept:
        actor.kept[kept] = ports.people.describe(set(ports.keys_of(actor)))
    mine = [key for key in item.candidate_keys if key in ports.keys_of(actor)]
    return " / ".join(dict.fromkeys(actor.kept[kept].get(key, "") for key in mine))


def _of_starter(instance: ProcessInstance, waiting: list[WorkItem], stands: Mapping[str, str]) -> list[str]:
    """Return what may be done with a process by who started it, while these steps of it wait."""
    if instance.status != InstanceStatus.RUNNING:
        return []
    # Whoever cannot act is not urged.
    is_urged = _is_still(stands) or starters.urged(waiting)
    actions = ["urge"] if not is_urged and starters.waits_for_others(waiting, instance.starter_id) else []
    withdraws = verbs.meaning(verbs.WITHDRAW, instance.definition_id, instance.business_type, "")
    if withdraws == verbs.TASK and not switches.allows(instance.definition_id, switches.WITHDRAW):
        withdraws = ""
    # A record's own command goes through the process, and a suspended one takes nothing.
    if withdraws == verbs.TASK or (withdraws and stands["haltedText"] == ""):
        actions.append("withdraw")
    return actions


def sent_rows(rows: Iterable[ProcessInstance]) -> list[dict[str, Any]]:
    """Instances, read with their definitions, as FlowTask rows, with all steps that wait now and for whom.

    Four statements for all.
    """
    found = list(rows)
    waiting = list(WorkItem.objects.filter(instance__in=found, state=ItemState.OPEN).order_by("id"))
    who, categories = items.waiting_for(waiting), category_names()
    open_items: dict[int, list[WorkItem]] = {}
    for item in waiting:
        open_items.setdefault(item.instance_id, []).append(item)
    answer = []
    for instance in found:
        several = open_items.get(instance.pk, [])
        item = several[0] if several else None
        definition = instance.definition
        why = (getattr(instance, name) for name in ("park_text", "park_text_en", "halt_time", "halt_user_name"))
        stands = _standing(instance.status, *why, definition.is_halted, definition.name, definition.name_en)
        answer.append(
            {
                **_process(definition, categories),
                "taskId": str(item.pk) if item else "",
                "taskName": " / ".join(one.name for one in several),
                "node": item.node if item else "",
                "title": instance.called,
                "processInstanceId": str(instance.pk),
                "businessTable": instance.business_type,
                "businessId": str(instance.business_id),
                "businessNo": instance.business_no,
                "assignee": str(item.assignee_id or "") if item else "",
                "assigneeName": ", ".join(dict.fromkeys(who[one.pk] for one in several if who[one.pk])),
                "starterName": instance.starter_name,
                "formKey": item.form_key if item else "",
                "subject": choose(item.subject, item.subject_en) if item else "",
                "priority": -1 if item is None or item.priority == NO_PRIORITY else item.priority,
                "dueTime": moment(min((one.due_time for one in several if one.due_time), default=None)),
                "secondsLeft": _seconds_left(several),
                "why": "",
                "createTime": moment(instance.start_time),
                "lateTime": moment(min((one.late_time for one in several if one.late_time), default=None)),
                "endTime": moment(instance.end_time),
                "outcome": "",
                "outcomeName": "",
                "isNegative": False,
                "comment": "",
                **stands,
                "taskActions": _of_starter(instance, several, stands),
                "outcomes": [],
            }
        )
    return answer
