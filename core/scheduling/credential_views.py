"""Calls of connection credentials, which administrators keep and process designers name by their code."""

from __future__ import annotations

from typing import Any

from core.kernel.texts import label
from core.rest.filters import CODE, FLAG, TEXT, Filter
from core.rest.menus import EVERYTHING, MenuEntry, ShippedRole
from core.rest.shapes import Switch
from core.rest.viewsets import NounViewSet, Remove, Submit
from core.scheduling.credentials import CredentialRules, Secret
from core.scheduling.models import Credential


class CredentialViewSet(Submit, Remove, NounViewSet):
    """Secret headers that processes send to other systems."""

    noun = "credential"
    menu = MenuEntry(
        "system", "/system/credential", "lock", label("连接凭据", "Credentials"), place=6,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    queryset = Credential.objects.all()
    fields = (
        "credential_code",
        "credential_name",
        "header_name",
        Secret(),
        "hosts",
        Switch("is_enabled", on=label("启用", "Enabled"), off=label("停用", "Disabled")),
        "remark",
        "secret_time",
    )
    rules = CredentialRules
    order = ("credential_code", "id")
    sample = {"secret": "Xw2mors7k"}
    select = None  # type: ignore[assignment]  # designers choose among those of the catalogue
    filters = {
        "credentialCode": Filter("credential_code", CODE),
        "credentialName": Filter("credential_name", TEXT),
        "hosts": Filter("hosts", TEXT),
        "isEnabled": Filter("is_enabled", FLAG),
    }

    def perform_destroy(self, row: Any) -> None:
        """Remove the row, and its secret for good."""
        row.change({"encrypted": ""})
        super().perform_destroy(row)
