"""Run the calls of an output, for the metrics `pass_rate` and `win_rate`.

`pass_rate` is the share of outputs whose calls all run, and `win_rate` the share of outputs whose
result is the recorded answer.
"""

import math
from collections.abc import Mapping, Sequence

import msgspec

from benchloom.core.records.values import Plain, refs_in
from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks.nestful.calls import Plan, outputs_of, parameters_of
from benchloom.evaluate.sandbox.runner import Ran, Run, Runner
from benchloom.exchange.examples import Example, Finding
from benchloom.exchange.foreign.losses import labelled_value

_RELATIVE, _ABSOLUTE = 1e-6, 1e-12


class Executed(msgspec.Struct, frozen=True):
    """The counts and faults of an output that was run; empty if the gold calls cannot be run."""

    counts: dict[str, float]
    findings: tuple[Finding, ...] = ()


class Execution:
    """Runs the calls in outputs with the functions of one folder or zip file."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def of(self, example: Example, gold: Plan, predicted: Plan | None, rules: Rules) -> Executed:
        """Run the calls of a predicted plan, which is None for an unreadable output.

        A sample is run if the functions of all its gold calls are available. The result is compared
        with the recorded answer in gold. Under the rule set `right`, the gold calls are run first:
        if they fail, the sample is left out, and if they return another value than the recorded
        answer, the sample counts for `pass_rate` only.
        """
        if not gold.calls or not all(self._runner.knows(call.name) for call in gold.calls):
            return Executed({})
        answer = _gold_answer(example)
        counts = {"runs": 1.0}
        if rules == "right":
            own = self._ran(example, gold, rules)
            if own.error:
                return Executed({})
            if not isinstance(answer, msgspec.UnsetType) and not _wins(answer, own):
                answer = msgspec.UNSET
        if not isinstance(answer, msgspec.UnsetType):
            counts["answers"] = 1.0
        if predicted is None or not predicted.calls:
            return Executed(counts)
        ran = self._ran(example, predicted, rules)
        findings: list[Finding] = []
        if ran.error:
            findings.append(Finding("failed_call", f"call {ran.ran}: {ran.error}, {ran.message}"))
        elif rules == "right" or _names(gold) == _names(predicted):
            counts["passes"] = 1.0
        if not isinstance(answer, msgspec.UnsetType):
            outputs = outputs_of(example)
            several = any(len(outputs.get(call.name, ())) > 1 for call in predicted.calls)
            won = _wins(answer, ran) if rules == "right" else _won(answer, ran, several=several)
            if won:
                counts["wins"] = 1.0
            elif not ran.error:
                findings.append(
                    Finding(
                        "wrong_answer", "the result of the calls differs from the recorded answer"
                    )
                )
        return Executed(counts, tuple(findings))

    def _ran(self, example: Example, predicted: Plan, rules: Rules) -> Ran:
        declared, outputs = parameters_of(example), outputs_of(example)
        runs = [
            Run(
                call.name,
                tuple(call.arguments.items()),
                declared.get(call.name, ()),
                outputs.get(call.name, ()),
            )
            for call in predicted.calls
        ]
        return self._runner.run(runs, predicted.answer, "name" if rules == "right" else "place")


def _names(plan: Plan) -> Sequence[str]:
    return [call.name for call in plan.calls]


def _won(answer: Plain, ran: Ran, *, several: bool) -> bool:
    """Whether an output's result equals the recorded answer in the published comparison.

    A failed run, or a call with several outputs, has the result `False`, which equals 0. If the
    answer is a float, the result is rounded to the number of decimals in Python's text of the
    answer; an answer in exponent notation never matches.
    """
    value: Plain = False if ran.error or several else ran.value
    if isinstance(answer, float):
        digits = str(answer).partition(".")[2]
        if not digits.isdecimal():
            return False
        if isinstance(value, float):
            value = round(value, len(digits))
    return answer == value


def _gold_answer(example: Example) -> "Plain | msgspec.UnsetType":
    answer = example.answer
    if isinstance(answer, msgspec.UnsetType) or answer is None:
        return msgspec.UNSET
    return msgspec.UNSET if next(refs_in(answer), None) is not None else labelled_value(answer, "")


def _wins(answer: Plain, ran: Ran) -> bool:
    if ran.error:
        return False
    if same_value(answer, ran.value):
        return True
    return (
        isinstance(ran.value, dict)
        and len(ran.value) == 1
        and same_value(answer, next(iter(ran.value.values())))
    )


def same_value(gold: Plain, value: Plain) -> bool:
    """Whether two values are equal; numbers may differ by a millionth of their size.

    Unlike in Python, true does not equal 1.
    """
    if isinstance(gold, bool) or isinstance(value, bool):
        return gold is value
    if isinstance(gold, int | float) and isinstance(value, int | float):
        if isinstance(gold, int) and isinstance(value, int):
            return gold == value
        try:
            return math.isclose(gold, value, rel_tol=_RELATIVE, abs_tol=_ABSOLUTE)
        except OverflowError:
            return False
    if isinstance(gold, list) and isinstance(value, list):
        return len(gold) == len(value) and all(map(same_value, gold, value))
    if isinstance(gold, Mapping) and isinstance(value, Mapping):
        return gold.keys() == value.keys() and all(same_value(gold[k], value[k]) for k in gold)
    return gold == value
