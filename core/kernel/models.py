"""Abstract bases of all tables: a tenant's row, and a row that people keep."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Value
from django.db.models.functions import Concat, Substr

from core.kernel import clock
from core.kernel.actor import current_actor
from core.kernel.ids import next_id
from core.kernel.tenancy import TenantField, TenantManager
from core.kernel.texts import label


class DictionaryField(models.IntegerField):  # type: ignore[type-arg]
    """A value of a dictionary that people keep themselves: its key. Fixed sets are `choices` instead."""

    def __init__(self, *args: Any, dictionary: str = "", **kwargs: Any):
        self.dictionary = dictionary
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """For migrations it is an ordinary number."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.IntegerField", args, kwargs


class TenantModel(models.Model):
    """A row that belongs to one tenant. Concrete models are found by the database wall and by the checks."""

    id = models.BigIntegerField(primary_key=True, default=next_id, editable=False)
    tenant_id = TenantField()

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"
        default_manager_name = "objects"


class SharedModel(models.Model):
    """A row all tenants share, or one that is read before a tenant is known; says why it may."""

    shared_because: ClassVar[str]

    id = models.BigIntegerField(primary_key=True, default=next_id, editable=False)

    class Meta:
        abstract = True


class _Stamp(models.BigIntegerField):  # type: ignore[type-arg]
    """Id of the acting person or department, written by the server alone."""

    def __init__(self, *, attribute: str = "user_id", always: bool = False, **kwargs: Any):
        self.attribute, self.always = attribute, always
        super().__init__(**{"null": True, "editable": False, **kwargs})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """For migrations it is an ordinary number."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.BigIntegerField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """The actor's value at the first write, or at each one."""
        actor = current_actor()
        if actor is not None and (self.always or (add and getattr(model_instance, self.attname) is None)):
            setattr(model_instance, self.attname, getattr(actor, self.attribute))
        return getattr(model_instance, self.attname)


class _UpdateTime(models.DateTimeField):  # type: ignore[type-arg]
    """The moment of the last write, by our clock."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """For migrations it is an ordinary time."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Now, at each write."""
        setattr(model_instance, self.attname, clock.now())
        return getattr(model_instance, self.attname)


class LiveManager(TenantManager):
    """Rows of the tenant in scope that nobody has deleted."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """A deleted row is not found by anybody."""
        return super().get_queryset().filter(is_deleted=False)


class KeptModel(TenantModel):
    """A tenant's row that people keep: it knows who made and changed it, and is deleted softly."""

    create_user = _Stamp(attribute="user_id", always=False, verbose_name=label("创建人", "Created by"))
    create_dept = _Stamp(attribute="dept_id", always=False, verbose_name=label("创建部门", "Created in"))
    create_time = models.DateTimeField(label("创建时间", "Created"), default=clock.now, editable=False)
    update_user = _Stamp(attribute="user_id", always=True, verbose_name=label("更新人", "Changed by"))
    update_time = _UpdateTime(label("更新时间", "Changed"), editable=False, null=True)
    is_deleted = models.BooleanField(default=False, editable=False)

    objects: ClassVar[TenantManager] = LiveManager()

    class Meta(TenantModel.Meta):
        abstract = True


def once(*columns: str, name: str = "") -> models.UniqueConstraint:
    """Kept rows of a tenant differ in these columns; deleted ones leave their place free. Named by the last of them."""
    return models.UniqueConstraint(
        fields=["tenant_id", *columns], condition=models.Q(is_deleted=False), name=name or f"{columns[-1]}_once"
    )


class TreeModel(KeptModel):
    """A kept row that hangs on another; `path` is the ids from the root to itself, so that a subtree is one prefix."""

    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="children", verbose_name=label("上级", "Parent")
    )
    path = models.CharField(max_length=400, editable=False, default="")

    class Meta(KeptModel.Meta):
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the path with the parent; where the row moves, its subtree moves with it in one statement."""
        before = self.path
        self.path = f"{self.parent.path if self.parent else '/'}{self.pk}/"
        super().save(*args, **kwargs)
        if before and before != self.path:
            below = type(self)._default_manager.filter(path__startswith=before).exclude(pk=self.pk)
            below.update(path=Concat(Value(self.path), Substr("path", len(before) + 1)))
