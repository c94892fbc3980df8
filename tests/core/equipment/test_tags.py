"""Failure codes: for which assets they are offered, which come first, and what stays because orders name it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.equipment.models import MachineClass, Tag, TagType
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.repairs import Story

TAGS = "yuzhu-equip/equiptags"


def _add(cast: Cast, **values: Any) -> Any:
    return cast.client_for("equip_manager").post_json(f"{TAGS}/submit", {"type": 4, "tagName": "渗油", **values})


def _offered(cast: Cast, kind: int = 4, **where: str) -> list[str]:
    return [row["tagName"] for row in cast.client_for("operator").get(f"{TAGS}/getTagList", type=kind, **where).data]


def test_a_code_is_offered_for_its_class_those_below_it_and_no_other(cast: Cast) -> None:
    machine, spindle = cast.machine("M1"), cast.machine("M1-SPINDLE")
    assert machine.type_id != spindle.type_id
    assert _add(cast, typeId=str(machine.type_id)).status == 200
    with tenant_scope(A):
        below = MachineClass(parent_id=machine.type_id, type_code="LATHE-CNC", type_name="数控")
        below.save()
        sealed = Tag.objects.create(type=TagType.SYMPTOM, tag_name="旧", is_sealed=True)
    assert _offered(cast) == ["异响", "渗油"]
    assert _offered(cast, machineId=str(machine.pk)) == ["异响", "渗油"]
    assert _offered(cast, typeId=str(below.pk)) == ["异响", "渗油"]
    for where in ({"machineId": str(spindle.pk)}, {"typeId": str(spindle.type_id)}, {"typeId": "1"}):
        assert _offered(cast, **where) == ["异响"]
    chosen = cast.client_for("operator").get(f"{TAGS}/select", type=4, machineId=str(spindle.pk)).data["records"]
    assert [row["name"] for row in chosen] == ["异响"] and sealed.tag_name not in _offered(cast)


def test_symptoms_that_were_chosen_of_late_come_first(cast: Cast) -> None:
    assert _add(cast, tagName="先兆", sort=0).status == 200
    with tenant_scope(A):
        Tag.objects.filter(tag_name="异响").update(sort=1)
    symptoms = cast.client_for("operator").get(f"{TAGS}/getTagList", type=4).data
    assert [(row["tagName"], row["useCount90"]) for row in symptoms] == [("先兆", 0), ("异响", 0)]
    Story(cast, faultTagIds=str(cast.tag("异响").pk))
    symptoms = cast.client_for("operator").get(f"{TAGS}/getTagList", type=4).data
    assert [(row["tagName"], row["useCount90"]) for row in symptoms] == [("异响", 1), ("先兆", 0)]
    with clock.at(clock.now() + timedelta(days=91)):
        later = cast.client_for("operator").get(f"{TAGS}/getTagList", type=4).data
    assert {row["useCount90"] for row in later} == {0}
    causes = cast.client_for("operator").get(f"{TAGS}/getTagList", type=5).data
    assert [(row["tagName"], row["useCount90"]) for row in causes] == [("磨损", None)]


def test_what_an_order_names_is_sealed_and_not_removed(cast: Cast) -> None:
    noise = cast.tag("异响")
    Story(cast, faultTagIds=str(cast.tag("异响").pk))
    keeper = cast.client_for("equip_manager")
    before = checksum(A)
    refused = keeper.post_json(f"{TAGS}/remove", ids=str(noise.pk))
    assert (refused.status, refused["error"]) == (409, "tag.inUse")
    assert refused.msg == "「异响」已被维修工单引用，不能删除，请改为封存"
    english = keeper.in_english().post_json(f"{TAGS}/remove", ids=str(noise.pk)).msg
    assert english == "“Noise” is used in work orders and cannot be deleted; seal it instead"
    assert checksum(A) == before
    assert keeper.change(TAGS, {"id": str(noise.pk), "isSealed": 1}).status == 200
    assert _offered(cast) == []
    unused = _add(cast).data["id"]
    assert keeper.post_json(f"{TAGS}/remove", ids=unused).status == 200


def test_names_and_codes_occur_once_in_a_kind(cast: Cast) -> None:
    of_class = str(cast.machine("M1").type_id)
    assert _add(cast, tagCode="S-1").status == 200
    for values, wire in (
        ({}, "tagName"),
        ({"tagName": "另一", "tagCode": "S-1"}, "tagCode"),
    ):
        refused = _add(cast, **values)
        assert refused.status == 400 and list(refused.data["fields"]) == [wire]
        assert refused.msg.endswith("已存在")
    # Of another kind, for one class of assets, and without a code, the same word may stand again.
    for values in ({"type": 6}, {"typeId": of_class}, {"tagName": "无码一"}, {"tagName": "无码二"}):
        assert _add(cast, **values).status == 200, values
    assert _add(cast, typeId=of_class).status == 400
    with tenant_scope(B):
        assert not Tag.objects.filter(tag_name="渗油").exists()


@pytest.mark.parametrize(
    ("values", "wire"),
    [
        ({"type": 6, "parentId": "noise"}, "parentId"),
        ({"type": 5, "parentId": "wear"}, "parentId"),
        ({"color": "red"}, "color"),
        ({"type": 8}, "type"),
        ({"carrier": 1}, "carrier"),
    ],
    ids=["an action under a symptom", "a cause under a cause", "no colour", "no kind", "a word on a carrier"],
)
def test_what_does_not_fit_is_refused(values: dict[str, Any], wire: str, cast: Cast) -> None:
    known = {"noise": str(cast.tag("异响").pk), "wear": str(cast.tag("磨损").pk)}
    before = checksum(A)
    refused = _add(cast, **{name: known.get(str(value), value) for name, value in values.items()})
    assert refused.status == 400 and list(refused.data["fields"]) == [wire]
    assert checksum(A) == before


def test_a_cause_stands_under_a_symptom_and_keeps_its_kind(cast: Cast) -> None:
    added = _add(cast, type=5, tagName="轴承缺油", parentId=str(cast.tag("异响").pk))
    assert added.status == 200
    keeper = cast.client_for("equip_manager")
    row = keeper.get(f"{TAGS}/detail", id=added.data["id"]).data
    assert (row["parentName"], row["typeName"], row["color"]) == ("异响", "故障原因", "#409EFF")
    refused = keeper.change(TAGS, {"id": added.data["id"], "type": 6})
    assert (refused.status, refused.msg) == (400, "类别保存后不能修改")
    assert cast.client_for("operator").post_json(f"{TAGS}/submit", {"type": 4, "tagName": "新"}).status == 403
