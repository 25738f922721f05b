"""Compare two shortcuts by their effects over several simulated runs.

Inputs are drawn from the texts and numbers in the shortcuts, and from values near them, because the
shortcuts' conditions compare inputs with these values. Every second input is drawn from values that
only one shortcut contains.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeVar

import msgspec

from benchloom.core.built_in_actions import built_in
from benchloom.core.records import Shortcut
from benchloom.device.answers import AnswersFile, Draws
from benchloom.device.items import Content, Url, plain
from benchloom.device.items.coercion import small
from benchloom.device.runs import Execution, run
from benchloom.worlds.everyday import NOW
from benchloom.worlds.everyday.rules import drawn

T = TypeVar("T")
STARTS = 64
_LARGEST = 1e12
_OBJECT = "\ufffc"  # replaces a token in a text
_NAMES = frozenset(
    {
        *("Type", "VariableName", "WFVariableName", "OutputUUID", "OutputName", "UUID"),
        *("WFSerializationType", "GroupingIdentifier", "CustomOutputName", "WFCommentActionText"),
    }
)
"""The fields of shortcuts that contain only names, which no step reads as data."""
_MAX_STEPS = 50_000
_MAX_LITERALS = 60
_LONGEST = 60
_LONGEST_LIST = 300
_NUMBERS = (0, 1, 2, 5, 10, 42, 100, -4, 2.5)
_TEXTS = ("tea", "two words", "A, b\nc", "7", "https://example.com/tea?x=1", "2027-05-01", "[1, 2]")
_CLOCKS = (
    NOW,
    "2027-03-20T19:30:00+00:00",
    "2027-12-31T23:59:00+00:00",
    "2028-02-29T06:05:00+00:00",
)
_COMPARED = frozenset({"finished", "failed"})
_OUTPUTS = built_in("output")


class Comparison(msgspec.Struct, frozen=True):
    """The verdict on two shortcuts; `sentence` explains it.

    `starts` counts the initial states from which both shortcuts ran. If it is 0, the device cannot
    run one of the shortcuts, so the verdict is unknown.
    """

    verdict: Literal["equal", "different", "unknown"]
    sentence: str
    starts: int


def compare(first: Shortcut, second: Shortcut) -> Comparison:
    """Compare two shortcuts by their effects in at most `STARTS` runs with simulated answers.

    Each run has another initial state; the comparison ends early after 50,000 steps. Effects of the
    same kind must be in the same order. The order of effects of different kinds does not matter,
    nor does the order of questions. The final states are compared, too. The outputs are compared if
    a shortcut contains the action Stop and Output, or if no run has an effect.
    """
    literals = [set(_literals(shortcut)) for shortcut in (first, second)]
    changed, pool = (_sorted(literals[0] ^ literals[1]), _sorted(literals[0] | literals[1]))
    has_output = any(action.identifier in _OUTPUTS for action in (*first.actions, *second.actions))
    pairs: list[tuple[Execution, Execution]] = []
    reason = ""
    for number in range(STARTS):
        start = _Start(number, changed, pool)
        left, right = start.run(first), start.run(second)
        stopped = next((ran for ran in (left, right) if ran.outcome not in _COMPARED), None)
        if stopped is not None:
            reason = reason or stopped.message
            continue
        pairs.append((left, right))
        if difference := _difference(left, right, has_output=has_output):
            return Comparison("different", f"With {start.sentence}, {difference}.", len(pairs))
        if sum(left.steps + right.steps for left, right in pairs) > _MAX_STEPS:
            break
    if not pairs:
        return Comparison("unknown", f"The shortcuts cannot be compared: {reason}.", 0)
    if not any(left.effects or right.effects for left, right in pairs):
        for left, right in pairs:
            if left.output != right.output:
                outputs = (_short(left.output), _short(right.output))
                sentence = f"The first returns {outputs[0]}, and the second returns {outputs[1]}."
                return Comparison("different", sentence, len(pairs))
    return Comparison("equal", f"Both did the same from {len(pairs)} initial states.", len(pairs))


class _Start:
    """The initial state of two runs: an input, a clipboard, a clock, and pseudo-random answers.

    `number` determines all of them. The values are drawn from `changed` if `number` is odd, and
    else from `pool`.
    """

    def __init__(self, number: int, changed: list[str], pool: list[str]) -> None:
        source = changed if changed and number % 2 else pool
        numbers = [float(text) for text in source if _is_number(text)]
        numbers_near = [value + step for value in numbers for step in (-1, 0, 1)]
        sizes = sorted({int(value) for value in numbers_near if 0 < value <= _LONGEST_LIST})
        texts = (*source, *_TEXTS, *("w\n" * size for size in sizes))
        self._draws = Draws(number, (*map(small, numbers_near), *_NUMBERS), texts)
        self._clock = _CLOCKS[number % len(_CLOCKS)]
        self._clipboard = _draw((None, *texts), number, "clipboard") if number else None
        text = _draw(texts, number, "input")
        inputs: tuple[Content, ...] = (
            (),
            (text,),
            (_draw(self._draws.numbers, number, "input"),),
            (text, _draw(texts, number, "second")),
            (Url("https://example.com/tea?x=1"),),
            ({"name": text, "count": number},),
        )
        self._input = _draw(inputs, number, "kind")

    @property
    def sentence(self) -> str:
        """A phrase that describes the input and the clipboard of this initial state."""
        input_text = _short([plain(item) for item in self._input]) if self._input else "nothing"
        return f"the input {input_text} and the clipboard {_short(self._clipboard)}"

    def run(self, shortcut: Shortcut) -> Execution:
        """Run a shortcut from this initial state."""
        file = AnswersFile(clipboard=self._clipboard, now=self._clock)
        return run(shortcut, self._input, answers=file, draws=self._draws)


def _draw(values: Sequence[T], number: int, name: str) -> T:
    return values[drawn(len(values), str(number), name)]


def _difference(left: Execution, right: Execution, *, has_output: bool) -> str:
    if left.outcome != right.outcome:
        return f"the first {_ending(left)} and the second {_ending(right)}"
    by_kind = [_by_kind(execution) for execution in (left, right)]
    for kind in sorted(by_kind[0] | by_kind[1]):
        effects, others = (kinds.get(kind, []) for kinds in by_kind)
        if effects != others:
            return (
                f"the first has the effects '{kind}' {_short(effects)}, "
                f"and the second has {_short(others)}"
            )
    questions = [
        sorted((question.prompt, question.answer) for question in ran.questions)
        for ran in (left, right)
    ]
    if questions[0] != questions[1]:
        return f"the first asks {_short(questions[0])}, and the second {_short(questions[1])}"
    for name in left.state:
        if left.state[name] != right.state[name]:
            values = (_short(left.state[name]), _short(right.state[name]))
            return f"the final {name} is {values[0]} after the first, {values[1]} after the second"
    if has_output and left.output != right.output:
        outputs = (_short(left.output), _short(right.output))
        return f"the first returns {outputs[0]}, and the second returns {outputs[1]}"
    return ""


def _ending(execution: Execution) -> str:
    return "ends" if execution.outcome == "finished" else f"stops ({execution.message})"


def _by_kind(execution: Execution) -> dict[str, list[Mapping[str, object]]]:
    """Return a mapping from each kind of effect to the details of its effects, in order.

    Changes of the clipboard are left out, because the final state contains the clipboard.
    """
    kinds: dict[str, list[Mapping[str, object]]] = {}
    for effect in execution.effects:
        if effect.kind != "clipboard":
            kinds.setdefault(effect.kind, []).append(effect.details)
    return kinds


def _literals(shortcut: Shortcut) -> Iterator[str]:
    waiting: list[object] = [
        msgspec.json.decode(argument.value)
        for action in shortcut.actions
        for argument in action.arguments
        if argument.name not in _NAMES
    ]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += (part for name, part in value.items() if name not in _NAMES)
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            for piece in str(value).split(_OBJECT):
                if 0 < len(piece.strip()) <= _LONGEST:
                    yield piece.strip()


def _sorted(literals: set[str]) -> list[str]:
    return sorted(literals)[:_MAX_LITERALS]


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) < _LARGEST
    except ValueError:
        return False


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
