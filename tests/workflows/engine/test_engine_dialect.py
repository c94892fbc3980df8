"""Flowable's helpers for variables, read as expressions of ours."""

from typing import Any

import pytest

from workflows import engine
from workflows.engine.dialects.flowable import plain

CHOICE = """
  <startEvent id="s"/><exclusiveGateway id="g" default="d"/><userTask id="a"/><userTask id="b"/><endEvent id="e"/>
  <f a="s" b="g"/><f a="g" b="a" if="%s"/><f id="d" a="g" b="b"/><f a="a" b="e"/><f a="b" b="e"/>"""


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("${var:equals(input,1)}", "${(input == 1)}"),
        ("${vars:eq('input', 'a b')}", "${(input == 'a b')}"),
        ('${variables:notEquals("input", other)}', "${(input != other)}"),
        ("${var:lt(n, 10)}", "${(n < 10)}"),
        ("${var:lowerThanOrEquals(n, 10)}", "${(n <= 10)}"),
        ("${var:greaterThan(n, 10) && var:gte(m, 2)}", "${(n > 10) && (m >= 2)}"),
        ("${var:get(n)}", "${n}"),
        ("${var:getOrDefault(n, 3)}", "${(n == null ? 3 : n)}"),
        ("${var:exists(n)}", "${(n != null)}"),
        ("${!var:isEmpty(n)}", "${!(empty n)}"),
        ("${var:isNotEmpty(n)}", "${(not empty n)}"),
        ("${var:contains(list, 1, 2)}", "${(contains(list, 1) && contains(list, 2))}"),
        ("${var:containsAny(list, 1, 2)}", "${(contains(list, 1) || contains(list, 2))}"),
        ("${execution.getVariable('n') != null}", "${n != null}"),
        ("${!a.equals('yes')}", "${!(a === 'yes')}"),
        ('${"yes".equals(a.b) && n.equals(-1.5)}', '${("yes" === a.b) && (n === -1.5)}'),
        ("${order.getState().equals(other)}", "${(order.state === other)}"),
        ("${execution.getVariable('n').equalsIgnoreCase('A')}", "${(lower(n) === lower('A'))}"),
        (
            "${a.contains( 'x' ) or a.startsWith(b) or !a.endsWith('y')}",
            "${contains(a, 'x') or startsWith(a, b) or !endsWith(a, 'y')}",
        ),
        ("${a.isEmpty() || !order.list.isEmpty( )}", "${(empty a) || !(empty order.list)}"),
        ("${a == 'b.equals(c)' && a.equals('d.isEmpty()')}", "${a == 'b.equals(c)' && (a === 'd.isEmpty()')}"),
        ("${a.equals()}", "${a.equals()}"),
        ("${a.isEmpty(b)}", "${a.isEmpty(b)}"),
        ("${a.equals(b.c())}", "${a.equals(b.c())}"),
        ("${a.f().equals('x')}", "${a.f().equals('x')}"),
        ("${a[0].equals('x')}", "${a[0].equals('x')}"),
        ("${var:unknown(n)}", "${var:unknown(n)}"),
        ("${var:equals(n)}", "${var:equals(n)}"),
        ("${bean.method(n)}", "${bean.method(n)}"),
        ("${n == 1}", "${n == 1}"),
    ],
)
def test_a_helper_is_what_it_means(theirs: str, ours: str) -> None:
    assert plain(theirs) == ours


@pytest.mark.parametrize(
    ("condition", "values", "opened"),
    [
        ("${n.equals('yes')}", {"n": "yes"}, "a"),
        ("${!n.equals('yes')}", {"n": "yes"}, "b"),
        ("${n.equals('yes')}", {"n": None}, "b"),
        ("${n.equals('3')}", {"n": 3}, "b"),
        ("${'3'.equals(n)}", {"n": "3"}, "a"),
        ("${n.isEmpty()}", {"n": []}, "a"),
        ("${n.isEmpty()}", {"n": ["x"]}, "b"),
        ("${n.contains('x')}", {"n": ["x"]}, "a"),
        ("${n.equalsIgnoreCase('YES')}", {"n": "Yes"}, "a"),
    ],
)
def test_conditions_with_methods_of_java_run(drive: Any, condition: str, values: dict[str, Any], opened: str) -> None:
    run = drive(CHOICE % condition)
    run.start(**values)
    assert run.open == [opened]


@pytest.mark.parametrize(("n", "opened"), [(3, ["a"]), (1, ["b"])])
def test_conditions_with_helpers_run(drive: Any, n: int, opened: list[str]) -> None:
    run = drive(
        '<startEvent id="s"/><exclusiveGateway id="g" default="d"/><userTask id="a"/><userTask id="b"/>'
        '<endEvent id="e"/>'
        '<f a="s" b="g"/><f a="g" b="a" if="${var:gt(n, 2)}"/><f id="d" a="g" b="b"/><f a="a" b="e"/><f a="b" b="e"/>'
    )
    run.start(n=n)
    assert run.open == opened


def test_a_helper_that_is_not_known_is_refused(xml: Any) -> None:
    body = '<startEvent id="s"/><exclusiveGateway id="g" default="d"/><endEvent id="e"/><f a="s" b="g"/>'
    body += '<f id="c" a="g" b="e" if="${var:base64(n)}"/><f id="d" a="g" b="e"/>'
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(body))
    assert [(problem.element, problem.code) for problem in caught.value.problems] == [("c", "condition")]


@pytest.mark.parametrize(
    ("condition", "opened"),
    [
        ("${execution.getVariable('n') != null}", "b"),
        ("${execution.getVariable('n') == null}", "a"),
        ("${var:equals(n, 2)}", "b"),
        ("${!var:exists(n)}", "a"),
        ("${var:getOrDefault(n, 3) == 3}", "a"),
        ("${execution.getVariable('n') != null and n == 2}", "b"),
    ],
)
def test_a_variable_that_nobody_has_set_is_null_to_a_helper(drive: Any, condition: str, opened: str) -> None:
    run = drive(CHOICE % condition)
    run.start()
    assert run.open == [opened]


def test_a_name_that_only_an_expression_says_is_a_slip(drive: Any) -> None:
    run = drive(CHOICE % "${n == 2}")
    with pytest.raises(engine.ExpressionError):
        run.start()


def test_what_is_set_counts_and_not_that_it_may_be_missing(drive: Any) -> None:
    run = drive(CHOICE % "${var:equals(n, 2)}")
    run.start(n=2)
    assert run.open == ["a"]
