"""Installing the shipped dictionaries, and reading the values of one: the company's own, else the system's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet, Value

from core.kernel.texts import choose
from core.statements.compiled import Compiled
from core.system.models import ROOT_KEY, BusinessDictionary, SystemDictionary
from core.system.shipped import BUSINESS, REMARKS, SYSTEM, Shipped

_COLUMNS = ("code", "dict_key", "dict_value", "dict_value_en", "sort", "is_sealed", "remark", "pk")


@dataclass(frozen=True)
class Entry:
    """A value of a dictionary."""

    code: str
    dict_key: str
    dict_value: str
    dict_value_en: str
    sort: int
    is_sealed: bool
    remark: str

    def __str__(self) -> str:
        return choose(self.dict_value, self.dict_value_en)


def install() -> None:
    """Write the shipped system dictionaries; rows that exist keep their changes."""
    _install(SystemDictionary, SYSTEM)


def install_for_tenant() -> None:
    """Write the shipped business dictionaries of the tenant in scope; rows that exist keep their changes."""
    _install(BusinessDictionary, BUSINESS)


def _install(model: Any, shipped: Mapping[str, Shipped]) -> None:
    known = {(code, key): pk for code, key, pk in model.objects.values_list("code", "dict_key", "pk")}
    roots = {
        code: model(code=code, dict_key=ROOT_KEY, dict_value=entry.name[0], dict_value_en=entry.name[1], sort=place + 1)
        for place, (code, entry) in enumerate(shipped.items())
        if (code, ROOT_KEY) not in known
    }
    model.objects.bulk_create(roots.values())
    model.objects.bulk_create(
        model(
            code=code,
            dict_key=key,
            dict_value=zh,
            dict_value_en=en,
            sort=place + 1,
            remark=REMARKS.get((code, key), ""),
            parent_id=roots[code].pk if code in roots else known[code, ROOT_KEY],
        )
        for code, entry in shipped.items()
        for place, (key, (zh, en)) in enumerate(entry.values.items())
        if (code, key) not in known
    )


def is_shipped(model: Any, code: str, key: str) -> bool:
    """Return whether the product itself depends on this row: it may be renamed, sorted and sealed, and nothing else."""
    entry = (SYSTEM if model is SystemDictionary else BUSINESS).get(code)
    return entry is not None and (key == ROOT_KEY or key in entry.values)


def _values(model: Any, code: str, rank: int) -> QuerySet[Any]:
    rows = model.objects.filter(code=code, parent__isnull=False).order_by()
    named: QuerySet[Any] = rows.annotate(rank=Value(rank)).values_list("rank", *_COLUMNS)
    return named


_SHARED = Compiled(lambda code: _values(SystemDictionary, code, 1))
_BOTH = Compiled(
    lambda own, code: _values(BusinessDictionary, own, 0).union(_values(SystemDictionary, code, 1), all=True)
)


def entries(code: str, *, business: bool = True) -> list[Entry]:
    """Values of a dictionary in order, sealed ones too; the company's own where it has that one. One statement."""
    found = _BOTH.rows(code, code) if business else _SHARED.rows(code)
    first = min((row[0] for row in found), default=0)
    # By order, and by age where that is equal; the key of the union's rows is their last column.
    mine = sorted((row for row in found if row[0] == first), key=lambda row: (row[5], row[-1]))
    return [Entry(*row[1:-1]) for row in mine]


def names_of(code: str) -> dict[str, str]:
    """Names of a dictionary's values by key, in the caller's language, sealed ones too."""
    return {entry.dict_key: str(entry) for entry in entries(code)}


def choices_of(code: str) -> dict[str, str]:
    """Names of what may be chosen of a dictionary by key, in the caller's language: without the sealed values."""
    return {entry.dict_key: str(entry) for entry in entries(code) if not entry.is_sealed}
