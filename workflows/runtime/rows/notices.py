"""Messages to people about a work item: each names the step and the process."""

from __future__ import annotations

from collections.abc import Iterable

from core.desk import messages
from workflows.runtime.tables.worklist.models import WorkItem


def tell(item: WorkItem, user_ids: Iterable[int | None], title: tuple[str, str], words: str = "") -> None:
    """Send the people a message about the item; `words` are what a person wrote with it."""
    number = item.business_no or item.title
    messages.send(
        user_ids,
        (f"{title[0]}：{number}", f"{title[1]}: {number}"),
        (
            "：".join(filter(None, (f"「{item.node_name}」", item.title, words))),
            ": ".join(filter(None, (item.node_name_en or item.node_name, item.title_en or item.title, words))),
        ),
        item.business_type,
        item.business_id,
    )
