"""The benchmark API-Bank (Li et al. 2023): predict the calls and responses in dialogues.

In some dialogues, the assistant first has to search for the right tool.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import (
    RIGHT,
    UNPARSEABLE,
    Benchmark,
    Expected,
    Judged,
    Report,
    Rules,
    Sample,
    unreported,
)
from benchloom.evaluate.benchmarks.api_bank import published, right
from benchloom.evaluate.benchmarks.api_bank.effects import Effects, RecordedEffects, effects_at
from benchloom.evaluate.benchmarks.api_bank.gold import GoldSample, as_gold_sample, samples_of
from benchloom.evaluate.benchmarks.api_bank.outcomes import NO_CALL, OUTCOMES, counts_of, figures
from benchloom.evaluate.benchmarks.api_bank.outcomes import RESPONSE as DIFFERS
from benchloom.evaluate.benchmarks.api_bank.outputs import first_call
from benchloom.evaluate.gold import plan_examples
from benchloom.evaluate.json_texts import MAX_TEXT
from benchloom.evaluate.protocol import RESPONSE
from benchloom.evaluate.statistics.metrics import Metric
from benchloom.evaluate.statistics.rouge import distinct_words_f, rouge_l
from benchloom.exchange.examples import Call, Finding
from benchloom.exchange.examples.filled_references import plain_arguments
from benchloom.exchange.foreign.specifications import call_name
from benchloom.exchange.formats.api_bank.call_text import TextCall, write_calls

_WRONG: dict[str, Expected] = {"correctness": "zero", "rouge_l": "any"}
_MOSTLY: dict[str, Expected] = {"correctness": "lower", "rouge_l": "any"}
"""The expected metrics of changes that may only change the notation of a value (`1` for `1.0`)."""
EXPECTED: Mapping[str, Mapping[str, Expected]] = {
    "argument_dropped": _WRONG,
    # Only the first call counts, because models often continue after it.
    "call_doubled": {"correctness": "gold", "rouge_l": "any"},
    "call_dropped": _WRONG,
    "call_renamed": _WRONG,
    # A cut response keeps the words before the cut.
    "cut_off": {"rouge_l": "lower"},
    "extra_argument": _WRONG,
    # Another call may have returned the same value.
    "other_producer": {"correctness": "any", "rouge_l": "any"},
    # Two samples may have the same gold.
    "shuffled": {"correctness": "lower", "rouge_l": "any"},
    "value_blanked": _WRONG,
    "value_cut": _MOSTLY,
    "values_swapped": _MOSTLY,
    "wrong_type": _WRONG,
}
EXPECTED_IN_WORLD: Mapping[str, Mapping[str, Expected]] = {
    **EXPECTED,
    # A call without an argument that selects a row twice may have the same effect.
    "argument_dropped": _MOSTLY,
    "value_blanked": _MOSTLY,
}
"""The metrics that an audit expects if calls are compared by their effects in a running world."""


FORMATS = ("api-bank", "api-bank-train")
_ABOUT_TOOLS = frozenset({"no_definition", "no_description", "bad_source"})
"""The kinds of faults in files of tools; a dialogue can be read in spite of them."""
_ASSISTANT = "AI:"
_LONGEST_REPLY = 64 * 1024  # maximum characters of a response that are compared


class _ApiBank(Benchmark):
    title = "API-Bank: the next call of a dialogue, and the response to its result"
    outcomes = OUTCOMES
    expected_metrics = EXPECTED
    optional: ClassVar[frozenset[str]] = frozenset({RESPONSE})

    def __init__(self, effects: Effects | None = None) -> None:
        self._effects = effects or RecordedEffects()

    def metrics(self, rules: Rules) -> Sequence[Metric]:
        return figures()

    def read_gold(self, gold: Path, report: Report = unreported) -> Iterator[Sample]:
        return samples_of(plan_examples(gold, FORMATS, report, passed=_ABOUT_TOOLS))

    def judge(self, sample: Sample, output: Plain, rules: Rules) -> Judged:
        gold_sample = as_gold_sample(sample)
        if gold_sample.aspect == RESPONSE:
            return _response(gold_sample, output, rules)
        if rules == "published":
            outcome, counts, findings = published.judge_call(gold_sample, output)
            return Judged(outcome, counts, findings)
        written = first_call(output, right.names_of(gold_sample))
        outcome, findings = right.judge_call(gold_sample, written, self._effects)
        return Judged(outcome, counts_of(outcome), findings)

    @contextmanager
    def with_tools(self, tools: Path) -> Iterator[Benchmark]:
        """Yield a copy of this benchmark that compares calls by running them on databases.

        `tools` is a folder or zip file with API-Bank's databases.

        Raises RunError if `tools` contains no database.
        """
        with effects_at(tools) as effects:
            yield _InWorld(effects)

    def judge_unreadable(self, sample: Sample, rules: Rules) -> Judged:
        gold_sample = as_gold_sample(sample)
        if gold_sample.aspect == RESPONSE:
            return Judged(UNPARSEABLE, {"responses": 1})
        times = 2 if rules == "published" and gold_sample.twice else 1
        return Judged(UNPARSEABLE, counts_of(UNPARSEABLE, times))

    def output_of(self, sample: Sample, calls: Sequence[Call]) -> Plain:
        """Write one call as an object, several calls as a list, and a response as its text."""
        gold_sample = as_gold_sample(sample)
        if gold_sample.aspect == RESPONSE:
            return gold_sample.text
        all_calls = sample.example.calls
        structures: list[Plain] = [
            {
                "api_name": call_name(call.app, call.api),
                "param_dict": plain_arguments(call, all_calls),
            }
            for call in calls
        ]
        return structures[0] if len(structures) == 1 else structures

    def text_of(self, sample: Sample, calls: Sequence[Call]) -> str:
        """Write calls as `API-Request: [Api(key='value')]`, and a response as its text."""
        gold_sample = as_gold_sample(sample)
        if gold_sample.aspect == RESPONSE:
            return gold_sample.text
        if not calls:
            return ""
        all_calls = sample.example.calls
        written = (
            TextCall(call_name(call.app, call.api), tuple(plain_arguments(call, all_calls).items()))
            for call in calls
        )
        return f"API-Request: {write_calls(written)}"


class _InWorld(_ApiBank):
    expected_metrics = EXPECTED_IN_WORLD


def _response(sample: GoldSample, output: Plain, rules: Rules) -> Judged:
    if isinstance(output, dict):
        output = output.get("text")
    if output is None:
        output = ""
    if not isinstance(output, str) or len(output) > MAX_TEXT:
        return Judged(UNPARSEABLE, {"responses": 1}, (Finding(UNPARSEABLE, "no text"),))
    response = output[:_LONGEST_REPLY]
    if rules == "published":
        value = distinct_words_f(sample.text, response)
    else:
        value = rouge_l(sample.text, response.strip().removeprefix(_ASSISTANT))
    outcome = RIGHT if value == 1 else DIFFERS
    findings = () if output.strip() else (Finding(NO_CALL, "the response is empty"),)
    return Judged(outcome, {"responses": 1, "rouge_l": value}, findings)


BENCHMARK = _ApiBank()
