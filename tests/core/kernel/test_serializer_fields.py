"""Fields of a noun's serializers: made once a language, and yet each serializer's own."""

from __future__ import annotations

from django.utils import translation

from core.inspection.serializers import RouteRules
from core.inspection.views import RouteViewSet

RouteSerializer = RouteViewSet.serializer_class


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
