"""Messages: each person reads and marks the own ones, in the language of the page."""

from __future__ import annotations

from django.utils import translation

from core.desk import messages
from core.desk.models import Message
from core.identity.models import User
from core.kernel.tenancy import tenant_scope
from core.scheduling import outbox
from tests.cast import A, Caller, Cast

TITLE, CONTENT = ("新的报修", "New fault report"), ("主轴异响", "Noisy spindle")


def _send(cast: Cast, *accounts: str) -> None:
    """Send one message to these people, and deliver it as the worker does."""
    with tenant_scope(A):
        messages.send([cast.user(account).pk for account in accounts], TITLE, CONTENT, "repairorder", 1)
    outbox.deliver_due()


def _is_read(cast: Cast, account: str) -> bool:
    with tenant_scope(A):
        return bool(Message.objects.get(user_id=cast.user(account).pk).is_read)


def _id_of(caller: Caller) -> str:
    (row,) = caller.get("blade-desk/message/list").data["records"]
    return str(row["id"])


def test_a_named_message_of_somebody_else_is_missing_and_stays_unread(cast: Cast) -> None:
    _send(cast, "operator", "viewer")
    operator, viewer = cast.client_for("operator"), cast.client_for("viewer")
    mine, theirs = _id_of(operator), _id_of(viewer)
    for ids in (theirs, f"{mine},{theirs}"):
        assert operator.post_json("blade-desk/message/read", ids=ids).status == 404
    assert (_is_read(cast, "operator"), _is_read(cast, "viewer")) == (False, False)
    assert operator.post_json("blade-desk/message/read").status == 200
    assert (_is_read(cast, "operator"), _is_read(cast, "viewer")) == (True, False)
    assert viewer.post_json("blade-desk/message/read", ids=theirs).status == 200
    assert _is_read(cast, "viewer") is True


def _shown(caller: Caller) -> list[tuple[str, str]]:
    return [(row["title"], row["content"]) for row in caller.get("blade-desk/message/list").data["records"]]


def test_a_message_is_in_the_language_of_the_page_whatever_the_senders_and_the_readers(cast: Cast) -> None:
    with tenant_scope(A):
        User.objects.filter(account="viewer").update(lang="en")
    for language in ("zh-hans", "en"):
        with translation.override(language):
            _send(cast, "operator", "viewer")
    for account in ("operator", "viewer"):
        caller = cast.client_for(account)
        assert _shown(caller) == [(TITLE[0], CONTENT[0])] * 2, account
        assert _shown(caller.in_english()) == [(TITLE[1], CONTENT[1])] * 2, account


def test_a_message_of_an_earlier_version_keeps_its_text_in_both_languages(cast: Cast) -> None:
    with tenant_scope(A):
        Message.objects.create(
            user_id=cast.user("operator").pk, outbox_id=7, title="New fault report", content="Noisy spindle",
            business_type="repairorder", business_id=1,
        )  # fmt: skip
    caller = cast.client_for("operator")
    for reader in (caller, caller.in_english()):
        assert _shown(reader) == [("New fault report", "Noisy spindle")]
