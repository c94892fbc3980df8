"""Tickets for downloads that a browser fetches by itself, without our headers.

A ticket stands in the address, which histories and logs of proxies keep. So it is good for one GET of one address,
within a minute, for as long as the session lives that asked for it; and only where a call says that it takes tickets.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from core.identity.models import Ticket
from core.kernel import clock

LIFETIME = timedelta(seconds=60)
PARAMETER = "blade-auth"
"""The family's name for it; there it carries the access token itself."""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def make(session_id: int, address: str) -> str:
    """Return the address with a new ticket at its end. Tickets that nobody used go on the way."""
    now, text = clock.now(), secrets.token_urlsafe(32)
    Ticket.objects.filter(expires_at__lt=now).delete()
    Ticket.objects.create(digest=_digest(text), session_id=session_id, address=address, expires_at=now + LIFETIME)
    return f"{address}{'&' if '?' in address else '?'}{PARAMETER}={text}"


def redeem(full_address: str) -> int | None:
    """Use up the ticket at the address's end: the id of its session; None when it does not count here and now."""
    rest, found, text = full_address.rpartition(f"{PARAMETER}=")
    ticket = Ticket.objects.filter(digest=_digest(text), expires_at__gte=clock.now()).first() if found else None
    if ticket is None or ticket.address != rest[:-1]:
        return None
    # Of many at once only one deletes it.
    used, _tables = Ticket.objects.filter(pk=ticket.pk).delete()
    return ticket.session_id if used else None
