"""The calls of a case: its start, its drafts, the record as a document, and its commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import (
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema,
    extend_schema_view,
    inline_serializer,
)
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.cases import commands, comments
from core.cases.case import Case
from core.cases.inputs import input_of, input_of_start
from core.cases.lists import Listed
from core.cases.marks import marks
from core.cases.serializers import context_of, detail_of, draft_serializer, saved_serializer
from core.kernel.errors import Missing
from core.kernel.texts import both, label
from core.rest.menus import Button, MenuEntry, Place
from core.rest.viewsets import SIGNED_IN, BaseViewSet, Stored

_ID = OpenApiParameter("id", str, required=True)


class CaseCalls(Listed):
    """What the view set of a case needs beside `show`, also where the records have a list. Mix in before it."""

    key: ClassVar[str] = "businessId"
    """The parameter of `detail` that takes the record's id."""
    plain: ClassVar[str] = ""
    """The command that an `update` without `action` carries out; by default none."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Add the codes of the calls of comments: whoever reads records may write."""
        super().__init_subclass__(**kwargs)
        if hasattr(cls, "case"):
            calls = ("comment", "remove_comment", "comment_people")
            cls.codes = {**dict.fromkeys(calls, cls.case.code), **cls.codes}  # type: ignore[attr-defined]

    def marks(self, action: str) -> dict[str, Any]:
        """Return what the document says of this action beside its schemas."""
        return {"x-case": marks(self.case, self.key)} if action == "show" else super().marks(action)

    def update(self: Any, request: Request) -> Response:
        """Carry out a command: `{id, lockVersion, action, …}`."""
        body = parameters(request)
        name = str(body.get("action") or self.plain) or self.parameter("action")
        answer = commands.by_record(self.case, self.actor, self.id_parameter(), self.version_parameter(), name, body)
        return Response(answer)

    @extend_schema(request=comments.CommentInput, responses=Stored)
    @action(detail=False, methods=["post"], url_path="comment")
    def comment(self: Any, request: Request) -> Response:
        """Write a comment on a record."""
        write = commands.operation_of(self.case, "comment")
        return Response(write(self.actor, self.id_parameter(), parameters(request)))

    @extend_schema(parameters=[_ID, OpenApiParameter("commentId", str, required=True)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="remove-comment")
    def remove_comment(self: Any, request: Request) -> Response:
        """Delete an own comment, soon after it was written."""
        remove = commands.operation_of(self.case, "removeComment")
        return Response(remove(self.actor, self.id_parameter(), self.id_parameter("commentId")))

    @extend_schema(parameters=[_ID, OpenApiParameter("keyword", str)], responses=comments.Reader(many=True))
    @action(detail=False, methods=["get"], url_path="comment-people")
    def comment_people(self: Any, request: Request) -> Response:
        """Who may be mentioned in a comment on the record, by the beginning of their name."""
        keyword = self.text_parameter("keyword", _("关键字"), 40)
        return Response(comments.people(self.case, self.actor, self.id_parameter(), keyword))


class CaseViewSet(CaseCalls, BaseViewSet):
    """The calls of one case. Its permission codes, and what the document says of it, follow from the declaration.

    A subclass names `case` and `menu`; `queryset` and `detail_serializer_class` where its documents show more than the
    owner and what the start asks for.
    """

    detail_serializer_class: ClassVar[Any]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Fill in the codes and the schemas of the calls."""
        super().__init_subclass__(**kwargs)
        model = cls.case.model
        if getattr(cls, "detail_serializer_class", None) is None:
            cls.detail_serializer_class = detail_of(cls.case)
        if cls.queryset is None:
            fields = (cls.case.start.owner, *cls.case.start.fields)
            joined = [name for name in fields if model._meta.get_field(name).is_relation]
            cls.queryset = model._default_manager.select_related(*joined)
        if cls.menu is not None:
            buttons = {**buttons_of(cls.case, cls.menu), **cls.menu.buttons}
            cls.menu = replace(cls.menu, code=cls.menu.code or cls.case.name, buttons=buttons)
        starts = [name for name in ("form", "save_draft", "remove_draft", "start_process") if hasattr(cls, name)]
        cls.codes = {**dict.fromkeys(starts, cls.case.start.code), "show": SIGNED_IN, "update": SIGNED_IN, **cls.codes}
        extend_schema_view(**_schemas(cls))(cls)

    def get_serializer_class(self) -> Any:
        """The form of the document, for the description of `detail`."""
        return self.detail_serializer_class

    @action(detail=False, methods=["post"], url_path="start-process")
    def start_process(self, request: Request) -> Response:
        """Make a record and start its process."""
        start = commands.operation_of(self.case, self.case.start.name)
        return Response(start(self.actor, parameters(request)))

    def show(self, request: Request) -> Response:
        """A record as a document: its facts and history, the open steps, and what the caller may do."""
        record_id = self.id_parameter(self.key)
        if not self.case.sees(self.actor, record_id):
            raise Missing()
        record = self.get_queryset().get(pk=record_id)
        context = context_of(self.case, self.actor, record)
        return Response(self.detail_serializer_class(record, context=context).data)


class Drafts:
    """The calls of a case of which people keep drafts."""

    form_fields: ClassVar[Mapping[str, serializers.Field[Any, Any, Any, Any]]] = {}
    """What the form of a new record begins with beside the draft, as `form_extras` returns it."""

    def form_extras(self) -> dict[str, Any]:
        """Return what the form of a new record shows beside the draft."""
        return {}

    @action(detail=False, methods=["get"], url_path="form")
    def form(self: Any, request: Request) -> Response:
        """What the form of a new record begins with."""
        draft = commands.draft_of(self.case, self.actor.user_id)
        return Response({"draft": draft and draft_serializer(self.case)(draft).data, **self.form_extras()})

    @action(detail=False, methods=["post"], url_path="save-draft")
    def save_draft(self: Any, request: Request) -> Response:
        """Keep what is written so far, in place of what was kept before."""
        return Response(commands.operation_of(self.case, "saveDraft")(self.actor, parameters(request)))

    @action(detail=False, methods=["post"], url_path="remove-draft")
    def remove_draft(self: Any, request: Request) -> Response:
        """Discard what is written so far."""
        return Response(commands.operation_of(self.case, "removeDraft")(self.actor, self.id_parameter()))


def buttons_of(case: Case, menu: MenuEntry) -> dict[str, Button]:
    """Return the buttons of the codes of a case, called as its start and its commands are."""
    title, title_en = both(case.title)
    found = {"add": Button(case.start.label, Place.TOOLBAR)}
    if any("view" in held for held in menu.roles.values()):
        found["view"] = Button(label(f"查看全部{title}", f"{title_en}: view all"))
    for code in dict.fromkeys(command.code for command in case.commands):
        if code.startswith(f"{case.name}_"):
            names = [both(command.label) for command in case.commands if command.code == code]
            zh, en = "、".join(zh for zh, _en in names), ", ".join(en for _zh, en in names).lower()
            found[code.removeprefix(f"{case.name}_")] = Button(label(f"{title}：{zh}", f"{title_en}: {en}"))
    return found


def body_of_update(case: Case) -> PolymorphicProxySerializer:
    """Return what `update` takes: the input of any command."""
    inputs = list(dict.fromkeys(input_of(case, command) for command in case.commands))
    return PolymorphicProxySerializer(f"{case.model.__name__}Update", inputs, resource_type_field_name=None, many=False)


def _schemas(view: Any) -> dict[str, Any]:
    """Return by action of the view what its call takes and answers."""
    case = view.case
    saved = saved_serializer(case)
    found = {
        "start_process": extend_schema(request=input_of_start(case), responses=saved),
        "update": extend_schema(request=body_of_update(case), responses=saved),
    }
    if issubclass(view, Drafts):
        removed = OpenApiParameter("id", str, required=True)
        fields = {"draft": draft_serializer(case)(allow_null=True), **view.form_fields}
        found["form"] = extend_schema(responses=inline_serializer(f"{case.model.__name__}Form", fields))
        found["save_draft"] = extend_schema(request=input_of_start(case), responses=Stored)
        found["remove_draft"] = extend_schema(parameters=[removed], request=None, responses=None)
    return found
