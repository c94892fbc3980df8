"""Wire forms of sign-in and of teams."""

from __future__ import annotations

import json
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from core.kernel.texts import label
from core.rest.serializers import IdField, SpeakingSerializer


class ListedTenant(serializers.Serializer):  # type: ignore[type-arg]
    """A tenant as the sign-in page names it: nothing more than that."""

    tenantId = serializers.CharField()
    tenantName = serializers.CharField()


class SiteSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """What the sign-in page must know."""

    captchaMode = serializers.ChoiceField(choices=["slider", "image", "off"])
    version = serializers.CharField()
    tenants = ListedTenant(many=True)


class CaptchaSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A picture of characters to type; the key goes with the answer."""

    key = serializers.CharField()
    image = serializers.CharField(help_text="a data URI")


class SliderCaptchaSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A picture with a gap and the piece that fits it, as data URIs, with their sizes in pixels."""

    key = serializers.CharField()
    bgImage = serializers.CharField()
    sliderImage = serializers.CharField()
    bgWidth = serializers.IntegerField()
    bgHeight = serializers.IntegerField()
    sliderWidth = serializers.IntegerField()
    sliderHeight = serializers.IntegerField()
    sliderY = serializers.IntegerField()


class UserInfoSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """The signed-in person, in the dialect's snake_case."""

    tenant_id = serializers.CharField()
    tenant_name = serializers.CharField()
    user_id = serializers.CharField()
    account = serializers.CharField()
    nick_name = serializers.CharField()
    real_name = serializers.CharField()
    role_name = serializers.CharField()
    role_id = serializers.CharField()
    dept_id = serializers.CharField()
    dept_name = serializers.CharField()
    post_id = serializers.CharField()
    avatar = serializers.CharField()
    must_change_password = serializers.IntegerField(min_value=0, max_value=1)
    roles = serializers.ListField(child=serializers.CharField())


class PasswordChange(serializers.Serializer):  # type: ignore[type-arg]
    """The old password and twice the new one, each plain or as its md5."""

    oldPassword = serializers.CharField()
    newPassword = serializers.CharField()
    newPassword1 = serializers.CharField()


class TicketInput(SpeakingSerializer):
    """The address of a download, as the browser is to open it; its answer has a ticket at the end."""

    address = serializers.RegexField(r"^/api/[!-~]+$", label=label("地址", "Address"), max_length=1000)


@extend_schema_field(OpenApiTypes.ANY)
class _CappedText(serializers.Field):  # type: ignore[type-arg]
    """Whatever a client wrote, as one line of text: control characters escaped, and cut where it gets long."""

    AT_MOST = 8192

    def run_validation(self, data: Any = empty) -> Any:
        """Null is like nothing."""
        return "" if data is None else super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        """Never refuses: an error report is better short than lost."""
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        text = "".join(
            sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text[: self.AT_MOST]
        )
        return text[: self.AT_MOST]

    def to_representation(self, value: Any) -> Any:
        """Only read."""
        return value


class ClientError(SpeakingSerializer):
    """An error that a console met."""

    type = _CappedText(default="")
    message = _CappedText(default="")
    stack = _CappedText(default="")
    info = _CappedText(default="")
    url = _CappedText(default="")
    time = _CappedText(default="")


class ClientErrorsSerializer(SpeakingSerializer):
    """What a console hands in at once."""

    logs = serializers.ListField(child=ClientError(), label=label("日志", "Log"), max_length=100)


class TeamSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A team and who leads it."""

    id = IdField()
    teamName = serializers.CharField(source="__str__")
    leaderId = IdField(source="leader_id", allow_null=True)
    leaderName = serializers.CharField(source="leader.real_name", default="")
