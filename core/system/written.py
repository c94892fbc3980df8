"""When something was written that a phone without a network sent later."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.kernel import clock
from core.kernel.texts import label
from core.rest.serializers import MomentField, SpeakingSerializer
from core.system import parameters


def written_at(client_time: datetime | None, sent_time: datetime | None) -> datetime:
    """Return when something was written, by our clock: as long before its arrival as the sender's clock says.

    What was written longer ago than `inspect.offline.hours`, or after it was sent, counts from its arrival.
    """
    now = clock.now()
    if client_time is None:
        return now
    ago = (sent_time or now) - client_time
    return now - ago if timedelta() <= ago <= timedelta(hours=parameters.inspection().offline_hours) else now


class Written(SpeakingSerializer):
    """By the sender's clock when something was written, and when it is sent."""

    clientTime = MomentField(label=label("填写时间", "Written at"), required=False, allow_null=True, default=None)
    sentTime = MomentField(label=label("发送时间", "Sent at"), required=False, allow_null=True, default=None)
