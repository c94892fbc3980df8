"""What every noun promises, tried on each noun of the URL table: a new one is covered as soon as it is routed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework import serializers

from core.kernel.models import SharedModel
from core.rest.serializers import ReferenceField, unique_rules
from tests.cast import A, B, Cast
from tests.checksums import checksum, shared_checksum
from tests.contract.nouns import OVERWRITES, Noun, nouns, reference, sample, sent, within

NOUNS = nouns()
BY_NAME = [pytest.param(noun, id=noun.view.noun) for noun in NOUNS]
WALLED = [pytest.param(noun, id=noun.view.noun) for noun in NOUNS if not (noun.is_shared or noun.view.platform_only)]
NO_TREES = {"equiptags"}
"""Nouns whose rows stand under others of another kind, and have nothing below them."""
TREES = [
    pytest.param(noun, id=noun.view.noun)
    for noun in NOUNS
    if {"parentId", "parentCode"} & {name for name, field in noun.input_fields().items() if not field.read_only}
    and hasattr(noun.view, "remove")
    and noun.view.noun not in NO_TREES
]
STRANGERS = ("operator", "repair_leader", "equip_manager", "tenant_admin")
MOST_STATEMENTS = 6


def _add(noun: Noun, cast: Cast, tenant: str = A, number: int = 1, body: Any = None) -> str:
    answer = noun.keeper(cast, tenant).post_json(f"{noun.path}/submit", body or sample(noun, cast, tenant, number))
    assert answer.status == 200, answer
    return str(answer.data["id"])


def _text_field(noun: Noun) -> tuple[str, Any]:
    """A plain text that may be changed, preferably one that nothing else depends on."""
    fields = noun.view.serializer_class().fields
    texts = [name for name, one in fields.items() if type(one) is serializers.CharField and not one.read_only]
    name = next((name for name in ("remark", *texts) if name in texts), texts[0])
    return name, fields[name]


@pytest.mark.parametrize("noun", BY_NAME)
def test_a_row_goes_in_is_found_is_changed_and_goes(noun: Noun, cast: Cast) -> None:
    keeper = noun.keeper(cast, A)
    body = sample(noun, cast, A)
    row_id = _add(noun, cast, body=body)
    found = keeper.get(f"{noun.path}/detail", id=row_id).data
    write_only = {name for name, one in noun.input_fields().items() if one.write_only}
    body = {name: value for name, value in body.items() if name not in write_only}
    assert within(found, body) == sent(body)
    name, _field = _text_field(noun)
    changed = keeper.change(f"{noun.path}", {"id": row_id, name: "改"})
    assert changed.status == 200, changed
    assert keeper.get(f"{noun.path}/detail", id=row_id).data[name] == "改"
    assert keeper.post_json(f"{noun.path}/remove", ids=row_id).status == 200
    assert keeper.get(f"{noun.path}/detail", id=row_id).status == 404
    assert keeper.post_json(f"{noun.path}/remove", ids=row_id).status == 404


@pytest.mark.parametrize("noun", BY_NAME)
def test_what_is_missing_is_named_and_nothing_is_stored(noun: Noun, cast: Cast) -> None:
    keeper, body = noun.keeper(cast, A), sample(noun, cast, A)
    for name, field in noun.input_fields().items():
        if not field.required or field.read_only or name not in body:
            continue
        before = checksum(A), shared_checksum()
        answer = keeper.post_json(f"{noun.path}/submit", {key: value for key, value in body.items() if key != name})
        assert (answer.status, answer["error"]) == (400, "input.invalid"), name
        assert answer.data["fields"][name] == str(field.error_messages["required"])
        assert (checksum(A), shared_checksum()) == before


@pytest.mark.parametrize("noun", WALLED)
def test_foreign_rows_are_missing_and_stay_as_they_are(noun: Noun, cast: Cast) -> None:
    theirs, mine = _add(noun, cast, B), _add(noun, cast, A)
    name, _field = _text_field(noun)
    before = checksum(A), checksum(B)
    for account in STRANGERS:
        caller = cast.client_for(account)
        for answer in (
            caller.get(f"{noun.path}/detail", id=theirs),
            caller.change(f"{noun.path}", {"id": theirs, name: "偷"}),
            caller.post_json(f"{noun.path}/remove", ids=theirs),
            caller.post_json(f"{noun.path}/remove", ids=f"{mine},{theirs}"),
        ):
            assert answer.status == (404 if account == "tenant_admin" else answer.status), answer
            assert answer.status in (403, 404), answer
    assert (checksum(A), checksum(B)) == before


@pytest.mark.parametrize("noun", BY_NAME)
def test_what_only_the_platform_may_change_nobody_else_changes(noun: Noun, cast: Cast) -> None:
    if not noun.view.platform_only:
        return
    row_id = _add(noun, cast)
    name, _field = _text_field(noun)
    admin, before = cast.client_for("tenant_admin"), shared_checksum()
    assert admin.post_json(f"{noun.path}/submit", sample(noun, cast, A, 2)).status == 403
    assert admin.change(f"{noun.path}", {"id": row_id, name: "偷"}).status == 403
    assert admin.post_json(f"{noun.path}/remove", ids=row_id).status == 403
    assert shared_checksum() == before


@pytest.mark.parametrize("noun", TREES)
def test_a_branch_goes_where_all_of_it_is_named_and_else_stays(noun: Noun, cast: Cast) -> None:
    keeper, is_region = noun.keeper(cast, A), noun.view.noun == "region"

    def add(number: int, above: str, level: int) -> str:
        placed = {"parentCode": above, "level": level} if is_region else {"parentId": above}
        if level > 1 and "dictKey" in noun.input_fields():
            placed["dictKey"] = str(number)
        return _add(noun, cast, body={**sample(noun, cast, A, number), **placed})

    top = add(1, "", 1)
    below = add(2, top, 2)
    leaves = [add(number, below, 3) for number in (3, 4)]
    before = checksum(A), shared_checksum()
    for some in ([top], [top, below], [top, below, leaves[0]]):
        assert keeper.post_json(f"{noun.path}/remove", ids=",".join(some)).status == 409
    assert (checksum(A), shared_checksum()) == before
    assert keeper.post_json(f"{noun.path}/remove", ids=",".join([top, leaves[1], below, leaves[0]])).status == 200
    for row_id in (top, below, *leaves):
        assert keeper.get(f"{noun.path}/detail", id=row_id).status == 404


@pytest.mark.parametrize("noun", BY_NAME)
def test_its_list_costs_the_same_whatever_the_page_size(noun: Noun, cast: Cast) -> None:
    keeper = noun.keeper(cast, A)
    for number in (1, 2, 3):
        _add(noun, cast, A, number)
    keeper.get(f"{noun.path}/list")
    counts = []
    for size in (2, 50):
        with CaptureQueriesContext(connection) as captured:
            assert keeper.get(f"{noun.path}/list", size=size).status == 200
        quiet = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT CURRENT_SETTING", "SELECT SET_CONFIG")
        counts.append(sum(not query["sql"].upper().startswith(quiet) for query in captured))
    assert counts[1] <= MOST_STATEMENTS
    assert counts[0] == counts[1]


@pytest.mark.parametrize("noun", BY_NAME)
def test_one_key_makes_one_row(noun: Noun, cast: Cast) -> None:
    keeper, body = noun.keeper(cast, A), sample(noun, cast, A)
    first = keeper.post_json(f"{noun.path}/submit", body, key="k-1")
    again = keeper.post_json(f"{noun.path}/submit", body, key="k-1")
    assert first.status == again.status == 200, (first, again)
    # A password that is shown once is not shown again.
    shown_once = {"account", "password"}
    assert again.data == {name: value for name, value in first.data.items() if name not in shown_once}


@pytest.mark.parametrize("noun", BY_NAME)
def test_what_may_occur_once_is_refused_by_name(noun: Noun, cast: Cast) -> None:
    rules = unique_rules(noun.view.queryset.model)
    keeper, body = noun.keeper(cast, A), sample(noun, cast, A)
    fields = noun.view.serializer_class().fields
    wires = {field.source or name: name for name, field in fields.items() if not field.read_only}
    named = [wires[name] for rule in rules for name in rule if rule[-1] in wires and wires.get(name) in body]
    if not named or noun.view.noun in OVERWRITES:
        return
    _add(noun, cast)
    before = checksum(A), shared_checksum()
    again = keeper.post_json(f"{noun.path}/submit", body)
    assert (again.status, again["error"]) == (400, "input.invalid"), again
    (name,) = again.data["fields"]
    assert name in named
    assert (checksum(A), shared_checksum()) == before


@pytest.mark.parametrize("noun", BY_NAME)
def test_a_row_of_another_company_is_no_reference(noun: Noun, cast: Cast) -> None:
    keeper, body = noun.keeper(cast, A), sample(noun, cast, A)
    for name, field in noun.input_fields().items():
        if not isinstance(field, ReferenceField) or issubclass(field.model, SharedModel):
            continue
        foreign = reference(field, cast, B)
        if foreign is None:  # a tree's own parent
            continue
        before = checksum(A)
        answer = keeper.post_json(f"{noun.path}/submit", {**body, name: str(foreign)})
        assert (answer.status, answer.data["fields"]) == (400, {name: "数据不存在或已被删除"}), name
        assert checksum(A) == before
