"""Tables of the business dictionary and of parameters."""

from __future__ import annotations

from django.db import models

from core.kernel.models import SharedModel, TenantModel
from core.kernel.texts import choose


class DictionaryEntry(SharedModel):
    """A value of a dictionary: small integer key, name in both languages."""

    shared_because = "the shipped dictionaries are the same for all tenants"

    code = models.CharField(max_length=60)
    dict_key = models.CharField(max_length=40)
    dict_value = models.CharField(max_length=100)
    dict_value_en = models.CharField(max_length=100)
    sort = models.IntegerField(default=0)
    is_sealed = models.BooleanField(default=False)
    remark = models.CharField(max_length=255, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["code", "dict_key"], name="dictionary_key_once")]

    def __str__(self) -> str:
        return choose(self.dict_value, self.dict_value_en)


class Counter(TenantModel):
    """The last number given out under a prefix on a day."""

    prefix = models.CharField(max_length=4)
    day = models.DateField()
    value = models.IntegerField()

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "prefix", "day"], name="counter_once")]
