"""What is said of input of the wrong kind names the field, in the reader's language."""

from __future__ import annotations

import pytest
from django.utils.translation import override
from rest_framework import serializers

from core.rest.serializers import AmountField, IdListField, SpeakingSerializer
from tests.cast import A, Cast
from tests.checksums import checksum


class Wanted(SpeakingSerializer):
    """One field of each kind that people type."""

    number = serializers.IntegerField(label="N", min_value=0, max_value=9)
    amount = AmountField(label="A", max_digits=5, decimal_places=2)
    text = serializers.CharField(label="T", max_length=3)
    day = serializers.DateField(label="D")
    moment = serializers.DateTimeField(label="M")
    chosen = serializers.ChoiceField(label="C", choices=[1, 2])
    tags = IdListField(label="G")


NONE = dict.fromkeys(("number", "amount", "text", "day", "moment", "chosen", "tags"))
WRONG = {"number": "1.5", "amount": "x", "text": {}, "day": "1", "moment": "x", "chosen": 7, "tags": "1"}


@pytest.mark.parametrize(
    ("language", "given", "said"),
    [
        ("zh-hans", {}, ["请输入N", "请输入A", "请输入T", "请选择D", "请选择M", "请选择C", "请选择G"]),
        ("zh-hans", NONE, ["请输入N", "请输入A", "请输入T", "请选择D", "请选择M", "请选择C", "请选择G"]),
        (
            "zh-hans",
            WRONG,
            [
                "N应为整数",
                "A应为数字",
                "T应为文本",
                "D应为日期，如2026-03-02",
                "M应为日期和时间，如2026-03-02 08:30:00",
                "请选择C",
            ],
        ),
        ("zh-hans", {**WRONG, "amount": "1.234", "number": 10}, ["N应在0到9之间", "A最多2位小数"]),
        ("zh-hans", {**WRONG, "amount": "1234.5"}, ["N应为整数", "A的整数部分最多3位"]),
        (
            "en",
            WRONG,
            [
                "N must be a whole number",
                "A must be a number",
                "T must be text",
                "D must be a date such as 2026-03-02",
                "M must be a date and time such as 2026-03-02 08:30:00",
                "Please select C",
            ],
        ),
    ],
)
def test_wrong_input_is_told_in_sentences_of_ours(language: str, given: dict[str, object], said: list[str]) -> None:
    with override(language):
        form = Wanted(data=given)
        assert not form.is_valid()
        assert [str(one[0]) for one in form.errors.values()][: len(said)] == said


def test_what_is_chosen_from_a_dictionary_is_asked_for_as_a_choice(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    post = {"postCode": "P", "postName": "岗", "sort": 1}
    assert admin.post_json("blade-system/post/submit", post).data["fields"] == {"category": "请选择岗位类型"}
    for call in ("grant", "reset-password", "unlock"):
        for named in ({}, {"userIds": ""}):
            answer = admin.post_json(f"blade-user/{call}", named)
            assert (answer.status, answer.msg) == (400, "请至少选择一个用户"), call
    assert checksum(A) == before
