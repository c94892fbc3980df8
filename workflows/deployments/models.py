"""The table of definitions."""

from __future__ import annotations

from django.db import models

from core.kernel import clock
from core.kernel.models import SharedModel
from core.kernel.texts import choose


class Definition(SharedModel):
    """One version of a model as it was deployed. A running instance stays on the version it began with."""

    shared_because = "general definitions are read by all tenants; which one a tenant starts is decided in library.py"

    tenant_id = models.CharField(max_length=12)
    """The tenant that deployed it."""
    is_general = models.BooleanField(default=False)
    """Whether tenants without a version of their own start it; only the platform's may be general."""
    key = models.CharField(max_length=60)
    version = models.IntegerField()
    name = models.CharField(max_length=80)
    name_en = models.CharField(max_length=120, blank=True, default="")
    category = models.CharField(max_length=20)
    business_type = models.CharField(max_length=40)
    xml = models.BinaryField()
    checksum = models.CharField(max_length=64)
    meta = models.JSONField(default=dict)
    """The model's process.toml."""
    is_active = models.BooleanField(default=True)
    """Whether it may be started; the steps of what runs go on."""
    is_halted = models.BooleanField(default=False)
    """Whether what runs stands still too."""
    is_deleted = models.BooleanField(default=False)
    """A deleted version stays for the histories of what ran on it."""
    deploy_time = models.DateTimeField(default=clock.now)
    deploy_user_name = models.CharField(max_length=40, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant_id", "key", "version"], name="definition_version_once")]
        indexes = [models.Index(fields=["tenant_id", "is_deleted", "-deploy_time", "-id"], name="definition_newest")]

    def __str__(self) -> str:
        return choose(self.name, self.name_en)
