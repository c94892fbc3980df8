"""What values of a form refer to: people, departments, machines and files of the company.

A value holds the id of a row as a text, or a list of names of stored files. Outside a file is a link to it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from core.equipment.models import Machine, NodeType, RunState
from core.identity.models import Department, User
from core.kernel.actor import current_actor
from core.kernel.texts import plural
from core.storage import files
from core.storage.models import Attachment

Component = Mapping[str, Any]
Pair = tuple[Component, Any]
"""A component, and a value that it holds or is to hold."""

PERSON, DEPARTMENT, MACHINE = "xw-person", "xw-department", "xw-asset"
FILES, TABLE = "filepicker", "xw-table"
MAX_FILES = 9
MAX_ROWS = 100
MAX_NAME = 255
"""Characters of a file's name."""
_ID = re.compile(r"[1-9][0-9]{0,17}")
_MODELS: Mapping[str, Any] = {PERSON: User, DEPARTMENT: Department, MACHINE: Machine}
KINDS = frozenset(_MODELS)
_TO_CHOOSE: Mapping[str, Callable[[], QuerySet[Any]]] = {
    PERSON: lambda: User.objects.filter(is_enabled=True),
    DEPARTMENT: lambda: Department.objects.all(),
    MACHINE: lambda: Machine.objects.filter(node_type=NodeType.MACHINE),
}
"""The rows that may be chosen: what the `select` calls offer to everybody in the company, and scrapped machines, which
are refused with a sentence of their own."""


@dataclass(frozen=True)
class Known:
    """What of the values that were sent may be stored."""

    ids: frozenset[tuple[str, str]] = frozenset()
    """The type of the component, and an id."""
    files: Mapping[str, str] = field(default_factory=dict)
    """By link the name of the file."""
    scrapped: frozenset[tuple[str, str]] = frozenset()
    """The type of the component, and the id of a machine that is there, but may no longer be chosen."""


def place(component: Component) -> str:
    """Return for what the files of a component are uploaded: as pictures, or as files of any kind."""
    return "picture" if component.get("accept") == "image/*" else "file"


def most_files(component: Component) -> int:
    """Return how many files the component takes."""
    return component.get("validate", {}).get("maxItems", MAX_FILES) if component.get("multiple") else 1


def known(sent: Iterable[Pair], stored: Iterable[Pair], *, tried: bool = False) -> Known:
    """Return what may be stored of the values that were sent: at most one statement for each kind.

    Files are those that the person acting has uploaded. What is stored already may be sent again, by anybody.
    `tried`: nothing will be stored, and files are names of files that nobody has uploaded.
    """
    ids, links = _referred(sent)
    before, names = _referred(stored)
    may: set[tuple[str, str]] = set()
    scrapped: set[tuple[str, str]] = set()
    for kind, wanted in ids.items():
        kept = wanted & before[kind]
        new = wanted - kept
        rows = _TO_CHOOSE[kind]().filter(pk__in=sorted(new)) if new else None
        if rows is not None and kind == MACHINE:
            states = {str(pk): state for pk, state in rows.values_list("pk", "run_state")}
            scrapped = {(kind, one) for one, state in states.items() if state == RunState.SCRAPPED}
            may |= {(kind, one) for one in states} - scrapped
        elif rows is not None:
            may |= {(kind, str(pk)) for pk in rows.values_list("pk", flat=True)}
        may |= {(kind, one) for one in kept}
    if tried:
        fitting = {name: name for name in links if len(name) <= MAX_NAME and name.isprintable()}
        return Known(frozenset(may), fitting, frozenset(scrapped))
    called = {link: name for link, where in links.items() if (name := files.name_of(link, where))}
    new_names, actor = set(called.values()) - set(names), current_actor()
    own = Attachment.objects.filter(name__in=new_names, create_user=actor.user_id) if new_names and actor else ()
    allowed = {row.name for row in own} | set(names)
    stays = {link: name for link, name in called.items() if name in allowed}
    return Known(frozenset(may), stays, frozenset(scrapped))


def texts(held: Iterable[Pair]) -> dict[str, str]:
    """Return what the values are called: by `<type>:<id>`, and by link of a file; one statement for each kind.

    Removed rows keep their names.
    """
    ids, names = _referred(held)
    found = {
        f"{kind}:{row.pk}": str(row)
        for kind, wanted in ids.items()
        for row in _MODELS[kind].with_removed.filter(pk__in=sorted(wanted))
    }
    rows = Attachment.with_removed.filter(name__in=sorted(names)) if names else ()
    return found | {files.signed_link(row.name): files.saved_as(row) for row in rows}


def wired(component: Component, value: Any) -> Any:
    """Return a stored value as it is sent: files as links that work for half a day."""
    if component["type"] == FILES and value:
        return [files.signed_link(name) for name in value]
    if component["type"] == TABLE and value:
        columns = {column["key"]: column for column in component["components"]}
        return [{key: wired(columns[key], one) for key, one in row.items() if key in columns} for row in value]
    return value


def noted(component: Component, value: Any) -> str | None:
    """Return a stored value in words, as a history keeps it; None for values that say themselves what they are."""
    if value is None or component["type"] not in (*KINDS, FILES, TABLE):
        return None
    if component["type"] == TABLE:
        return plural("{n}行", len(value))
    return "、".join(texts([(component, value)]).values())


def _referred(pairs: Iterable[Pair]) -> tuple[dict[str, set[str]], dict[str, str]]:
    """Return the ids by type, and the files or links, each with the place of its component."""
    ids: dict[str, set[str]] = defaultdict(set)
    found: dict[str, str] = {}
    for component, value in _leaves(pairs):
        kind = component["type"]
        if kind in KINDS and isinstance(value, str) and _ID.fullmatch(value):
            ids[kind].add(value)
        elif kind == FILES and isinstance(value, list):
            found.update((one, place(component)) for one in value[: MAX_FILES + 1] if isinstance(one, str))
    return ids, found


def _leaves(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs, and those in the rows of tables; what is sent may be of any shape."""
    for component, value in pairs:
        if component["type"] != TABLE:
            yield component, value
        elif isinstance(value, list):
            rows = [row for row in value[:MAX_ROWS] if isinstance(row, dict)]
            yield from ((column, row.get(column["key"])) for row in rows for column in component["components"])
