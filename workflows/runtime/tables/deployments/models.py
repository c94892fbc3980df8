"""Tables of drafts with their history, and of definitions."""

from __future__ import annotations

from django.db import models

from core.kernel import clock
from core.kernel.models import AuditedModel, SharedModel, TenantModel, unique_in_tenant
from core.kernel.references import EVERYTHING
from core.kernel.texts import choose, label


class Definition(SharedModel):
    """One deployed version of a model. A running instance stays on the version with which it started."""

    may_lose = (EVERYTHING,)  # a deleted version stays in the table for the histories of what ran on it

    shared_because = "general definitions are read by all tenants; which one a tenant starts is decided in library.py"
    own_rows = "tenant_id = {tenant}"
    read_rows = "is_general"

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
    whole = models.BinaryField(default=b"")
    """The drawing with the processes filled in that it calls, as they were then; empty where it calls none."""
    checksum = models.CharField(max_length=64)
    meta = models.JSONField(default=dict)
    """The model's process.toml."""
    forms = models.JSONField(default=dict)
    """Node id → the form-js schema that the step shows; checked when the model was deployed."""
    is_active = models.BooleanField(default=True)
    """Whether it may be started; the steps of what runs go on."""
    is_halted = models.BooleanField(default=False)
    """Whether what runs stands still too."""
    is_deleted = models.BooleanField(default=False)
    """A deleted version stays for the histories of what ran on it."""
    deploy_time = models.DateTimeField(default=clock.now)
    deploy_user_name = models.CharField(max_length=40, blank=True, default="")
    note = models.CharField(max_length=200, blank=True, default="")
    """Why it was deployed."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant_id", "key", "version"], name="definition_version_once")]
        indexes = [
            models.Index(fields=["tenant_id", "is_deleted", "-deploy_time", "-id"], name="definition_newest"),
            # A start asks for the own versions of a key and the general ones together.
            models.Index(fields=["key", "tenant_id"], name="definition_of_key"),
        ]

    def __str__(self) -> str:
        return choose(self.name, self.name_en)


class Draft(AuditedModel):
    """A model that a company edits. Its deployment creates a definition; the draft can be edited further."""

    may_lose = ("revision.draft",)  # its history goes with it

    model_key = models.CharField(label("流程标识", "Process key"), max_length=60)
    name = models.CharField(label("模型名称", "Model"), max_length=80)
    description = models.CharField(label("描述", "Description"), max_length=500, blank=True, default="")
    category = models.CharField(label("流程分类", "Category"), max_length=20, blank=True, default="")
    version = models.IntegerField(label("版本", "Version"), default=0)
    xml = models.TextField(label("流程图", "Diagram"))
    """As it was drawn, also where it could not run yet."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("流程模型", "Model")
        constraints = [unique_in_tenant("model_key", name="draft_key_once")]
        indexes = [models.Index(fields=["tenant_id", "is_deleted", "-update_time", "-id"], name="draft_newest")]

    def __str__(self) -> str:
        return self.name


class Revision(TenantModel):
    """A saved version of a draft. A version that a person saved never changes.

    An automatic version stands for a series of automatic saves by one person: the next save of the series replaces it.
    """

    draft = models.ForeignKey(Draft, models.CASCADE, related_name="revisions")
    version = models.IntegerField()
    name = models.CharField(max_length=80)
    xml = models.TextField()
    note = models.CharField(max_length=200, blank=True, default="")
    user_id = models.BigIntegerField()
    user_name = models.CharField(max_length=40)
    time = models.DateTimeField(default=clock.now)
    is_automatic = models.BooleanField(default=False)
    begin_time = models.DateTimeField(default=clock.now)
    """When the run of automatic saves began."""

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "draft", "version"], name="draft_revision_once"),
        ]
