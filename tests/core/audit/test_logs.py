"""The three logs: written aside, readable by whom they concern, and without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.urls import get_resolver
from rest_framework.parsers import MultiPartParser

from core.access.models import Role
from core.audit import jobs, logs, story
from core.audit.models import CallLog, ErrorLog
from core.blade.parsers import StrictJSONParser
from core.kernel import clock
from core.kernel.operation import registry
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.rest.masking import clean, masked
from core.rest.routes import routed_calls
from tests.cast import PASSWORD, A, B, Caller, Cast
from tests.contract.test_sheets import _import

NOTICE = "blade-desk/notice"


@pytest.fixture(autouse=True)
def _nothing_waits() -> Iterator[None]:
    logs._waiting.clear()
    yield
    logs._waiting.clear()


def _calls(tenant: str = A) -> list[dict[str, Any]]:
    logs.flush()
    with tenant_scope(tenant):
        return list(CallLog.objects.order_by("id").values())


def test_calls_that_change_or_are_refused_are_kept_and_plain_readings_are_not(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    admin.get(f"{NOTICE}/list")
    admin.post_json(f"{NOTICE}/submit", {"title": "停机"})
    cast.client_for("viewer").post_json(f"{NOTICE}/remove", ids="1")
    rows = _calls()
    assert [(row["method"], row["title"], row["status"], row["create_by"]) for row in rows] == [
        ("POST", f"{NOTICE}/submit", 400, "赵理"),
        ("POST", f"{NOTICE}/remove", 403, "何看"),
    ]
    assert rows[0]["params"] == '{"title":"停机"}'
    assert _calls(B) == []


def test_who_is_not_signed_in_is_kept_with_the_platform(cast: Cast) -> None:
    Caller().get(f"{NOTICE}/list")
    (row,) = _calls(PLATFORM)
    assert (row["title"], row["status"], row["create_by"]) == (f"{NOTICE}/list", 401, "")


@pytest.mark.parametrize("who", ["", "viewer"])
def test_the_body_of_a_call_that_was_refused_before_it_was_read_is_not_parsed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    read: list[object] = []
    for parser in (StrictJSONParser, MultiPartParser):
        monkeypatch.setattr(parser, "parse", lambda *given, **named: read.append(given))
    caller = cast.client_for(who) if who else Caller()
    caller.post_form(f"{NOTICE}/remove?ids=7", file=ContentFile(b"x" * 100, "a.txt"))
    caller.post_json(f"{NOTICE}/remove", {"title": "x"}, ids="7")
    assert [(row["status"], row["params"]) for row in _calls(A if who else PLATFORM)] == [
        (403 if who else 401, '{"ids":"7"}')
    ] * 2
    assert read == []


def test_no_secret_reaches_a_log(cast: Cast) -> None:
    secrets = {
        "password": PASSWORD,
        "oldPassword": PASSWORD,
        "access_token": "eyJhbGciOi.eyJzdWIi.c2ln",
        "code": "9137",
    }
    cast.client_for("tenant_admin").post_json(
        f"{NOTICE}/submit", {**secrets, "title": "13912345678", "content": "a" * 32}
    )
    (row,) = _calls()
    for secret in (PASSWORD, "eyJhbGciOi", "9137", "13912345678", "a" * 32):
        assert secret not in row["params"], secret
    assert "139****5678" in row["params"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"refreshToken": "x", "n": 1}, {"refreshToken": "***", "n": 1}),
        ({"a": {"clientSecret": "x"}}, {"a": {"clientSecret": "***"}}),
        ({"postCode": "x", "code": "x"}, {"postCode": "x", "code": "***"}),
        ({"list": ["5f4dcc3b5aa765d61d8327deb882cf99"]}, {"list": ["***"]}),
        (
            {"deep": {"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}},
            {"deep": {"a": {"b": {"c": {"d": {"e": {"f": "…"}}}}}}},
        ),
    ],
)
def test_masking(given: object, kept: object) -> None:
    assert masked(given) == kept


def test_a_log_line_stays_one_line_and_short() -> None:
    assert clean("a\rb\x1b[31mc\x00") == "a\\rb\\x1b[31mc\\x00"
    assert len(clean("x" * 1_000_000)) == 8000


def test_an_error_of_the_server_is_kept_and_not_shown(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.desk import views

    def fail(self: object, request: object) -> None:
        raise RuntimeError("boom 5f4dcc3b5aa765d61d8327deb882cf99")

    monkeypatch.setattr(views.NoticeViewSet, "list", fail)
    answer = cast.client_for("tenant_admin").get(f"{NOTICE}/list")
    assert (answer.status, answer.msg) == (500, "服务器异常，请稍后重试")
    logs.flush()
    with tenant_scope(A):
        row = ErrorLog.objects.get()
    assert (row.exception_name, row.message, row.request_id) == ("RuntimeError", "boom ***", answer["requestId"])
    assert "Traceback" in row.stack_trace
    shown = cast.client_for("tenant_admin").get("blade-log/error/list").data["records"][0]
    assert "stackTrace" not in shown
    assert shown["originName"] == "服务端"


def test_errors_of_consoles_are_stored_with_the_call(cast: Cast) -> None:
    sent = [
        {"type": "error", "message": "x is undefined", "stack": "at a", "info": "", "url": "/wel/index", "time": ""}
    ]
    admin = cast.client_for("viewer")
    answer = admin.post_json("blade-auth/oauth/logout", {"logs": sent})
    assert answer.status == 200
    (row,) = cast.client_for("tenant_admin").get("blade-log/error/list").data["records"]
    assert (row["originName"], row["message"], row["createBy"]) == ("浏览器", "x is undefined", "何看")
    assert cast.client_for("tenant_admin", B).get("blade-log/error/list").data["total"] == 0


@pytest.mark.parametrize("kind", ["usual", "api", "error"])
def test_logs_are_for_those_who_hold_their_code(cast: Cast, kind: str) -> None:
    assert cast.client_for("tenant_admin").get(f"blade-log/{kind}/list").status == 200
    for account in ("operator", "equip_manager", "viewer"):
        assert cast.client_for(account).get(f"blade-log/{kind}/list").status == 403
    assert Caller().get(f"blade-log/{kind}/list").status == 401


def test_acts_are_listed_newest_first_and_found(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    for title in ("甲", "乙"):
        body = {"title": title, "category": 1, "content": "x"}
        assert admin.post_json(f"{NOTICE}/submit", body).status == 200
    data = admin.get("blade-log/usual/list", operation="notice").data
    assert [row["operation"] for row in data["records"]] == ["notice.add", "notice.add"]
    ids = [int(row["id"]) for row in data["records"]]
    assert ids == sorted(ids, reverse=True)
    assert cast.client_for("tenant_admin", B).get("blade-log/usual/list", operation="notice").data["total"] == 0


def test_old_rows_go_and_events_stay(cast: Cast) -> None:
    cast.client_for("viewer").post_json(f"{NOTICE}/remove", ids="1")
    (row,) = _calls()
    with tenant_scope(A):
        CallLog.objects.update(create_time=clock.now().replace(year=2001))
        jobs.prune()
    assert _calls() == []
    assert row["status"] == 403


def test_too_many_at_once_are_dropped_and_counted(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MOST_WAITING", 1)
    monkeypatch.setattr(logs, "_dropped", 0)  # what other tests have lost is not counted
    viewer = cast.client_for("viewer")
    viewer.post_json(f"{NOTICE}/remove", ids="1")
    viewer.post_json(f"{NOTICE}/remove", ids="1")
    assert logs._dropped == 1
    assert len(_calls()) == 1
    assert logs._dropped == 0


def test_an_administrator_of_the_platform_reads_a_named_companys_logs_and_nobody_else_does(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin", B)
    assert admin.post_json(f"{NOTICE}/submit", {"title": "乙", "category": 1, "content": "x"}).status == 200
    assert cast.platform().get("blade-log/usual/list", operation="notice", tenantId=B).data["total"] == 1
    assert cast.platform().get("blade-log/usual/list", operation="notice").data["total"] == 0
    assert (
        cast.client_for("tenant_admin").get("blade-log/usual/list", operation="notice", tenantId=B).data["total"] == 0
    )


def _console_words(language: str) -> dict[str, set[str]]:
    """The keys of the console's log catalogue, by their path."""
    text = (Path(settings.BASE_DIR) / "web/src/i18n" / language / "log.ts").read_text(encoding="utf-8")
    path, found = list[str](), dict[str, set[str]]()
    for line in text.splitlines():
        if opened := re.match(r"  +(\w+): \{$", line):
            path.append(opened[1])
        elif line.strip() == "},":
            path.pop()
        elif keys := re.findall(r"(\w+): '", line):
            inside = re.match(r"  +(\w+): \{.*\},$", line)
            found.setdefault(".".join([*path, *([inside[1]] if inside else [])]), set()).update(keys)
    return found


@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_the_console_has_words_for_every_operation(language: str) -> None:
    verbs = {"submit": ("add", "edit"), "remove": ("delete",), "import_rows": ("import",)}
    # Other tests register operations of their own, called `test.…`.
    done = {*(name for name in registry if not name.startswith("test.")), *story.COMMON}
    for _path, view, action in routed_calls(get_resolver()):
        if getattr(view, "noun", "") and view.__module__.startswith("core."):
            done |= {f"{view.noun}.{verb}" for verb in verbs.get(action, ())}
    words = _console_words(language)
    unsaid = set()
    for operation in done:
        business, verb = operation.split(".")
        if business not in words["business"]:
            unsaid.add(operation)
        if verb not in words["verb"] | words.get(f"own.{business}", set()):
            unsaid.add(operation)
    assert unsaid == set()


def test_an_edit_is_noted_with_the_values_before_and_after(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    posts = "blade-system/post"
    body = {"category": 1, "postCode": "P1", "postName": "班长", "sort": 1}
    row = admin.post_json(f"{posts}/submit", body).data["id"]
    assert admin.change(posts, {"id": row, "category": 3, "postName": "组长", "sort": 1}).status == 200
    user = cast.user("viewer")
    with tenant_scope(A):
        roles = [str(Role.objects.get(role_alias=alias).pk) for alias in ("viewer", "operator")]
    changed = {"id": str(user.pk), "phone": "13912345678", "roleId": ",".join(roles), "status": 0}
    assert admin.change("blade-user", changed).status == 200
    assert admin.post_json(f"{posts}/remove", ids=row).status == 200
    rows = admin.get("blade-log/usual/list").data["records"]
    assert [(one["operation"], one["remark"], one["changes"]) for one in rows] == [
        ("post.delete", "组长", ""),
        (
            "user.edit",
            "viewer",
            "手机：空 → 139****5678\n所属角色：管理层/只读 → 操作工,管理层/只读\n状态：启用 → 停用",
        ),
        ("post.edit", "组长", "岗位类型：高层 → 基层\n岗位名称：班长 → 组长"),
        ("post.add", "班长", ""),
    ]
    english = admin.in_english().get("blade-log/usual/list", operation="post.edit").data["records"]
    assert [one["changes"] for one in english] == ["Category: Senior → Front line\nPosition: 班长 → 组长"]


def test_an_import_says_how_many_rows_it_added_and_changed(cast: Cast) -> None:
    manager = cast.client_for("equip_manager")
    sheet = [["设备编号", "设备名称", "使用部门", "设备类型"], ["N1", "铣床", "机加车间", "LATHES"]]
    assert _import(manager, "yuzhu-equip/inspectmachine", sheet).status == 200
    (row,) = cast.client_for("tenant_admin").get("blade-log/usual/list").data["records"]
    assert (row["operation"], row["remark"], row["changes"]) == ("inspectmachine.import", "", "新增：1\n更新：0")
