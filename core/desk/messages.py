"""Messages to people: stored in the outbox with the transaction, delivered to each person after the commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from core import ports
from core.desk.models import Message
from core.identity.models import User
from core.kernel import clock, outbox
from core.kernel.errors import Refusal
from core.kernel.texts import plural

TOPIC = "desk.message"
MOST_TOLD = 500
"""Largest number of recipients of one message that a model sends by candidate rules."""
_TITLE, _CONTENT = 120, 500
"""Characters that are kept of a title and of a content."""


def recipients(rules: Sequence[str]) -> list[int]:
    """Return the ids of enabled people found by candidate rules such as `role:hr` or `user:7` (or an account).

    Three statements at most. Raises Refusal when there are too many.
    """
    words = {rule: rule.removeprefix("user:") for rule in rules if rule.startswith("user:")}
    keys = [f"user:{pk}" for pk in ports.people.active(set(words.values())).values()]
    keys += ports.people.candidate_keys(rule for rule in rules if rule not in words).values()
    found = list(ports.people.behind(keys).values_list("pk", flat=True)[: MOST_TOLD + 1])
    if len(found) > MOST_TOLD:
        raise Refusal("message.tooMany", plural("一条消息最多发给{n}人", MOST_TOLD))
    return found


def send(
    users: Iterable[int | None], title: tuple[str, str], content: tuple[str, str], business_type: str, business_id: int
) -> None:
    """Send one message to several people; texts are pairs (Chinese, English). Each person gets it once."""
    ids = sorted({user_id for user_id in users if user_id})
    if ids:
        outbox.send(
            TOPIC,
            {
                "users": ids,
                "title": list(title),
                "content": list(content),
                "businessType": business_type,
                "businessId": business_id,
                "time": clock.now().isoformat(),
            },
        )


@dataclass(frozen=True)
class Digest:
    """What a person is told in the morning; texts are pairs (Chinese, English)."""

    user_id: int
    title: tuple[str, str]
    content: tuple[str, str]


def store_digests(digests: Iterable[Digest], day: date) -> None:
    """Store the digests of a day, at most one for each person: stored again they stay as they are. One statement."""
    rows = [
        Message(
            user_id=one.user_id,
            # In place of an outbox row's id, which is far greater: the database keeps it to one a day.
            outbox_id=day.toordinal(),
            title=one.title[0][:_TITLE],
            title_en=one.title[1][:_TITLE],
            content=one.content[0][:_CONTENT],
            content_en=one.content[1][:_CONTENT],
            business_type="digest",
            business_id=one.user_id,
        )
        for one in digests
    ]
    Message.objects.bulk_create(rows, ignore_conflicts=True)


@outbox.handler(TOPIC)
def deliver(message_id: int, payload: Mapping[str, Any]) -> None:
    """Store the message for each person, in both languages. Running twice stores it once."""
    title, title_en = payload["title"]
    content, content_en = payload["content"]
    rows = [
        Message(
            user_id=user_id,
            outbox_id=message_id,
            title=title[:_TITLE],
            title_en=title_en[:_TITLE],
            content=content[:_CONTENT],
            content_en=content_en[:_CONTENT],
            business_type=payload["businessType"],
            business_id=payload["businessId"],
            create_time=payload["time"],
        )
        for user_id in User.objects.filter(pk__in=payload["users"]).values_list("pk", flat=True)
    ]
    Message.objects.bulk_create(rows, ignore_conflicts=True)
