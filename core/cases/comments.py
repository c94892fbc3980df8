"""Comments on the records of cases: whoever sees a record writes, with pictures, and may mention others who see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import Q, Value
from django.utils.translation import gettext as _
from rest_framework import serializers

from core import ports
from core.audit.models import Event
from core.cases.case import Case
from core.cases.inputs import checked
from core.cases.models import Comment
from core.identity.authentication import actors_of
from core.identity.models import User
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed
from core.kernel.operation import SIGNED_IN
from core.kernel.texts import both, label, moment
from core.rest.serializers import IdListField, SpeakingSerializer
from core.storage import files
from core.storage.serializers import ImagesField

DELETED_WITHIN = timedelta(minutes=30)
"""How long its writer may delete a comment."""
MOST_MENTIONED = 20
MOST_TOLD = 200
"""Of those who have commented before, how many get a message about one comment."""
MOST_CONCERNED = 200
"""Of those for whom the record waits, how many stand first among the people to mention."""
MOST_LOOKED_AT = 50
"""People whose right to see the record is looked at for one list of people to mention."""


class CommentInput(SpeakingSerializer):
    """Words, pictures or both."""

    text = serializers.CharField(
        label=label("评论", "Comment"), max_length=1000, required=False, allow_blank=True, default=""
    )
    images = ImagesField(label=label("图片", "Pictures"), at_most=4, required=False, column="cases.Comment.images")
    mentions = IdListField(
        label=label("提及的人", "People mentioned"), required=False, max_ids=MOST_MENTIONED, refers_to=User
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a comment of nothing."""
        if not attrs["text"] and not attrs.get("images"):
            raise serializers.ValidationError({"text": _("请填写评论或上传图片")})
        return attrs


class CommentSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A comment as the record's page shows it; of a deleted one, who wrote it and when."""

    id = serializers.CharField()
    time = serializers.CharField()
    userName = serializers.CharField()
    text = serializers.CharField()
    images = serializers.ListField(child=serializers.CharField())
    mentions = serializers.ListField(child=serializers.CharField(), help_text="Names that stand in the text behind @.")
    isDeleted = serializers.BooleanField()
    mayDelete = serializers.BooleanField()


class Reader(serializers.Serializer):  # type: ignore[type-arg]
    """Somebody who sees the record and may be mentioned."""

    id = serializers.CharField()
    realName = serializers.CharField()
    deptName = serializers.CharField()


def add(actor: Actor, record_id: int, raw: Mapping[str, Any], *, case: Case) -> dict[str, str]:
    """Write a comment. Who is mentioned gets a message; so do the owner, who holds a step, and who commented before.

    Candidates of a step that nobody holds get one where they are mentioned only: they may be half of the company.
    """
    record = _seen(case, actor, record_id)
    values = checked(CommentInput, raw)
    named, earlier = values.get("mentions", []), _writers(case, record_id)
    found = _readers(case, record_id, actors_of({*named, *earlier}, actor.tenant_id).values())
    readers = [one for one in found if one.user_id in named]
    if len(readers) != len(named):
        raise Invalid({"mentions": _("提及的人员无权查看该单据")})
    comment = Comment.objects.create(
        business_type=case.name,
        business_id=record_id,
        user_id=actor.user_id,
        user_name=actor.name[:40],
        text=values["text"],
        images=values.get("images", []),
        mentions=[one.name for one in readers],
    )
    _describe(case, record_id, comment)
    mentioned = {one.user_id for one in readers} - {actor.user_id}
    (zh, en), called = both(case.title), record.called
    _tell(comment, mentioned, (f"{actor.name}在评论中提到您：{called}", f"{actor.name} mentioned you: {called}"))
    # Whoever has commented may have lost the right to see the record since.
    talking = {one.user_id for one in found if one.user_id in earlier}
    others = {getattr(record, f"{case.start.owner}_id"), *_holders(case, record_id), *talking}
    others -= {actor.user_id, *mentioned}
    _tell(comment, others, (f"{actor.name}评论了{zh}：{called}", f"{actor.name} commented on {en.lower()} {called}"))
    return {"id": str(comment.pk)}


def remove(actor: Actor, record_id: int, comment_id: int, *, case: Case) -> None:
    """Delete an own comment; the history goes on to show that there was one."""
    _seen(case, actor, record_id)
    rows = Comment.objects.select_for_update(of=("self",))
    comment = rows.filter(pk=comment_id, business_type=case.name, business_id=record_id).first()
    if comment is None:
        raise Missing()
    if comment.user_id != actor.user_id:
        raise NotAllowed(_("只能删除本人的评论"))
    if not _is_young(comment):
        minutes = DELETED_WITHIN.seconds // 60
        raise Conflict("comment.late", _("评论只能在{n}分钟内删除").format(n=minutes))
    comment.remove()
    _describe(case, record_id, comment)


def shown(case: Case, actor: Actor, record_id: int) -> list[dict[str, Any]]:
    """Return the record's comments, oldest first; one statement."""
    rows = Comment.with_removed.filter(business_type=case.name, business_id=record_id).order_by("id")
    return [
        {
            "id": str(row.pk),
            "time": moment(row.create_time),
            "userName": row.user_name,
            "text": "" if row.is_deleted else row.text,
            "images": [] if row.is_deleted else [files.signed_link(name) for name in row.images],
            "mentions": [] if row.is_deleted else row.mentions,
            "isDeleted": row.is_deleted,
            "mayDelete": not row.is_deleted and row.user_id == actor.user_id and _is_young(row),
        }
        for row in rows
    ]


def people(case: Case, actor: Actor, record_id: int, keyword: str) -> list[dict[str, str]]:
    """Return who may be mentioned: those whose name or account fits and who see the record, the people concerned first.

    As many statements for many people as for one.
    """
    _seen(case, actor, record_id)
    acted = Event.objects.filter(business_type=case.name, business_id=record_id).values("user_id")
    concerned = Q(pk__in=acted) | Q(pk__in=_waited_for(case, record_id))
    rows = User.objects.filter(Q(real_name__icontains=keyword) | Q(account__istartswith=keyword), is_enabled=True)
    rank = models.Case(models.When(concerned, then=Value(0)), default=Value(1), output_field=models.IntegerField())
    rows = rows.exclude(pk=actor.user_id).select_related("dept").order_by(rank, "real_name", "pk")
    found = list(rows[:MOST_LOOKED_AT])
    actors = actors_of([user.pk for user in found], actor.tenant_id)
    readers = {one.user_id for one in _readers(case, record_id, actors.values())}
    return [
        {"id": str(user.pk), "realName": user.real_name, "deptName": str(user.dept or "")}
        for user in found
        if user.pk in readers
    ]


def _seen(case: Case, actor: Actor, record_id: int) -> Any:
    """Return the record; raises Missing for who may not see it."""
    record = case.peek(record_id) if case.sees(actor, record_id) else None
    if record is None:
        raise Missing()
    return record


def _readers(case: Case, record_id: int, actors: Iterable[Actor]) -> list[Actor]:
    """Return those of these people who see the record, in their order."""
    holders = [one for one in actors if case.code == SIGNED_IN or one.may(case.code)]
    seen = case.sees.among(holders, record_id)
    return [one for one in holders if one.user_id in seen]


def _waited_for(case: Case, record_id: int) -> list[int]:
    """Return who holds the record's open steps, and where nobody does, who may claim them."""
    items = ports.processes.open_items(case.name, [record_id]).get(record_id, ())
    keys = {key for item in items for key in item.waits_for()}
    return list(ports.people.behind(keys).values_list("pk", flat=True)[:MOST_CONCERNED]) if keys else []


def _holders(case: Case, record_id: int) -> list[int]:
    """Return who holds the record's open steps."""
    items = ports.processes.open_items(case.name, [record_id]).get(record_id, ())
    return [item.assignee_id for item in items if item.assignee_id is not None]


def _writers(case: Case, record_id: int) -> list[int]:
    """Return who has commented on the record and did not delete it, the last to write first."""
    rows = Comment.objects.filter(business_type=case.name, business_id=record_id).values("user_id")
    last = rows.annotate(last=models.Max("id")).order_by("-last")
    return list(last.values_list("user_id", flat=True)[:MOST_TOLD])


def _tell(comment: Comment, users: Iterable[int | None], title: tuple[str, str]) -> None:
    content = (comment.text, comment.text) if comment.text else ("[图片]", "[Photo]")
    ports.messages.send(users, title, content, comment.business_type, comment.business_id)


def _is_young(comment: Comment) -> bool:
    return bool(clock.now() - comment.create_time < DELETED_WITHIN)


def _describe(case: Case, record_id: int, comment: Comment) -> None:
    """Let the audit entry be about the record, with the words of the comment."""
    entry = current_entry()
    entry.turn_to(case.name, record_id)
    entry.remark = comment.text
