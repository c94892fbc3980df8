"""Sheets of assets in which some rows are wrong, each in one of ten ways, and what is said of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

HEADS = (
    "设备编号", "设备名称", "节点类型", "使用部门", "上级", "设备类型", "额定功率(kW)", "购置日期", "投用日期",
    "采购合同号", "能效等级",
)  # fmt: skip
CODE, NAME, LEVEL, DEPT, ABOVE, _CLASS, POWER, BOUGHT, IN_SERVICE, CONTRACT, ENERGY = range(len(HEADS))
FIELDS = (
    {"noun": "inspectmachine", "key": "contract_no", "label": "采购合同号", "type": 1, "required": 1, "sort": 1},
    {
        "noun": "inspectmachine", "key": "energy", "label": "能效等级", "type": 4, "sort": 2,
        "options": [{"value": "1", "label": "一级"}, {"value": "2", "label": "二级"}],
    },
)  # fmt: skip
"""Extra fields that the sheets fill too."""

WAYS: Sequence[tuple[int, Callable[[int], Any], Callable[[int], str]]] = (
    (NAME, lambda n: None, lambda n: "设备名称：请输入设备名称"),
    (LEVEL, lambda n: "飞船", lambda n: "节点类型：没有「飞船」这个选项"),
    (DEPT, lambda n: "外厂", lambda n: "使用部门：没有「外厂」这个选项"),
    (ABOVE, lambda n: "无此线", lambda n: "上级：没有「无此线」这个选项"),
    (POWER, lambda n: "很大", lambda n: "额定功率(kW)：额定功率(kW)应为数字"),
    (BOUGHT, lambda n: "去年", lambda n: "购置日期：购置日期应为日期，如2026-03-02"),
    (IN_SERVICE, lambda n: "2019-01-01", lambda n: "投用日期：投用日期不能早于购置日期"),
    (CONTRACT, lambda n: None, lambda n: "采购合同号：请输入采购合同号"),
    (ENERGY, lambda n: "四级", lambda n: "能效等级：没有「四级」这个选项"),
    (CODE, lambda n: "M1", lambda n: "「M1」已存在"),
)
"""The column that is wrong, what stands there, and what is said of the row with this number."""


def right(number: int) -> list[Any]:
    """A row that comes in."""
    return [
        f"IM{number:05d}", f"铣床{number}", "设备", "机加车间", "LINE", "车床类", number % 90 + 0.5, "2020-03-02",
        "2020-04-01", f"HT-{number}", ("一级", "二级")[number % 2],
    ]  # fmt: skip


def rows(number: int, wrong: int) -> tuple[list[list[Any]], dict[int, str]]:
    """So many rows, of which some are wrong, spread over the sheet; and what is said of those, by their numbers."""
    found, said = [right(n) for n in range(number)], {}
    for place in range(wrong):
        n = place * (number // wrong) + number // wrong // 2
        column, value, text = WAYS[place % len(WAYS)]
        # A code that is there already is one that the sheet has once.
        if column == CODE and place >= len(WAYS):
            column, value, text = WAYS[0]
        found[n][column] = value(n)
        said[n] = text(n)
    return found, said


def declare(keeper: Any) -> None:
    """Declare the extra fields that the sheets fill."""
    for field in FIELDS:
        answer = keeper.post_json("yuzhu-equip/extfield/submit", field)
        assert answer.status == 200, answer
