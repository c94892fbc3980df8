"""Port to the store of errors reported by consoles. Without a store, errors go to the server log."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence

from core.kernel.actor import Actor

log = logging.getLogger("xunwei.client")


def _to_log(actor: Actor, rows: Sequence[Mapping[str, str]]) -> None:
    for row in rows:
        log.warning("%s", json.dumps({"tenant": actor.tenant_id, "user": actor.user_id, **row}))


store: Callable[[Actor, Sequence[Mapping[str, str]]], None] = _to_log
"""Store the errors: `type`, `message`, `stack`, `info`, `url`, `time`, all cleaned and capped."""
