"""`published` beside a reconstruction of its own, over predictions of eighteen kinds."""

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
from tests.benchloom.evaluate.appbench.samples import BOTH, FERRY, POTTERY, call, moved, sample
from tests.support.shared_data import shared_file

Record = dict[str, Any]
TWO_PIERS = (
    call("Ferries", "findpier", city="Port Ellery", riders="2"),
    call("Ferries", "findpier", city="Grey Sound", riders="3"),
    call("Ferries", "bookferry", ferry=Ref(0, "ferry"), deck="upper"),
)
PLANS = (FERRY, POTTERY, BOTH, TWO_PIERS, (*TWO_PIERS, *moved(POTTERY, 3)))


def line(app: str, text: str) -> str:
    """A line of a text in the published form, from a text of a record."""
    before, _, behind = text.partition("(")
    labels, _, api = before.rpartition("=")
    return f"{app}: [{labels.strip()} = {app}_{api.strip()}({behind}]"


def lines_of(gold: Record) -> list[str]:
    return [
        line(app, text) for app, text in zip(gold["used_app"], gold["api_results"], strict=True)
    ]


def values_changed(gold: Record, change: Callable[[str], str]) -> list[str]:
    changed_lines = []
    for call_line in lines_of(gold):
        parts = call_line.split("='")
        changed_lines.append("='".join([parts[0], *(change(part) for part in parts[1:])]))
    return changed_lines


def blank(part: str) -> str:
    return part[part.find("'") :]


def cut(part: str) -> str:
    return part[:1] + part[part.find("'") :]


def literals(own: Sample, gold: Record) -> list[str]:
    """References replaced by what the source supplied."""
    lines = []
    for call_line, call_ in zip(lines_of(gold), own.example.calls, strict=True):
        text = call_line
        for argument in call_.arguments:
            if isinstance(argument.value, Ref):
                text = text.replace(
                    f"#{argument.name}={argument.value.output}",
                    f"#{argument.name}='{argument_text(argument)}'",
                )
        lines.append(text)
    return lines


def swapped(gold: Record) -> list[str]:
    """Two calls of one API exchange their places."""
    lines = lines_of(gold)
    names = [next(iter(entry)) for entry in gold["used_api"]]
    for first, name in enumerate(names):
        for second in range(first + 1, len(names)):
            if names[second] == name:
                lines[first], lines[second] = lines[second], lines[first]
                return lines
    return lines


def texts(own: Sample, gold: Record, draw: random.Random) -> dict[str, str]:
    """One prediction of each kind."""
    lines = lines_of(gold)
    some = draw.randrange(len(lines))
    other = [*lines[:some], *lines[some + 1 :]]
    shuffled = draw.sample(lines, len(lines))
    kinds: dict[str, Sequence[str]] = {
        "gold": lines,
        "empty": [],
        "refusal": ["I am sorry, I cannot help with that."],
        "prose": ["The plan is: look up the pier, then book."],
        "unreadable": ["[[[", "Ferries: ]["],
        "half": lines if draw.random() < 0.5 else [],
        "extra argument": [*other, lines[some].replace(")]", ", #zzz='1')]")],
        "missing argument": [*other, lines[some].partition("(")[0] + "()]"],
        "literal for reference": literals(own, gold),
        "swapped calls": swapped(gold),
        "blank values": values_changed(gold, blank),
        "cut values": values_changed(gold, cut),
        "call dropped": other,
        "call doubled": [*lines, lines[some]],
        "call renamed": [*other, lines[some].replace("(", "x(", 1)],
        "other order": shuffled,
        "comma in a value": values_changed(gold, lambda part: "so, " + part),
        "calls on one line": [
            "Plan: [" + ", ".join(call_line.partition("[")[2] for call_line in lines)
        ],
    }
    return {kind: "\n".join(prediction_lines) for kind, prediction_lines in kinds.items()}


def differences(own: Sample, gold: Record, draw: random.Random) -> list[tuple[str, str]]:
    mismatches = []
    for kind, text in texts(own, gold, draw).items():
        expected_counts = counts_of(gold, text)
        counts = BENCHMARK.judge(own, text, "published").counts
        mismatches += [
            (kind, name) for name, value in expected_counts.items() if counts[name] != value
        ]
    return mismatches


@pytest.mark.parametrize("calls", PLANS)
def test_it_counts_as_the_description_says(calls: Sequence[Call]) -> None:
    own = sample(calls)
    gold = BENCHMARK.output_of(own, calls)
    assert isinstance(gold, dict)
    draw = random.Random(7)
    assert len(texts(own, gold, draw)) == 18
    assert [difference for _ in range(20) for difference in differences(own, gold, draw)] == []


@pytest.mark.real_data
def test_it_counts_as_the_description_says_on_published_records() -> None:
    path = shared_file("appbench_gold_sample.json")
    rows = msgspec.json.decode(path.read_bytes())
    draw = random.Random(7)
    for own, row in zip(BENCHMARK.read_gold(path), rows, strict=True):
        gold = row["record"]["output"]
        assert [difference for _ in range(3) for difference in differences(own, gold, draw)] == []


def test_what_cannot_be_read_stays_in_the_denominator() -> None:
    own = sample(FERRY)
    for text in ("", "I cannot.", "Ferries: [", "```\n[]\n```"):
        counts = BENCHMARK.judge(own, text, "published").counts
        assert (counts["success"], counts["predicted_apis"], counts["gold_apis"]) == (0, 0, 2)


def test_names_of_a_release_count_as_the_published_ones() -> None:
    calls = (
        Call("Buses_1", "FindBus", FERRY[0].arguments, returns=("fare",)),
        Call("Buses_1", "BuyBusTicket", FERRY[1].arguments[1:], returns=("fare",)),
    )
    own = sample(calls)
    for output in (BENCHMARK.output_of(own, calls), BENCHMARK.text_of(own, calls)):
        assert BENCHMARK.judge(own, output, "published").outcome == "right"
