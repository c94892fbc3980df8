"""Fields of a noun's serializers: made once a language, and yet each serializer's own."""

from __future__ import annotations

from django.utils import translation

from core.inspection.serializers import RouteRules
from core.inspection.views import RouteViewSet
from tests.contract.nouns import nouns

RouteSerializer = RouteViewSet.serializer_class
CONSTANT = {
    "_args", "_kwargs", "style", "initial", "_choices", "grouped_choices", "choice_strings_to_values", "where",
}  # fmt: skip
"""Attributes that follow from how a field is declared, and are only read."""


def test_what_is_changed_at_a_field_stays_with_its_serializer() -> None:
    assert issubclass(RouteSerializer, RouteRules)  # type: ignore[arg-type]
    one, other = RouteSerializer(), RouteSerializer()  # type: ignore[misc]
    one.fields["groupName"].required = False
    one.fields["groupName"].error_messages["required"] = "x"
    one.fields["groupName"].validators.clear()
    assert other.fields["groupName"].required
    assert other.fields["groupName"].error_messages["required"] == "请输入路线名称"
    assert other.fields["groupName"].validators
    assert {field.parent for field in other.fields.values()} == {other}
    assert {field.parent for field in RouteSerializer().fields.values()}.isdisjoint({one, other})  # type: ignore[misc]


def test_the_messages_are_in_the_language_of_the_request() -> None:
    texts = {}
    for language in ("zh-hans", "en", "zh-hans"):
        with translation.override(language):
            texts[language] = RouteSerializer().fields["groupName"].error_messages["required"]  # type: ignore[misc]
    assert texts == {"zh-hans": "请输入路线名称", "en": "Please enter Route name"}


def test_serializers_share_nothing_that_a_request_could_fill() -> None:
    """What a field keeps of a tenant's rows must not reach the next request: it is made when the field is bound."""
    shared = set()
    for noun in nouns():
        one, other = (noun.view.serializer_class().fields for _ in range(2))
        for field in one:
            both = vars(one[field]), vars(other[field])
            shared |= {
                (noun.path, field, attribute)
                for attribute, value in both[0].items()
                if isinstance(value, dict | list | set) and value is both[1][attribute] and attribute not in CONSTANT
            }
    assert shared == set()
