"""Wire forms of the designer's questions and their answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.kernel.texts import label
from core.ports import Kind, ParameterKind
from core.rest.serializers import IdField, SpeakingSerializer
from workflows import engine
from workflows.workbench.designer.dryrun import COMPLETED, MAX_ACTS, REJECTED, RUNNING
from workflows.workbench.publishing.serializers import ProblemRow
from workflows.workbench.publishing.upload import MAX_BYTES

# --- the catalogue ----------------------------------------------------------------------------------------------


class NamedRow(serializers.Serializer):  # type: ignore[type-arg]
    """An operation or a due function: the name in the model, what it is called, what it does."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField()


class DueFunctionRow(NamedRow):
    """A due function, and whether a timer may count its length in working time."""

    lasts = serializers.BooleanField()


class PageFormRow(serializers.Serializer):  # type: ignore[type-arg]
    """A page of the console that a step may name as its `formKey`."""

    key = serializers.CharField()
    name = serializers.CharField()


class CandidateKindRow(serializers.Serializer):  # type: ignore[type-arg]
    """A kind of candidate rule, and what has to be chosen for it, in this order."""

    kind = serializers.ChoiceField(
        choices=["role", "roleInDept", "post", "postInDept", "dept", "deptTree", "head", "duty", "team", "user"]
    )
    label = serializers.CharField()  # type: ignore[assignment]
    needs = serializers.ListField(child=serializers.ChoiceField(choices=["role", "post", "dept", "team", "user"]))


class OptionRow(serializers.Serializer):  # type: ignore[type-arg]
    """A value that a name may hold."""

    value = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]


class ParameterRow(serializers.Serializer):  # type: ignore[type-arg]
    """What a model may give an operation: `least` and `most` bound a number, `most` the characters of a text."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(choices=[kind.value for kind in ParameterKind])
    isRequired = serializers.BooleanField()
    isLong = serializers.BooleanField()
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    places = serializers.IntegerField()
    options = OptionRow(many=True)


class ResultRow(serializers.Serializer):  # type: ignore[type-arg]
    """A value that an operation answers."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class ErrorCodeRow(serializers.Serializer):  # type: ignore[type-arg]
    """A business error of an operation."""

    code = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class OperationRow(NamedRow):
    """An operation, what it takes, and what comes of it."""

    parameters = ParameterRow(many=True)
    asks = serializers.BooleanField(help_text="It reaches outside and answers later; the process waits.")
    isOpen = serializers.BooleanField(help_text="It also takes and answers values of any name.")
    codesIn = serializers.CharField(help_text="The parameter that lists further error codes; empty for none.")
    results = ResultRow(many=True)
    errors = ErrorCodeRow(many=True)  # type: ignore[assignment]


class RoleRow(serializers.Serializer):  # type: ignore[type-arg]
    """A role of the company: the code that a rule names, and what it is called."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class ProcessRow(serializers.Serializer):  # type: ignore[type-arg]
    """A process that may be called: its key, what it is called, and the version that would be filled in now."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    version = serializers.IntegerField()


class ReadableRow(serializers.Serializer):  # type: ignore[type-arg]
    """A name that expressions may read; those of the model's own forms (`form.*`) come on top."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    kind = serializers.ChoiceField(choices=["text", *(kind.value for kind in Kind)])
    options = OptionRow(many=True)


class ElementRow(serializers.Serializer):  # type: ignore[type-arg]
    """An element that runs; of an event its definitions, "" for none."""

    type = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField(allow_blank=True))


class Catalogue(serializers.Serializer):  # type: ignore[type-arg]
    """What a process with this key may name; `required` are groups of which one operation lies on every way."""

    businessType = serializers.CharField()
    businessName = serializers.CharField()
    operations = OperationRow(many=True)
    dueFunctions = DueFunctionRow(many=True)
    required = serializers.ListField(child=NamedRow(many=True))  # type: ignore[assignment]
    pageForms = PageFormRow(many=True)
    candidateKinds = CandidateKindRow(many=True)
    roles = RoleRow(many=True)
    posts = RoleRow(many=True)
    credentials = RoleRow(many=True)
    processes = ProcessRow(many=True)
    readable = ReadableRow(many=True)
    elements = ElementRow(many=True)


# --- when a timer would fall due --------------------------------------------------------------------------------


class DueInput(SpeakingSerializer):
    """A duration or a repetition as a timer has it, and which time it counts."""

    text = serializers.CharField(label=label("时长", "Duration"), max_length=100)
    time = serializers.ChoiceField(
        label=label("计时方式", "Counted time"),
        choices=["", engine.WORKING],
        required=False,
        allow_blank=True,
        default="",
    )


class DueAnswer(serializers.Serializer):  # type: ignore[type-arg]
    """When a timer that began to wait now would fall due."""

    dueTime = serializers.CharField()


# --- a form -----------------------------------------------------------------------------------------------------


class FormInput(SpeakingSerializer):
    """A form-js schema as it is being drawn."""

    schema = serializers.JSONField(label=label("表单", "Form"), help_text="Anything: what is no form is told.")


class FormChecked(serializers.Serializer):  # type: ignore[type-arg]
    """Every reason why a deployment would refuse the form; `element` is a field's key, "" for the form."""

    problems = ProblemRow(many=True)


# --- who would get it -------------------------------------------------------------------------------------------


class Tried(SpeakingSerializer):
    """A model and with what it is tried: the starter (else the caller), and a record (else a sample)."""

    xml = serializers.CharField(label=label("流程图", "Diagram"), max_length=MAX_BYTES, trim_whitespace=False)
    starterId = IdField(required=False, allow_null=True)
    recordId = IdField(required=False, allow_null=True)
    record = serializers.DictField(required=False, help_text="Values of `record.*` in place of the record's own.")
    values = serializers.DictField(required=False, help_text="Values of the forms' fields.")


class CandidatesInput(Tried):
    """Which step is asked about."""

    element = serializers.CharField(label=label("元素", "Element"), max_length=100)


class TimesInput(SpeakingSerializer):
    """A time as a model writes it, without an expression."""

    timeKind = serializers.ChoiceField(label=label("类型", "Kind"), choices=["date", "duration", "cycle"])
    text = serializers.CharField(label=label("时间", "Time"), max_length=200, allow_blank=True)
    isStart = serializers.BooleanField(default=False, help_text="Of a start event, or of one that begins to wait now.")


class EventTimes(serializers.Serializer):  # type: ignore[type-arg]
    """A time in words and its next moments; with a problem it is none that an event can have."""

    problem = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True, help_text="As the engine keeps it.")
    words = serializers.CharField(allow_blank=True)
    next = serializers.ListField(child=serializers.CharField())


class PersonRow(serializers.Serializer):  # type: ignore[type-arg]
    """Somebody who may work."""

    id = serializers.CharField()
    name = serializers.CharField()
    deptName = serializers.CharField()


class RecipientRow(PersonRow):
    """Somebody who gets a step."""

    weight = serializers.IntegerField(
        allow_null=True, help_text="Of the person's vote, in a countersign with weights; null elsewhere."
    )


class RuleRow(serializers.Serializer):  # type: ignore[type-arg]
    """A rule as evaluated, in words, and how many people it finds."""

    rule = serializers.CharField()
    text = serializers.CharField()
    total = serializers.IntegerField()


class Recipients(serializers.Serializer):  # type: ignore[type-arg]
    """Who gets a step: the first 50 people, how many there are, and by which rules.

    `instead`: nobody was found, and these are asked in their place.
    """

    people = RecipientRow(many=True)
    total = serializers.IntegerField()
    isHeld = serializers.BooleanField(help_text="One person holds it; nobody has to claim it.")
    rules = RuleRow(many=True)
    instead = serializers.ChoiceField(choices=["head", "administrators"], allow_blank=True)
    reason = serializers.CharField()


class Candidates(Recipients):
    """Who would get the step asked about; `problem`: an expression cannot be evaluated with these values."""

    element = serializers.CharField()
    name = serializers.CharField()
    problem = serializers.CharField()


# --- the dry run ------------------------------------------------------------------------------------------------


class DryAct(SpeakingSerializer):
    """One act: a step is completed (`node`), a timer fires, a message comes, or an operation answers (`call`)."""

    node = serializers.CharField(required=False, max_length=100)
    round = serializers.IntegerField(required=False, min_value=1, max_value=10_000, help_text="Of several open ones.")
    seat = serializers.CharField(required=False, max_length=40, help_text="Of one that several do, whose it is.")
    outcome = serializers.CharField(required=False, allow_blank=True, max_length=40)
    values = serializers.DictField(required=False, help_text="Of the form, of `record.*`, of the message or answer.")
    userId = IdField(required=False, help_text="Who completes it.")
    timer = serializers.CharField(required=False, max_length=100)
    message = serializers.CharField(required=False, max_length=110)
    call = serializers.CharField(required=False, max_length=100)
    error = serializers.CharField(required=False, max_length=40, help_text="The business error with which it answers.")
    fails = serializers.BooleanField(required=False, help_text="It does not answer, however often it is tried.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Each act is one of the four."""
        if sum(bool(attrs.get(name)) for name in ("node", "timer", "message", "call")) != 1:
            raise serializers.ValidationError({"node": "node | timer | message | call"})
        return attrs


class DryRunInput(Tried):
    """The start and the acts, from the first one on."""

    acts = serializers.ListField(child=DryAct(), required=False, max_length=MAX_ACTS)
    start = serializers.CharField(
        required=False, allow_blank=True, max_length=100, help_text="The start event; empty: that of people."
    )


class GivenRow(serializers.Serializer):  # type: ignore[type-arg]
    """A parameter that an operation would be given, and its value in words."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField()


class CalledRow(NamedRow):
    """An operation that would be called, by which node, and with what."""

    node = serializers.CharField()
    parameters = GivenRow(many=True)


class ThrownRow(serializers.Serializer):  # type: ignore[type-arg]
    """A message that would be sent, and by which node."""

    node = serializers.CharField()
    name = serializers.CharField()


class DryRefusal(serializers.Serializer):  # type: ignore[type-arg]
    """Why an act was refused; what stands before it is what is answered."""

    code = serializers.CharField()
    message = serializers.CharField()
    fields = serializers.DictField(child=serializers.CharField())  # type: ignore[assignment]


STANDINGS = [RUNNING, COMPLETED, REJECTED]


class DecidedRow(serializers.Serializer):  # type: ignore[type-arg]
    """A step that was decided without asking anybody, and why."""

    node = serializers.CharField()
    name = serializers.CharField()
    who = serializers.CharField(help_text="Who would have been asked; empty where nobody was found.")
    reason = serializers.CharField()


class DryStep(serializers.Serializer):  # type: ignore[type-arg]
    """What one act did: nodes passed and flows taken in order, and how many tokens stand where after it.

    The first step is the start; its act has values alone.
    """

    act = DryAct()
    passed = serializers.ListField(child=serializers.CharField())
    flows = serializers.ListField(child=serializers.CharField())
    operations = CalledRow(many=True)
    thrown = ThrownRow(many=True)
    decided = DecidedRow(many=True)
    tokens = serializers.DictField(child=serializers.IntegerField())
    standing = serializers.ChoiceField(choices=STANDINGS)
    refusal = DryRefusal(allow_null=True)


class DryOutcome(serializers.Serializer):  # type: ignore[type-arg]
    """A way to complete a step."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    isPositive = serializers.BooleanField()
    isNegative = serializers.BooleanField()
    isEnd = serializers.BooleanField(help_text="The process ends with it, rejected.")


class DryOpen(serializers.Serializer):  # type: ignore[type-arg]
    """A step that waits. `form` is what it shows (form-js); of a record's process null: its own page asks."""

    node = serializers.CharField()
    name = serializers.CharField()
    round = serializers.IntegerField()
    seat = serializers.CharField(help_text="Of a step that several do, which of them this is; else empty.")
    formKey = serializers.CharField()
    form = serializers.DictField(allow_null=True)
    outcomes = DryOutcome(many=True)
    recipients = Recipients()


class DryBeginning(serializers.Serializer):  # type: ignore[type-arg]
    """A start event at which the run may start; with a time in words where it starts by itself."""

    node = serializers.CharField()
    name = serializers.CharField()
    words = serializers.CharField(allow_blank=True)


class DryTimer(serializers.Serializer):  # type: ignore[type-arg]
    """A timer that waits; without a time the business says when it is due."""

    node = serializers.CharField()
    name = serializers.CharField()
    dueTime = serializers.CharField()
    dueLabel = serializers.CharField()


class DryMessage(serializers.Serializer):  # type: ignore[type-arg]
    """A message that something waits for."""

    name = serializers.CharField()
    nodes = serializers.ListField(child=serializers.CharField())
    form = serializers.DictField(help_text="The fields that it may set (form-js).")


class DryResult(ResultRow):
    """A value that the process takes from an answer, and where it goes."""

    to = serializers.CharField()


class DryCall(NamedRow):
    """An operation whose answer a node waits for."""

    node = serializers.CharField()
    results = DryResult(many=True)
    errors = ErrorCodeRow(many=True)  # type: ignore[assignment]


class DryRunAnswer(serializers.Serializer):  # type: ignore[type-arg]
    """How the model ran. With problems it did not: the gate refuses it, and there are no steps.

    `startForm` is what the start asks; `form` and `record` are the values as they stand. `recordTexts` has, of the
    record's names that hold an id, what is called so; `formTexts` the same by type and id, and by link of a file.
    """

    problems = ProblemRow(many=True)
    starter = PersonRow(allow_null=True)
    title = serializers.CharField()
    startForm = serializers.DictField(allow_null=True)
    starts = DryBeginning(many=True)
    steps = DryStep(many=True)
    open = DryOpen(many=True)
    timers = DryTimer(many=True)
    messages = DryMessage(many=True)
    calls = DryCall(many=True)
    standing = serializers.ChoiceField(choices=STANDINGS)
    form = serializers.DictField()
    formTexts = serializers.DictField(child=serializers.CharField())
    record = serializers.DictField()
    recordTexts = serializers.DictField(child=serializers.CharField())
