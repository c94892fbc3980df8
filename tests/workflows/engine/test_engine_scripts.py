"""Scripts of other engines' drawings: what is read of them is done, what is more is refused, none is executed."""

import time
from typing import Any
from xml.sax.saxutils import escape

import pytest

from workflows import engine
from workflows.engine.codec import decode

LINE = '<startEvent id="s"/>{}<userTask id="after"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="after"/>'
LINE += '<f a="after" b="e"/>'


def task(script: str, language: str = "groovy", more: str = "", name: str = "w") -> str:
    return f'<scriptTask id="{name}" scriptFormat="{language}" {more}><script>{escape(script)}</script></scriptTask>'


def value_of(drive: Any, script: str, language: str = "groovy", **data: Any) -> Any:
    """What the variable `x` is after the script, as a condition behind it sees it."""
    reads = '<userTask id="r" xw:assignee="${x}"/>'
    run = drive(LINE.format(task(script, language)).replace('<userTask id="after"/>', reads).replace("after", "r"))
    step = run.start(**data)
    instance = engine.run.decode(run.spec, step.state, run.host)
    (waiting,) = (one for one in instance.tasks.values() if one.id.hex == step.tasks[0].task)
    return instance.names(waiting)["x"]


@pytest.mark.parametrize(
    ("language", "script", "value"),
    [
        ("groovy", "execution.setVariable('x', 1)", 1),
        ("JavaScript", 'execution.setVariable("x", "a\'b\\n");', "a'b\n"),
        ("groovy", "def y = 2 * (n + 1)\nexecution.setVariable('x', y - 1)", 7),
        ("groovy", "def int y\nexecution.setVariable('x', y == null)", True),
        ("javascript", "var y = 'n is ' + n + (n + 1); execution.setVariable('x', y)", "n is 34"),
        ("javascript", "execution.setVariable('x', n + n + ' in all')", "6 in all"),
        ("groovy", "execution.setVariable('x', \"n is ${n + 1}, $n\")", "n is 4, 3"),
        ("groovy", "execution.setVariable('x', 'n is ${n}')", "n is ${n}"),
        ("javascript", 'execution.setVariable("x", "n is ${n}")', "n is ${n}"),
        ("groovy", "def p = execution.getProcessInstance()\np.setVariable('x', p.getVariable('n') + 1)", 4),
        ("groovy", "execution.setVariable('x', execution.getVariable('missing') == null)", True),
        ("javascript", "execution.setVariable('x', n > 2 && n !== 4 ? 'yes' : 'no')", "yes"),
        ("javascript", "var m = execution.getVariable('m'); if (!m) { m = 5 }\nexecution.setVariable('x', m)", 5),
        ("groovy", "if (n == 3) {\n execution.setVariable('x', 1)\n}\nelse if (n) { throw new Error() }", 1),
        ("groovy", "if (n == 1)\n throw new Error()\nelse { execution.setVariable('x', o.get('k')[0]) }", "v"),
        ("groovy", "execution.setVariable('x', o.k.size() + 1) // how many\n/* all */", 2),
        ("groovy", "execution.setVariable('x', (Integer) n)", 3),
        ("groovy", "execution.setVariable('x',\n  n\n  + 1)", 4),
        ("groovy", "execution.setVariable('x', 'A'.equals(name.toUpperCase()))", True),
        ("groovy", "execution.setVariable('x', 0.1 + 0.2)", 0.3),
        ("groovy", "execution.setVariable('x', o)", {"k": ["v"]}),
        ("groovy", "def l = ['a',\n n + 1, []]\nexecution.setVariable('x', l)", ["a", 4, []]),
        ("groovy", "sum = 0\nfor ( i in l ) {\n  sum += i\n}\nexecution.setVariable('x', sum)", 9),
        ("groovy", "def s = 'a'\nfor (Object i : l) s += ' ' + i\nexecution.setVariable('x', s)", "a 2 3 4"),
        ("groovy", "def y = 8\ny -= 2\ny *= n\ny /= 4\nexecution.setVariable('x', y)", 4.5),
        ("groovy", "for (i in l) { def y = i * n\n if (y > 6) { execution.setVariable('x', y) } }", 12),
        ("groovy", "if (n == 3) { def i = 5 }\nexecution.setVariable('x', i == null)", True),
        ("groovy", "def k = 0\nfor (i in l) for (j in l) if (i == j) k += 1\nexecution.setVariable('x', k)", 3),
        ("groovy", "execution.setVariable('x', 1)\nfor (i in i) { throw new Error() }", 1),
        ("groovy", "for (i in []) { }\nexecution.setVariable('x', i == null)", True),
        ("javascript", "let s = 0; for (const i of l) { s += i }; execution.setVariable('x', s)", 9),
        ("juel", "${execution.setVariable('x', n)}", 3),
        ("", '#{execution.setVariable("x", n + 1)}', 4),
        ("groovy", "println 'a'\nThread.sleep(100)\nexecution.setVariable('x', n)\nSystem.out.println('b ' + n)", 3),
    ],
)  # fmt: skip
def test_a_script_gives_variables_their_values(drive: Any, language: str, script: str, value: Any) -> None:
    found = value_of(drive, script, language, n=3, o={"k": ["v"]}, name="a", l=[2, 3, 4], i=None)
    assert found == value and type(found) is type(value)


def test_a_name_that_nothing_has_undoes_the_step(drive: Any) -> None:
    with pytest.raises(engine.EngineError) as caught:
        value_of(drive, "if (!n) { execution.setVariable('x', 1) }", "javascript")
    assert "the name “n” does not exist" in caught.value.text_en


@pytest.mark.parametrize(
    ("language", "condition", "holds"),
    [
        ("javascript", "t == 3", True),
        ("javascript", "t != 3", False),
        ("javascript", "t === 3", False),
        ("javascript", "t !== 3", True),
        ("javascript", "zero", True),  # a text that is not empty is true
        ("groovy", "t == 3", False),
        ("groovy", "t != 3", True),
        ("groovy", "t.equals(3)", False),
        ("groovy", "n == 3.0", True),
    ],
)
def test_a_text_equals_a_number_as_in_the_scripts_language(
    drive: Any, language: str, condition: str, holds: bool
) -> None:
    script = f"if ({condition}) {{ execution.setVariable('x', 1) }} else {{ execution.setVariable('x', 0) }}"
    assert value_of(drive, script, language, n=3, t="3", zero="0") == int(holds)


@pytest.mark.parametrize("script", ["x = n", "def x = n", "var x = n"])
def test_what_a_script_declares_is_its_own(drive: Any, script: str) -> None:
    with pytest.raises(KeyError):
        value_of(drive, script, n=3)


@pytest.mark.parametrize(
    ("language", "script", "stored"),
    [("groovy", "x = n", True), ("groovy", "def x = n", False), ("javascript", "var x = n", True)],
)
def test_a_task_may_say_that_its_names_are_kept(drive: Any, language: str, script: str, stored: bool) -> None:
    body = LINE.format(task(script, language, 'flowable:autoStoreVariables="true"'))
    run = drive(body.replace('<userTask id="after"/>', '<userTask id="after" xw:assignee="${x}"/>'))
    step = run.start(n=3)
    instance = engine.run.decode(run.spec, step.state, run.host)
    assert ("x" in instance.names(next(iter(instance.tasks.values())))) == stored


@pytest.mark.parametrize(
    ("language", "script", "value"),
    [("juel", "${n + 1}", 4), ("", "#{n}", 3), ("javascript", "var y = 'a';\ny;", "a"), ("groovy", "n > 1", True)],
)
def test_a_task_may_keep_its_result(drive: Any, language: str, script: str, value: Any) -> None:
    run = drive(LINE.format(task(script, language, 'flowable:resultVariable="x"')))
    step = run.start(n=3)
    instance = engine.run.decode(run.spec, step.state, run.host)
    assert instance.names(next(iter(instance.tasks.values())))["x"] == value


def test_a_gateway_and_a_later_script_read_what_was_set(drive: Any) -> None:
    """Round and round until the script has counted to three."""
    count = "var c = execution.getVariable('c'); if (!c) { c = 0; }\nvar d = c + 1;\nexecution.setVariable('c', d);\n"
    count += "if (d == 3) { execution.setVariable('done', true) } else { execution.setVariable('done', false) }"
    body = '<startEvent id="s"/><exclusiveGateway id="in"/><userTask id="t"/><exclusiveGateway id="g" default="back"/>'
    body += '<endEvent id="e"/><f a="s" b="in"/><f a="in" b="t"/><f a="t" b="w"/><f a="w" b="g"/>'
    body += '<f id="back" a="g" b="in"/><f a="g" b="e" if="${done}"/>'
    run = drive(body + task(count, "javascript"))
    run.start()
    assert [run.complete("t").completed for _ in range(3)] == [False, False, True]


def test_the_later_of_a_form_and_a_script_counts(drive: Any, host: Any) -> None:
    host.lent = {"x": "typed"}
    body = LINE.format(task("execution.setVariable('x', 'set')")).replace('<f a="w" b="after"/>', "")
    body += '<userTask id="more"/><exclusiveGateway id="g" default="d"/><userTask id="set"/><f a="w" b="more"/>'
    body += '<f a="more" b="g"/><f id="d" a="g" b="after"/><f a="g" b="set" if="${x == \'set\'}"/><f a="set" b="e"/>'
    run = drive(body)
    run.start()
    run.complete("more")
    assert run.open == ["set"]
    run.start()
    host.lent = {"x": "typed again"}
    run.complete("more")
    assert run.open == ["after"]


THROWN = "throw new org.flowable.engine.delegate.BpmnError('E1', 'why')"


def bordered(script: str, language: str, code: str) -> str:
    body = LINE.format(task(script, language)) + '<userTask id="caught"/><f a="b" b="caught"/><f a="caught" b="e"/>'
    body += f'<boundaryEvent id="b" attachedToRef="w"><errorEventDefinition errorRef="{code}"/></boundaryEvent>'
    return body


@pytest.mark.parametrize(
    ("language", "script"),
    [
        ("groovy", THROWN),
        ("groovy", "import org.flowable.engine.delegate.BpmnError;\nthrow new BpmnError('E1');"),
        ("javascript", "var Mine = Packages.org.flowable.engine.delegate.BpmnError;\nthrow new Mine('E1');"),
        ("groovy", "if (1 > 0) { throw new BpmnError('E1') }\nexecution.setVariable('x', 1)"),
    ],
)
def test_an_error_of_a_script_goes_to_the_border_of_its_task(drive: Any, language: str, script: str) -> None:
    run = drive(bordered(script, language, "E1"))
    step = run.start()
    assert run.open == ["caught"]
    assert step.passed == ("s", "b")


def test_an_error_of_a_script_passes_to_the_border_round_it(drive: Any) -> None:
    inner = '<startEvent id="is"/><endEvent id="ie"/><f a="is" b="w"/><f a="w" b="ie"/>' + task(THROWN)
    body = f'<startEvent id="s"/><subProcess id="sub">{inner}</subProcess><endEvent id="e"/><userTask id="caught"/>'
    body += '<boundaryEvent id="b" attachedToRef="sub"><errorEventDefinition/></boundaryEvent><f a="s" b="sub"/>'
    run = drive(body + '<f a="sub" b="e"/><f a="b" b="caught"/><f a="caught" b="e"/>')
    run.start()
    assert run.open == ["caught"]
    assert run.complete("caught").completed


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (THROWN, "no boundary event catches the error “E1”"),
        ("throw new RuntimeException('too late')", "it throws an error: “too late”"),
        ("throw new IllegalStateException(why)", "it throws an error: “IllegalStateException”"),
    ],
)
def test_a_step_is_undone_by_an_error_that_nobody_catches(drive: Any, script: str, reason: str) -> None:
    run = drive(bordered(script, "groovy", "E2"))
    with pytest.raises(engine.EngineError) as caught:
        run.start(why="x")
    assert (caught.value.code, caught.value.text_en) == ("script", f"Error in the script: {reason}")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("for (i in 'abc') { execution.setVariable('x', i) }", "a loop needs a list"),
        ("for (i in l) for (j in l) execution.setVariable('x', i)", "its loops have more than 1000 rounds"),
        ("for (i in l) if (i == 3) throw new Error('third')", "it throws an error: “third”"),
    ],
)
def test_a_loop_that_fails_undoes_the_step(drive: Any, script: str, reason: str) -> None:
    body = LINE.format(task(script)).replace('<startEvent id="s"/>', "").replace('a="s"', 'a="before"')
    run = drive(body + '<startEvent id="b"/><userTask id="before"/><f a="b" b="before"/>')
    state = run.start(l=list(range(32))).state
    step = run.complete("before")
    assert [(fault.node, fault.code) for fault in step.faults] == [("w", "script")]
    assert reason in step.faults[0].text_en
    assert run.open == [] and state != step.state


def test_a_loop_raises_its_error_for_the_border(drive: Any) -> None:
    run = drive(bordered("for (i in l) if (i == 3) throw new BpmnError('E1')", "groovy", "E1"))
    run.start(l=[1, 2])
    assert run.open != ["caught"]
    run = drive(bordered("for (i in l) if (i == 3) throw new BpmnError('E1')", "groovy", "E1"))
    run.start(l=[1, 2, 3])
    assert run.open == ["caught"]


def service(said: str, more: str = "") -> str:
    return f'<serviceTask id="w" flowable:expression="{escape(said)}" {more}/>'


@pytest.mark.parametrize(
    ("said", "more", "value"),
    [
        ("${execution.setVariable('x', n + 1)}", "", 4),
        ("${n * 2}", 'flowable:resultVariable="x"', 6),
        ("n is #{n}", 'flowable:resultVariableName="x"', "n is 3"),
        ("${execution.getVariable('missing') == null ? 'none' : 'some'}", 'flowable:resultVariable="x"', "none"),
    ],
)
def test_an_expression_of_a_service_task_that_only_sets_a_variable_calls_nothing(
    drive: Any, xml: Any, said: str, more: str, value: Any
) -> None:
    body = LINE.format(service(said, more))
    assert told(xml(body)) == []
    run = drive(body)
    step = run.start(n=3)
    instance = decode(run.spec, step.state, run.host)
    assert instance.names(next(iter(instance.tasks.values())))["x"] == value
    assert (run.open, run.host.calls) == (["after"], [])


@pytest.mark.parametrize(
    ("said", "more", "operation"),
    [
        ("${bean.run(execution)}", 'flowable:resultVariable="x"', "bean.run(execution)"),
        ("${notify}", 'flowable:resultVariable="x"', "notify"),
        ("${n * 2}", "", "n * 2"),
        ("${execution.setVariable('x', bean.run())}", "", "execution.setVariable('x', bean.run())"),
    ],
)
def test_any_other_expression_of_a_service_task_is_an_operation(
    drive: Any, xml: Any, said: str, more: str, operation: str
) -> None:
    run = drive(LINE.format(service(said, more)))
    run.start(n=3)
    assert run.host.calls == [(operation, "w")]
    lost = [("w", "no_effect", "“resultVariable” is not supported and will be ignored")]
    assert told(xml(LINE.format(service(said, more)))) == (lost if more else [])


def test_a_script_is_done_for_each_of_a_list(drive: Any) -> None:
    count = (
        "def s = execution.getVariable('sum')\nif (s == null) { s = 0 }\nexecution.setVariable('sum', s + loopCounter)"
    )
    loop = "<multiInstanceLoopCharacteristics><loopCardinality>4</loopCardinality></multiInstanceLoopCharacteristics>"
    body = LINE.format(task(count).replace("</scriptTask>", loop + "</scriptTask>"))
    body = body.replace(
        '<f a="w" b="after"/>', '<exclusiveGateway id="g" default="d"/><f a="w" b="g"/><f id="d" a="g" b="e"/>'
    )
    run = drive(body + '<f a="g" b="after" if="${sum == 6}"/>')
    run.start()
    assert run.open == ["after"]


def given(script: str, *inputs: str, language: str = "groovy") -> str:
    inside = "".join(f"<flowable:in {one}/>" for one in inputs)
    return LINE.format(
        task(script, language).replace("<script>", f"<extensionElements>{inside}</extensionElements><script>")
    )


def test_a_script_is_given_values_under_names_of_its_own(drive: Any, xml: Any) -> None:
    body = given("execution.setVariable('x', a + b)", 'source="n" target="a"', 'sourceExpression="${n * 2}" target="b"')
    body = body.replace('<f a="w" b="after"/>', '<exclusiveGateway id="g" default="d"/><f a="w" b="g"/>')
    body += '<f id="d" a="g" b="e"/><f a="g" b="after" if="${x == 9}"/>'
    run = drive(body)
    run.start(n=3, a=100)
    assert run.open == ["after"]
    assert told(xml(body)) == []


@pytest.mark.parametrize(
    ("one", "language", "code"),
    [
        ('source="n" target="a b"', "groovy", "“in” cannot be converted to an expression"),
        ('source="n" target="a"', "juel", "“in” cannot be converted to an expression"),
        ('source="" target="a"', "groovy", "syntax error"),
    ],
)
def test_what_cannot_be_given_to_a_script_is_refused(xml: Any, one: str, language: str, code: str) -> None:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(given("${a}" if language == "juel" else "println 1", one, language=language)))
    assert [(problem.element, problem.code) for problem in caught.value.problems] == [("w", "script")]
    assert code in caught.value.problems[0].text_en


@pytest.mark.parametrize(
    ("language", "script", "reason"),
    [
        ("groovy", "", "it is empty"),
        ("python", "x = 1", "its language is not supported"),
        ("groovy", "x" * 5_001, "the text is too long"),
        ("juel", "1", "syntax error"),
        ("juel", "${execution.parent.id}", "“execution” cannot be converted to an expression"),
        ("groovy", "new File('/tmp/x').delete()", "“new” cannot be converted to an expression"),
        ("groovy", "'id'.execute()", "“execute” cannot be converted to an expression"),
        ("groovy", "println('id'.execute())", "“execute” cannot be converted to an expression"),
        ("groovy", "println 'id'.execute().text", "“execute” cannot be converted to an expression"),
        ("groovy", "println \"${'id'.execute()}\"", "“execute” cannot be converted to an expression"),
        ("javascript", "lang.Runtime.getRuntime().exec('id')", "“getRuntime” cannot be converted to an expression"),
        ("javascript", "eval('1')", "“eval” cannot be converted to an expression"),
        ("javascript", "while (true) {}", "“while” cannot be converted to an expression"),
        ("javascript", "for (var i = 0; i < 9; i++) {}", "“for” cannot be converted to an expression"),
        ("javascript", "for (const i in n) {}", "“for” cannot be converted to an expression"),
        ("groovy", "for (i of n) {}", "“for” cannot be converted to an expression"),
        ("groovy", "def i = 1\nfor (i in n) {}", "“for” cannot be converted to an expression"),
        ("groovy", "for (i in n) { y = i }", "“y” cannot be converted to an expression"),
        ("groovy", "n++", "“+” cannot be converted to an expression"),
        ("javascript", "var a = n, b;", "“,” cannot be converted to an expression"),
        ("groovy", "list.add('x')", "“add” cannot be converted to an expression"),
        ("groovy", "list << 'x'", "“<” cannot be converted to an expression"),
        ("groovy", "execution.setVariable('a' + n, 1)", "“+” cannot be converted to an expression"),
        ("groovy", "execution.setVariable(\"a$n\", 1)", "“,” cannot be converted to an expression"),
        ("groovy", "execution.setOther('a', 1)", "“execution.setOther” cannot be converted to an expression"),
        ("groovy", "execution.setVariable('form', 1)", "the variable name “form” is invalid or reserved"),
        ("groovy", "execution.setVariable('outcome', 'x')", "the variable name “outcome” is invalid or reserved"),
        ("groovy", "if (n) { y = 1 }\nexecution.setVariable('x', y)", "“y” cannot be converted to an expression"),
        ("groovy", "execution.setVariable('x', script)", "“script” cannot be converted to an expression"),
        ("groovy", "execution.setVariable('x', 1) y = 1", "“y” cannot be converted to an expression"),
        ("groovy", "/* no end", "“/* no end” cannot be converted to an expression"),
        ("groovy", "x = 'no end", "“'no end” cannot be converted to an expression"),
        ("groovy", "x = [a: 1]", "“:” cannot be converted to an expression"),
        ("groovy", "}", "“}” cannot be converted to an expression"),
        ("groovy", "if (n) {", "syntax error"),
        ("groovy", "n", "“n” cannot be converted to an expression"),
        ("groovy", "x = " + "(" * 30 + "n" + ")" * 30, "too many nested levels"),
        ("groovy", "if (n) {" * 30 + "}" * 30, "too many nested levels"),
        ("groovy", "x = " + "(" * 6 + "n" + " ? 1 : 2)" * 6, "the text is too long"),
    ],
)  # fmt: skip
def test_a_script_that_is_more_is_refused_with_a_reason(xml: Any, language: str, script: str, reason: str) -> None:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(LINE.format(task(script, language))))
    (problem,) = caught.value.problems
    assert (problem.element, problem.code, problem.text_en) == ("w", "script", f"Error in the script: {reason}")
    assert problem.text_zh.startswith("脚本有误：")


def test_a_result_that_is_none_is_refused(xml: Any) -> None:
    body = LINE.format(task("execution.setVariable('y', 1)", "groovy", 'flowable:resultVariable="x"'))
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(body))
    assert caught.value.problems[0].text_en == "Error in the script: it returns no result"


@pytest.mark.parametrize(
    "script",
    ["/*" * 2_500, "'" * 5_000, "\"${" * 1_600, "(" * 5_000, "!" * 5_000, "-" * 5_000, "a." * 2_500, "a+" * 2_500,
     "if(a)" * 1_000, "else " * 1_000, "def " * 1_250, "a?b:" * 1_250, "\\" * 5_000, "\n" * 5_000 + "x", "a[" * 2_500],
)  # fmt: skip
@pytest.mark.parametrize("language", ["groovy", "javascript", "juel"])
def test_no_script_keeps_the_reader_busy(xml: Any, language: str, script: str) -> None:
    begin = time.process_time()
    with pytest.raises(engine.ModelError):
        engine.parse(xml(LINE.format(task(script, language))))
    assert time.process_time() - begin < 1


def told(xml: bytes) -> list[tuple[str, str, str]]:
    root = engine.read(xml)
    found = [*engine.adopt(root), *engine.advise(root)]
    return [(problem.element, problem.code, problem.text_en) for problem in found]


def test_what_of_a_script_has_no_effect_is_told(xml: Any) -> None:
    body = LINE.format(
        task("println 'a'\nThread.sleep(5)\nprintln 'b'", "groovy", 'flowable:autoStoreVariables="false"')
    )
    assert told(xml(body)) == [
        ("w", "no_effect", "“println”, “Thread.sleep” are not supported and will be ignored"),
    ]


@pytest.mark.parametrize(
    ("code", "warnings"),
    [
        ("E1", []),
        ("", []),
        ("E2", [("w", "uncaught", "No boundary event catches the script's error: the process stops here")]),
    ],
)
def test_who_catches_a_script_s_error_is_known(xml: Any, code: str, warnings: list[tuple[str, str, str]]) -> None:
    assert told(xml(bordered(THROWN, "groovy", code))) == warnings


def test_a_border_of_a_script_that_raises_nothing_is_told(xml: Any) -> None:
    body = bordered("println 1", "groovy", "E1")
    assert [code for _element, code, _text in told(xml(body))] == ["no_effect", "never_raised"]


def test_a_script_task_is_not_offered_to_who_draws() -> None:
    assert "scriptTask" not in engine.runnable() and "task" in engine.runnable()


def test_a_step_is_told_what_scripts_have_set_for_it(drive: Any, host: Any) -> None:
    loop = '<multiInstanceLoopCharacteristics flowable:collection="${people}" flowable:elementVariable="one"/>'
    body = LINE.format(task("execution.setVariable('people', ['ann', 'bob'])\nexecution.setVariable('x', 1)"))
    body = body.replace('<userTask id="after"/>', f'<userTask id="after">{loop}</userTask>')
    host.lent = {"x": None}
    run = drive(body)
    step = run.start()
    assert [(one.names["one"], one.names["people"], one.names["x"]) for one in step.tasks] == [
        ("ann", ["ann", "bob"], 1),
        ("bob", ["ann", "bob"], 1),
    ]
    host.lent = {"x": 5}
    assert "x" not in run.complete("after").tasks[0].names
