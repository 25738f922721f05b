"""The benchmark ShortcutsBench: predict the next action of a shortcut, with its parameters.

The values in parameters are of three kinds, each with its own metrics: values that the request
states, results of earlier actions, and needs for input, which only the user or the device can
provide. Under the rule set `right`, results inside texts and structures count too; a result is
right if the action that returns it and the used part are right. Variables count as results.
Conditional metrics are shares of the samples with the right action; all other metrics are shares of
all samples. Under `published`, whole parameters are judged like in the published scorer, and only
if the action is right.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import (
    Benchmark,
    Expected,
    Judged,
    Report,
    Rules,
    Sample,
    unreported,
)
from benchloom.evaluate.benchmarks.shortcuts.action_units import OUTCOMES, judge
from benchloom.evaluate.benchmarks.shortcuts.gold import read_gold
from benchloom.evaluate.benchmarks.shortcuts.labels import labels_of
from benchloom.evaluate.benchmarks.shortcuts.positions import Position, position_of
from benchloom.evaluate.benchmarks.shortcuts.predictions import FINISH, read_prediction
from benchloom.evaluate.benchmarks.shortcuts.structure import IDENTIFIER, PARAMETERS, structure_of
from benchloom.evaluate.benchmarks.shortcuts.tokens import is_literal, tokens_in
from benchloom.evaluate.statistics.metrics import Metric, Ratio
from benchloom.exchange.examples import Argument, Call

EXACT = "exact_action"


def _of(expected: Expected, *names: str) -> dict[str, Expected]:
    return {
        name + suffix: expected
        for name in names
        for suffix in ("", "_conditional", "_unconditional")
    }


_PARTS = ("static_parameters", "previous_outputs", "need_for_input")
_VALUES = {**_of("lower", "static_parameters"), EXACT: "lower"}
_ANY = {**_of("any", *_PARTS), EXACT: "lower"}
_ZERO: dict[str, Expected] = {**_of("zero", *_PARTS), "api_selection": "zero", EXACT: "zero"}
EXPECTED: Mapping[str, Mapping[str, Expected]] = {
    "argument_dropped": _ANY,
    "call_dropped": _ZERO,
    "call_renamed": _ZERO,
    "extra_argument": {EXACT: "zero"},
    "other_producer": {**_of("lower", "previous_outputs"), EXACT: "lower"},
    "shuffled": {**_ANY, "api_selection": "lower"},
    "value_blanked": _VALUES,
    "value_cut": _VALUES,
    "values_swapped": _ANY,
    "wrong_type": _VALUES,
}


_KINDS = {
    "static_parameters": ("static", "values that the request states"),
    "previous_outputs": ("previous", "results of earlier actions"),
    "need_for_input": ("input", "needs for input"),
}
_ENCODER = msgspec.json.Encoder()


class _ShortcutsBench(Benchmark):
    title = "ShortcutsBench: the next action of a shortcut and its parameters"
    outcomes: ClassVar[Mapping[str, str]] = OUTCOMES
    expected_metrics: ClassVar[Mapping[str, Mapping[str, Expected]]] = EXPECTED

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        ratios = [Ratio("api_selection", "actions that are right", {"api": 1}, {"samples": 1})]
        for name, (kind, what) in _KINDS.items():
            right = {f"{kind}_right": 1.0}
            gold, seen = {f"{kind}_gold": 1.0}, {f"{kind}_seen": 1.0}
            default = gold if rules == "right" else seen
            ratios += [
                Ratio(name, f"{what} that are right", right, default),
                Ratio(
                    f"{name}_conditional",
                    f"{what} that are right, among right actions",
                    right,
                    seen,
                ),
                Ratio(
                    f"{name}_unconditional",
                    f"{what} that are right, among all actions",
                    right,
                    gold,
                ),
            ]
        title = "actions that have all required values and nothing else"
        return [*ratios, Ratio("exact_action", title, {"exact": 1}, {"samples": 1})]

    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        return iter(read_gold(gold, report))

    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        own = position_of(sample)
        index = _position(own)
        predicted = read_prediction(output, labels_of(own.uuids), index)
        return judge(own.example.calls[index], predicted, own.essential, rules)

    def is_scored(self, sample: Sample, argument: Argument) -> bool:
        essential = position_of(sample).essential
        is_required = essential is None or argument.name in essential
        has_token = next(tokens_in(argument.value), None) is not None
        return has_token or (is_required and is_literal(argument.value))

    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        if not calls:
            return {IDENTIFIER: FINISH, PARAMETERS: {}}
        own = position_of(sample)
        labels, index = labels_of(own.uuids), _position(own)
        return structure_of(calls[0], labels, index, uuid=labels.label(index, index + 1))

    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        action = self.output_of(sample, calls)
        members = action if isinstance(action, dict) else {}
        return _ENCODER.encode({"Thought": "", **members}).decode()


def _position(own: Position) -> int:
    return 0 if own.position is None else own.position


BENCHMARK = _ShortcutsBench()
