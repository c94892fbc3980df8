"""What drawings give to operations: judged by the gate, tried by the dry run, read when they are called."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from xml.sax.saxutils import escape

import pytest

from core import ports
from core.audit.models import Event
from core.desk import messages
from core.desk.models import Message
from core.identity.models import User
from core.kernel.errors import Refusal
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder, Status
from core.ports import Parameter, ParameterKind
from core.scheduling import outbox
from tests.cast import A, B, Body, Caller, Cast
from tests.checksums import checksum
from tests.workflows.runtime.test_added_steps import finished
from tests.workflows.runtime.test_standalone import begin, item_of
from tests.workflows.standalone import document
from tests.workflows.workbench.test_upload import send
from workflows import engine
from workflows.runtime.commands import sweep
from workflows.runtime.definitions import service_tasks
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer

ALL = (
    Parameter("text", ParameterKind.TEXT, "文字", "Text", most=5),
    Parameter("whole", ParameterKind.NUMBER, "整数", "Whole", least=1, most=5),
    Parameter("price", ParameterKind.NUMBER, "金额", "Price", least=0, most=100, places=2),
    Parameter("is", ParameterKind.FLAG, "是否", "Whether"),
    Parameter("kind", ParameterKind.CHOICE, "类别", "Kind", choices=((1, "一"), (2, "二"))),
    Parameter("day", ParameterKind.DATE, "日期", "Day"),
    Parameter("time", ParameterKind.DURATION, "时长", "Time"),
    Parameter("who", ParameterKind.PEOPLE, "人员", "People"),
)
NEEDED = (Parameter("who", ParameterKind.PEOPLE, "人员", "People", is_required=True),)
NEEDS = {
    "text": ("文字」需为不超过5个字符的文字", "Text” must be a text of at most 5 characters"),
    "whole": ("整数」需为1至5的整数", "Whole” must be a whole number from 1 to 5"),
    "price": (
        "金额」需为0至100的数字，最多2位小数",
        "Price” must be a number from 0 to 100; digits after the decimal point: at most 2",
    ),
    "is": ("是否」需为是或否", "Whether” must be yes or no"),
    "kind": ("类别」需为可选的值之一", "Kind” must be one of its choices"),
    "day": ("日期」需为日期，如 2030-01-31", "Day” must be a date such as 2030-01-31"),
    "time": (
        "时长」需为时长（天、时、分），如 P1DT2H", "Time” must be a duration (days, hours, minutes) such as P1DT2H",
    ),
    "who": ("人员」需为人员、角色或班组，如 role:hr", "People” has to name people, roles or teams, such as role:hr"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("text", " 一二 ", "一二"),
        ("text", 12345, "12345"),
        ("whole", "5", 5),
        ("whole", Decimal("3"), 3),
        ("whole", 3.0, 3),
        ("price", "0.25", Decimal("0.25")),
        ("price", 100, Decimal(100)),
        ("is", "true", True),
        ("is", False, False),
        ("kind", "2", 2),
        ("kind", 1, 1),
        ("day", "2030-01-31", date(2030, 1, 31)),
        ("day", "2030-01-31T23:30:00+00:00", date(2030, 2, 1)),
        ("day", date(2030, 1, 31), date(2030, 1, 31)),
        ("time", "P1DT2H", timedelta(days=1, hours=2)),
        ("who", "role:hr  user:li role:a@7 team:3 user:li", ("role:hr", "user:li", "role:a@7", "team:3")),
        ("who", ["7", 8], ("user:7", "user:8")),
        ("who", 7, ("user:7",)),
        ("who", "user: role:hr@ role:hr", ("role:hr",)),
    ],
)
def test_a_value_is_read_as_its_kind_says(name: str, value: Any, read: Any) -> None:
    found = service_tasks.read(ALL, {name: value, "unknown": 1})
    assert found == {name: read}
    assert type(found[name]) is type(read)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("text", "一二三四五六"), ("text", True), ("text", ["x"]), ("whole", 6), ("whole", 0), ("whole", "1.5"),
        ("whole", "x"), ("whole", True), ("whole", float("nan")), ("price", "0.255"), ("price", "-0.01"),
        ("price", "1e1"), ("is", 1), ("is", "yes"), ("kind", 3), ("kind", True), ("kind", [1]), ("day", "31.1.2030"),
        ("day", 20300131), ("time", "P1M"), ("time", "2 days"), ("time", 7), ("who", "hr"), ("who", "dept:7"),
        ("who", True), ("who", ["role:hr", "x y"]), ("who", {"id": 7}),
    ],
)  # fmt: skip
def test_another_value_is_refused_in_both_languages(name: str, value: Any) -> None:
    with pytest.raises(service_tasks.ParameterError) as caught:
        service_tasks.read(ALL, {name: value})
    zh, en = NEEDS[name]
    assert (caught.value.code, caught.value.text_zh) == ("parameter_value", f"参数「{zh}")
    assert caught.value.text_en == f"The parameter “{en}"


@pytest.mark.parametrize("value", [None, "", "  ", []])
def test_nothing_is_left_out_and_refused_only_where_something_has_to_be(value: Any) -> None:
    assert service_tasks.read(ALL, dict.fromkeys(NEEDS, value)) == {}
    with pytest.raises(service_tasks.ParameterError) as caught:
        service_tasks.read(NEEDED, {"who": value})
    assert (caught.value.code, caught.value.text_en) == ("parameter_missing", "The parameter “People” is missing")
    assert service_tasks.read(NEEDED, {"who": "user:"}) == {"who": ()}  # a record without a repairer has none to tell


def _calling(*parameters: tuple[str, str], name: str = "message.send", more: str = "", before: str = "") -> bytes:
    """Start, what is before, the call, one step, end."""
    said = "".join(f'<xw:parameter name="{key}">{escape(text)}</xw:parameter>' for key, text in parameters)
    return document(
        '<startEvent id="start"/>'
        f'<serviceTask id="tell" name="通知" xw:operation="{name}"><extensionElements>{said}</extensionElements>{more}'
        '</serviceTask><userTask id="look" name="审批" xw:form="approve" xw:candidates="role:equip_manager"/>'
        '<endEvent id="done"/><sequenceFlow id="f2" sourceRef="tell" targetRef="look"/>'
        '<sequenceFlow id="f3" sourceRef="look" targetRef="done"/>'
        + (before or '<sequenceFlow id="f1" sourceRef="start" targetRef="tell"/>'),
        forms={"approve": {"components": [{"type": "textfield", "key": "note", "label": "意见"}]}},
    )


_LOOP = '<multiInstanceLoopCharacteristics xw:collection="${{{}}}" xw:elementVariable="{}"/>'
TELL = (("to", "role:repair_leader user:${starter.id}"), ("title", "${starter.name}的申请"))


@pytest.mark.parametrize(
    ("parameters", "problems"),
    [
        (TELL, []),
        ((("to", "${starter.id}"), ("title", "x")), []),
        (
            (("to", "${form.who}"), ("title", "x")),
            [
                (
                    "name_unknown",
                    "名称“form.who”不存在：没有表单字段、流程变量或单据数据提供它",
                    "The name “form.who” does not exist: no form field, variable or record value provides it",
                )
            ],
        ),
        ((("title", "x"),), [("parameter_missing", "参数「发给谁」未填写", "The parameter “Recipients” is missing")]),
        (
            (("to", "role:hr"), ("title", "")),
            [("parameter_missing", "参数「消息标题」未填写", "The parameter “Title” is missing")],
        ),
        (
            (*TELL, ("level", "3")),
            [
                (
                    "parameter_unknown",
                    "操作“message.send”没有参数“level”",
                    "The operation “message.send” has no parameter “level”",
                )
            ],
        ),
        (
            (("to", "hr"), ("title", "x" * 121)),
            [
                (
                    "parameter_value",
                    "参数「发给谁」需为人员、角色或班组，如 role:hr",
                    "The parameter “Recipients” has to name people, roles or teams, such as role:hr",
                ),
                (
                    "parameter_value",
                    "参数「消息标题」需为不超过120个字符的文字",
                    "The parameter “Title” must be a text of at most 120 characters",
                ),
            ],
        ),
        (
            (("to", "${1 == 1}"), ("title", "x")),
            [
                (
                    "parameter_value",
                    "参数「发给谁」需为人员、角色或班组，如 role:hr",
                    "The parameter “Recipients” has to name people, roles or teams, such as role:hr",
                )
            ],
        ),
        (
            (("to", "user:"), ("title", "x")),
            [
                (
                    "parameter_value",
                    "参数「发给谁」需为人员、角色或班组，如 role:hr",
                    "The parameter “Recipients” has to name people, roles or teams, such as role:hr",
                )
            ],
        ),
        (
            (("to", "${(who}"), ("title", "x")),
            [
                (
                    "expression",
                    "表达式“${(who}”有误：缺少“)”",
                    "Error in the expression “${(who}”: “)” is missing",
                )
            ],
        ),
    ],
)
def test_the_canvas_and_the_gate_say_what_is_wrong_at_the_element(
    cast: Cast, parameters: tuple[tuple[str, str], ...], problems: list[tuple[str, str, str]]
) -> None:
    designer = cast.client_for("flow_designer")
    xml = _calling(*parameters)
    found = designer.post_json("blade-flow/model/validate", {"xml": xml.decode()}).data["problems"]
    errors = [one for one in found if one["level"] == "error"]
    assert [(one["code"], one["messageZh"], one["messageEn"]) for one in errors] == problems
    assert {one["element"] for one in errors} <= {"tell"}
    answer = send(designer, {"x.bpmn": xml}, confirm=1)
    assert answer.status == (400 if problems else 200), answer
    assert Definition.objects.filter(key="own").count() == (0 if problems else 1)


def _started(cast: Cast, xml: bytes, account: str = "operator") -> Body:
    answer = send(cast.client_for("flow_designer"), {"x.bpmn": xml}, confirm=1)
    assert answer.status == 200, answer
    return begin(cast.client_for(account), Definition.objects.get(key="own"), {})


def _told() -> list[tuple[str, str, str]]:
    """Account, title and text of each message, when all are delivered."""
    while outbox.deliver_due():
        pass
    with tenant_scope(A):
        accounts = dict(User.objects.values_list("pk", "account"))
        rows = Message.objects.order_by("user_id", "id").values_list("user_id", "title", "content")
        return [(accounts[user], title, text) for user, title, text in rows]


def test_a_process_of_ones_own_tells_people_once_in_the_language_of_their_page(cast: Cast) -> None:
    xml = _calling(*TELL, ("titleEn", "${starter.name} asks"), ("text", "第一行\n第二行"), ("textEn", "Two lines"))
    started = _started(cast, xml)
    assert started.status == 200, started
    assert sorted(_told()) == [
        ("operator", "秦操的申请", "第一行\n第二行"),
        ("repair_leader", "秦操的申请", "第一行\n第二行"),
    ]
    (english,) = cast.client_for("repair_leader").in_english().get("blade-desk/message/list").data["records"]
    assert (english["title"], english["content"]) == ("秦操 asks", "Two lines")
    with tenant_scope(A):
        about = set(Message.objects.values_list("business_type", "business_id"))
        assert about == {("process", int(started.data["processInstanceId"]))}
        assert Event.objects.get(operation="process.start").effects == ["message.send"]
    with tenant_scope(B):
        assert Message.objects.count() == 0


def test_without_a_text_a_message_says_what_the_matter_is_called(cast: Cast) -> None:
    """By id, by account and by a role, each person once; an account that nobody has finds nobody."""
    to = f"user:{cast.user('repairer').pk} user:{cast.user('repairer').account} role:repairer user:nobody"
    assert _started(cast, _calling(("to", to), ("title", "请看"))).status == 200
    with tenant_scope(A):
        title = ProcessInstance.objects.get().title
    told = _told()
    assert [row for row in told if row[0] == "repairer"] == [("repairer", "请看", title)]
    assert len(told) == len({account for account, _title, _text in told})


def test_each_of_several_is_told_in_a_loop(cast: Cast) -> None:
    loop = _LOOP.format("members['role:repair_leader']", "who")
    assert _started(cast, _calling(("to", "user:${who}"), ("title", "${who}"), more=loop)).status == 200
    leader = str(cast.user("repair_leader").pk)
    assert [row[:2] for row in _told()] == [("repair_leader", leader)]


def test_too_many_are_not_told_but_refused(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MOST_TOLD", 1)
    xml = _calling(*TELL)
    answer = send(cast.client_for("flow_designer"), {"x.bpmn": xml}, confirm=1)
    assert answer.status == 200
    definition, before = Definition.objects.get(key="own"), checksum(A)
    refused = begin(cast.client_for("operator").in_english(), definition, {})
    assert (refused["error"], refused.msg) == ("message.tooMany", "A message is sent to at most 1 person")
    assert checksum(A) == before


def test_a_value_that_turns_out_wrong_refuses_the_step_and_changes_nothing(cast: Cast) -> None:
    way = (
        '<userTask id="ask" name="填写" xw:form="approve" xw:candidates="role:operator"/>'
        '<sequenceFlow id="f0" sourceRef="start" targetRef="ask"/>'
        '<sequenceFlow id="f1" sourceRef="ask" targetRef="tell"/>'
    )
    started = _started(cast, _calling(("to", "${form.note}"), ("title", "x"), before=way))
    assert started.status == 200, started
    item = item_of(started.data["processInstanceId"])
    operator, before = cast.client_for("operator"), checksum(A)

    def complete(caller: Caller, note: str) -> Body:
        said = {"taskId": item, "flag": "ok", "variables": {"note": note}}
        return caller.post_json("blade-flow/work/complete-task", said)

    refused = complete(operator, "老李")
    assert (refused.status, refused["error"], refused.msg) == (
        409, "workflow.parameter_value", "参数「发给谁」需为人员、角色或班组，如 role:hr",
    )  # fmt: skip
    missing = complete(operator.in_english(), "")
    assert (missing.status, missing["error"], missing.msg) == (
        409, "workflow.parameter_missing", "The parameter “Recipients” is missing",
    )  # fmt: skip
    assert checksum(A) == before
    assert complete(operator, str(cast.user("repairer").pk)).status == 200
    assert [row[:2] for row in _told()] == [("repairer", "x")]


def test_where_no_person_acts_a_wrong_value_parks_the_process_with_its_reason(cast: Cast) -> None:
    way = (
        '<intermediateCatchEvent id="wait"><timerEventDefinition><timeDuration>PT0S</timeDuration>'
        '</timerEventDefinition></intermediateCatchEvent><sequenceFlow id="f0" sourceRef="start" targetRef="wait"/>'
        '<sequenceFlow id="f1" sourceRef="wait" targetRef="tell"/>'
    )
    started = _started(cast, _calling(("to", "${starter.name}"), ("title", "x"), before=way))
    assert started.status == 200, started
    for _try in range(5):
        Timer.objects.update(due_time="2026-01-01T00:00:00Z")
        assert sweep.fire_due() == 0
    with tenant_scope(A):
        instance = ProcessInstance.objects.get()
    assert (instance.park_code, instance.park_node) == ("parameter_value", "wait")
    assert instance.park_text == "参数「发给谁」需为人员、角色或班组，如 role:hr"
    assert instance.park_text_en == "The parameter “Recipients” has to name people, roles or teams, such as role:hr"
    assert _told() == []


def test_a_dry_run_shows_what_would_be_given_and_refuses_what_would_be_refused(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    leader = cast.user("repair_leader")
    xml = _calling(("to", f"role:equip_manager user:{leader.pk}"), *TELL[1:], ("text", "第一行\n第二行"))
    asked = {"xml": xml.decode(), "acts": [], "starterId": str(cast.user("operator").pk)}
    (called,) = designer.post_json("blade-flow/model/dry-run", asked).data["steps"][0]["operations"]
    assert called == {
        "node": "tell", "name": "message.send", "label": "发送消息",
        "text": "给指定的人发一条站内消息，不改变流程和单据",
        "parameters": [
            {"name": "to", "label": "发给谁", "text": f"角色「设备主管」、人员「{leader.real_name}」"},
            {"name": "title", "label": "消息标题", "text": "秦操的申请"},
            {"name": "text", "label": "消息内容", "text": "第一行\n第二行"},
        ],
    }  # fmt: skip
    assert _told() == []
    wrong = _calling(("to", "${starter.name}"), ("title", "x"))
    refused = designer.in_english().post_json("blade-flow/model/dry-run", {**asked, "xml": wrong.decode()}).data
    assert [step["refusal"] for step in refused["steps"]] == [
        {
            "code": "workflow.parameter_value",
            "message": "The parameter “Recipients” has to name people, roles or teams, such as role:hr",
            "fields": {},
        }
    ]


# --- the operations of repair orders ----------------------------------------------------------------------------


def _repair(**operations_given: dict[str, str]) -> bytes:
    """The shipped model, whose operations are given these."""
    xml = bytes(Definition.objects.get(key="repairorder", is_general=True).xml).decode()
    for name, parameters in operations_given.items():
        said = "".join(f'<xw:parameter name="{key}">{escape(text)}</xw:parameter>' for key, text in parameters.items())
        tag = f'xw:operation="repairorder.{name}"'
        assert xml.count(f"{tag} />") == 1
        xml = xml.replace(f"{tag} />", f"{tag}><extensionElements>{said}</extensionElements></serviceTask>")
    return xml.encode()


def _deployed(cast: Cast, **operations_given: dict[str, str]) -> None:
    answer = send(cast.client_for("flow_designer"), {"r.bpmn": _repair(**operations_given)}, category="", confirm=1)
    assert answer.status == 200, answer


def _order() -> RepairOrder:
    with tenant_scope(A):
        return RepairOrder.objects.get()  # type: ignore[no-any-return]


def test_a_dispatch_promises_what_the_drawing_says_where_nobody_does(cast: Cast) -> None:
    _deployed(cast, dispatched={"within": "P1DT2H"})
    finished(cast)
    order = _order()
    assert order.plan_finish_time == order.dispatch_time + timedelta(days=1, hours=2)


@pytest.mark.parametrize(("before", "given", "after"), [(3, "2", 2), (1, "2", 1), (3, "${record.reworkCount + 1}", 1)])
def test_a_rework_is_as_urgent_as_the_drawing_says_and_never_less(
    cast: Cast, before: int, given: str, after: int
) -> None:
    _deployed(cast, failed={"urgency": given})
    order = finished(cast)
    check = {
        "id": order["id"], "lockVersion": order["lockVersion"], "action": "check", "checkResult": 2,
        "checkRemark": "还响",
    }  # fmt: skip
    operator = cast.client_for("operator")
    with tenant_scope(A):
        RepairOrder.objects.update(urgency=before)
    assert operator.post_json("yuzhu-equip/repairorder/update", check).status == 200
    assert _order().urgency == after


def test_the_system_passes_with_the_score_and_the_words_of_the_drawing(cast: Cast) -> None:
    _deployed(cast, autoPassed={"score": "${record.reworkCount == 0 ? 5 : 3}", "remark": "三天无异议"})
    finished(cast)
    Timer.objects.filter(node="autoCheck").update(due_time="2026-01-01T00:00:00Z")
    assert sweep.fire_due() == 1
    order = _order()
    assert (order.status, order.check_score, order.check_remark) == (Status.CLOSED, 5, "三天无异议")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, {"repair_leader"}),
        ({"to": "role:equip_manager"}, {"equip_manager"}),
        ({"to": "user:${record.repairUserId}"}, {"repair_leader"}),  # nobody repairs yet
    ],
)
def test_a_reminder_goes_to_whom_the_drawing_names(cast: Cast, given: dict[str, str], told: set[str]) -> None:
    _deployed(cast, escalateResponseLeader=given)
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    assert cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", body).status == 200
    Timer.objects.filter(node="responseFirst").update(due_time="2026-01-01T00:00:00Z")
    assert sweep.fire_due() == 1
    both = {"repair_leader", "equip_manager"}
    assert {account for account, title, _text in _told() if title.startswith("响应超时")} & both == told


@pytest.mark.parametrize(("again", "times"), [({}, 1), ({"again": "false"}, 1), ({"again": "true"}, 2)])
def test_a_reminder_is_sent_once_or_each_time(cast: Cast, again: dict[str, str], times: int) -> None:
    said = "".join(f'<xw:parameter name="{key}">{text}</xw:parameter>' for key, text in again.items())
    second = (
        '<serviceTask id="twice" xw:operation="repairorder.escalateResponseLeader"><extensionElements>'
        f"{said}</extensionElements></serviceTask>"
        '<sequenceFlow id="on" sourceRef="twice" targetRef="endResponseLeader"/>'
    )
    flow = '<sequenceFlow id="responseLeaderToEnd" sourceRef="escalateResponseLeader" targetRef="'
    xml = _repair().decode()
    assert flow in xml
    xml = xml.replace(f"{flow}endResponseLeader", f"{second}{flow}twice")
    assert send(cast.client_for("flow_designer"), {"r.bpmn": xml.encode()}, category="", confirm=1).status == 200
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    assert cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", body).status == 200
    Timer.objects.filter(node="responseFirst").update(due_time="2026-01-01T00:00:00Z")
    assert sweep.fire_due() == 1
    told = [account for account, title, _text in _told() if title.startswith("响应超时")]
    assert told.count("repair_leader") == times


def test_operations_of_a_record_take_only_what_they_declare(cast: Cast) -> None:
    xml = _repair(autoPassed={"score": "6"}, reported={"note": "x"}, failed={"urgency": "0"})
    answer = send(cast.client_for("flow_designer"), {"r.bpmn": xml}, category="", confirm=1)
    told = {(one["element"], one["code"], one["messageEn"]) for one in answer.data["files"][0]["problems"]}
    assert told >= {
        ("autoPassed", "parameter_value", "The parameter “Rating” must be a whole number from 1 to 5"),
        ("reported", "parameter_unknown", "The operation “repairorder.reported” has no parameter “note”"),
        ("failed", "parameter_value", "The parameter “Priority of the rework” must be one of its choices"),
    }


def test_every_operation_declares_parameters_that_are_whole(cast: Cast) -> None:
    """A label in both languages, bounds where the kind has some, and names that no other of it has."""
    with tenant_scope(A):
        known = [one for bound in ports.effects.values() for one in service_tasks.known(bound).values()]
    taking = {one.name: [parameter.name for parameter in one.parameters] for one in known if one.parameters}
    assert taking == {
        "message.send": ["to", "title", "titleEn", "text", "textEn"],
        "repairorder.dispatched": ["within"],
        "repairorder.autoPassed": ["score", "remark"],
        "repairorder.failed": ["urgency"],
        **{
            f"repairorder.escalate{what}{whom}": ["to", "again"]
            for what in ("Response", "Finish")
            for whom in ("Leader", "Manager")
        },
    }
    for one in known:
        assert len({parameter.name for parameter in one.parameters}) == len(one.parameters)
        for parameter in one.parameters:
            assert parameter.zh and parameter.en.isascii() and bool(parameter.help_zh) == bool(parameter.help_en)
            if parameter.kind in (ParameterKind.TEXT, ParameterKind.NUMBER):
                assert parameter.most > parameter.least
            assert bool(parameter.choices) == (parameter.kind == ParameterKind.CHOICE)
    for bound in ports.effects.values():
        assert set(bound.parameters) <= set(bound.effects)


def test_a_message_may_be_sent_in_a_loop_of_a_records_process_and_nothing_else(cast: Cast) -> None:
    xml = bytes(Definition.objects.get(key="repairorder", is_general=True).xml).decode()
    flow = 'sourceRef="reported"'
    assert xml.count(flow) == 1
    said = "".join(f'<xw:parameter name="{key}">x</xw:parameter>' for key in ("title",))
    said += '<xw:parameter name="to">user:${one}</xw:parameter>'
    call = f'<serviceTask id="tell" xw:operation="message.send"><extensionElements>{said}</extensionElements>'
    call += f"{_LOOP.format('[starter.id]', 'one')}</serviceTask>"
    put = xml.replace(flow, 'sourceRef="tell"').replace(
        '<serviceTask id="reported"',
        f'{call}<sequenceFlow id="toTell" sourceRef="reported" targetRef="tell"/><serviceTask id="reported"',
    )
    designer = cast.client_for("flow_designer")
    assert send(designer, {"r.bpmn": put.encode()}, category="", confirm=1).status == 200
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    assert cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", body).status == 200
    assert ("operator", "x") in [row[:2] for row in _told()]
    refused = send(designer, {"r.bpmn": put.replace("message.send", "repairorder.hung").encode()}, category="")
    assert "many_own" in {one["code"] for one in refused.data["files"][0]["problems"]}


def test_one_that_is_registered_twice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"operation message\.send is registered twice"):
        ports.register_common(ports.common["message.send"])
    assert issubclass(service_tasks.ParameterError, engine.EngineError) and not issubclass(engine.EngineError, Refusal)
