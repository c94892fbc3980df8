"""The operation by which any process sends messages; its model names recipients and text."""

from __future__ import annotations

from core.desk import messages
from core.ports import CommonOperation, EffectInput, Parameter, ParameterKind, Subject, effect_text

_TITLE, _TEXT = 120, 500
"""Maximum length of a message in characters."""


def send(subject: Subject, said: EffectInput) -> None:
    """Send a message to all named people who are enabled."""
    given = said.parameters
    title = given["title"]
    text = given.get("text", subject.title)
    messages.send(
        messages.recipients(given["to"]),
        (title, given.get("titleEn", title)),
        (text, given.get("textEn", text)),
        subject.business_type,
        subject.business_id,
    )


SEND = CommonOperation(
    "message.send",
    effect_text(
        "发送消息",
        "Send a message",
        "给指定的人发一条站内消息，不改变流程和单据",
        "Sends people a message in the console; process and record stay as they are",
    ),
    (
        Parameter(
            "to", ParameterKind.PEOPLE, "发给谁", "Recipients",
            "只发给现在可以工作的人", "Only people whose accounts are enabled get it", is_required=True,
        ),
        Parameter("title", ParameterKind.TEXT, "消息标题", "Title", is_required=True, most=_TITLE),
        Parameter(
            "titleEn", ParameterKind.TEXT, "英文标题", "English title",
            "给使用英文的人；不填时用消息标题", "For readers of English; if empty, the title", most=_TITLE,
        ),
        Parameter(
            "text", ParameterKind.TEXT, "消息内容", "Text",
            "可以用 ${form.…}；不填时用流程标题", "May contain ${form.…}; if empty, the process title",
            most=_TEXT, is_long=True,
        ),
        Parameter(
            "textEn", ParameterKind.TEXT, "英文内容", "English text",
            "给使用英文的人；不填时用消息内容", "For readers of English; if empty, the text", most=_TEXT, is_long=True,
        ),
    ),
    send,
)  # fmt: skip
