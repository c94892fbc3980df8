"""What a deployment would say of a form, asked while it is drawn."""

from __future__ import annotations

from tests.cast import Cast

DAYS = {"type": "number", "key": "days", "label": "天数"}
FORM = {"type": "default", "components": [DAYS, {"type": "select", "key": "kind", "values": []}, {**DAYS, "html": "x"}]}


def _told(cast: Cast, schema: object) -> list[tuple[str, str, str]]:
    answer = cast.client_for("flow_designer").in_english().post_json("blade-flow/model/form-check", {"schema": schema})
    return [(row["element"], row["code"], row["message"]) for row in answer.data["problems"]]


def test_every_fault_is_told_at_its_field(cast: Cast) -> None:
    assert _told(cast, FORM) == [
        ("kind", "form_value", "The value of “values” is invalid"),
        ("days", "form_property", "The property “html” is not supported"),
        ("days", "form_key", "The field name “days” is used twice"),
    ]
    assert _told(cast, {"components": [DAYS]}) == []
    assert _told(cast, "text") == [("", "form", "The form is not a JSON object")]


def test_who_may_not_see_models_is_told_nothing(cast: Cast) -> None:
    assert cast.client_for("operator").post_json("blade-flow/model/form-check", {"schema": FORM}).status == 403
