"""Calls of absences: everybody keeps the own ones, administrators those of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.identity.models import User
from core.kernel.actor import current_actor
from core.kernel.texts import choose, label
from core.rest.filters import filters_of
from core.rest.menus import EVERYBODY, EVERYTHING, Button, MenuEntry, ShippedRole, held_by, together
from core.rest.scopes import Scope
from core.rest.serializers import NounSerializer, ReferenceField
from core.rest.shapes import Serialized, Shape
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit
from workflows.runtime.commands import absences
from workflows.runtime.definitions import library
from workflows.runtime.tables.worklist.models import Absence

NOUN, OTHERS = "absence", "absence_others"
_OWN = frozenset({"view", "add", "edit", "delete"})
MOST_PROCESSES = 50


def _process_names() -> dict[str, str]:
    """Return the processes that the company may start, by key; one statement."""
    rows = library.taken().order_by("key").values_list("key", "name", "name_en")
    return {key: choose(name, name_en) for key, name, name_en in rows}


class _ProcessNames(serializers.CharField):
    """The names of the processes, read once an answer; 'all' where none is chosen."""

    def get_attribute(self, instance: Any) -> str:
        """Return the names of the row's processes."""
        if not instance.processes:
            return _("全部流程")
        shared: Any = self.context
        if "process_names" not in shared:
            shared["process_names"] = _process_names()
        return _("、").join(shared["process_names"].get(key, key) for key in instance.processes)


@dataclass(frozen=True)
class Processes(Shape):
    """The processes that an absence is about, by key, and their names."""

    def fields(self, model: type[models.Model]) -> Serialized:
        """Return the list of keys and the text of their names."""
        said = Absence._meta.get_field("processes").verbose_name
        keys = serializers.ListField(
            child=serializers.CharField(max_length=60), max_length=MOST_PROCESSES, required=False, label=said
        )
        return {"processes": keys, "processesName": _ProcessNames(read_only=True, label=said)}


class ForPerson(Shape):
    """Whose absence it is, where somebody sets it for another person."""

    def fields(self, model: type[models.Model]) -> Serialized:
        """Return a field that is sent and not answered: answers have the person under `userId`."""
        said = Absence._meta.get_field("user").verbose_name
        given = ReferenceField(
            model=User, source="user_id", label=said, write_only=True, required=False, allow_null=True
        )
        return {"forUserId": given}


class AbsenceRules(NounSerializer):
    """A period in which one person covers for another."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check whose absence it is, who covers, and the period; the newest of those that overlap counts."""
        actor, before = current_actor(), self.instance

        def said(name: str, otherwise: Any = None) -> Any:
            return attrs.get(name, getattr(before, name) if before else otherwise)

        own = before.user_id if before else actor.user_id if actor else None
        attrs["user_id"] = attrs.get("user_id") or own
        if actor and attrs["user_id"] != actor.user_id and not actor.may(OTHERS):
            raise serializers.ValidationError({"forUserId": _("只能设置本人的请假代办")})
        if not User.objects.filter(pk=said("cover_id"), is_enabled=True).exists():
            raise serializers.ValidationError({"coverId": _("请选择{field}").format(field=_("代办人"))})
        if said("cover_id") == attrs["user_id"]:
            raise serializers.ValidationError({"coverId": _("代办人不能是请假人本人")})
        if said("end_time") <= said("start_time"):
            raise serializers.ValidationError({"endTime": _("结束时间应晚于开始时间")})
        if unknown := set(attrs.get("processes", ())) - set(_process_names()):
            name = min(unknown)
            raise serializers.ValidationError({"processes": _("「{name}」不存在").format(name=name)})
        return attrs

    def create(self, validated_data: Any) -> Any:
        """Store the absence, which counts from now on."""
        row = super().create(validated_data)
        absences.stored(row)
        return row

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change the absence, which counts from now on."""
        row = super().update(instance, validated_data)
        absences.stored(row)
        return row


class ProcessChoice(serializers.Serializer):  # type: ignore[type-arg]
    """A process that an absence may be about."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # Field.label is a name of DRF's own


class AbsenceViewSet(Submit, Remove, NounViewSet):
    """Absences with their covers."""

    noun = NOUN
    menu = MenuEntry(
        "work", "/work/absence", "cover", label("请假代办", "Absence cover"), place=7,
        roles=together(
            held_by(EVERYBODY, _OWN), {ShippedRole.HR: {"others"}, ShippedRole.TENANT_ADMIN: EVERYTHING}
        ),
        buttons={"others": Button(label("管理他人的请假代办", "Keep absence covers of others"))},
    )  # fmt: skip
    queryset = Absence.objects.all()
    rules = AbsenceRules
    fields = ("user", ForPerson(), "cover", "start_time", "end_time", Processes(), "hands_over", "reason")
    filters = filters_of(Absence, "user", "cover", "start_time", "end_time")
    order = ("-start_time", "-id")
    sample = {"forUserId": None, "endTime": "2030-01-01 00:00:00"}
    scope_columns = {"user": "user_id"}
    shipped_scopes = {Scope.ALL: (ShippedRole.HR,)}
    select = None  # type: ignore[assignment]  # nobody chooses among absences
    codes = {"processes": SIGNED_IN}

    def perform_destroy(self, row: Any) -> None:
        """Remove the absence, and give back what the cover has not done."""
        super().perform_destroy(row)
        absences.removed(row)

    @extend_schema(responses=ProcessChoice(many=True))
    @action(detail=False, methods=["get"], url_path="processes")
    def processes(self, request: Request) -> Response:
        """Answer the processes that an absence may be about."""
        return Response([{"value": key, "label": name} for key, name in _process_names().items()])
