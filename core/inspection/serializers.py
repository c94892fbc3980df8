"""Wire forms and rules of check standards, routes and points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Max
from django.utils.translation import gettext as _
from rest_framework import serializers

from core import ports
from core.equipment.models import Machine, MachineClass, NodeType, RunState
from core.equipment.serializers import refuse_sealed
from core.inspection import completion, upkeep_fields
from core.inspection.items import CheckItem, copied
from core.inspection.models import (
    CheckStandard,
    ConfigType,
    PointStandard,
    Route,
    RoutePoint,
    ScanMode,
    StandardVersion,
    ValueType,
)
from core.kernel.actor import current_actor
from core.kernel.errors import NotAllowed
from core.kernel.texts import label, plural
from core.rest.scopes import restrict
from core.rest.serializers import (
    IdField,
    IdListField,
    MomentField,
    NameField,
    NounSerializer,
    ReferenceField,
    SpeakingSerializer,
)
from core.rest.shapes import Serialized, Shape

MOST_POINTS = 200
MOST_STANDARDS = 20
_RADIUS = (20, 2000)
_LEVELS = tuple(level.value for level in NodeType if level >= NodeType.LINE)
"""Of the asset tree, where points may be."""
_BETWEEN_CODES = re.compile("[,，、;；]")
_STEP = 10
"""Between the numbers by which points are ordered, so that one can be put between two."""


# Check standards


class StandardRules(NounSerializer):
    """The rules of a standard; each change of its items is kept as a version."""

    def validate_configType(self, value: int) -> int:
        """Refuse another kind: what tasks and orders have of a standard would not fit it."""
        if self.instance is not None and value != self.instance.config_type:
            raise serializers.ValidationError(_("标准类型不能修改"))
        return value

    def validate_typeId(self, value: int | None) -> int | None:
        """Refuse a sealed asset type where the standard does not have it already."""
        if value is not None and value != getattr(self.instance, "type_id", None):
            refuse_sealed(MachineClass.objects.get(pk=value))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Give a new standard its kind, by which code and name are compared, and check what maintenance asks for."""
        before: Any = self.instance
        if before is None:
            attrs.setdefault("config_type", ConfigType.CHECK)
        kind = before.config_type if before is not None else attrs["config_type"]
        if kind != ConfigType.MAINTENANCE:
            return upkeep_fields.emptied(attrs)
        return upkeep_fields.completed(attrs, before)

    def create(self, validated_data: Any) -> Any:
        """Store a standard and its first version."""
        return new_standard(CheckStandard(**validated_data))

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change a standard; other items make another version."""
        items = validated_data.get("items", instance.items)
        if items != instance.items:
            validated_data.update(item_count=len(items), version_no=instance.version_no + 1)
        instance.change(validated_data)
        if "version_no" in validated_data:
            _keep_version(instance)
        return instance


def new_standard(row: CheckStandard) -> CheckStandard:
    """Store a new standard with its first version."""
    row.item_count = len(row.items)
    row.save(force_insert=True)
    _keep_version(row)
    return row


def _keep_version(row: CheckStandard) -> None:
    StandardVersion.objects.create(standard=row, version_no=row.version_no, items=row.items, item_count=row.item_count)


class StandardWithRows(NounSerializer):
    """A standard with its plan rows, whose next dates follow once all is stored."""

    def create(self, validated_data: Any) -> Any:
        """Store a standard with its rows."""
        made = super().create(validated_data)
        upkeep_fields.follow(made, None, {})
        return made

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change a standard and its rows."""
        cycle = instance.cycle
        first = {row.pk: (row.first_due_date, row.first_due_hours) for row in instance.plans.filter(is_deleted=False)}
        saved = super().update(instance, validated_data)
        upkeep_fields.follow(saved, cycle, first)
        return saved


class StandardCopyInput(SpeakingSerializer):
    """The standard to copy, and what the copy is called."""

    id = IdField()
    configCode = serializers.CharField(label=label("标准编号", "Standard code"), max_length=40)
    configName = serializers.CharField(label=label("标准名称", "Standard name"), max_length=80)


class _PersonName(serializers.CharField):
    """The name of who made a row."""

    def get_attribute(self, instance: Any) -> str:
        """Return it from the context, where the view has put it; empty for the system."""
        return str(self.context["people"].get(instance.create_user, ""))


class StandardVersionLine(serializers.Serializer):  # type: ignore[type-arg]
    """A version of a standard: when it was made, by whom, and how many items it has."""

    versionNo = serializers.IntegerField(source="version_no")
    itemCount = serializers.IntegerField(source="item_count")
    createUserName = _PersonName(source="create_user")
    createTime = MomentField(source="create_time")


class StandardVersionDetail(StandardVersionLine):
    """A version of a standard with its items."""

    items = CheckItem(many=True)


# Routes


@dataclass(frozen=True)
class People(Shape):
    """A column of ids of people: the ids, and their names."""

    name: str
    wire: str
    names: str

    def fields(self, model: Any) -> Serialized:
        """Return both fields."""
        said = model._meta.get_field(self.name).verbose_name
        ids = IdListField(source=self.name, refers_to="identity.User", label=said, required=False, max_ids=100)
        return {self.wire: ids, self.names: _PeopleNames(source=self.name, label=said)}


class _PeopleNames(serializers.CharField):
    """The names of people by their ids, joined."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})

    def to_representation(self, value: Any) -> str:
        """Return the names of those that are known, people who have left among them."""
        context: Any = self.context
        names: dict[int, str] = context.setdefault("people", {})
        missing = [one for one in value if one not in names]
        if missing:  # in a page the view has put all of them there
            names.update(dict.fromkeys(missing, "") | dict(ports.people.names(set(missing))))
        return _("、").join(names[one] for one in value if names[one])


@dataclass(frozen=True)
class Completion(Shape):
    """`completionRate30`: percent of the tasks of the last 30 days that were done, null where none was due."""

    def fields(self, model: Any) -> Serialized:
        """Return the field."""
        text = label("30天完成率(%)", "Completion, 30 days (%)")
        return {"completionRate30": _CompletionField(read_only=True, allow_null=True, label=text)}


class _CompletionField(serializers.FloatField):
    def get_attribute(self, instance: Any) -> Any:
        """Return the rate of the route; in a page the view has read all of them."""
        context: Any = self.context
        known: dict[int, float | None] = context.setdefault("completion", {})
        if instance.pk not in known:
            known.update(completion.rates_of([instance.pk]))
        return known[instance.pk]


@dataclass(frozen=True)
class CopyFrom(Shape):
    """`copyFrom`: the route whose points a new one begins with."""

    def fields(self, model: Any) -> Serialized:
        """Return the field."""
        text = label("复制自", "Copy points from")
        field = ReferenceField(model=Route, write_only=True, required=False, allow_null=True, label=text)
        return {"copyFrom": field}


def in_reach(view: Any, rows: Any) -> bool:
    """Return whether the actor may keep these rows: their route is of a department within the data scope."""
    columns = {"dept": view.scope_columns["dept"]}
    return bool(restrict(rows, view.actor, view.noun, columns, view.filters).exists())


class RouteRules(NounSerializer):
    """The rules of a route. Who keeps it keeps routes of the departments within the own data scope."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; the department is the caller's own where none is sent."""
        fields = super().get_fields()
        if "deptId" in fields:
            fields["deptId"].required = False
        return fields

    def validate_userIds(self, value: list[int]) -> list[int]:
        """Refuse people who are not there, or whose account no longer works, unless the route has them already."""
        before = self.instance.user_ids if self.instance is not None else []
        new = [one for one in value if one not in before]
        users = get_user_model()._default_manager
        if users.filter(pk__in=new, is_enabled=True).count() != len(new):
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        return value

    def validate_leaderId(self, value: int) -> int:
        """Refuse a person whose account no longer works, unless the route has that person already."""
        if value != getattr(self.instance, "leader_id", None):
            users = get_user_model()._default_manager
            if not users.filter(pk=value, is_enabled=True).exists():
                raise serializers.ValidationError(_("数据不存在或已被删除"))
        return value

    def validate_copyFrom(self, value: int | None) -> int | None:
        """Refuse a route that the caller does not see."""
        if value is not None and not self.context["view"].get_queryset().filter(pk=value).exists():
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Give a new route the caller's department where it names none."""
        if self.instance is None and attrs.get("dept_id") is None:
            actor = current_actor()
            attrs["dept_id"] = actor.dept_id if actor is not None else None
            if attrs["dept_id"] is None:
                raise serializers.ValidationError({"deptId": self.fields["deptId"].error_messages["required"]})
        if self.instance is not None:
            attrs.pop("copyFrom", None)
        return attrs

    def create(self, validated_data: Any) -> Any:
        """Store a route, with copies of the points of another one where it names one."""
        copy_from = validated_data.pop("copyFrom", None)
        route = Route(**validated_data)
        route.save(force_insert=True)
        self._check_reach(route)
        if copy_from is not None:
            copy_points(copy_from, route)
        return route

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change a route that is within the data scope before and after."""
        self._check_reach(instance)
        route = super().update(instance, validated_data)
        self._check_reach(route)
        return route

    def _check_reach(self, route: Route) -> None:
        if not in_reach(self.context["view"], Route.objects.filter(pk=route.pk)):
            raise NotAllowed()


def copy_points(source_id: int, route: Route) -> None:
    """Copy the points of a route to a new one, each with its standards and a code made from the new route's."""
    points = list(RoutePoint.objects.filter(group=source_id).select_related("machine").order_by("sort", "point_code"))
    try:
        for point in points:
            _refuse_unused(point.machine)
    except serializers.ValidationError as error:
        raise serializers.ValidationError({"copyFrom": error.detail}) from None
    codes = _codes(route, len(points))
    standards = PointStandard.objects.filter(point__in=[point.pk for point in points]).order_by("place")
    by_point: dict[int, list[PointStandard]] = {}
    for one in standards:
        by_point.setdefault(one.point_id, []).append(one)
    columns = [
        column.attname
        for column in RoutePoint._meta.concrete_fields
        if (column.editable or column.name in ("items", "own_count")) and not column.primary_key
    ]
    copies = []
    for point, code in zip(points, codes, strict=True):
        values = {name: getattr(point, name) for name in columns}
        made = RoutePoint(**{**values, "group_id": route.pk, "point_code": code, "items": copied(point.items)})
        made.save(force_insert=True)
        copies += [
            PointStandard(point=made, config_id=one.config_id, place=one.place) for one in by_point.get(point.pk, ())
        ]
    PointStandard.objects.bulk_create(copies)


def _codes(route: Route, number: int) -> list[str]:
    """Return codes that no point has: that of the route with a number behind it."""
    start = route.group_code[:35]
    taken = set(RoutePoint.objects.filter(point_code__startswith=f"{start}-").values_list("point_code", flat=True))
    free = (f"{start}-{place:02d}" for place in range(1, len(taken) + number + 1))
    return [code for code in free if code not in taken][:number]


def _refuse_unused(machine: Machine) -> None:
    """Raise ValidationError for an asset that is scrapped or sealed."""
    if machine.run_state == RunState.SCRAPPED:
        raise serializers.ValidationError(_("设备「{name}」已报废，不能使用").format(name=machine))
    refuse_sealed(machine)


# Points


@dataclass(frozen=True)
class Standards(Shape):
    """`configIds`, the standards of a point in their order, and `configNames`."""

    def fields(self, model: Any) -> Serialized:
        """Return both fields."""
        text = label("点检标准", "Check standards")
        ids = IdListField(
            source="config_ids",
            refers_to=CheckStandard,
            where={"configType": ConfigType.CHECK.value},
            label=text,
            required=False,
            max_ids=MOST_STANDARDS,
        )
        return {"configIds": ids, "configNames": _StandardNames(source="configs", label=text)}


@dataclass(frozen=True)
class StandardCodes(Shape):
    """`configCodes`, by which a sheet names the standards of a point."""

    def fields(self, model: Any) -> Serialized:
        """Return the field."""
        text = label("点检标准编号", "Check standard codes")
        return {
            "configCodes": serializers.CharField(
                source="config_codes", label=text, required=False, allow_blank=True, max_length=900
            )
        }


class _StandardNames(NameField):
    """The names of the standards, joined."""

    def get_attribute(self, instance: Any) -> str:
        """Return them in their order."""
        return _("、").join(str(one) for one in instance.configs())


class PointRules(NounSerializer):
    """The rules of a point."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; assets are chosen among those at which a point may be."""
        fields = super().get_fields()
        if "machineId" in fields:
            fields["machineId"].where = {"nodeType": ",".join(str(level) for level in _LEVELS)}
        return fields

    def validate_groupId(self, value: int) -> int:
        """Refuse a sealed route where the point is not on it already."""
        if value != getattr(self.instance, "group_id", None):
            refuse_sealed(Route.objects.get(pk=value))
        return value

    def validate_machineId(self, value: int) -> int:
        """Refuse what is no line, asset or component, and what is scrapped, where the point is not there already."""
        if value != getattr(self.instance, "machine_id", None):
            machine = Machine.objects.get(pk=value)
            if machine.node_type not in _LEVELS:
                raise serializers.ValidationError(_("点位只能设在产线、设备或部件上"))
            _refuse_unused(machine)
        return value

    def validate_radius(self, value: int) -> int:
        """A place is checked within 20 to 2000 m, or not at all."""
        low, high = _RADIUS
        if value != 0 and not low <= value <= high:
            text = _("{field}应在{a}到{b}之间").format(field=self.fields["radius"].label, a=low, b=high)
            raise serializers.ValidationError(text)
        return value

    def validate_configIds(self, value: list[int]) -> list[int]:
        """Refuse standards that are not there, and sealed ones that the point does not have already."""
        found = CheckStandard.objects.filter(config_type=ConfigType.CHECK).in_bulk(value)
        if len(found) != len(value):
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        for one in found.values():
            if one.pk not in self._before():
                refuse_sealed(one)
        return value

    def _before(self) -> set[int]:
        return set(self.instance.config_ids) if self.instance is not None else set()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check what several fields say together."""
        before: Any = self.instance
        if "config_codes" in attrs:
            attrs["config_ids"] = self._coded(attrs.pop("config_codes"))

        def value(name: str, nothing: Any) -> Any:
            return attrs[name] if name in attrs else getattr(before, name, nothing)

        lng, lat = value("lng", None), value("lat", None)
        if (lng is None) != (lat is None):
            wire = "lng" if lng is None else "lat"
            raise serializers.ValidationError({wire: [_("经度和纬度须同时填写")]})
        if value("radius", 0) and lng is None:
            raise serializers.ValidationError({"radius": [_("设置允许半径须先填写经度和纬度")]})
        standards = attrs["config_ids"] if "config_ids" in attrs else self._before()
        if not standards and not value("items", []):
            raise serializers.ValidationError({"configIds": [_("点位至少需要一个检查项")]})
        self._check_meters(value("machine_id", 0), standards, value("items", []))
        return attrs

    def _check_meters(self, machine_id: int, standards: Iterable[int], own: Iterable[Mapping[str, Any]]) -> None:
        """Refuse items that read a meter at a line: assets and components alone have one."""
        if not Machine.objects.filter(pk=machine_id, node_type__lt=NodeType.MACHINE).exists():
            return
        drawn = CheckStandard.objects.filter(pk__in=standards).values_list("items", flat=True)
        for wire, items in (("items", own), ("configIds", chain.from_iterable(drawn))):
            if any(item["valueType"] == ValueType.METER for item in items):
                raise serializers.ValidationError({wire: [_("产线、区域没有计数器，不能抄表")]})

    def _coded(self, text: str) -> list[int]:
        """Return the ids of the standards with these codes; raise ValidationError for a code that none has."""
        codes = list(dict.fromkeys(code.strip() for code in _BETWEEN_CODES.split(text) if code.strip()))
        found = dict(
            CheckStandard.objects.filter(config_type=ConfigType.CHECK, config_code__in=codes).values_list(
                "config_code", "pk"
            )
        )
        missing = next((code for code in codes if code not in found), None)
        if missing is not None:
            raise serializers.ValidationError({"configCodes": [_("没有「{value}」这个选项").format(value=missing)]})
        try:
            return self.validate_configIds([found[code] for code in codes])
        except serializers.ValidationError as error:
            raise serializers.ValidationError({"configCodes": error.detail}) from None

    def _check_room(self, group_id: int) -> None:
        if RoutePoint.objects.filter(group=group_id).count() >= MOST_POINTS:
            raise serializers.ValidationError({"groupId": [plural("一条路线最多{n}个点位", MOST_POINTS)]})

    def _fill_in(self, attrs: dict[str, Any]) -> None:
        """A new point comes last, and is scanned where its route asks for it."""
        if "sort" not in attrs:
            last = RoutePoint.objects.filter(group=attrs["group_id"]).aggregate(last=Max("sort"))["last"] or 0
            attrs["sort"] = min((last // _STEP + 1) * _STEP, 9999)
        if "scan_mode" not in attrs:
            route = Route.objects.get(pk=attrs["group_id"])
            attrs["scan_mode"] = ScanMode.QR if route.need_scan else ScanMode.NONE

    def create(self, validated_data: Any) -> Any:
        """Store a point with its standards."""
        standards = validated_data.pop("config_ids", [])
        # Looked at now, because the rows of a sheet are checked before the first of them is stored.
        self._check_room(validated_data["group_id"])
        self._fill_in(validated_data)
        point = RoutePoint(**validated_data)
        point.own_count = len(point.items)
        point.save(force_insert=True)
        self._write(point, standards)
        self._check_reach(point)
        return point

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change a point; other standards are a change of it too."""
        self._check_reach(instance)
        if validated_data.get("group_id", instance.group_id) != instance.group_id:
            self._check_room(validated_data["group_id"])
        standards = validated_data.pop("config_ids", None)
        if "items" in validated_data:
            validated_data["own_count"] = len(validated_data["items"])
        is_changed = instance.change(validated_data)
        if standards is not None and instance.config_ids != standards:
            PointStandard.objects.filter(point=instance).delete()
            self._write(instance, standards)
            if not is_changed:
                RoutePoint.count_write([instance.pk])
        self._check_reach(instance)
        # What the list had read beforehand is no longer so.
        vars(instance).pop("_prefetched_objects_cache", None)
        return instance

    def _write(self, point: RoutePoint, standards: Iterable[int]) -> None:
        PointStandard.objects.bulk_create(
            PointStandard(point=point, config_id=one, place=place) for place, one in enumerate(standards)
        )

    def _check_reach(self, point: RoutePoint) -> None:
        if not in_reach(self.context["view"], RoutePoint.objects.filter(pk=point.pk)):
            raise NotAllowed()


class RouteOption(serializers.Serializer):  # type: ignore[type-arg]
    """A route to choose."""

    id = IdField()
    groupCode = serializers.CharField(source="group_code")
    groupName = serializers.CharField(source="group_name")
    groupType = serializers.IntegerField(source="group_type")
    deptName = NameField(source="dept")
    pointCount = serializers.IntegerField(source="point_count")
    estMinutes = serializers.IntegerField(source="est_minutes")


class PointItem(CheckItem):
    """A check item of a point, with the standard that it is of; null and empty for the point's own."""

    configId = IdField(
        refers_to=CheckStandard, read_only=True, allow_null=True, label=label("点检标准", "Check standard")
    )
    configName = serializers.CharField(label=label("点检标准", "Check standard"))


class _AllItems(serializers.ListSerializer):  # type: ignore[type-arg]
    """All items of a point."""

    def get_attribute(self, instance: Any) -> Any:
        """Return them in their order."""
        return items_of(instance)


class PointLine(serializers.Serializer):  # type: ignore[type-arg]
    """A point of a route with all that is checked at it: the items of its standards in their order, then its own."""

    id = IdField()
    lockVersion = serializers.IntegerField(source="lock_version")
    pointCode = serializers.CharField(source="point_code")
    pointName = serializers.CharField(source="point_name")
    sort = serializers.IntegerField()
    machineId = IdField(source="machine_id")
    machineName = NameField(source="machine")
    machineCode = serializers.CharField(source="machine.machine_code")
    location = serializers.CharField()
    scanMode = serializers.IntegerField(source="scan_mode")
    scanModeName = NameField(source="get_scan_mode_display")
    photoRequired = serializers.IntegerField(source="photo_required")
    stopCheck = serializers.IntegerField(source="stop_check")
    isSealed = serializers.IntegerField(source="is_sealed")
    itemCount = serializers.IntegerField(source="item_count")
    items = _AllItems(child=PointItem())


def items_of(point: RoutePoint) -> list[Mapping[str, Any]]:
    """Return all check items of a point: those of its standards in their order, then its own."""
    found: list[Mapping[str, Any]] = []
    for standard in point.configs():
        found += [{**item, "configId": standard.pk, "configName": str(standard)} for item in standard.items]
    found += [{**item, "configId": None, "configName": ""} for item in point.items]
    return found


class ArrangeInput(SpeakingSerializer):
    """The points of a route in the order that they get."""

    groupId = IdField(label=label("点检路线", "Inspection route"))
    ids = IdListField(label=label("点检点位", "Inspection points"), max_ids=MOST_POINTS)


def arrange(points: Sequence[RoutePoint], ids: Sequence[int]) -> int:
    """Number the points in the order of the ids, in tens; return how many numbers have changed."""
    places = {pk: (place + 1) * _STEP for place, pk in enumerate(ids)}
    moved = [point for point in points if point.sort != places[point.pk]]
    for point in moved:
        point.sort = places[point.pk]
    RoutePoint.objects.bulk_update(moved, ["sort"])
    RoutePoint.count_write([point.pk for point in moved])
    return len(moved)
