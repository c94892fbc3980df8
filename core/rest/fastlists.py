"""Lists whose SQL is compiled once and run with other values each time; rows are rendered without model instances.

A view set opts in with `fast = True` where a profile shows that its list is hot. Only the unfiltered list (`current`
and `size`) is served this way. Every other request uses the ordinary list, and a test compares both byte by byte.
This is one of the modules that may write SQL: it adds a LIMIT to what the ORM has compiled.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet
from rest_framework import serializers

from core.kernel.actor import Actor
from core.kernel.tenancy import compiled_for, current_tenant
from core.kernel.texts import moment
from core.rest import dictionaries, pagination
from core.rest.filters import in_order
from core.rest.serializers import DictionaryNameField, FlagField, IdField, NameField, NounSerializer
from core.statements.compiled import TENANT

_MOST_SHAPES = 2000
_PLAIN = {"current", "size"}


class NotFast(TypeError):
    """The list cannot be compiled; the message names the part that prevents it."""


@dataclass(frozen=True)
class Slot:
    """A parameter of a compiled statement whose value depends on the actor."""

    attribute: str
    place: int | None = None

    def fill(self, actor: Actor) -> Any:
        """Return the value for this actor and the current tenant."""
        if self.attribute == "tenant":
            return current_tenant()
        value = getattr(actor, self.attribute)
        return value if self.place is None else sorted(value)[self.place]


_IDS = ("user_id", "dept_id", "session_id")
_ID_SETS = ("dept_tree", "dept_path", "post_ids", "team_ids", "role_ids", "api_scope_ids")
_LOWEST = -(2**62)
"""Numbers from here down are placeholders for ids of the actor in a compiled statement; no real id is negative."""


def _marked(actor: Actor) -> tuple[Actor, dict[Any, Slot]]:
    """Return the actor with placeholders for its ids and texts, and the slot that each placeholder stands for."""
    marks: dict[Any, Slot] = {TENANT: Slot("tenant")}

    def mark(attribute: str, place: int | None = None) -> int:
        marks[_LOWEST - len(marks)] = Slot(attribute, place)
        return _LOWEST - len(marks) + 1

    changed: dict[str, Any] = {name: mark(name) if getattr(actor, name) is not None else None for name in _IDS}
    for name in _ID_SETS:
        changed[name] = frozenset(mark(name, place) for place in range(len(getattr(actor, name))))
    # Notes of what was read for the real actor must not answer for the marked one, nor the other way round.
    return replace(actor, **changed, kept={}), marks


def _kind(actor: Actor) -> tuple[Any, ...]:
    """Return the key by which compiled statements are cached: every field of the actor except ids and texts.

    Ids and texts become parameters and may differ between actors of one kind. A test compares the key with the
    fields of Actor."""
    return (
        actor.is_of_platform,
        actor.is_administrator,
        actor.is_platform_administrator,
        actor.role_codes,
        actor.codes,
        frozenset(actor.scopes.items()),
        frozenset(actor.closed_paths.items()),
        *(getattr(actor, name) is None for name in _IDS),
        *(len(getattr(actor, name)) for name in _ID_SETS),
    )


class Page:
    """Values shared by the rows of one response: labels of dictionaries, and the serializer with its page context."""

    def __init__(self, serializer: Any):
        self.serializer = serializer
        self.said: dict[tuple[Any, ...], str] = {}
        """Cache of labels and names that rows repeat, by their source."""
        self._names: dict[str, Mapping[str, str]] = {}
        self._row: Any = None
        self._stand: Any = None

    def names(self, code: str) -> Mapping[str, str]:
        """Return the labels of a dictionary, read once for the response."""
        if code not in self._names:
            self._names[code] = dictionaries.names_of(code)
        return self._names[code]

    def stand(self, row: tuple[Any, ...], columns: Mapping[str, int]) -> _Stand:
        """Return the stand-in for the row that computed fields read; made once for each row."""
        if self._row is not row:
            self._row, self._stand = row, _Stand(**{name: row[at] for name, at in columns.items()})
        return self._stand  # type: ignore[no-any-return]


Render = Callable[[tuple[Any, ...], Page], Any]


@dataclass(frozen=True)
class Shape:
    """A compiled list: the statements of page and count, their parameters, and the functions that render a row."""

    rows: str
    count: str
    params: tuple[Any, ...]
    converted: Callable[[Any], list[Any]]
    """Converts database values as the model fields do."""
    fields: tuple[tuple[str, Render], ...]
    key: int
    """Index of the row's id."""


_shapes: OrderedDict[tuple[Any, ...], Shape | None] = OrderedDict()


def answer(view: Any) -> dict[str, Any] | None:
    """Return the page of the view's list, or None if the ordinary list has to be used."""
    given = view.request.query_params
    if not view.fast or not set(given) <= _PLAIN:
        return None
    key = (type(view), _kind(view.actor))
    if key not in _shapes:
        _shapes[key] = _compile(view)
        if len(_shapes) > _MOST_SHAPES:
            _shapes.popitem(last=False)
    shape = _shapes.get(key)
    return None if shape is None else _run(shape, view, given.dict())


def _run(shape: Shape, view: Any, given: Mapping[str, str]) -> dict[str, Any]:
    current, size = pagination.bounds(given)
    start = (current - 1) * size
    params = [one.fill(view.actor) if isinstance(one, Slot) else one for one in shape.params]
    with connection.cursor() as cursor:
        cursor.execute(shape.count, [*params, pagination.COUNTED + 1])
        counted = cursor.fetchone()[0]
        rows: Any = []
        if start < counted or counted > pagination.COUNTED:
            cursor.execute(shape.rows, [*params, size, start])
            rows = cursor.fetchall()
    rows = shape.converted(rows)
    context = {**view.get_serializer_context(), **view.page_context([row[shape.key] for row in rows])}
    read = Page(view.get_serializer_class()(context=context))
    records = [{name: render(row, read) for name, render in shape.fields} for row in rows]
    return {"records": records, **pagination.numbers(view.get_queryset, counted, current, size)}


@contextmanager
def _asked_by(view: Any, actor: Actor) -> Iterator[None]:
    """Make the view build its queryset for this actor, for any tenant, inside the `with` block."""
    before = view.request.user
    view.request.user = actor
    try:
        with compiled_for(TENANT):
            yield
    finally:
        view.request.user = before


class _Asked(Exception):
    """The view ran a query while its statement was compiled; the result would be compiled in."""


def _refuse(*_given: Any) -> Any:
    raise _Asked


def _compile(view: Any) -> Shape | None:
    """Return the compiled list for actors of this kind.

    Returns None if the list is always empty, or if the statement depends on a time or on the result of another query,
    because such a value would be compiled in.
    """
    serializer: NounSerializer = view.get_serializer_class()()
    columns: dict[str, int] = {}
    fields = tuple((name, _renderer(field, columns)) for name, field in serializer.fields.items())
    model: Any = serializer.Meta.model
    key = columns.setdefault(model._meta.pk.attname, len(columns))
    actor, marks = _marked(view.actor)
    try:
        with _asked_by(view, actor), connection.execute_wrapper(_refuse):
            queryset: QuerySet[Any] = view.get_queryset().select_related(None)
            asked = in_order(queryset, view.plain_order()).values_list(*columns)
            compiler = asked.query.get_compiler(using="default")
            inner, params = queryset.order_by().values_list("pk").query.sql_with_params()
            text, row_params = compiler.as_sql()
            converters = compiler.get_converters([expression for expression, _sql, _alias in compiler.select])
    except (EmptyResultSet, _Asked):
        return None
    slots = tuple(marks.get(one, one) if isinstance(one, int | str) else one for one in params)
    # A moment is a text on SQLite, so whatever is neither a slot nor a number may be one.
    if not all(isinstance(one, Slot | int) for one in slots) or tuple(params) != tuple(row_params):
        return None
    count = f"SELECT COUNT(*) FROM ({inner} LIMIT %s) counted"
    return Shape(
        f"{text} LIMIT %s OFFSET %s",
        count,
        slots,
        lambda rows: list(compiler.apply_converters(rows, converters)),
        fields,
        key,
    )


def _renderer(field: Any, columns: dict[str, int]) -> Render:
    """Return the function that renders the field from a row; adds the columns that it needs to `columns`."""

    def place(column: str) -> int:
        return columns.setdefault(column, len(columns))

    meta: Any = field.parent.Meta
    model = meta.model
    names = {one.attname: one for one in model._meta.concrete_fields}
    source = field.source
    if isinstance(field, serializers.SerializerMethodField):
        needed = getattr(meta, "computed_from", ())
        columns_at = {name: place(name) for name in needed} | {"pk": place(model._meta.pk.attname)}
        return _computed(str(field.method_name), columns_at)
    if isinstance(field, DictionaryNameField):
        return _of_dictionary(place(source), field.dictionary)
    if isinstance(field, NameField):
        return _of_name(model, source, names, place)
    if source not in names:
        raise NotFast(f"{model.__name__}.{field.field_name} is computed: a fast list has columns and names only")
    at = place(source)
    if isinstance(field, serializers.DateTimeField):
        return lambda row, read: moment(row[at]) or None
    if isinstance(field, IdField):
        return lambda row, read: None if row[at] is None else str(row[at])
    if isinstance(field, FlagField):
        return lambda row, read: None if row[at] is None else int(bool(row[at]))
    write = field.to_representation
    return lambda row, read: None if row[at] is None else write(row[at])


def _computed(method: str, columns: Mapping[str, int]) -> Render:
    """Return the renderer of a computed field, which reads the columns named in `Meta.computed_from`."""
    return lambda row, read: getattr(read.serializer, method)(read.stand(row, columns))


def _of_dictionary(at: int, code: str) -> Render:
    def render(row: tuple[Any, ...], read: Page) -> str | None:
        return None if row[at] is None else str(read.names(code).get(str(row[at]), row[at]))

    return render


def _of_name(model: Any, source: str, names: Mapping[str, Any], place: Callable[[str], int]) -> Render:
    """Return the renderer of a name: a choice's label, a column of a related row, or the `str` of a row."""
    if source.startswith("get_") and source.endswith("_display"):
        labels = dict(names[source[4:-8]].flatchoices)
        at = place(source[4:-8])
        return _repeated(at, lambda row: str(labels.get(row[at], row[at])))
    *steps, last = source.split(".")
    related: Any = model
    for step in steps:
        related = related._meta.get_field(step).related_model
    if last != "__str__" and related._meta.get_field(last).is_relation:
        steps, related = [*steps, last], related._meta.get_field(last).related_model
        last = "__str__"
    prefix = "".join(f"{step}__" for step in steps)
    if last != "__str__":
        at = place(prefix + last)
        return lambda row, read: "" if row[at] is None else str(row[at])
    needed = {column: place(prefix + column) for column in _read_by_str(related)}
    key = place(prefix + "pk") if steps else place("pk")
    say = related.__str__
    return _repeated(key, lambda row: str(say(_Stand(**{column: row[at] for column, at in needed.items()}))))


def _repeated(at: int, say: Callable[[tuple[Any, ...]], str]) -> Render:
    """Return a renderer that caches the text by the value at this index; empty for None."""

    def render(row: tuple[Any, ...], read: Page) -> str:
        if row[at] is None:
            return ""
        key = (at, say, row[at])
        if key not in read.said:
            read.said[key] = say(row)
        return read.said[key]

    return render


class _Stand:
    """A stand-in for a model instance, for its name or a computed field."""

    def __init__(self, **values: Any):
        self.__dict__.update(values)


class _Recorder:
    """A stand-in for a model instance that records which columns are read."""

    _columns: set[str]
    _seen: list[str]

    def __init__(self, model: Any, seen: list[str]):
        self.__dict__.update(_columns={one.attname for one in model._meta.concrete_fields}, _seen=seen)

    def __getattr__(self, name: str) -> str:
        if name not in self._columns:
            raise NotFast(f"a row's name is made of {name}, which is no column of its own")
        self._seen.append(name)
        return ""


def _read_by_str(model: Any) -> list[str]:
    """Return the columns that the `__str__` of a model reads."""
    seen: list[str] = []
    model.__str__(_Recorder(model, seen))
    return list(dict.fromkeys(seen))
