"""SQL statements compiled once from a queryset and run many times with other values.

Compiling a queryset takes longer than most databases need to answer it. A `Compiled` keeps the SQL text, with
placeholders for the values and for the tenant's id. This is one of the modules that may write SQL: it puts a limit
round what the ORM has compiled.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.db.models.query import ModelIterable, get_related_populators
from django.db.transaction import TransactionManagementError

from core.kernel.tenancy import compiled_for, current_tenant

TENANT = "\x00tenant"
"""Placeholder for the tenant's id while a statement is compiled; no real id contains NUL."""
_LOWEST = -(2**61)
"""Numbers from here down are placeholders for values while a statement is compiled; no real id is negative."""
_MOST_SHAPES = 200

Value = int | str | Sequence[int] | Sequence[str]


@dataclass(frozen=True)
class _Shape:
    """A compiled statement. Each parameter is a constant, TENANT, or the index of a value in the flattened list."""

    sql: str
    params: tuple[Any, ...]
    slots: dict[Any, int]
    count_sql: str
    locks: bool
    """Whether the statement locks the rows that it finds (SELECT … FOR UPDATE)."""
    made: Callable[[list[Any]], list[Any]]

    def filled(self, values: list[Any]) -> list[Any]:
        """Return the SQL parameters for these values and the current tenant."""
        return [
            current_tenant() if one == TENANT else values[self.slots[one]] if one in self.slots else one
            for one in self.params
        ]


class Compiled:
    """A queryset that is compiled once. `build` gets placeholders in place of the values and returns the queryset.

    A value is an id, a text, or a sequence of them; an empty sequence finds nothing. `build` is called once for each
    shape (number of values in each sequence). It must not read anything else that changes, such as the clock or the
    actor, because the result is kept. `first` names the columns of a LazyRow that its rows have from the beginning.
    """

    def __init__(self, build: Callable[..., QuerySet[Any]], first: Sequence[str] = ()):
        self._build, self._first = build, first
        self._shapes: OrderedDict[tuple[Any, ...], _Shape] = OrderedDict()

    def queryset(self, *values: Value) -> QuerySet[Any]:
        """Return an ordinary queryset with these values, for further filtering."""
        return self._build(*values)

    def rows(self, *values: Value) -> list[Any]:
        """Return all results for these values: model instances, or tuples of a `values_list`."""
        return self._run(values, "", [])

    def page(self, start: int, size: int, *values: Value) -> list[Any]:
        """Return `size` results, beginning at index `start`."""
        return self._run(values, " LIMIT %s OFFSET %s", [size, start])

    def count(self, at_most: int, *values: Value) -> int:
        """Return the number of results, at most `at_most`."""
        if _finds_nothing(values):
            return 0
        shape, flat = self._shape(values)
        with connection.cursor() as cursor:
            cursor.execute(shape.count_sql, [*shape.filled(flat), at_most])
            return int(cursor.fetchone()[0])

    def _run(self, values: tuple[Value, ...], limit: str, limits: list[int]) -> list[Any]:
        if _finds_nothing(values):
            return []
        shape, flat = self._shape(values)
        if shape.locks and connection.get_autocommit():
            raise TransactionManagementError("rows can be locked in a transaction only")
        with connection.cursor() as cursor:
            cursor.execute(shape.sql + limit, [*shape.filled(flat), *limits])
            return shape.made(cursor.fetchall())

    def _shape(self, values: tuple[Value, ...]) -> tuple[_Shape, list[Any]]:
        flat: list[Any] = []
        key: list[Any] = [connection.vendor]
        for value in values:
            if isinstance(value, int | str):
                flat.append(value)
                key.append(type(value))
            else:
                flat.extend(value)
                key.append((type(flat[-1]), len(value)))
        found = self._shapes.get(tuple(key))
        if found is None:
            found = self._shapes[tuple(key)] = self._compile(values)
            if len(self._shapes) > _MOST_SHAPES:
                self._shapes.popitem(last=False)
        return found, flat

    def _compile(self, values: tuple[Value, ...]) -> _Shape:
        slots: dict[Any, int] = {}

        def mark(value: int | str) -> int | str:
            place = len(slots)
            found = _LOWEST - place if isinstance(value, int) else f"\x00{place}"
            slots[found] = place
            return found

        marks = [mark(value) if isinstance(value, int | str) else [mark(one) for one in value] for value in values]
        with compiled_for(TENANT):
            queryset = self._build(*marks)
            compiler = queryset.query.get_compiler(using="default")
            sql, params = compiler.as_sql()
            inner, inner_params = queryset.order_by().query.clone().get_compiler(using="default").as_sql()
        if not all(_may_stand(one) for one in params) or tuple(params) != tuple(inner_params):
            raise TypeError(
                "only numbers and texts can stand in a compiled statement, no moment, and none in its order"
            )
        count_sql = f"SELECT COUNT(*) FROM ({inner} LIMIT %s) counted"
        locks = queryset.query.select_for_update
        return _Shape(sql, tuple(params), slots, count_sql, locks, _maker(queryset, compiler, self._first))


def merged_page(start: int, size: int, order: Sequence[str], several: Sequence[tuple[Compiled, Value]]) -> list[Any]:
    """Return one page of the results of several statements together, each given with its value.

    `order` names the columns by which all of them are ordered: descending with a minus before the name, else ascending
    with empty ones last. Each is read separately along its index, only as far as the page needs; databases do not do
    this for IN lists.
    """
    if len(several) == 1:
        [(one, value)] = several
        return one.page(start, size, value)
    parts, params, shape = [], [], None
    for number, (one, value) in enumerate(several):
        shape, flat = one._shape((value,))
        parts.append(f"SELECT * FROM ({shape.sql} LIMIT %s) part{number}")
        params += [*shape.filled(flat), start + size]
    if shape is None:
        return []
    columns = ", ".join(
        f"{connection.ops.quote_name(name.removeprefix('-'))} {'DESC' if name[0] == '-' else 'ASC NULLS LAST'}"
        for name in order
    )
    with connection.cursor() as cursor:
        union = " UNION ALL ".join(parts)
        cursor.execute(f"{union} ORDER BY {columns} LIMIT %s OFFSET %s", [*params, size, start])
        return shape.made(cursor.fetchall())


def _may_stand(param: Any) -> bool:
    """Return whether a parameter may be kept as a constant. A datetime may not (on SQLite it is a text)."""
    return isinstance(param, int) or (isinstance(param, str) and not re.match(r"\d{4}-\d\d-\d\d", param))


def _finds_nothing(values: tuple[Value, ...]) -> bool:
    return any(not isinstance(value, int | str) and not value for value in values)


def _maker(queryset: QuerySet[Any], compiler: Any, first: Sequence[str]) -> Callable[[list[Any]], list[Any]]:
    """Return the function that turns database rows into the models or tuples of the queryset."""
    converters = compiler.get_converters([expression for expression, _sql, _alias in compiler.select])

    def convert(rows: list[Any]) -> Any:
        return compiler.apply_converters(rows, converters) if converters else rows

    if not issubclass(queryset._iterable_class, ModelIterable):
        return lambda rows: [tuple(row) for row in convert(rows)]
    model, columns = compiler.klass_info["model"], compiler.klass_info["select_fields"]
    begin, end = columns[0], columns[-1] + 1
    names = [expression.target.attname for expression, _sql, _alias in compiler.select[begin:end]]
    populators = get_related_populators(compiler.klass_info, compiler.select, "default")  # type: ignore[call-arg]  # the stubs are ahead of Django
    if first:
        if populators:
            raise TypeError("a lazy row has no related ones")
        places = [names.index(name) for name in first]
        pick = itemgetter(*places)
        early = {place: converters[place] for place in places if place in converters}

        def whole(row: Any) -> dict[str, Any]:
            return dict(zip(names, *convert([row]), strict=True))

        def lazily(rows: list[Any]) -> list[Any]:
            known = compiler.apply_converters(rows, early) if early else rows
            return [
                model.lazily(dict(zip(first, pick(one), strict=True)), row, whole)
                for row, one in zip(rows, known, strict=True)
            ]

        return lazily

    def make(rows: list[Any]) -> list[Any]:
        made = []
        for row in convert(rows):
            one = model.from_db("default", names, row[begin:end])
            for populator in populators:
                populator.populate(row, one)
            made.append(one)
        return made

    return make
