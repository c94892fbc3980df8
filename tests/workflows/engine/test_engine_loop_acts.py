"""Every mode of a countersign with the very vote that ends it, and signers who are added and removed while it runs."""

import random
from typing import Any

import pytest

from tests.workflows.engine.test_engine_codec import guarded as guarded
from tests.workflows.engine.test_engine_multi_instance import asked, sign, signers
from workflows import engine

BESIDE, IN_TURN = "", 'isSequential="true"'
SHARE, WEIGHT = "votes.agree * 100 &gt;= nrOfInstances * 60", "weights.agree * 100 &gt;= totalWeight * 60"
TOLD = "${{nrOfInstances == 0 ? '' : {yes} ? 'agree' : 'reject'}}"
MODES: dict[str, tuple[str, str]] = {
    "all": ("votes.agree &lt; nrOfCompletedInstances", ""),
    "any": ("nrOfCompletedInstances &gt;= 1", ""),
    "ratio": (
        f"{SHARE} || (votes.agree + nrOfInstances - nrOfCompletedInstances) * 100 &lt; nrOfInstances * 60",
        TOLD.format(yes=SHARE),
    ),
    "weighted": (
        f"{WEIGHT} || (weights.agree + totalWeight - completedWeight) * 100 &lt; totalWeight * 60",
        TOLD.format(yes=WEIGHT),
    ),
    "everybody": ("", ""),
}  # fmt: skip
"""By mode the completion condition and the outcome as the designer writes them."""
WEIGHTS = 'xw:weights="user:a=3, user:b=2, *=1"'


def drawn(mode: str, order: str = BESIDE) -> str:
    """A countersign of form.people in this mode: `w`, and a gateway that asks for a rejection."""
    until, outcome = MODES[mode]
    condition = f"<completionCondition>${{{until}}}</completionCondition>" if until else ""
    said = f'xw:outcome="{outcome}"' if outcome else ""
    weights = WEIGHTS if mode == "weighted" else ""
    return asked(
        '<multiInstanceLoopCharacteristics xw:collection="form.people" xw:elementVariable="signer" '
        f"{order} {weights} {said}>{condition}</multiInstanceLoopCharacteristics>"
    )


def begun(drive: Any, mode: str, order: str = BESIDE, people: str = "abcd") -> Any:
    run = drive(drawn(mode, order))
    run.start(form={"people": list(people)})
    return run


def ended(step: engine.Step) -> str:
    """How the countersign was decided: the end that the process came to."""
    return step.passed[-1] if step.completed else ""


def task_of(run: Any, signer: str) -> str:
    return next(str(one.task) for one in run.step.tasks if one.names["signer"] == signer)


def add(run: Any, people: str, beside: str, *, is_next: bool = False) -> engine.Step:
    added = [(person, {"person": person}) for person in people]
    run.step = engine.add_loop_instances(
        run.spec, run.step.state, task_of(run, beside), added, run.host, is_next=is_next
    )
    return run.step  # type: ignore[no-any-return]


def remove(run: Any, signer: str) -> engine.Step:
    run.step = engine.remove_loop_instance(run.spec, run.step.state, task_of(run, signer), run.host)
    return run.step  # type: ignore[no-any-return]


# Four people of whom `a` weighs 3, `b` 2, the others 1 each: of 7, 4.2 are needed. + agrees, - rejects.
@pytest.mark.parametrize("order", [BESIDE, IN_TURN])
@pytest.mark.parametrize(
    ("mode", "votes", "end"),
    [
        ("all", "++++", "yes"),
        ("all", "+-", "no"),
        ("all", "-", "no"),
        ("any", "+", "yes"),
        ("any", "-", "no"),
        ("ratio", "+++", "yes"),
        ("ratio", "+-++", "yes"),
        ("ratio", "--", "no"),
        ("ratio", "++--", "no"),
        ("weighted", "++", "yes"),
        ("weighted", "+-++", "yes"),
        ("weighted", "-", "no"),
        ("weighted", "+--", "no"),
        ("everybody", "+-+-", "no"),
        ("everybody", "-+-+", "yes"),
    ],
)
def test_each_mode_ends_with_the_vote_that_decides(
    drive: Any, guarded: list[bytes], mode: str, votes: str, end: str, order: str
) -> None:
    run = begun(drive, mode, order)
    for signer, vote in zip("abcd", votes, strict=False):
        assert (run.step.completed, signer in signers(run.step)) == (False, True)
        sign(run, signer, "agree" if vote == "+" else "reject")
    assert ended(run.step) == end
    assert run.step.decided == {"w": "agree" if end == "yes" else "reject"}


@pytest.mark.parametrize("mode", ["ratio", "weighted"])
def test_nobody_to_sign_decides_nothing(drive: Any, mode: str) -> None:
    run = begun(drive, mode, people="")
    assert (ended(run.step), run.step.decided) == ("yes", {"w": ""})  # the default flow


def test_whoever_is_added_beside_counts_at_once(drive: Any, guarded: list[bytes]) -> None:
    run = begun(drive, "all", people="ab")
    sign(run, "a", "agree")
    step = add(run, "x", "b")
    tasks = [(one.names["signer"], one.names["nrOfInstances"], one.loop_instance, dict(one.note)) for one in step.tasks]
    assert tasks == [("b", 3, ".1", {}), ("x", 3, ".2", {"person": "x"})]
    assert len({one.activity for one in step.tasks}) == 1 and step.tasks[0].activity
    assert sign(run, "b", "agree").completed is False
    assert ended(sign(run, "x", "reject")) == "no"


def test_in_turn_the_next_and_the_last(drive: Any, guarded: list[bytes]) -> None:
    run = begun(drive, "all", IN_TURN, "ab")
    add(run, "y", "a")
    add(run, "wx", "a", is_next=True)
    add(run, "z", "a")
    asked = []
    while not run.step.completed:
        (task,) = run.step.tasks
        asked.append((task.names["signer"], task.loop_instance, dict(task.note)))
        sign(run, task.names["signer"], "agree")
    assert asked == [
        ("a", ".0", {}),
        ("w", ".1", {"person": "w"}),
        ("x", ".2", {"person": "x"}),
        ("b", ".3", {}),
        ("y", ".4", {"person": "y"}),
        ("z", ".5", {"person": "z"}),
    ]
    assert ended(run.step) == "yes"


def test_what_is_to_come_is_told_and_can_be_removed(drive: Any, guarded: list[bytes]) -> None:
    run = begun(drive, "weighted", IN_TURN, "abc")
    add(run, "y", "a")
    add(run, "x", "a", is_next=True)
    task = task_of(run, "a")
    found = engine.loop_instances(run.spec, run.step.state, task)
    assert found == engine.LoopInstances(True, (task,), {1: {"person": "x"}, 4: {"person": "y"}})
    run.step = engine.remove_loop_instance(run.spec, run.step.state, task, run.host, (), 1)
    found = engine.loop_instances(run.spec, run.step.state, task)
    assert found is not None and found.to_come == {3: {"person": "y"}}
    with pytest.raises(engine.TaskNotOpen):  # one that was drawn is none that was added
        engine.remove_loop_instance(run.spec, run.step.state, task, run.host, (), 1)
    sign(run, "a", "agree")  # 3 of 7
    assert signers(sign(run, "b", "reject")) == ["c"]
    assert signers(sign(run, "c", "agree")) == ["y"]  # 4 of 7, and 4.2 are needed
    assert ended(sign(run, "y", "agree")) == "yes"


@pytest.mark.parametrize("order", [BESIDE, IN_TURN])
def test_who_is_removed_is_not_waited_for(drive: Any, guarded: list[bytes], order: str) -> None:
    run = begun(drive, "all", order, "abc")
    step = remove(run, "a")
    assert (signers(step), step.passed) == (["b", "c"] if order == BESIDE else ["b"], ())
    assert sign(run, "b", "agree").completed is False
    assert ended(sign(run, "c", "agree")) == "yes"


def test_the_last_open_one_who_is_removed_ends_it_as_those_decided_who_signed(drive: Any) -> None:
    run = begun(drive, "all", people="ab")
    sign(run, "a", "agree")
    step = remove(run, "b")
    assert (ended(step), step.decided, step.passed) == ("yes", {"w": "agree"}, ("g", "yes"))
    run = begun(drive, "everybody", people="ab")
    sign(run, "a", "reject")
    assert ended(remove(run, "b")) == "no"


@pytest.mark.parametrize(
    ("mode", "votes", "removed", "end"),
    [
        ("ratio", "++-", "d", "yes"),  # two of three agreed, though the last one did not
        ("ratio", "-+", "cd", "no"),  # one of two did not, though the last one agreed
        ("weighted", "+-", "cd", "yes"),  # 3 of 5
    ],
)
def test_a_removal_that_decides_ends_it_as_the_votes_say(
    drive: Any, guarded: list[bytes], mode: str, votes: str, removed: str, end: str
) -> None:
    run = begun(drive, mode)
    for signer, vote in zip("abcd", votes, strict=False):
        sign(run, signer, "agree" if vote == "+" else "reject")
    for signer in removed:
        assert not run.step.completed
        remove(run, signer)
    assert ended(run.step) == end


def test_nobody_is_removed_where_nobody_or_no_result_would_be_left(drive: Any) -> None:
    run = begun(drive, "all", people="a")
    with pytest.raises(engine.LoopNotChanged, match="至少须有一人会签"):
        remove(run, "a")
    until = "votes.agree * 2 &gt;= nrOfInstances"
    run = drive(asked(
        '<multiInstanceLoopCharacteristics xw:collection="form.people" xw:elementVariable="signer">'
        f"<completionCondition>${{{until}}}</completionCondition></multiInstanceLoopCharacteristics>"
    ))  # fmt: skip
    run.start(form={"people": list("abcdef")})
    sign(run, "a", "agree")
    sign(run, "b", "agree")
    sign(run, "c", "reject")
    remove(run, "f")
    before = run.step
    with pytest.raises(engine.LoopNotChanged, match="无法确定会签结果"):
        remove(run, "e")
    assert signers(run.step) == ["d", "e"] and run.step is before


def test_two_hundred_at_most(drive: Any) -> None:
    run = drive(drawn("all"))
    run.start(form={"people": [f"p{number}" for number in range(200)]})
    with pytest.raises(engine.LoopNotChanged, match="会签人数已达上限"):
        add(run, "x", "p0")
    sign(run, "p1", "agree")
    remove(run, "p2")
    assert len(add(run, "x", "p0").tasks) == 199


def test_a_task_that_does_not_wait_or_is_in_no_loop_is_left_alone(drive: Any) -> None:
    run = begun(drive, "all", people="ab")
    task = task_of(run, "a")
    sign(run, "a", "agree")
    for act in (
        lambda: engine.add_loop_instances(run.spec, run.step.state, task, [("x", {})], run.host, is_next=False),
        lambda: engine.remove_loop_instance(run.spec, run.step.state, task, run.host),
    ):
        with pytest.raises(engine.TaskNotOpen):
            act()
    assert engine.loop_instances(run.spec, run.step.state, task) is None
    plain = drive('<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>')
    step = plain.start()
    assert step.tasks[0].activity == ""
    with pytest.raises(engine.TaskNotOpen):
        engine.remove_loop_instance(plain.spec, step.state, step.tasks[0].task, plain.host)


class Counted:
    """A countersign as one counts it by hand: who is asked, who comes later, and what was said."""

    def __init__(self, mode: str, in_turn: bool, people: list[str]) -> None:
        self.mode, self.in_turn = mode, in_turn
        self.asked, self.later = (people[:1], people[1:]) if in_turn else (people, [])
        self.said: list[tuple[str, bool]] = []
        self.end = ""

    def vote(self, person: str, agrees: bool) -> None:
        self.asked.remove(person)
        self.said.append((person, agrees))
        self.go_on()

    def add(self, person: str, is_next: bool) -> None:
        if self.in_turn:
            self.later.insert(0 if is_next else len(self.later), person)
        else:
            self.asked.append(person)

    def remove(self, person: str) -> None:
        (self.asked if person in self.asked else self.later).remove(person)
        self.go_on()

    def go_on(self) -> None:
        left = [*self.asked, *self.later]
        self.end = self.decided(left) if self.said else ""
        if self.end:
            self.asked, self.later = [], []
        elif not self.asked:
            self.asked = [self.later.pop(0)]

    def decided(self, left: list[str]) -> str:
        if self.mode == "everybody":
            return "" if left else "yes" if self.said[-1][1] else "no"
        if self.mode == "all":
            return "no" if not self.said[-1][1] else "" if left else "yes"
        weight = (lambda one: {"a": 3, "b": 2}.get(one, 1)) if self.mode == "weighted" else (lambda one: 1)
        yes = sum(weight(person) for person, agrees in self.said if agrees)
        whole = sum(weight(person) for person, _agrees in self.said) + sum(map(weight, left))
        if yes / whole >= 0.6:
            return "yes"
        return "no" if (yes + sum(map(weight, left))) / whole < 0.6 else ""


@pytest.mark.parametrize("mode", ["all", "ratio", "weighted", "everybody"])
@pytest.mark.parametrize("order", [BESIDE, IN_TURN])
def test_random_acts_beside_a_count_by_hand(drive: Any, mode: str, order: str) -> None:
    ends = set[str]()
    for seed in range(12):
        chance = random.Random(seed)
        run, counted = begun(drive, mode, order), Counted(mode, order == IN_TURN, list("abcd"))
        names = iter("efghijklmnopqrstuvwxyz")
        while not counted.end:
            act, person = chance.choice(["vote", "vote", "add", "remove", "to come"]), chance.choice(counted.asked)
            beside = engine.loop_instances(run.spec, run.step.state, task_of(run, person))
            assert beside is not None
            if act == "vote":
                agrees = chance.random() < 0.6
                counted.vote(person, agrees)
                sign(run, person, "agree" if agrees else "reject")
            elif act == "add" and len(counted.asked) + len(counted.later) < 8:
                new, is_next = next(names, ""), chance.random() < 0.5
                if new:
                    counted.add(new, is_next)
                    add(run, new, person, is_next=is_next)
            elif act == "remove" and len(counted.said) + len(counted.asked) + len(counted.later) > 1:
                counted.remove(person)
                remove(run, person)
            elif act == "to come" and beside.to_come:
                number, note = chance.choice(sorted(beside.to_come.items()))
                counted.remove(note["person"])
                run.step = engine.remove_loop_instance(
                    run.spec, run.step.state, task_of(run, person), run.host, (), number
                )
            assert (sorted(signers(run.step)), ended(run.step)) == (sorted(counted.asked), counted.end), (seed, act)
        ends.add(counted.end)
    assert ends == {"yes", "no"}


@pytest.mark.parametrize("weights", ["role:hr", "role:hr=0", "role:hr=1001", "role:hr=1,role:hr=2", "hr=2", "*=${1}"])
def test_weights_that_cannot_be_read_are_refused(xml: Any, weights: str) -> None:
    body = drawn("weighted").replace(WEIGHTS, f'xw:weights="{weights}"')
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(body))
    assert [(one.element, one.code) for one in caught.value.problems] == [("w", "many_weights")]
