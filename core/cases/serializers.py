"""Wire forms that all cases share: what a list, a detail and an answer say of the record's process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core import ports
from core.audit.story import LogSerializer, story
from core.cases import commands
from core.cases.case import COMMENTS, Case
from core.cases.comments import CommentSerializer, shown
from core.cases.inputs import input_of_start
from core.kernel.actor import Actor
from core.kernel.texts import camel, label, moment
from core.rest.serializers import IdField, NameField, NounSerializer, SaidField
from core.rest.shapes import Column, shape


class OpenTaskSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """An open step of the record's process."""

    taskId = serializers.CharField()
    node = serializers.CharField()
    nodeName = serializers.CharField()
    assigneeName = serializers.CharField()
    candidateNames = serializers.ListField(child=serializers.CharField())
    peopleNames = serializers.ListField(child=serializers.CharField(), help_text="The candidates by name while few.")
    createTime = serializers.CharField()
    parkedText = serializers.CharField(help_text="Why its process stands still, where it does.")
    haltedText = serializers.CharField(help_text="That its process is suspended, alone or with its definition.")


@dataclass(frozen=True)
class Waiting:
    """The open steps of some records, and the names of the people they wait for."""

    items: Mapping[int, Sequence[ports.OpenItem]]
    names: Mapping[str, str]
    """By candidate key."""

    def who(self, item: ports.OpenItem) -> str:
        """Return the names of the holder, or of the candidates while nobody holds the step."""
        who = " / ".join(self.names[key] for key in item.waits_for() if self.names.get(key))
        return ports.acting(who, self.names.get(f"user:{item.in_place_of}", ""))

    def text(self, record_id: int) -> str:
        """Return each open step and whom it waits for; empty when there is none."""
        steps = [(item.node_name, self.who(item)) for item in self.items.get(record_id, ())]
        return "; ".join(f"{step} · {who}" if who else step for step, who in steps)

    def task(self, item: ports.OpenItem, people: Sequence[str]) -> dict[str, Any]:
        """Return the step as a record's page reads it; `people` are the names of the candidates while few."""
        return {
            "taskId": str(item.id),
            "node": item.node,
            "nodeName": item.node_name,
            "assigneeName": self.who(item) if item.assignee_id is not None else "",
            "candidateNames": [self.names[key] for key in item.candidates if self.names.get(key)],
            "peopleNames": list(people),
            "createTime": moment(item.create_time),
            "parkedText": item.parked,
            "haltedText": item.halted,
        }


def waiting(case_name: str, ids: Sequence[int]) -> Waiting:
    """Return the open steps of these records; two statements, however many there are."""
    items = ports.processes.open_items(case_name, list(ids))
    open_now = [item for steps in items.values() for item in steps]
    keys = {key for item in open_now for key in (*item.waits_for(), *item.candidates)}
    keys |= {f"user:{item.in_place_of}" for item in open_now if item.in_place_of is not None}
    return Waiting(items, ports.people.describe(keys))


def context_of(case: Case, actor: Actor, record: Any) -> dict[str, Any]:
    """Return what a `CaseDetail` needs beside the record."""
    open_now = waiting(case.name, [record.pk])
    items = open_now.items.get(record.pk, ())
    return {
        "actor": actor,
        "waiting": open_now,
        "logs": story(record, case.act_names(), case.status_names(), untold=COMMENTS),
        "instance": ports.processes.instance_of(case.name, record.pk) or ("", ""),
        "allowed": commands.allowed(case, actor, record, items),
        "comments": shown(case, actor, record.pk),
        "urging": ports.processes.urging(actor, case.name, record.pk) if items else None,
        "may_copy": ports.processes.may_copy(actor, case.name, record.pk),
        "behind": _few_behind(items),
    }


_FEW = 3


def _few_behind(items: Sequence[ports.OpenItem]) -> list[str]:
    """Return who may claim the one open step, where those are so few that their names say more than a role."""
    if len(items) != 1 or items[0].assignee_id is not None:
        return []
    names = list(ports.people.behind(items[0].candidates).values_list("real_name", flat=True)[: _FEW + 1])
    return names if len(names) <= _FEW else []


class UrgeSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """That the caller, who started the process, may remind those for whom the record waits."""

    againTime = serializers.CharField(help_text="From when on; empty for at once.")


class CaseRow(NounSerializer):
    """A record in a list; `waiting` in the context has the open steps of the page's records."""

    status = serializers.IntegerField(read_only=True)
    statusName = NameField(source="get_status_display")
    waitingFor = SaidField(label=label("等待", "Waiting for"))

    def get_fields(self) -> dict[str, Any]:
        """The declared fields, read-only, and the names of the choices and references among them."""
        model: Any = self.Meta.model
        fields = super().get_fields()
        columns = {one.name: one for one in model._meta.concrete_fields}
        for name in self.Meta.fields:
            column = columns.get(name)
            if column is not None and column.is_relation:
                fields[f"{camel(name)}Id"] = IdField(
                    source=column.attname, read_only=True, allow_null=column.null, label=column.verbose_name
                )
            if column is not None and name not in self._declared_fields:
                fields = {
                    **fields,
                    **{key: one for key, one in Column(name).fields(model).items() if key not in fields},
                }
        return fields

    def get_waitingFor(self, record: Any) -> str:
        """The open steps and for whom they wait; empty when the process is over."""
        return str(self.context["waiting"].text(record.pk))


class AllowedActions(serializers.ListField):
    """What the caller may do with the record now; the context has it as `allowed`."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(child=serializers.ChoiceField(choices=list(names)), read_only=True)

    def get_attribute(self, instance: Any) -> list[str]:
        """The names."""
        return self.context["allowed"]  # type: ignore[no-any-return]


class CaseDetail(CaseRow):
    """A record as a document; `context_of` makes its context. A subclass ends the fields of its Meta with `PROCESS`."""

    case: ClassVar[Case]

    PROCESS = (
        "status", "statusName", "lock_version", "waitingFor", "processInstanceId", "processDefinitionId", "logs",
        "comments", "urge", "mayCopy", "openTask", "openTasks", "nextText",
    )  # fmt: skip

    processInstanceId = serializers.SerializerMethodField()
    processDefinitionId = serializers.SerializerMethodField()
    logs = serializers.SerializerMethodField()
    comments = serializers.SerializerMethodField()
    urge = serializers.SerializerMethodField()
    mayCopy = serializers.SerializerMethodField()
    openTask = serializers.SerializerMethodField()
    openTasks = serializers.SerializerMethodField()
    nextText = SaidField(help_text="What comes after the open step; empty where none is open.")

    def get_fields(self) -> dict[str, Any]:
        """The declared fields and `allowedActions`."""
        return {
            **super().get_fields(),
            "allowedActions": AllowedActions((*self.case.command, *self.case.other_actions)),
        }

    def get_processInstanceId(self, record: Any) -> str:
        """The process of the record."""
        return str(self.context["instance"][0])

    def get_processDefinitionId(self, record: Any) -> str:
        """The version of its model."""
        return str(self.context["instance"][1])

    @extend_schema_field(LogSerializer(many=True))
    def get_logs(self, record: Any) -> list[dict[str, Any]]:
        """The acts, oldest first."""
        return self.context["logs"]  # type: ignore[no-any-return]

    @extend_schema_field(CommentSerializer(many=True))
    def get_comments(self, record: Any) -> list[dict[str, Any]]:
        """What people wrote about it, oldest first."""
        return self.context["comments"]  # type: ignore[no-any-return]

    @extend_schema_field(UrgeSerializer(allow_null=True))
    def get_urge(self, record: Any) -> dict[str, str] | None:
        """Null for who may not."""
        urging = self.context["urging"]
        return None if urging is None else {"againTime": moment(urging.again)}

    def get_mayCopy(self, record: Any) -> bool:
        """Whether the caller may send copies."""
        return bool(self.context["may_copy"])

    @extend_schema_field(OpenTaskSerializer(allow_null=True))
    def get_openTask(self, record: Any) -> dict[str, Any] | None:
        """The open step that the caller has, else one that the caller may take, else the oldest one."""
        open_now, actor = self.context["waiting"], self.context["actor"]
        items = open_now.items.get(record.pk, ())
        # Of several alike `min` takes the first, which is the oldest.
        chosen = min(items, key=lambda item: (item.assignee_id != actor.user_id, not item.is_for(actor)), default=None)
        return open_now.task(chosen, self.context["behind"]) if chosen is not None else None

    def get_nextText(self, record: Any) -> str:
        """What the case says of the step, or what the company's own model leads to."""
        task = self.get_openTask(record)
        if task is None:
            return ""
        own = ports.processes.next_of_own_model(int(self.context["instance"][1]), task["node"])
        step = self.case.process.steps.get(task["node"])
        if own is not None or step is None:
            return own or ""
        return str(step.next(record) if callable(step.next) else step.next)

    @extend_schema_field(OpenTaskSerializer(many=True))
    def get_openTasks(self, record: Any) -> list[dict[str, Any]]:
        """All open steps, oldest first."""
        open_now, people = self.context["waiting"], self.context["behind"]
        return [open_now.task(item, people) for item in open_now.items.get(record.pk, ())]


def detail_of(case: Case) -> type[CaseDetail]:
    """Return the detail of a case that declares no other: number, owner and what the start asks for."""
    shapes = [shape(case.model, one) for one in (case.number.column, case.start.owner, *case.start.fields)]
    own = {name: one for each in shapes for name, one in each.fields(case.model).items()}
    columns = [name for each in shapes for name in each.columns()]
    names = ("id", *columns, *own, "create_time", *CaseDetail.PROCESS)
    meta = type("Meta", (), {"model": case.model, "fields": names})
    doc = (case.model.__doc__ or "").partition("\n")[0]
    return type(f"{case.model.__name__}Detail", (CaseDetail,), {**own, "case": case, "Meta": meta, "__doc__": doc})


def draft_serializer(case: Case) -> type[serializers.Serializer[Any]]:
    """Return the wire form of a draft: its id and the fields of the start, empty where they are not filled in."""
    kind = input_of_start(case)

    class Draft(kind):  # type: ignore[misc,valid-type]
        """What is written so far."""

        class Meta(kind.Meta):  # type: ignore[name-defined,misc]
            fields = ("id", *kind.Meta.fields)  # type: ignore[attr-defined]
            read_only_fields = fields

    return type(f"{case.model.__name__}Draft", (Draft,), {"__doc__": Draft.__doc__})


def saved_serializer(case: Case) -> type[serializers.Serializer[Any]]:
    """Return the wire form of `commands.answer`."""
    text, whole = serializers.CharField, serializers.IntegerField
    number = camel(case.number.column)
    fields = {"id": text(), number: text(), "status": whole(), "statusName": text(), "lockVersion": whole()}
    doc = "What the start and every command answer."
    return type(f"{case.model.__name__}Saved", (serializers.Serializer,), {**fields, "__doc__": doc})
