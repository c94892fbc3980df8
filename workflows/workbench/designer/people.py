"""Who would get a step, in words: the people, the rule by which each is found, and why others are asked instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.identity.models import Department
from core.kernel.texts import choose
from workflows.runtime.definitions.assignment import Fallback, Named, Offer, on_duty

SHOWN = 50
"""People listed by name; how many there are is always said."""


def told(said: Sequence[Named], offered: Sequence[Offer], is_many: bool) -> dict[str, Any]:
    """Who gets the step that names these, each of them where it is done several times.

    Six statements at most, however many people and rules.
    """
    if not is_many:
        return _told(said[0], offered[0])
    rules = tuple(rule for one in said for rule in one.rules)
    by_rule = {rule: key for one in offered for rule, key in one.by_rule.items()}
    keys = [key for one in offered for key in ([f"user:{one.holder}"] if one.holder is not None else one.keys)]
    everybody = _told(Named("", rules), Offer(None, list(dict.fromkeys(keys)), by_rule))
    reason = _("共{n}个任务，每个单独办理").format(n=len(said)) if said else _("目前名单为空，没有人需要办理")
    return {**everybody, "reason": reason}


def _told(said: Named, offered: Offer) -> dict[str, Any]:
    keys = [f"user:{offered.holder}"] if offered.holder is not None else offered.keys
    behind = ports.people.behind(keys)
    rows = list(behind.values_list("pk", "real_name", "dept__dept_name", "dept__dept_name_en")[: SHOWN + 1])
    total = behind.count() if len(rows) > SHOWN else len(rows)
    people = [
        {"id": str(pk), "name": name, "deptName": choose(zh or "", en or ""), "weight": None}
        for pk, name, zh, en in rows[:SHOWN]
    ]
    return {
        "people": people,
        "total": total,
        "isHeld": offered.sole_holder() is not None,
        "rules": _rules(said, offered),
        "instead": offered.instead.value,
        "reason": _reason(offered, total, people[0]["name"] if people else ""),
    }


def _rules(said: Named, offered: Offer) -> list[dict[str, Any]]:
    """Each rule with its words, and how many people it finds."""
    keys = set(offered.by_rule.values())
    counts, names, depts = ports.people.counts(keys), ports.people.describe(keys), _departments(keys)
    duty = on_duty(said.rules)
    found = []
    if said.assignee:
        is_holder = offered.holder is not None
        found.append({"rule": said.assignee, "text": _("办理人"), "total": int(is_holder)})
    for rule in dict.fromkeys(said.rules):
        if rule in duty:
            found.append({"rule": rule, "text": _of_duty([rule]).get(rule, ""), "total": len(duty[rule])})
            continue
        key = offered.by_rule.get(rule, "")
        found.append({"rule": rule, "text": _words(rule, key, names, depts), "total": counts.get(key, 0)})
    return found


def called(rules: Sequence[str]) -> list[str]:
    """Return what to call each rule; a person by id or account. Four statements at most."""
    accounts = ports.people.active({rule.removeprefix("user:") for rule in rules if rule.startswith("user:")})
    by_rule = dict(ports.people.candidate_keys(rule for rule in rules if not rule.startswith("user:")))
    by_rule.update({f"user:{word}": f"user:{pk}" for word, pk in accounts.items()})
    keys = set(by_rule.values())
    names, depts, duty = ports.people.describe(keys), _departments(keys), _of_duty(rules)
    return [duty.get(rule) or _words(rule, by_rule.get(rule, ""), names, depts) for rule in rules]


def _of_duty(rules: Sequence[str]) -> dict[str, str]:
    """Return what to call rules for the people on duty; one statement where there are some."""
    asked = {rule: rule.replace("duty:", "dept:", 1) for rule in rules if rule.startswith("duty:")}
    names = ports.people.describe(set(asked.values())) if asked else {}
    return {rule: _("「{name}」的当班人员").format(name=names[key]) for rule, key in asked.items() if names.get(key)}


def _departments(keys: set[str]) -> Mapping[str, str]:
    numbers = {number for key in keys if (number := key.partition("@")[2])}
    if not numbers:
        return {}
    rows = Department.objects.filter(pk__in=numbers).values_list("pk", "dept_name", "dept_name_en")
    return {str(pk): choose(zh, en) for pk, zh, en in rows}


def _words(rule: str, key: str, names: Mapping[str, str], depts: Mapping[str, str]) -> str:
    if not names.get(key):
        said = rule.partition(":")[2]
        return _("「{name}」不存在").format(name=said) if said else _("由单据决定，这里还没有数据")
    kind, _colon, value = key.partition(":")
    dept = value.partition("@")[2]
    if dept:
        text = _("{dept}的岗位「{name}」") if kind == "post" else _("{dept}的角色「{name}」")
        return text.format(dept=depts.get(dept, ""), name=names[key])
    if rule.startswith("head:"):
        return _("部门负责人「{name}」").format(name=names[key])
    text = {
        "role": _("角色「{name}」"), "team": _("班组「{name}」"), "post": _("岗位「{name}」"),
        "dept": _("部门「{name}」"), "deptTree": _("部门「{name}」"),
    }.get(kind, _("人员「{name}」"))  # fmt: skip
    return text.format(name=names[key])


def _reason(offered: Offer, total: int, first: str) -> str:
    if offered.instead == Fallback.HEAD:
        return _("没有找到办理人或候选人，交给发起人的部门负责人{name}").format(name=first)
    if offered.instead == Fallback.STARTERS_HEAD:
        return _("办理人即发起人，交给其部门负责人{name}").format(name=first)
    if offered.instead == Fallback.PERSON:
        return _("没有找到办理人或候选人，交给模型指定的{name}").format(name=first)
    if offered.instead == Fallback.ADMINISTRATORS:
        return _("没有找到办理人或候选人，交给租户管理员")
    if offered.sole_holder() is not None:
        return _("由{name}直接办理").format(name=first) if total else _("指定的办理人不存在或已停用，没有人能办理")
    return _("候选人共{n}人，其中一人领取后办理").format(n=total) if total else _("目前没有人符合这些规则")
