"""Calls of tenants: kept by the platform's administrators, seen by everybody as far as it is their own."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.identity import addresses, companies, passwords, quotas
from core.identity.models import QuotaKind, Tenant
from core.identity.serializers import ListedTenant
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Missing, NotAllowed
from core.kernel.operation import perform
from core.kernel.texts import label
from core.rest import edits
from core.rest.filters import TEXT, Filter, filters_of
from core.rest.menus import EVERYTHING, Button, MenuEntry, Place, ShippedRole
from core.rest.serializers import FlagField, IdListField, MomentField, NameField, NounSerializer, SpeakingSerializer
from core.rest.viewsets import PUBLIC, SIGNED_IN, NounViewSet, Remove, Submit

DOMAINS_A_MINUTE = 60
MOST_ACCOUNTS = 1_000_000
_DOMAIN = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?")
_USUAL_PORTS = {"http": ":80", "https": ":443"}
_PICTURE = re.compile(r"(https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?)?(/[A-Za-z0-9._~%/-]*)?")
_CODE = re.compile(r"[A-Za-z0-9_-]{1,20}")


def _label(name: str) -> Any:
    return Tenant._meta.get_field(name).verbose_name  # type: ignore[union-attr]


def host_of(origin: str) -> str:
    """Host and port of a page's origin, or of a bare host; empty for what is none. A port that its scheme means anyway
    is left out."""
    text = origin.strip().lower()
    try:
        parts = urlsplit(text if "//" in text else f"//{text}")
    except ValueError:
        return ""
    found = parts.netloc.removesuffix(_USUAL_PORTS.get(parts.scheme, ""))
    return found if _DOMAIN.fullmatch(found) else ""


def tenant_at(origin: str) -> Tenant | None:
    """Return the tenant whose domain a page's origin has. A domain without a port is meant at every port."""
    host = host_of(origin)
    names = {host, host.partition(":")[0]} - {""}
    rows = {row.domain: row for row in Tenant.objects.filter(domain__in=names)}
    return rows.get(host) or rows.get(host.partition(":")[0])


class TenantSerializer(NounSerializer):
    """A company."""

    tenantId = serializers.CharField(source="tenant_id", read_only=True, label=_label("tenant_id"))
    tenantCode = serializers.CharField(
        source="tenant_code", required=False, allow_blank=True, max_length=20, label=_label("tenant_code")
    )
    title = NameField(source="__str__", label=_label("tenant_name"))
    accountNumber = serializers.IntegerField(source="account_number", read_only=True, label=_label("account_number"))
    expireTime = serializers.DateTimeField(
        source="expire_time", read_only=True, allow_null=True, label=_label("expire_time")
    )
    status = FlagField(source="is_enabled", required=False, label=_label("is_enabled"))
    statusName = NameField(source="status_name", label=_label("is_enabled"))

    class Meta:
        model = Tenant
        fields = (
            "id", "tenantId", "tenant_name", "tenant_name_en", "title", "tenantCode", "domain", "linkman",
            "contact_number", "address", "background_url", "accountNumber", "expireTime", "is_listed", "status",
            "statusName", "create_time",
        )  # fmt: skip
        read_only_fields = ("create_time",)

    def validate_tenantCode(self, value: str) -> str:
        """Letters, digits, _ and -; empty means the tenant's id."""
        if value and not _CODE.fullmatch(value):
            raise serializers.ValidationError(_("企业代码只能包含字母、数字和 _ -"))
        if not value and self.instance is not None:
            raise serializers.ValidationError(_("请输入{field}").format(field=_label("tenant_code")))
        return value

    def validate_domain(self, value: str) -> str:
        """A host that no other tenant has."""
        host = host_of(value)
        if value and not host:
            raise serializers.ValidationError(_("域名格式不正确"))
        others = Tenant.objects.filter(domain=host).exclude(domain="")
        if self.instance is not None:
            others = others.exclude(pk=self.instance.pk)
        if others.exists():
            text = _("{field}「{value}」已存在").format(field=_label("domain"), value=host)
            raise serializers.ValidationError(text)
        return host

    def validate_backgroundUrl(self, value: str) -> str:
        """A path of this site, or an http address."""
        if not _PICTURE.fullmatch(value) or value.startswith("//"):
            raise serializers.ValidationError(_("地址应以 / 或 http:// 、https:// 开头"))
        return value


MOST_MEGABYTES, MOST_OF_ANY = 1_000_000_000, 100_000_000


def _quota(label_of: Any, most: int) -> serializers.IntegerField:
    return serializers.IntegerField(required=False, min_value=-1, max_value=most, label=label_of)


class Limits(SpeakingSerializer):
    """How many accounts, until when, and how much of what else; -1 for any number, what is left out stays."""

    ids = IdListField()
    accountNumber = serializers.IntegerField(
        source="account_number", min_value=-1, max_value=MOST_ACCOUNTS, label=_label("account_number")
    )
    expireTime = MomentField(source="expire_time", required=False, allow_null=True, label=_label("expire_time"))
    fileMegabytes = _quota(label("附件空间（MB）", "File space (MB)"), MOST_MEGABYTES)
    modelNumber = _quota(QuotaKind.MODELS.label, MOST_OF_ANY)
    instanceNumber = _quota(QuotaKind.INSTANCES.label, MOST_OF_ANY)

    def quotas(self) -> dict[str, int]:
        """Return what is limited by kind, and take it out of the company's own columns."""
        given: dict[str, Any] = self.validated_data
        files, models, instances = (
            given.pop(name, None) for name in ("fileMegabytes", "modelNumber", "instanceNumber")
        )
        most = {
            QuotaKind.FILES: files if files is None or files < 0 else files * quotas.MEGABYTE,
            QuotaKind.MODELS: models,
            QuotaKind.INSTANCES: instances,
        }
        return {kind: number for kind, number in most.items() if number is not None}

    def to_internal_value(self, data: Any) -> Any:
        """An empty time is none: parameters of a query have no null."""
        if data.get("expireTime") == "":
            data = {**data, "expireTime": None}
        return super().to_internal_value(data)


class Usage(serializers.Serializer):  # type: ignore[type-arg]
    """How much of one kind is used."""

    kind = serializers.ChoiceField(choices=QuotaKind.values)
    kindName = serializers.CharField()
    most = serializers.IntegerField(help_text="Bytes of files, or a number; -1 for any.")
    used = serializers.IntegerField()


class TenantMade(serializers.Serializer):  # type: ignore[type-arg]
    """The company; of a new one its id, and how its first administrator signs in, once."""

    id = serializers.CharField()
    tenantId = serializers.CharField()
    account = serializers.CharField(required=False)
    password = serializers.CharField(required=False)


@extend_schema_serializer(extensions={"x-partial": True})
class TenantOfDomain(serializers.Serializer):  # type: ignore[type-arg]
    """What the sign-in page shows for its own address; an empty object where no tenant has it."""

    tenantId = serializers.CharField(required=False)
    domain = serializers.CharField(required=False)
    tenantName = serializers.CharField(required=False)
    backgroundUrl = serializers.CharField(required=False)


class TenantViewSet(Submit, Remove, NounViewSet):
    """Companies that use the console."""

    noun = "tenant"
    menu = MenuEntry(
        "system", "/system/tenant", "tenant", label("租户管理", "Tenants"), place=1,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
        buttons={"setting": Button(label("授权配置", "Settings"), Place.BOTH)},
    )  # fmt: skip
    queryset = Tenant.objects.all()
    serializer_class = TenantSerializer
    platform_only = frozenset({"submit", "remove", "setting"})
    select_action = ""
    sample = {"domain": "", "backgroundUrl": "/x.jpg"}
    codes = {"setting": "tenant_setting", "usage": "tenant_view", "info": PUBLIC, "select": SIGNED_IN}
    order = ("tenant_id",)
    filters = filters_of(Tenant, "tenant_name", "linkman", "contact_number", "domain", "expire_time") | {
        "tenantId": Filter("tenant_id", TEXT),
        "tenantCode": Filter("tenant_code", TEXT),
    }

    def get_queryset(self) -> QuerySet[Any]:
        """Return all for administrators of the platform, everybody else's own."""
        rows = super().get_queryset()
        return rows if self.actor.is_platform_administrator else rows.filter(tenant_id=self.actor.tenant_id)

    @extend_schema(request=TenantSerializer, responses=TenantMade)
    def submit(self, request: Request) -> Response:
        """Found or change a company; the answer to its founding has the first administrator's one-time password."""
        self._check_administrator()
        body = parameters(request)
        row_id = str(body.get("id") or "").strip()
        entry = AuditEntry(f"tenant.{'edit' if row_id else 'add'}", self.actor, business_type="tenant")
        shown: dict[str, str] = {}
        ready: list[tuple[str, str]] = []

        def prepare() -> None:
            if row_id:
                return
            self.get_serializer(data=body).is_valid(raise_exception=True)
            with self.outside():
                ready.append(passwords.stored_ahead())

        def change() -> dict[str, str]:
            tenant = self.row_to_change(body) if row_id else None
            serializer = self.get_serializer(tenant, data=body, partial=tenant is not None)
            serializer.is_valid(raise_exception=True)
            if tenant is None:
                [(one_time, stored)] = ready
                tenant = companies.found(serializer.validated_data, stored)
                shown.update(password=one_time, account=companies.FIRST_ACCOUNT)
            else:
                with edits.told(self, entry, tenant, body):
                    companies.change(tenant, serializer.validated_data)
            entry.business_id, entry.remark = tenant.pk, tenant.tenant_id
            return {"id": str(tenant.pk), "tenantId": tenant.tenant_id}

        # The password is not kept with the answer: the same request again is answered without it.
        return Response({**perform(entry, body, change, prepare), **shown})

    def validate_delete(self, row: Any) -> None:
        """Only administrators of the platform."""
        self._check_administrator()

    def perform_destroy(self, row: Any) -> None:
        """Remove one company."""
        companies.close(row)

    def _check_administrator(self) -> None:
        if not self.actor.is_platform_administrator:
            raise NotAllowed()

    @extend_schema(request=Limits, responses=None)
    @action(detail=False, methods=["post"], url_path="setting")
    def setting(self, request: Request) -> Response:
        """Set how many accounts companies may have, and when their time is over."""
        self._check_administrator()
        asked = Limits(data=parameters(request))
        asked.is_valid(raise_exception=True)
        most, values = asked.quotas(), dict(asked.validated_data)
        ids = values.pop("ids")
        rows = list(self.get_queryset().filter(pk__in=ids).order_by("pk"))
        if not ids or len(rows) != len(ids):
            raise Missing()
        entry = AuditEntry("tenant.setting", self.actor, business_type="tenant")
        entry.business_id = rows[0].pk if len(rows) == 1 else None
        entry.remark = ",".join(row.tenant_id for row in rows)[:400]
        perform(entry, {"ids": ids, **values, **most}, lambda: companies.limit(rows, values, most))
        return Response(None)

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], responses=Usage(many=True))
    @action(detail=False, methods=["get"], url_path="usage")
    def usage(self, request: Request) -> Response:
        """Answer how much a company uses, and how much it may: any company's to the platform, one's own to others."""
        return Response(quotas.usage(self.row(self.id_parameter())))

    @extend_schema(parameters=[OpenApiParameter("domain", str, required=True)], responses=TenantOfDomain)
    @action(detail=False, methods=["get"], url_path="info")
    def info(self, request: Request) -> Response:
        """Answer the company whose address the page has, listed or not; one that is closed is answered like none."""
        addresses.limit(request, "domain", DOMAINS_A_MINUTE)
        row = tenant_at(request.query_params.get("domain", "")[:200])
        if row is None or not row.is_open:
            return Response({})
        names = {"tenantId": row.tenant_id, "domain": row.domain, "tenantName": str(row)}
        return Response({**names, "backgroundUrl": row.background_url})

    @extend_schema(responses=ListedTenant(many=True))
    @action(detail=False, methods=["get"], url_path="select")
    def select(self, request: Request) -> Response:
        """Companies to choose from: all for administrators of the platform, everybody else's own."""
        rows = self.get_queryset().order_by("tenant_id")
        return Response([{"tenantId": row.tenant_id, "tenantName": str(row)} for row in rows])
