"""What a service task gives its operation: texts and expressions, read where the token stands, and told where wrong."""

from decimal import Decimal
from typing import Any

import pytest

from workflows import engine

LINE = '<startEvent id="s"/>{}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'


def call(*parameters: str, more: str = "", attributes: str = 'xw:operation="tell"') -> str:
    """A service task that gives these."""
    inside = "".join(parameters)
    return f'<serviceTask id="w" {attributes}><extensionElements>{inside}</extensionElements>{more}</serviceTask>'


def given(name: str, text: str) -> str:
    """One parameter."""
    return f'<xw:parameter name="{name}">{text}</xw:parameter>'


def test_values_keep_the_types_that_expressions_give_and_texts_their_lines(drive: Any) -> None:
    run = drive(
        LINE.format(
            call(
                given("to", "role:hr user:${starter.id}"),
                given("text", "\n  一行\n二行 ${form.days + 1}  "),
                given("days", "${form.days}"),
                given("is", "${form.days &gt; 2}"),
                given("none", "${form.cost}"),
                given("empty", ""),
            )
        )
    )
    run.host.lent = {"form": {"days": Decimal("2.5"), "cost": None}, "starter": {"id": 7}}
    assert run.start().completed
    assert run.host.given == [
        {
            "to": "role:hr user:7", "text": "一行\n二行 3.5", "days": Decimal("2.5"), "is": True, "none": None,
            "empty": "",
        }
    ]  # fmt: skip


def test_in_a_loop_each_call_reads_its_own_names(drive: Any) -> None:
    loop = """<multiInstanceLoopCharacteristics xw:collection="${['a', 'b']}" xw:elementVariable="who"/>"""
    run = drive(LINE.format(call(given("to", "user:${who}"), given("n", "${loopCounter}"), more=loop)))
    run.start()
    assert run.host.given == [{"to": "user:a", "n": 0}, {"to": "user:b", "n": 1}]


def test_one_that_cannot_be_reckoned_keeps_the_operation_from_being_called(drive: Any) -> None:
    run = drive(LINE.format(call(given("to", "${nobody.id}"))))
    with pytest.raises(engine.ExpressionError) as caught:
        run.start()
    assert caught.value.text_en == "Error in the expression “${nobody.id}”: the name “nobody” does not exist"
    assert run.host.calls == []
    problems = engine.rehearse(run.spec, {})
    assert [(one.code, one.level) for one in problems] == [("dry_run", "warning")]


@pytest.mark.parametrize(
    ("node", "problems"),
    [
        (call(given("to", "${1 +}")), [("w", "expression")]),
        (call(given("to", "${now()}")), [("w", "expression")]),
        (call(given("to", "x" * 2_001)), [("w", "expression")]),
        (call(given("to", "a"), given("to", "b")), [("w", "parameter_twice")] * 2),
        (call(given("to", "a")).replace("serviceTask", "userTask"), [("w", "unsupported")]),
    ],
)
def test_what_is_wrong_with_it_is_told_at_its_node(xml: Any, node: str, problems: list[tuple[str, str]]) -> None:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(LINE.format(node)))
    assert [(problem.element, problem.code) for problem in caught.value.problems] == problems
    assert all(problem.text_zh != problem.text_en for problem in caught.value.problems)


CAMUNDA = 'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'
VENDORS = [
    ('<flowable:field name="to" stringValue="role:hr"/>', {"to": "role:hr"}, 0),
    ('<flowable:field name="to" expression="${form.who}"/>', {"to": "${form.who}"}, 0),
    ('<flowable:field name="to"><flowable:string>role:hr</flowable:string></flowable:field>', {"to": "role:hr"}, 0),
    (
        '<flowable:field name="to"><flowable:expression>${var:get(who)}</flowable:expression></flowable:field>',
        {"to": "${who}"},
        0,
    ),
    ('<flowable:field name="to" expression="${now.toString(1)}"/>', {}, 1),
    ('<flowable:field name="to" stringValue="${literally}"/>', {}, 1),
    ('<flowable:field name="to"/>', {}, 1),
    (
        '<flowable:taskListener class="a.B"><flowable:field name="to" stringValue="x"/></flowable:taskListener>'
        '<flowable:taskListener class="a.C"><flowable:field name="to" stringValue="y"/></flowable:taskListener>',
        {},
        2,
    ),
    (
        f'<camunda:inputOutput {CAMUNDA}><camunda:inputParameter name="to">user:${{who}}</camunda:inputParameter>'
        "</camunda:inputOutput>",
        {"to": "user:${who}"},
        0,
    ),
    (
        f'<camunda:inputOutput {CAMUNDA}><camunda:inputParameter name="to"><camunda:list/></camunda:inputParameter>'
        '<camunda:inputParameter name="n">3</camunda:inputParameter></camunda:inputOutput>',
        {"n": "3"},
        1,
    ),
]


@pytest.mark.parametrize(("inside", "read", "told"), VENDORS)
def test_what_other_engines_inject_is_given_where_it_is_simple(
    xml: Any, inside: str, read: dict[str, str], told: int
) -> None:
    node = call(inside, attributes='flowable:delegateExpression="${tell}"')
    document = xml(LINE.format(node))
    parsed = engine.parse(document).nodes["w"]
    assert (parsed.extensions["operation"], dict(parsed.parameters)) == ("tell", read)
    assert [problem.code for problem in engine.adopt(engine.read(document))] == ["no_effect"] * bool(told)


def test_what_other_engines_inject_is_not_given_to_an_operation_of_ours(xml: Any) -> None:
    """Who names the operation in our words names the parameters in them too."""
    document = xml(LINE.format(call(VENDORS[0][0], given("title", "x"))))
    assert dict(engine.parse(document).nodes["w"].parameters) == {"title": "x"}
    assert [problem.code for problem in engine.adopt(engine.read(document))] == ["no_effect"]
