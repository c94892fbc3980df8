"""Calls of scheduled jobs and their logs: seen, set, started, stopped and run by the platform's administrators.

Administrators of a company run jobs of the business for their own company, and see the logs of these runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.blade.parsers import parameters
from core.identity.models import Tenant, User
from core.kernel import clock
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.operation import perform
from core.kernel.tenancy import PLATFORM, current_tenant
from core.kernel.texts import both, label, moment
from core.rest import edits
from core.rest.filters import CODE, ID, INTEGER, MOMENT, Filter, filters_of
from core.rest.menus import Button, MenuEntry, Place, ShippedRole
from core.rest.serializers import IdField, IdListField, NameField, NounSerializer, SaidField
from core.rest.shapes import Serialized, Shape, noun_serializer
from core.rest.viewsets import NounViewSet, Stored
from core.scheduling import cron, schedule
from core.scheduling.models import JobGroup, JobStatus, ScheduleJob, ScheduleLog, ScheduleType, TenantScope


class _CodesField(serializers.CharField):
    """Ids of companies, comma-joined."""

    def to_internal_value(self, data: Any) -> Any:
        """Return those of companies that there are."""
        words = data if isinstance(data, list) else str(data).split(",")
        codes = list(dict.fromkeys(str(one).strip() for one in words if str(one).strip()))
        if len(codes) > 500 or Tenant.objects.filter(tenant_id__in=codes).count() != len(codes):
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        return codes

    def to_representation(self, value: Any) -> str:
        """Return them joined."""
        return ",".join(value or [])


def name_of(code: str) -> str:
    """Return what a job is called in the caller's language."""
    job = schedule.jobs.get(code)
    return str(job.name) if job is not None else code


class JobParameterSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A whole number that a job may be told, and what it is told."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    value = serializers.IntegerField(allow_null=True)


def parameters_of(code: str, params: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the parameters of a job with their values, in the caller's language."""
    job = schedule.jobs.get(code)
    return [
        {
            "name": one.name, "label": str(one.label), "least": one.least, "most": one.most,
            "value": params.get(one.name),
        }
        for one in (job.parameters if job is not None else ())
    ]  # fmt: skip


def checked_params(code: str, sent: Any) -> dict[str, int]:
    """Return the numbers that a job is told, those left empty left out. Raises ValidationError."""
    known = {one.name: one for one in schedule.jobs[code].parameters}
    if not isinstance(sent, Mapping) or set(sent) - set(known):
        raise serializers.ValidationError({"params": [_("请求参数格式错误: {name}").format(name="params")]})
    found: dict[str, int] = {}
    for name, value in sent.items():
        if value is None or value == "":
            continue
        one = known[name]
        number = int(value) if re.fullmatch(r"\d{1,6}", str(value)) else -1
        if not one.least <= number <= one.most:
            text = _("{field}应在{a}到{b}之间").format(field=one.label, a=one.least, b=one.most)
            raise serializers.ValidationError({"params": [text]})
        found[name] = number
    return found


@dataclass(frozen=True)
class _Parameters(Shape):
    """What a job may be told, and what it is told."""

    def fields(self, model: Any) -> Serialized:
        """Return the numbers by their names, and what is said of each."""
        return {
            "params": serializers.JSONField(label=label("参数", "Parameters"), required=False),
            "parameters": _ParametersField(label=label("参数", "Parameters"), read_only=True, source="*"),
        }


@extend_schema_field(JobParameterSerializer(many=True))
class _ParametersField(serializers.ReadOnlyField):
    kind = "json"

    def to_representation(self, value: Any) -> Any:
        """Return what is said of the parameters of a job, or of a run of one."""
        code = value.job.job_code if isinstance(value, ScheduleLog) else value.job_code
        return parameters_of(code, value.params)


@dataclass(frozen=True)
class _Said(Shape):
    """What the product says of a job, and whether it runs."""

    def fields(self, model: Any) -> Serialized:
        """Return name, sentence, and whether a run has not ended."""
        return {
            "jobName": SaidField(label=label("任务名称", "Job")),
            "text": SaidField(label=label("作用", "What it does")),
            "running": SaidField(kind="flag", label=label("执行中", "Running now")),
        }


@dataclass(frozen=True)
class _Scope(Shape):
    """For whom it is run, and who is told of failures."""

    def fields(self, model: Any) -> Serialized:
        """Return both lists."""
        tenants, people = (
            ScheduleJob._meta.get_field(name).verbose_name  # type: ignore[union-attr]
            for name in ("tenant_ids", "alarm_user_ids")
        )
        return {
            "tenantIds": _CodesField(source="tenant_ids", label=tenants, required=False, allow_blank=True),
            "alarmUserIds": IdListField(source="alarm_user_ids", label=people, refers_to=User, required=False),
            "alarmUserNames": SaidField(label=people),
        }


class JobRules(NounSerializer):
    """What a job's settings must be."""

    def get_jobName(self, row: ScheduleJob) -> str:
        """In the caller's language."""
        return name_of(row.job_code)

    def get_text(self, row: ScheduleJob) -> str:
        """A sentence."""
        job = schedule.jobs.get(row.job_code)
        return str(job.does) if job is not None else ""

    def get_running(self, row: ScheduleJob) -> int:
        """1 while a run has not ended."""
        known: Mapping[int, int] | None = self.context.get("running")
        return int(bool((known if known is not None else schedule.is_running([row.pk])).get(row.pk)))

    def get_alarmUserNames(self, row: ScheduleJob) -> str:
        """Joined."""
        known: Mapping[int, str] | None = self.context.get("people")
        names = known if known is not None else ports.people.names(set(row.alarm_user_ids))
        return _("、").join(names[pk] for pk in row.alarm_user_ids if pk in names)

    def validate_alarmUserIds(self, value: list[int]) -> list[int]:
        """People of the platform who may work."""
        if User.objects.filter(pk__in=value, is_enabled=True).count() != len(value):
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """It has a time of its kind, and companies where some are chosen."""

        def of(name: str) -> Any:
            return attrs[name] if name in attrs else getattr(self.instance, name)

        if "params" in attrs:
            job: Any = self.instance  # which jobs there are the product says: nobody adds one
            attrs["params"] = checked_params(job.job_code, attrs["params"])
        if of("schedule_type") == ScheduleType.INTERVAL:
            if not of("interval_seconds"):
                raise serializers.ValidationError(
                    {"intervalSeconds": self.fields["intervalSeconds"].error_messages["required"]}
                )
        else:
            check_cron(of("cron"))
        if of("tenant_scope") == TenantScope.CHOSEN and not of("tenant_ids"):
            raise serializers.ValidationError({"tenantIds": self.fields["tenantIds"].error_messages["required"]})
        return attrs


def check_cron(text: str) -> None:
    """Raise ValidationError for a text that is none, or that never comes."""
    try:
        schedule.next_of(ScheduleJob(cron=text), clock.now())
    except cron.BadCron:
        raise serializers.ValidationError({"cron": _("Cron表达式不正确")}) from None


class Acted(serializers.Serializer):  # type: ignore[type-arg]
    """How a job stands after it was started, stopped or run."""

    id = serializers.CharField()
    status = serializers.IntegerField()
    running = serializers.IntegerField(help_text="Runs that have not ended.")
    nextFireTime = serializers.CharField(allow_null=True)
    logUuid = serializers.CharField(required=False, help_text="Of `run`: the uuid of its log.")


class JobInput(serializers.Serializer):  # type: ignore[type-arg]
    """Which job: `id` or `uuid`, or several by `ids`."""

    id = serializers.CharField(required=False)
    uuid = serializers.CharField(required=False)
    ids = serializers.CharField(required=False)


class RunInput(JobInput):
    """The same, and the numbers that the jobs are told in this run alone."""

    params = serializers.DictField(child=serializers.IntegerField(allow_null=True), required=False)


_FIELDS: tuple[str | Shape, ...] = (
    "uuid", "job_code", _Said(), "group", "schedule_type", "cron", "interval_seconds", _Parameters(), "tenant_scope",
    _Scope(),
    "status", "block_strategy", "misfire", "timeout_seconds", "retry_count", "last_fire_time", "next_fire_time",
    "last_result", "remark",
)  # fmt: skip


class JobSerializer(noun_serializer(ScheduleJob, _FIELDS, JobRules)):  # type: ignore[misc]
    """A scheduled job."""


class JobViewSet(NounViewSet):
    """Scheduled jobs."""

    noun = "schedulejob"
    menu = MenuEntry(
        "monitor", "/monitor/job", "schedule", label("定时任务", "Scheduled jobs"), place=3,
        roles={ShippedRole.TENANT_ADMIN: {"view", "run"}},
        buttons={
            "start": Button(label("启动", "Start")),
            "stop": Button(label("停止", "Stop")),
            "run": Button(label("执行一次", "Run once"), Place.ROW),
        },
    )  # fmt: skip
    platform_only = frozenset({"start", "stop", "update"})
    codes = {
        "start": "schedulejob_start", "stop": "schedulejob_stop", "run": "schedulejob_run",
        "update": "schedulejob_edit",
    }  # fmt: skip
    queryset = ScheduleJob.objects.all()
    serializer_class = JobSerializer
    order = ("group", "job_code")
    filters = {
        **filters_of(ScheduleJob, "group", "status", "schedule_type", "last_result", "next_fire_time"),
        "uuid": Filter("uuid", CODE, sortable=False),
        "jobCode": Filter("job_code", "text"),
        "jobGroup": Filter("group", INTEGER),
        "jobStatus": Filter("status", INTEGER),
        "jobName": Filter(apply=lambda rows, text: rows.filter(job_code__in=_called(text)), sortable=False),
    }

    def get_queryset(self) -> QuerySet[Any]:
        """Return the jobs of the product as it is; those of its business where a company's people ask."""
        rows = super().get_queryset().filter(job_code__in=schedule.jobs)
        return rows if _is_platform(self) else rows.filter(group=JobGroup.BUSINESS)

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Count the runs of the jobs of a page that have not ended, and read the names of whom they tell."""
        told = ScheduleJob.objects.filter(pk__in=ids).values_list("alarm_user_ids", flat=True)
        people = {pk for one in told for pk in one}
        return {"running": schedule.is_running(ids), "people": ports.people.names(people) if people else {}}

    @extend_schema(request=JobSerializer, responses=Stored)
    def update(self, request: Request) -> Response:
        """Change when and for whom a job is run."""
        body = parameters(request)
        entry = AuditEntry("schedulejob.edit", self.actor, business_type=self.noun)

        def change() -> dict[str, str]:
            row = self.row_to_change(body)
            serializer = self.get_serializer(row, data=body, partial=True)
            serializer.is_valid(raise_exception=True)
            before = row.schedule_type, row.cron, row.interval_seconds
            with edits.told(self, entry, row, body):
                saved = serializer.save()
            if saved.status == JobStatus.RUNNING and before != (
                saved.schedule_type,
                saved.cron,
                saved.interval_seconds,
            ):
                saved.refresh_from_db()
                saved.next_fire_time = None
                following = schedule.next_of(saved, clock.now())
                ScheduleJob.objects.filter(pk=saved.pk).update(next_fire_time=following)
            entry.business_id, entry.remark = saved.pk, saved.job_code
            return {"id": str(saved.pk)}

        return Response(perform(entry, dict(body), change))

    @extend_schema(request=JobInput, responses=Acted)
    @action(detail=False, methods=["post"])
    def start(self, request: Request) -> Response:
        """Let a job be run by time; one that is already stays as it is."""
        return self._act("start", schedule.start)

    @extend_schema(request=JobInput, responses=Acted)
    @action(detail=False, methods=["post"])
    def stop(self, request: Request) -> Response:
        """Let a job be run by time no more; a run that has begun is left to end."""
        return self._act("stop", schedule.stop)

    @extend_schema(request=RunInput, responses=Acted)
    @action(detail=False, methods=["post"])
    def run(self, request: Request) -> Response:
        """Run a job once now, whatever its status; its next time stays."""
        found: dict[int, str] = {}
        sent = parameters(request).get("params") or {}

        def ask(row: ScheduleJob) -> bool:
            params = checked_params(row.job_code, sent)
            try:
                fire = schedule.ask(row, self.actor.user_id, current_tenant(), params)
            except schedule.Busy:
                raise Conflict("job.busy", _("任务正在执行中，请稍后再试")) from None
            found[row.pk] = fire.uuid
            return True

        return self._act("run", ask, found)

    def _act(self, name: str, act: Any, logs: Mapping[int, str] | None = None) -> Response:
        """Act on the jobs that the body names, all or none; answer how the first of them stands."""
        body = parameters(self.request)
        entry = AuditEntry(f"schedulejob.{name}", self.actor, business_type=self.noun)

        def change() -> dict[str, Any]:
            rows = self.locked_rows(**_named(body))
            if not rows:
                raise Missing()
            done = [act(row) for row in rows]
            for row, is_new in zip(rows, done, strict=True):
                if is_new:
                    entry.add_record(row.pk, row.job_code, [])
            entry.nothing_happened = not any(done)
            row = ScheduleJob.objects.get(pk=rows[0].pk)
            answer = {
                "id": str(row.pk),
                "status": row.status,
                "running": schedule.is_running([row.pk]).get(row.pk, 0),
                "nextFireTime": moment(row.next_fire_time) or None,
            }
            return answer | ({"logUuid": logs[row.pk]} if logs else {})

        return Response(perform(entry, dict(body), change))


def _named(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return by which column the jobs are found that a body names. Raises Invalid for none."""
    if body.get("ids"):
        return {"pk__in": IdListField().run_validation(body["ids"])}
    if body.get("id"):
        return {"pk": IdField().run_validation(body["id"])}
    if body.get("uuid"):
        return {"uuid": str(body["uuid"])[:36]}
    raise Invalid({"id": _("缺少必要的请求参数: {name}").format(name="id")})


def _is_platform(view: Any) -> bool:
    return bool(view.actor.is_platform_administrator) and current_tenant() == PLATFORM


def _called(text: str) -> list[str]:
    """Return the codes of jobs whose name contains a word, in either language."""
    word = text.strip().lower()
    return [code for code, job in schedule.jobs.items() if any(word in name.lower() for name in both(job.name))]


@dataclass(frozen=True)
class _OfJob(Shape):
    """The job of a run, and who asked for it."""

    def fields(self, model: Any) -> Serialized:
        """Return code, name and person."""
        said = label("任务编号", "Job code")
        return {
            "jobId": IdField(source="job_id", read_only=True, label=said),
            "jobCode": NameField(source="job.job_code", label=said),
            "jobName": SaidField(label=label("任务名称", "Job")),
            "operatorName": SaidField(label=label("操作人", "By")),
        }


@dataclass(frozen=True)
class _Told(Shape):
    """What a job was told in a run."""

    def fields(self, model: Any) -> Serialized:
        """Return it."""
        return {"parameters": _ParametersField(label=label("参数", "Parameters"), read_only=True, source="*")}


class LogRules(NounSerializer):
    """What is said of a run."""

    def get_jobName(self, row: ScheduleLog) -> str:
        """In the caller's language."""
        return name_of(row.job.job_code)

    def get_operatorName(self, row: ScheduleLog) -> str:
        """Who asked for it by hand; empty by time."""
        if row.operator_id is None:
            return ""
        known: Mapping[int, str] | None = self.context.get("people")
        return str((known if known is not None else ports.people.names({row.operator_id})).get(row.operator_id, ""))


_LOG: tuple[str | Shape, ...] = (
    "uuid", _OfJob(), "trigger_type", "attempt", "due_time", "start_time", "end_time", "cost_ms", "status", "handled",
    "created", "skipped", "failed", "message", "server",
)  # fmt: skip


class JobLogSerializer(noun_serializer(ScheduleLog, _LOG, LogRules)):  # type: ignore[misc]
    """A run of a job."""


class JobLogDetail(noun_serializer(ScheduleLog, (*_LOG, _Told(), "detail"), LogRules)):  # type: ignore[misc]
    """A run of a job with a line for each company."""


class JobLogViewSet(NounViewSet):
    """Runs of scheduled jobs."""

    codes = {"list": "schedulejob_view", "show": "schedulejob_view"}
    queryset = ScheduleLog.objects.select_related("job")
    serializer_class = JobLogSerializer
    detail_serializer_class = JobLogDetail
    order = ("-due_time", "-id")
    filters = {
        "uuid": Filter("job__uuid", CODE, sortable=False),
        "logUuid": Filter("uuid", CODE, sortable=False),
        "jobId": Filter("job_id", ID),
        "jobCode": Filter("job__job_code", CODE),
        "jobName": Filter(apply=lambda rows, text: rows.filter(job__job_code__in=_called(text)), sortable=False),
        "status": Filter("status", INTEGER),
        "logStatus": Filter("status", INTEGER),
        "triggerType": Filter("trigger_type", INTEGER),
        "dueTime": Filter("due_time", MOMENT),
        "startTime": Filter("start_time", MOMENT),
        "createTime": Filter("due_time", MOMENT),
        "costMs": Filter("cost_ms", INTEGER),
    }

    def get_queryset(self) -> QuerySet[Any]:
        """Return all runs to the platform's administrators; to a company those that were asked for there."""
        rows = super().get_queryset()
        return rows if _is_platform(self) else rows.filter(tenant_id=current_tenant(), job__group=JobGroup.BUSINESS)

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Read the names of whoever asked for the runs of a page."""
        asked = ScheduleLog.objects.filter(pk__in=ids, operator_id__isnull=False)
        people = {pk for pk in asked.values_list("operator_id", flat=True) if pk is not None}
        return {"people": dict(ports.people.names(people)) if people else {}}

    @extend_schema(parameters=[OpenApiParameter("id", str), OpenApiParameter("uuid", str)], responses=JobLogDetail)
    def show(self, request: Request) -> Response:
        """Answer one run, by its id or its uuid."""
        given = request.query_params.get("uuid", "").strip()
        if not given:
            return super().show(request)
        row = self.get_queryset().filter(uuid=given[:36]).first()
        if row is None:
            raise Missing()
        return Response(self.get_serializer(row).data)
