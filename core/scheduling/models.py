"""The tables of the queues (what waits in the outbox, and whose turn it was), and of connection credentials."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from core.kernel import clock
from core.kernel.models import OWN_OR_PLATFORM, AuditedModel, SharedModel, unique_in_tenant
from core.kernel.texts import label


class QueuedModel(SharedModel):
    """A row that the worker takes when it is due. Tenants take turns; see turns.py.

    One that sleeps or is parked is in no index that the worker reads, so that it costs nothing however many there are.
    """

    own_rows = OWN_OR_PLATFORM

    tenant_id = models.CharField(max_length=12)
    attempts = models.IntegerField(default=0)
    due_time = models.DateTimeField(null=True, default=clock.now)
    is_asleep = models.BooleanField(default=False)
    """It waits for what is suspended, and is woken by whoever resumes that."""
    is_parked = models.BooleanField(default=False)
    """It has failed too often, and waits for a person."""
    last_error = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        abstract = True
        indexes = [
            models.Index(
                fields=["tenant_id", "due_time", "id"],
                condition=Q(is_parked=False, is_asleep=False),
                name="%(class)s_waits",
            ),
            models.Index(fields=["tenant_id", "id"], condition=Q(is_asleep=True), name="%(class)s_asleep"),
            models.Index(fields=["tenant_id", "id"], condition=Q(is_parked=True), name="%(class)s_parked"),
        ]


class OutboxMessage(QueuedModel):
    """Something that must happen after the commit of the transaction that wrote this row; deleted once it has."""

    shared_because = "one sweep delivers for all tenants; it enters the row's tenant before it acts"

    topic = models.CharField(max_length=60)
    payload = models.JSONField()
    receiver_id = models.BigIntegerField(null=True)
    """What it is delivered to, where that may be suspended: its messages sleep, and are woken together."""
    create_time = models.DateTimeField(default=clock.now)

    class Meta(QueuedModel.Meta):
        indexes = [
            *QueuedModel.Meta.indexes,
            models.Index(fields=["receiver_id"], condition=Q(is_asleep=True), name="outboxmessage_sleeps_for"),
        ]


class Turn(SharedModel):
    """When a tenant had its last turn at a queue, and how much of its budget of the minute it has used."""

    shared_because = "one sweep takes turns among all tenants"
    own_rows = OWN_OR_PLATFORM

    tenant_id = models.CharField(max_length=12)
    queue = models.CharField(max_length=20)
    time = models.DateTimeField()
    minute = models.DateTimeField()
    used = models.IntegerField(default=0)
    hops = models.IntegerField(default=0)
    """Of `used` those that another message led to, with no person and no timer between them."""
    over_time = models.DateTimeField(null=True)
    """When it last reached its budget."""
    told_time = models.DateTimeField(null=True)
    """When the tenant was last told so."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "tenant_id"], name="turn_once")]


class Credential(AuditedModel):
    """A connection credential: a secret header by which processes sign in to another system, and where it may go."""

    credential_code = models.CharField(label("凭据编号", "Code"), max_length=40)
    """The name in models."""
    credential_name = models.CharField(label("凭据名称", "Credential"), max_length=60)
    header_name = models.CharField(label("请求头", "Header"), max_length=60)
    hosts = models.CharField(label("允许的主机", "Allowed hosts"), max_length=500)
    """Names or addresses with a port where it is not the usual one, comma separated."""
    is_enabled = models.BooleanField(label("状态", "Status"), default=True)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")
    encrypted = models.TextField(editable=False)
    """The value of the header; see encryption.py."""
    secret_time = models.DateTimeField(label("密钥更新时间", "Secret changed"), editable=False)

    class Meta(AuditedModel.Meta):
        verbose_name = label("连接凭据", "Connection credential")
        constraints = [unique_in_tenant("credential_code")]

    def __str__(self) -> str:
        return self.credential_name
