"""Extra fields that tests declare, what they set in them, and the sheets that go out and in with them."""

from __future__ import annotations

import io
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook, load_workbook

from tests.cast import A, Caller, Cast

NOUN, DECLARED = "yuzhu-equip/extfield", "yuzhu-equip/extfield/getList"
MACHINES, ORDERS = "yuzhu-equip/inspectmachine", "yuzhu-equip/repairorder"
COLOURS = (("red", "红", "Red"), ("blue", "蓝", "Blue"))


def field(key: str, label: str, kind: int = 1, **values: Any) -> dict[str, Any]:
    return {"noun": "inspectmachine", "key": key, "label": label, "type": kind, **values}


CONTRACT = field("contract_no", "合同号", labelEn="Contract no.", sort=1)
WEIGHT = field("weight", "自重(吨)", 2, labelEn="Weight (t)", decimals=2, sort=2)
CHECKED = field("checked", "检定日期", 3, labelEn="Calibrated on", sort=3)
COLOUR = field(
    "colour", "颜色", 4, labelEn="Colour", sort=4,
    options=[{"value": value, "label": zh, "labelEn": en} for value, zh, en in COLOURS],
)  # fmt: skip
ALL = (CONTRACT, WEIGHT, CHECKED, COLOUR)
VALUES = {"contract_no": "HT-007", "weight": 12.5, "checked": "2026-03-02", "colour": "red"}


def declare(cast: Cast, *fields: dict[str, Any], tenant: str = A) -> list[str]:
    answers = [cast.client_for("equip_manager", tenant).post_json(f"{NOUN}/submit", one) for one in fields]
    assert [answer.status for answer in answers] == [200] * len(fields), answers
    return [str(answer.data["id"]) for answer in answers]


def set_values(cast: Cast, ext: Any, code: str = "M1", who: str = "equip_manager", tenant: str = A) -> Any:
    body = {"id": str(cast.machine(code, tenant).pk), "ext": ext}
    return cast.client_for(who, tenant).change(MACHINES, body)


def codes(caller: Caller, **asked: Any) -> list[str]:
    answer = caller.get(f"{MACHINES}/list", size=50, **asked)
    assert answer.status == 200, answer
    return [row["machineCode"] for row in answer.data["records"]]


def download(caller: Caller, call: str, **asked: Any) -> list[tuple[Any, ...]]:
    answer = Client().get(f"/api/{MACHINES}/{call}", asked, headers=caller._headers())
    assert answer.status_code == 200, answer.content
    return list(load_workbook(io.BytesIO(answer.content)).active.values)  # type: ignore[union-attr]


def import_rows(caller: Caller, rows: list[Any], **given: Any) -> Any:
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(list(row))  # type: ignore[union-attr]
    book.save(out)
    return caller.post_form(f"{MACHINES}/import", file=SimpleUploadedFile("m.xlsx", out.getvalue()), **given)
