"""The tables of message subscriptions, of starts by message, and of operations that answer later."""

from __future__ import annotations

from django.db import models

from core.kernel.models import SharedModel, TenantModel
from core.scheduling.models import QueuedModel


class Waiting(TenantModel):
    """A message subscription: an event of an instance that waits for a message. Deleted when it waits no longer."""

    instance = models.ForeignKey("instances.ProcessInstance", models.CASCADE, related_name="+")
    engine_task = models.CharField(max_length=40)
    node = models.CharField(max_length=100)
    message = models.CharField(max_length=100)
    key = models.CharField(max_length=100)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "instance", "engine_task"], name="waiting_once")]
        indexes = [models.Index(fields=["tenant_id", "message", "key", "instance"], name="waiting_for_message")]


class MessageStart(SharedModel):
    """A start event of a definition at which a message starts an instance.

    It never changes: which version a tenant starts, and whether it may be started, is asked of the definitions.
    """

    shared_because = "general definitions start in all tenants; which one a tenant starts is decided in library.py"
    own_rows = "tenant_id = {tenant}"
    read_rows = "is_general"

    tenant_id = models.CharField(max_length=12)
    """The tenant of the definition."""
    is_general = models.BooleanField(default=False)
    definition = models.ForeignKey("deployments.Definition", models.CASCADE, related_name="+")
    node = models.CharField(max_length=100)
    message = models.CharField(max_length=120)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["definition", "node"], name="message_start_once")]
        indexes = [models.Index(fields=["message", "tenant_id"], name="message_start_of_name")]


class OperationCall(QueuedModel):
    """A service task whose operation answers later. Deleted when the task waits no longer.

    A worker that asks the operation holds the row by moving its due time ahead (see core/scheduling/leases.py).
    """

    shared_because = "one sweep asks for all tenants; it enters the row's tenant before it acts"

    instance_id = models.BigIntegerField()
    engine_task = models.CharField(max_length=40)
    node = models.CharField(max_length=100)
    operation = models.CharField(max_length=60)
    given = models.JSONField(null=True)
    """What the expressions of the model gave; None where they are evaluated anew."""
    turn = models.IntegerField(default=1)
    """How often it is asked anew, by people who follow processes; a part of the delivery key."""
    answer = models.JSONField(null=True)
    """`values` or `error`, from the moment it came until the process has taken it."""

    class Meta(QueuedModel.Meta):
        constraints = [models.UniqueConstraint(fields=["instance_id", "engine_task"], name="operation_call_once")]

    @property
    def delivery_key(self) -> str:
        """The key by which a receiver knows that it has had this call already."""
        return f"{self.pk}-{self.turn}"
