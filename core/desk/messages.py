"""Sending messages to people: a row of the outbox now, a row on each desk after the commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import translation

from core.desk.models import Message
from core.identity.models import User
from core.kernel import clock, outbox
from core.kernel.texts import choose

TOPIC = "desk.message"


def send(
    users: Iterable[int | None], title: tuple[str, str], content: tuple[str, str], business_type: str, business_id: int
) -> None:
    """Send one message to several people; texts are pairs (Chinese, English). Nobody is told twice, or told nothing."""
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


@outbox.handler(TOPIC)
def deliver(message_id: int, payload: Mapping[str, Any]) -> None:
    """Lay the message on each person's desk, in the person's language; running twice stores it once."""
    rows = []
    for user_id, lang in User.objects.filter(pk__in=payload["users"]).values_list("pk", "lang"):
        with translation.override(lang):
            rows.append(
                Message(
                    user_id=user_id,
                    outbox_id=message_id,
                    title=choose(*payload["title"])[:120],
                    content=choose(*payload["content"])[:500],
                    business_type=payload["businessType"],
                    business_id=payload["businessId"],
                    create_time=payload["time"],
                )
            )
    Message.objects.bulk_create(rows, ignore_conflicts=True)
