"""Tests of AppBench's published scores against a second implementation, for 18 kinds of output."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from benchloom.evaluate import Sample
from benchloom.evaluate.benchmarks.appbench import BENCHMARK
from benchloom.exchange.examples import Call, Ref
from benchloom.exchange.formats.appbench import argument_text
from tests.benchloom.evaluate.appbench.reconstruction import counts_of
from tests.benchloom.evaluate.appbench.samples import (
    BOTH,
    FERRY,
    POTTERY,
    call,
    sample,
    shift_references,
)
from tests.support.shared_data import shared_file

Record = dict[str, Any]
TWO_PIERS = (
    call("Ferries", "findpier", city="Port Ellery", riders="2"),
    call("Ferries", "findpier", city="Grey Sound", riders="3"),
    call("Ferries", "bookferry", ferry=Ref(0, "ferry"), deck="upper"),
)
PLANS = (FERRY, POTTERY, BOTH, TWO_PIERS, (*TWO_PIERS, *shift_references(POTTERY, 3)))


def line(app: str, text: str) -> str:
    """Return a line of a text in the published form, from a text of a record."""
    before, _, behind = text.partition("(")
    labels, _, api = before.rpartition("=")
    return f"{app}: [{labels.strip()} = {app}_{api.strip()}({behind}]"


def lines_of(gold: Record) -> list[str]:
    return [
        line(app, text) for app, text in zip(gold["used_app"], gold["api_results"], strict=True)
    ]


def change_values(gold: Record, change: Callable[[str], str]) -> list[str]:
    changed_lines = []
    for call_line in lines_of(gold):
        parts = call_line.split("='")
        changed_lines.append("='".join([parts[0], *(change(part) for part in parts[1:])]))
    return changed_lines


def blank(part: str) -> str:
    return part[part.find("'") :]


def cut(part: str) -> str:
    return part[:1] + part[part.find("'") :]


def literal_lines(gold_sample: Sample, gold: Record) -> list[str]:
    """Return the lines with references replaced by the values that the source supplied."""
    lines = []
    for call_line, call_ in zip(lines_of(gold), gold_sample.example.calls, strict=True):
        text = call_line
        for argument in call_.arguments:
            if isinstance(argument.value, Ref):
                text = text.replace(
                    f"#{argument.name}={argument.value.output}",
                    f"#{argument.name}='{argument_text(argument)}'",
                )
        lines.append(text)
    return lines


def swap_calls(gold: Record) -> list[str]:
    """Return the lines with two calls of the same API exchanged."""
    lines = lines_of(gold)
    names = [next(iter(entry)) for entry in gold["used_api"]]
    for first, name in enumerate(names):
        for second in range(first + 1, len(names)):
            if names[second] == name:
                lines[first], lines[second] = lines[second], lines[first]
                return lines
    return lines


def predictions_by_kind(gold_sample: Sample, gold: Record, draw: random.Random) -> dict[str, str]:
    """Return one prediction of each kind."""
    lines = lines_of(gold)
    index = draw.randrange(len(lines))
    remaining_lines = [*lines[:index], *lines[index + 1 :]]
    shuffled = draw.sample(lines, len(lines))
    kinds: dict[str, Sequence[str]] = {
        "gold": lines,
        "empty": [],
        "refusal": ["I am sorry, I cannot help with that."],
        "prose": ["The plan is: look up the pier, then book."],
        "unreadable": ["[[[", "Ferries: ]["],
        "half": lines if draw.random() < 0.5 else [],
        "extra argument": [*remaining_lines, lines[index].replace(")]", ", #zzz='1')]")],
        "missing argument": [*remaining_lines, lines[index].partition("(")[0] + "()]"],
        "literal for reference": literal_lines(gold_sample, gold),
        "swapped calls": swap_calls(gold),
        "blank values": change_values(gold, blank),
        "cut values": change_values(gold, cut),
        "call dropped": remaining_lines,
        "call doubled": [*lines, lines[index]],
        "call renamed": [*remaining_lines, lines[index].replace("(", "x(", 1)],
        "other order": shuffled,
        "comma in a value": change_values(gold, lambda part: "so, " + part),
        "calls on one line": [
            "Plan: [" + ", ".join(call_line.partition("[")[2] for call_line in lines)
        ],
    }
    return {kind: "\n".join(prediction_lines) for kind, prediction_lines in kinds.items()}


def differences(gold_sample: Sample, gold: Record, draw: random.Random) -> list[tuple[str, str]]:
    mismatches = []
    for kind, text in predictions_by_kind(gold_sample, gold, draw).items():
        expected_counts = counts_of(gold, text)
        counts = BENCHMARK.judge(gold_sample, text, "published").counts
        mismatches += [
            (kind, name) for name, value in expected_counts.items() if counts[name] != value
        ]
    return mismatches


@pytest.mark.parametrize("calls", PLANS)
def test_published_counts_match_the_reconstruction(calls: Sequence[Call]) -> None:
    gold_sample = sample(calls)
    gold = BENCHMARK.output_of(gold_sample, calls)
    assert isinstance(gold, dict)
    draw = random.Random(7)
    assert len(predictions_by_kind(gold_sample, gold, draw)) == 18
    assert [
        difference for _ in range(20) for difference in differences(gold_sample, gold, draw)
    ] == []


@pytest.mark.real_data
def test_counts_match_the_reconstruction_on_published_records() -> None:
    path = shared_file("appbench_gold_sample.json")
    rows = msgspec.json.decode(path.read_bytes())
    draw = random.Random(7)
    for gold_sample, row in zip(BENCHMARK.read_gold(path), rows, strict=True):
        gold = row["record"]["output"]
        assert [
            difference for _ in range(3) for difference in differences(gold_sample, gold, draw)
        ] == []


def test_unreadable_text_stays_in_the_denominator() -> None:
    gold_sample = sample(FERRY)
    for text in ("", "I cannot.", "Ferries: [", "```\n[]\n```"):
        counts = BENCHMARK.judge(gold_sample, text, "published").counts
        assert (counts["success"], counts["predicted_apis"], counts["gold_apis"]) == (0, 0, 2)


def test_release_names_count_as_published_names() -> None:
    calls = (
        Call("Buses_1", "FindBus", FERRY[0].arguments, returns=("fare",)),
        Call("Buses_1", "BuyBusTicket", FERRY[1].arguments[1:], returns=("fare",)),
    )
    gold_sample = sample(calls)
    for output in (BENCHMARK.output_of(gold_sample, calls), BENCHMARK.text_of(gold_sample, calls)):
        assert BENCHMARK.judge(gold_sample, output, "published").outcome == "right"
