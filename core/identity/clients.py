"""Programs that people sign in with, and their calls; kept by the platform alone."""

from __future__ import annotations

import json
import re
import secrets
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.identity.models import Client
from core.kernel.audit_entry import AuditEntry
from core.kernel.operation import perform
from core.kernel.texts import label
from core.rest import edits
from core.rest.filters import TEXT, Filter, filters_of
from core.rest.menus import MenuEntry
from core.rest.serializers import NounSerializer
from core.rest.viewsets import NounViewSet, Remove, Submit

GRANTS = ("password", "captcha", "slider_captcha", "refresh_token", "social", "authorization_code")
_ID = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_SECONDS = {"min_value": 60, "max_value": 31_536_000}


class ClientSerializer(NounSerializer):
    """A program. Its secret goes in, and comes out once where the server made it up."""

    clientSecret = serializers.CharField(
        write_only=True, required=False, allow_blank=True, max_length=100, label=label("客户端密钥", "Secret")
    )

    class Meta:
        model = Client
        fields = (
            "id", "client_id", "clientSecret", "resource_ids", "scope", "authorized_grant_types",
            "web_server_redirect_uri", "authorities", "access_token_validity", "refresh_token_validity",
            "additional_information", "autoapprove", "remark", "create_time",
        )  # fmt: skip
        read_only_fields = ("create_time",)
        extra_kwargs = {"access_token_validity": _SECONDS, "refresh_token_validity": _SECONDS}

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; grants are chosen, though they are sent as one text."""
        fields = super().get_fields()
        grants = fields["authorizedGrantTypes"]
        text = _("请选择{field}").format(field=grants.label)
        grants.error_messages.update(required=text, blank=text, null=text)
        return fields

    def validate_clientId(self, value: str) -> str:
        """Letters, digits and three signs."""
        if not _ID.fullmatch(value):
            raise serializers.ValidationError(_("客户端编号只能包含字母、数字和 _ - ."))
        return value

    def validate_authorizedGrantTypes(self, value: str) -> str:
        """Grants that there are, comma-joined."""
        words = [word.strip() for word in value.split(",") if word.strip()]
        if not words or any(word not in GRANTS for word in words):
            raise serializers.ValidationError(_("授权类型只能包含：{names}").format(names=", ".join(GRANTS)))
        return ",".join(dict.fromkeys(words))

    def validate_webServerRedirectUri(self, value: str) -> str:
        """An http address, or empty."""
        if value and not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[^\s\\]*)?", value):
            raise serializers.ValidationError(_("地址应以 http:// 或 https:// 开头"))
        return value

    def validate_additionalInformation(self, value: str) -> str:
        """A JSON object as text, or empty."""
        try:
            if value and not isinstance(json.loads(value), dict):
                raise ValueError
        except (ValueError, RecursionError):
            raise serializers.ValidationError(_("附加说明应为JSON对象")) from None
        return value


class ClientMade(serializers.Serializer):  # type: ignore[type-arg]
    """The program, with the secret that the server made up."""

    id = serializers.CharField()
    clientSecret = serializers.CharField(required=False)


class ClientViewSet(Submit, Remove, NounViewSet):
    """Programs that people sign in with."""

    noun = "client"
    menu = MenuEntry("system", "/system/client", "client", label("客户端管理", "Clients"), place=5)
    queryset = Client.objects.all()
    serializer_class = ClientSerializer
    platform_only = frozenset({"list", "show", "submit", "remove"})
    order = ("client_id", "id")
    sample = {
        "clientSecret": "Xw2mors7k", "authorizedGrantTypes": "password,refresh_token", "additionalInformation": "{}",
        "webServerRedirectUri": "http://x.cn/", "accessTokenValidity": 3600, "refreshTokenValidity": 7200,
    }  # fmt: skip
    select = None  # type: ignore[assignment]  # only the platform knows the programs
    filters = filters_of(Client, "scope") | {"clientId": Filter("client_id", TEXT)}

    @extend_schema(request=ClientSerializer, responses=ClientMade)
    def submit(self, request: Request) -> Response:
        """Make or change one. A secret is stored as its hash; one that the server makes up is shown this once."""
        body = parameters(request)
        row_id = str(body.get("id") or "").strip()
        entry = AuditEntry(f"client.{'edit' if row_id else 'add'}", self.actor, business_type="client")
        shown: dict[str, str] = {}

        def change() -> dict[str, str]:
            row = self.row_to_change(body) if row_id else None
            serializer = self.get_serializer(row, data=body, partial=row is not None)
            serializer.is_valid(raise_exception=True)
            secret = serializer.validated_data.pop("clientSecret", "")
            if not secret and row is None:
                secret = shown["clientSecret"] = secrets.token_urlsafe(24)
            with edits.told(self, entry, row, body):
                client: Any = serializer.save(**({"secret": make_password(secret)} if secret else {}))
            entry.business_id, entry.remark = client.pk, client.client_id
            return {"id": str(client.pk)}

        plain = {name: value for name, value in body.items() if name != "clientSecret"}
        return Response({**perform(entry, plain, change), **shown})
