"""Connection credentials: the rules of what is entered, and the header that a request is sent with."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel import clock
from core.kernel.tenancy import current_tenant
from core.kernel.texts import label
from core.ports import EffectInput, NotReady
from core.rest.serializers import NounSerializer, SecretField
from core.rest.shapes import Shape
from core.scheduling import encryption
from core.scheduling.models import Credential

PARAMETER = "credential"
"""The parameter of an operation that names a credential by its code."""
MOST_CHARACTERS = 4000
CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
"""What a code is made of; models name credentials by it."""
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_OURS = re.compile(
    r"accept|connection|content-length|content-type|expect|host|idempotency-key|proxy-authorization|proxy-connection|te"
    r"|trailer|transfer-encoding|upgrade",
    re.IGNORECASE,
)
"""Headers that the request sets itself, or that are about the connection."""
_SECRET = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_HOST = re.compile(r"(?P<name>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(?P<port>[0-9]{1,5}))?|(?P<address>[0-9a-f:.]+)")
"""A name or address with a port where it is not the usual one; an IPv6 address without, as in HTTP_HOSTS."""


def is_named(hosts: Collection[str], host: str, port: int, is_said: bool = True) -> bool:
    """Return whether the hosts name this one: alone for the usual ports, else with this port."""
    usual = not is_said or port in (80, 443)
    return f"{host}:{port}" in hosts or (usual and host in hosts)


def hosts_of(text: str) -> list[str]:
    """Return the hosts of a list as people write it, with commas or blanks between, each once."""
    return list(dict.fromkeys(re.split(r"[\s,，;；]+", text.strip().lower())))


@dataclass(frozen=True)
class Header:
    """A header that a request is sent with, and the hosts that may read it. Its value shows in no `repr`."""

    name: str
    value: str = field(repr=False)
    hosts: frozenset[str]

    def is_told_by(self, text: str) -> bool:
        """Return whether a text holds the value, or a longer word of it such as a token behind `Bearer`."""
        return any(word in text for word in (self.value, *self.value.split()) if len(word) >= 8)


def with_header(said: EffectInput) -> EffectInput:
    """Return the input with the header of the credential that the model names by code in place of the code.

    Raises NotReady where the company has no such credential, or it is disabled or cannot be read.
    """
    code = said.parameters.get(PARAMETER)
    if code is None:
        return said
    row = Credential.objects.filter(credential_code=code, is_enabled=True).first()
    if row is None:
        raise NotReady(f"连接凭据“{code}”不存在或已停用", f"The credential “{code}” does not exist or is disabled")
    try:
        value = encryption.decrypt(row.encrypted, _place(row))
    except encryption.Unreadable:
        zh = f"连接凭据“{code}”的密钥无法读取，请重新填写"
        raise NotReady(zh, f"The secret of the credential “{code}” cannot be read; enter it again") from None
    header = Header(row.header_name, value, frozenset(hosts_of(row.hosts)))
    return replace(said, parameters={**said.parameters, PARAMETER: header})


def unknown(codes: Iterable[str]) -> set[str]:
    """Return those of the codes that no enabled credential of the company has; one statement."""
    wanted = set(codes)
    found = Credential.objects.filter(credential_code__in=wanted, is_enabled=True)
    return wanted - set(found.values_list("credential_code", flat=True))


def _place(row: Credential) -> str:
    return f"credential {current_tenant()} {row.pk}"


class Secret(Shape):
    """The secret of a credential, which goes in and never comes out."""

    def fields(self, model: Any) -> Mapping[str, Any]:
        """Return the field of the form."""
        said = label("密钥", "Secret")
        return {"secret": SecretField(required=False, allow_blank=True, max_length=MOST_CHARACTERS, label=said)}


class CredentialRules(NounSerializer):
    """What a credential has to be. Its secret is encrypted here, and a change without one keeps it."""

    def validate_credentialCode(self, value: str) -> str:
        """Models name it: a letter, then letters, digits and three signs."""
        if not CODE.fullmatch(value):
            raise serializers.ValidationError(_("编号须以字母开头，只能包含字母、数字和 _ - ."))
        return value

    def validate_headerName(self, value: str) -> str:
        """A header, and none that the request sets itself."""
        if not _HEADER.fullmatch(value):
            raise serializers.ValidationError(_("请求头只能包含字母、数字和 -，如 Authorization"))
        if _OURS.fullmatch(value):
            raise serializers.ValidationError(_("请求头「{name}」由系统设置，请使用其他请求头").format(name=value))
        return value

    def validate_secret(self, value: str) -> str:
        """What a header may carry."""
        if value and not _SECRET.fullmatch(value):
            raise serializers.ValidationError(_("密钥只能包含英文字母、数字和符号，且不能换行"))
        return value

    def validate_hosts(self, value: str) -> str:
        """Names or addresses of hosts, with a port where it is not the usual one."""
        found = hosts_of(value)
        for host in found:
            written = _HOST.fullmatch(host)
            if written is None or not 0 < int(written["port"] or 443) < 65_536:
                text = _("主机「{host}」格式不正确，应为主机名或地址，如 erp.example.com 或 10.0.0.5:8080")
                raise serializers.ValidationError(text.format(host=host[:60]))
        return ", ".join(found)

    def validate(self, attrs: Any) -> Any:
        """A new one needs its secret, and so does one that is to be sent to more hosts than before.

        Whoever could add a host without knowing the secret could have it sent to a host of their own.
        """
        before = set(hosts_of(self.instance.hosts)) if self.instance else set()
        hosts = hosts_of(attrs.get("hosts", self.instance.hosts if self.instance else ""))
        if attrs.get("is_enabled", self.instance.is_enabled if self.instance else True):
            self._check_allowed(hosts)
        if not attrs.get("secret"):
            if self.instance is None:
                raise serializers.ValidationError({"secret": self.fields["secret"].error_messages["required"]})
            if not before.issuperset(hosts):
                raise serializers.ValidationError({"secret": _("新增主机时请重新输入密钥")})
        return attrs

    def _check_allowed(self, hosts: Iterable[str]) -> None:
        """Only a disabled one may name hosts that the installation does not allow, or not yet."""
        for host in hosts:
            written = _HOST.fullmatch(host)
            assert written is not None  # looked at above, and as stored
            name, port = written["name"] or host, written["port"]
            if not is_named(settings.HTTP_HOSTS, name, int(port or 443), port is not None):
                text = _("主机「{host}」不在系统管理员允许的范围内，请联系系统管理员").format(host=host)
                raise serializers.ValidationError({"hosts": text})

    def create(self, validated_data: Any) -> Any:
        """Store the row, and its secret encrypted."""
        secret = validated_data.pop("secret")
        row = Credential(**validated_data)
        row.encrypted, row.secret_time = encryption.encrypt(secret, _place(row)), clock.now()
        row.save()
        return row

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change the row; its secret only where one is given."""
        if secret := validated_data.pop("secret", ""):
            validated_data |= {"encrypted": encryption.encrypt(secret, _place(instance)), "secret_time": clock.now()}
        return super().update(instance, validated_data)
