"""Abstract base models: rows of a tenant, versioned rows, rows with audit columns and soft deletion, trees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import F, Value
from django.db.models.functions import Concat, Substr

from core.kernel import clock, stored_files
from core.kernel.actor import current_actor
from core.kernel.errors import Missing
from core.kernel.ids import next_id
from core.kernel.references import refuse_if_used
from core.kernel.tenancy import PLATFORM, TenantField, TenantManager
from core.kernel.texts import label


class DictionaryField(models.IntegerField):  # type: ignore[type-arg]
    """An integer field whose choices are the keys of a tenant's dictionary. For fixed choices use `choices`."""

    def __init__(self, *args: Any, dictionary: str = "", **kwargs: Any):
        self.dictionary = dictionary
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Describe the field as a plain number in migrations."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.IntegerField", args, kwargs


class TenantModel(models.Model):
    """A row that belongs to one tenant. Row-level security and the system checks find all concrete models."""

    insert_only: ClassVar[bool] = False
    """Whether rows are only added: the database refuses to change and to delete them."""

    id = models.BigIntegerField(primary_key=True, default=next_id, editable=False)
    tenant_id = TenantField()

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"
        default_manager_name = "objects"


OWN_OR_PLATFORM = f"{{tenant}} IN (tenant_id, '{PLATFORM}')"
"""`own_rows` of a table whose rows the platform's administrators see for all tenants."""


class SharedModel(models.Model):
    """A row that all tenants share, or that is read before the tenant is known. `shared_because` gives the reason."""

    shared_because: ClassVar[str]
    own_rows: ClassVar[str] = ""
    """SQL, for a table whose rows have a tenant: which rows are those of the scope's tenant, `{tenant}`."""
    read_rows: ClassVar[str] = ""
    """SQL: rows that every tenant's scope may read and lock beside its own, and rows of every tenant refer to."""

    id = models.BigIntegerField(primary_key=True, default=next_id, editable=False)

    class Meta:
        abstract = True


class _Stamp(models.BigIntegerField):  # type: ignore[type-arg]
    """Id of the actor or of the actor's department; set when the row is saved, never by the client."""

    def __init__(self, *, attribute: str = "user_id", always: bool = False, **kwargs: Any):
        self.attribute, self.always = attribute, always
        super().__init__(**{"null": True, "editable": False, **kwargs})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Describe the field as a plain number in migrations."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.BigIntegerField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Set the actor's value: when the row is created, or with `always` at each save."""
        actor = current_actor()
        if actor is not None and (self.always or (add and getattr(model_instance, self.attname) is None)):
            setattr(model_instance, self.attname, getattr(actor, self.attribute))
        return getattr(model_instance, self.attname)


class _UpdateTime(models.DateTimeField):  # type: ignore[type-arg]
    """The time of the last save, by `clock.now`."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Describe the field as a plain datetime in migrations."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Set the current time at each save."""
        setattr(model_instance, self.attname, clock.now())
        return getattr(model_instance, self.attname)


class _LockVersion(models.IntegerField):  # type: ignore[type-arg]
    """The record version: 1 for a new row, one more with each save."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Return the field as an ordinary number, for migrations."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.IntegerField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Count the write of a row that is locked; `VersionedModel.save` lets the database count."""
        if not add and isinstance(getattr(model_instance, self.attname), int):
            setattr(model_instance, self.attname, getattr(model_instance, self.attname) + 1)
        return getattr(model_instance, self.attname)


class VersionedModel(models.Model):
    """A row that people change: it says who changed it last and when, and counts its writes.

    Whoever submits a change names the `lock_version` that the change was made from (core.rest.changes compares them).
    """

    STAMPS: ClassVar[tuple[str, ...]] = ("lock_version", "update_user", "update_time")
    may_lose: ClassVar[tuple[str, ...]] = ()
    """Relations that do not stop a deletion, as `model.field` in lower case; `*` for all."""

    lock_version = _LockVersion(label("数据版本", "Row version"), default=1, editable=False)
    update_user = _Stamp(attribute="user_id", always=True, verbose_name=label("更新人", "Changed by"))
    update_time = _UpdateTime(label("更新时间", "Changed"), editable=False, null=True)

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save the row; whatever columns are named, the stamps of the change are written with them.

        The database counts, so that no write is missed where two save a row that neither has locked.
        """
        is_new = self._state.adding
        if not is_new:
            self.lock_version = F("lock_version") + 1
        if update_fields is not None:
            update_fields = {*update_fields, *self.STAMPS}
        super().save(*args, update_fields=update_fields, **kwargs)
        if not is_new:
            del self.lock_version  # Django reads it again where it is asked for

    def change(self, values: Mapping[str, Any]) -> list[str]:
        """Set fields, save those whose value differs, and return their names; where none differs, save nothing."""
        changed = [name for name, value in values.items() if getattr(self, name) != value]
        for name in changed:
            setattr(self, name, values[name])
        if changed:
            self.save(update_fields=changed)
        return changed

    @classmethod
    def count_write(cls, ids: Iterable[int]) -> None:
        """Count a change of what is shown with these rows and kept in another table, such as a person's roles."""
        actor = current_actor()
        cls._base_manager.filter(pk__in=list(ids)).update(
            lock_version=F("lock_version") + 1,
            update_user=actor.user_id if actor is not None else None,
            update_time=clock.now(),
        )


class LiveManager(TenantManager):
    """Manager of the current tenant's rows without the deleted ones."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """Return the rows without the removed ones."""
        return super().get_queryset().filter(is_deleted=False)


class AuditedModel(VersionedModel, TenantModel):
    """A tenant's row that people keep: it knows who made and changed it, and stays in the table when it is removed.

    `objects` leaves removed rows out; so do lists, choices and reverse relations. A foreign key still finds the removed
    row that it points to (Django reads it through the base manager), because history goes on to show it.
    """

    create_user = _Stamp(attribute="user_id", always=False, verbose_name=label("创建人", "Created by"))
    create_dept = _Stamp(attribute="dept_id", always=False, verbose_name=label("创建部门", "Created in"))
    create_time = models.DateTimeField(label("创建时间", "Created"), default=clock.now, editable=False)
    is_deleted = models.BooleanField(default=False, editable=False)

    objects: ClassVar[TenantManager] = LiveManager()
    with_removed: ClassVar[TenantManager] = TenantManager()

    class Meta(TenantModel.Meta):
        abstract = True
        base_manager_name = "with_removed"

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **options: Any) -> Self:
        """Make a row of what was read, and remember which files it names: a save tells the uses that changed."""
        row = super().from_db(db, field_names, values, **options)
        stored_files.remember(row)
        return row

    def refresh_from_db(
        self, using: str | None = None, fields: Iterable[str] | None = None, from_queryset: Any = None
    ) -> None:
        """Read the row again, and remember which files it names now."""
        fields = None if fields is None else list(fields)
        super().refresh_from_db(using, fields, from_queryset)
        stored_files.remember(self, fields)

    def remove(self) -> None:
        """Remove the row softly. Raises Missing where somebody else has, Conflict naming what still refers to it."""
        here = type(self).objects.select_for_update().filter(pk=self.pk)  # so that nobody refers to it meanwhile
        if not here.exists():
            raise Missing()
        refuse_if_used(self)
        self.is_deleted = True
        self.save(update_fields=["is_deleted"])


def unique_in_tenant(*columns: str, name: str = "") -> models.UniqueConstraint:
    """Return a unique constraint on these columns within a tenant, ignoring deleted rows.

    Its name is built from the model and the columns unless given: no two models of an application share one.
    """
    return models.UniqueConstraint(
        fields=["tenant_id", *columns],
        condition=models.Q(is_deleted=False),
        name=name or f"%(class)s_{'_'.join(columns)}_once",
    )


class TreeModel(AuditedModel):
    """A row with a parent. `path` holds the ids from the root to the row, so a subtree is found by one prefix."""

    most_levels: ClassVar[int] = 19
    """How deep the tree may be; `path` has room for 19 ids."""

    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="children", verbose_name=label("上级", "Parent")
    )
    path = models.CharField(max_length=400, editable=False, default="")

    class Meta(AuditedModel.Meta):
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save the row and keep its path with its parent; where the row moves, its subtree moves in one statement."""
        before = self.path
        self.path = f"{self.parent.path if self.parent else '/'}{self.pk}/"
        if update_fields is not None:
            update_fields = {*update_fields, "path"}
        super().save(*args, update_fields=update_fields, **kwargs)
        if before and before != self.path:
            below = type(self)._base_manager.filter(path__startswith=before).exclude(pk=self.pk)
            below.update(path=Concat(Value(self.path), Substr("path", len(before) + 1)))

    def level(self) -> int:
        """Return the row's level; a root's is 1."""
        return self.path.count("/") - 1
