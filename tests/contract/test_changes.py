"""What every noun promises of changes and removals: none is lost, and nothing that others refer to is removed."""

from __future__ import annotations

import os
import re
from datetime import time, timedelta
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from rest_framework import serializers

from core.identity.models import User
from core.kernel import clock, references
from core.kernel.ids import next_id
from core.kernel.models import AuditedModel, TreeModel
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.rest.shapes import Details
from tests.at_once import at_once
from tests.cast import A, Body, Caller, Cast
from tests.contract.nouns import Noun, nouns, sample

ROWS = int(os.environ.get("EDIT_ROWS", "1"))
PEOPLE = "abcdefgh" if "EDIT_ROWS" in os.environ else "abcd"
"""Rows of each noun, and people who write each at once; `make prove` takes fifty rows and eight people."""
NOUNS = [pytest.param(noun, id=noun.view.noun) for noun in nouns()]
RELATIONS = [
    pytest.param(noun, field, id=f"{noun.view.noun}-{references.name_of(field)}")
    for noun in nouns()
    for field in references.relations(noun.view.queryset.model)
]


def _add(noun: Noun, cast: Cast, number: int = 1) -> str:
    answer = noun.keeper(cast, A).post_json(f"{noun.path}/submit", sample(noun, cast, A, number))
    assert answer.status == 200, answer
    return str(answer.data["id"])


def _text(noun: Noun) -> str:
    """A plain text that may be changed to any other."""
    fields = noun.view.serializer_class().fields
    plain: list[str] = [
        name for name, one in fields.items() if type(one) is serializers.CharField and not one.read_only
    ]
    names = [name for name in plain if name.endswith("Name")]
    return next(name for name in ("remark", "name", "title", *names, *plain) if name in plain)


def _path(noun: Noun) -> str:
    return f"{noun.path}/submit"


@pytest.mark.parametrize("noun", NOUNS)
def test_a_change_names_the_version_that_it_was_made_from(noun: Noun, cast: Cast) -> None:
    keeper, row_id, name = noun.keeper(cast, A), _add(noun, cast), _text(noun)
    read = keeper.get(f"{noun.path}/detail", id=row_id).data
    listed = keeper.get(f"{noun.path}/list", size=100).data
    rows = listed["records"] if isinstance(listed, dict) else listed
    assert all("lockVersion" in row for row in rows)
    key = {"code": row_id} if noun.view.noun == "region" else {"id": row_id}
    for given, text in ({}, "请先读取最新数据再保存（缺少lockVersion）"), ({"lockVersion": "x"}, "请求参数格式错误"):
        answer = keeper.post_json(_path(noun), {**key, **given, name: "新"})
        assert (answer.status, answer["error"]) == (400, "input.invalid")
        assert answer.data["fields"]["lockVersion"].startswith(text)
    assert keeper.get(f"{noun.path}/detail", id=row_id).data == read
    assert keeper.post_json(_path(noun), {**key, "lockVersion": read["lockVersion"], name: "新"}).status == 200
    assert keeper.get(f"{noun.path}/detail", id=row_id).data["lockVersion"] == read["lockVersion"] + 1


@pytest.mark.parametrize("noun", NOUNS)
def test_whoever_comes_second_reads_who_was_first_and_when(noun: Noun, cast: Cast) -> None:
    keeper, row_id = noun.keeper(cast, A), _add(noun, cast)
    name = _text(noun)
    read = keeper.get(f"{noun.path}/detail", id=row_id).data
    form = {"id": row_id, "code": row_id} if noun.view.noun == "region" else {"id": row_id}
    assert keeper.post_json(_path(noun), {**form, "lockVersion": read["lockVersion"], name: "甲"}).status == 200
    first = keeper.get(f"{noun.path}/detail", id=row_id).data
    second = keeper.post_json(_path(noun), {**form, "lockVersion": read["lockVersion"], name: "乙"})
    assert (second.status, second["error"]) == (409, "data.changed")
    who = cast.user("platform", PLATFORM) if noun.view.platform_only else cast.user("tenant_admin")
    assert second.data["userName"] == who.real_name
    assert second.data["userName"] in second.msg and second.data["time"] in second.msg
    assert second.data["row"] == first
    assert keeper.get(f"{noun.path}/detail", id=row_id).data == first


@pytest.mark.parametrize("noun", NOUNS)
def test_only_what_differs_is_written(noun: Noun, cast: Cast) -> None:
    keeper, row_id, name = noun.keeper(cast, A), _add(noun, cast), _text(noun)
    read = keeper.get(f"{noun.path}/detail", id=row_id).data
    parts = {one.name for one in noun.view.fields if isinstance(one, Details)}
    sent = {key for key, one in noun.view.serializer_class().fields.items() if not (one.read_only or one.write_only)}
    body = {**{key: read[key] for key in sent - parts}, "id": row_id, name: "新"}
    table = noun.view.queryset.model._meta.db_table
    with CaptureQueriesContext(connection) as captured:
        assert keeper.post_json(_path(noun), body).status == 200
    (update,) = [query["sql"] for query in captured if query["sql"].startswith(f'UPDATE "{table}"')]
    written = set(re.findall(r'"(\w+)" = ', update.partition(" SET ")[2].partition(" WHERE ")[0]))
    column = noun.view.serializer_class().fields[name].source
    assert written - {"path"} == {column, "lock_version", "update_user", "update_time"}
    with CaptureQueriesContext(connection) as captured:
        assert keeper.change(noun.path, {"id": row_id, name: "新"}).status == 200
    assert [query["sql"] for query in captured if query["sql"].startswith(f'UPDATE "{table}"')] == []


def _write_a_letter(keeper: Caller, noun: Noun, row_id: str, letter: str) -> list[Body]:
    """Add a letter to the row's text as a person does, who reads the row again after each refusal; answer these."""
    name, refusals = _text(noun), list[Body]()
    while len(refusals) < 100:
        read = keeper.get(f"{noun.path}/detail", id=row_id).data
        body = {"id": read["id"], "lockVersion": read["lockVersion"], name: read[name] + letter}
        answer = keeper.post_json(_path(noun), {**body, "code": row_id} if noun.view.noun == "region" else body)
        if answer.status != 409:
            assert answer.status == 200, (noun.view.noun, answer)
            return refusals
        refusals.append(answer)
    raise AssertionError(refusals[-1])


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(3600)
def test_of_what_many_write_into_one_row_at_once_nothing_is_lost(cast: Cast) -> None:
    """Every noun in one test: installing the cast anew for each would take longer than all of them."""
    for noun in nouns():
        keeper = noun.keeper(cast, A)
        # Beyond the numbers of the rows that samples refer to.
        rows = [_add(noun, cast, 100 + number) for number in range(ROWS)]
        for row_id in rows:
            before = keeper.get(f"{noun.path}/detail", id=row_id).data
            calls = [partial(_write_a_letter, keeper, noun, row_id, letter) for letter in PEOPLE]
            heard: Any = at_once(calls)
            after = keeper.get(f"{noun.path}/detail", id=row_id).data
            name = _text(noun)
            added = after[name].removeprefix(before[name])
            assert sorted(added) == sorted(PEOPLE), (noun.view.noun, after[name])
            assert after["lockVersion"] == before["lockVersion"] + len(PEOPLE)
            for refusal in (one for refusals in heard for one in refusals):
                assert (refusal.status, refusal["error"]) == (409, "data.changed"), refusal
                assert refusal.data["userName"] and refusal.data["time"] in refusal.msg


# --- removal --------------------------------------------------------------------------------------------------------


def _row(model: Any, **given: Any) -> Any:
    """Store a row with something in every column that needs a value; these columns are given."""
    values = dict(given)
    if model.__name__ == "Machine" and "type" not in given:
        values["node_type"] = 1
    if model.__name__ == "InspectOrder":
        values["status"] = 3  # of an open one the point stays for a reason of its own
    for number, field in enumerate(model._meta.concrete_fields):
        needs = not (field.null or field.has_default() or field.primary_key or field.name in (*values, "tenant_id"))
        if needs and isinstance(field, models.ForeignKey):
            target: Any = field.related_model
            values[field.name] = target._default_manager.first() or _row(target)
        elif needs:
            values[field.name] = _value(field, number)
    row = model(**values)
    row.save()
    return row


def _value(field: Any, number: int) -> Any:
    if isinstance(field, models.DateTimeField):
        return clock.now() + timedelta(hours=number)
    if isinstance(field, models.DateField):
        return clock.now().date()
    if isinstance(field, models.CharField | models.TextField):
        return str(next_id())[-(field.max_length or 20) :]
    if field.name == "version_no":
        return number  # the first version is there with its row
    if isinstance(field, models.DateField):
        return clock.now().date() + timedelta(days=number)
    if isinstance(field, models.TimeField):
        return time(number % 24)
    return b"" if isinstance(field, models.BinaryField) else 1


@pytest.mark.parametrize(("noun", "field"), RELATIONS)
def test_what_is_referred_to_is_not_removed(noun: Noun, field: Any, cast: Cast) -> None:
    keeper, row_id = noun.keeper(cast, A), _add(noun, cast)
    with tenant_scope(PLATFORM if noun.view.platform_only else A):
        target = noun.view.queryset.model._default_manager.get(pk=row_id)
        pointing = _row(field.model, **{field.name: target})
        parts = [(one.model, one.head) for one in noun.view.fields if isinstance(one, Details)]
        stops = field in references.guarded(type(target)) and (field.model, field.name) not in parts
    answer = keeper.post_json(f"{noun.path}/remove", ids=row_id)
    if not stops:
        assert answer.status == 200, answer
        return
    assert answer.status == 409, answer
    assert answer["error"] == "data.inUse" or answer["error"].endswith((".hasChildren", ".hasHistory"))
    assert keeper.get(f"{noun.path}/detail", id=row_id).status == 200
    if answer["error"] == "data.inUse":
        (use,) = answer.data["uses"]
        assert use["count"] == 1
        assert f"{use['name']}：1" in answer.msg
        english = keeper.in_english().post_json(f"{noun.path}/remove", ids=row_id)
        assert english.msg.isascii() or english.msg.replace(str(target), "").isascii(), english.msg
    if isinstance(pointing, AuditedModel) and not pointing.insert_only:
        with tenant_scope(PLATFORM if noun.view.platform_only else A):
            pointing.remove()
        assert keeper.post_json(f"{noun.path}/remove", ids=row_id).status == 200


def test_a_link_of_somebody_who_has_left_does_not_count(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    post = admin.post_json(
        "blade-system/post/submit", {"category": 1, "postCode": "p", "postName": "岗", "sort": 1}
    ).data["id"]
    viewer = str(cast.user("viewer").pk)
    assert admin.change("blade-user", {"id": viewer, "postId": post}).status == 200
    refused = admin.post_json("blade-system/post/remove", ids=post)
    assert (refused.status, refused.msg) == (409, "「岗」正在使用中（用户：1），不能删除")
    assert admin.post_json("blade-user/remove", ids=viewer).status == 200
    assert admin.post_json("blade-system/post/remove", ids=post).status == 200


def test_history_still_shows_what_was_removed(cast: Cast) -> None:
    with tenant_scope(A):
        machine, person = cast.machine("M1"), cast.user("viewer")
        machine.duty_user = person
        machine.save()
        person.remove()
        again = type(machine).objects.get(pk=machine.pk)
        assert again.duty_user == person  # read by itself, without select_related
        assert User.objects.filter(pk=person.pk).first() is None
        person.refresh_from_db()
        assert person.is_deleted
    # The form sends what is there already; somebody else who has left is not taken.
    manager = cast.client_for("equip_manager")
    body = {"id": str(machine.pk), "dutyUserId": str(person.pk), "remark": "改"}
    assert manager.change("yuzhu-equip/inspectmachine", body).status == 200
    refused = manager.change("yuzhu-equip/inspectmachine", {**body, "maintainUserId": str(person.pk)})
    assert refused.data["fields"] == {"maintainUserId": "数据不存在或已被删除"}


def test_a_removal_that_is_not_guarded_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    from core.identity.models import Department, Tenant

    call_command("check")
    monkeypatch.setattr(Tenant, "may_lose", ())
    with pytest.raises(SystemCheckError, match="removed softly while others refer to them"):
        call_command("check")
    monkeypatch.setattr(Tenant, "may_lose", ("*",))
    monkeypatch.setattr(Department, "may_lose", ("gauge.dept",))
    with pytest.raises(SystemCheckError, match=r"may_lose names no relation: \['gauge.dept'\]"):
        call_command("check")


def test_every_tree_has_room_for_its_paths() -> None:
    trees: list[Any] = [
        model for model in AuditedModel.__subclasses__() + TreeModel.__subclasses__() if issubclass(model, TreeModel)
    ]
    assert [tree for tree in trees if not tree._meta.abstract and tree.most_levels * 20 + 1 > 400] == []
