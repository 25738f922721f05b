"""Tests of the recorded calls of the published archives, judged as predictions of themselves."""

import re
from collections import Counter
from pathlib import Path

import pytest

from benchloom.evaluate.benchmark import Rules
from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.protocol import CALL
from tests.support.shared_data import shared_file

pytestmark = pytest.mark.real_data


def judge_recorded_calls(
    gold: Path, rules: Rules, level: str
) -> tuple[dict[str, float], dict[str, int]]:
    """Return counts of the recorded calls of a level, and how often each kind of finding occurs."""
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for sample in BENCHMARK.read_gold(gold):
        if sample.aspect == CALL and sample.level == level:
            gold_call = sample.example.calls[sample.position or 0]
            judgement = BENCHMARK.judge(sample, BENCHMARK.text_of(sample, [gold_call]), rules)
            counts.update({name: int(value) for name, value in judgement.counts.items()})
            reasons.update({finding.kind for finding in judgement.findings})
    return dict(counts), dict(reasons)


@pytest.mark.parametrize(
    ("name", "level", "calls"),
    [
        ("api_bank.zip", "level-1", 189),
        ("api_bank.zip", "level-2", 57),
        ("peers.zip", "level-1", 132),
        ("peers.zip", "level-2", 119),
        ("peers.zip", "level-3", 324),
    ],
)
def test_right_rules_accept_every_recorded_call(name: str, level: str, calls: int) -> None:
    assert judge_recorded_calls(shared_file(name), "right", level) == (
        {"calls": calls, "right": calls},
        {},
    )


def test_published_rules_reject_known_calls_of_level_1() -> None:
    counts, reasons = judge_recorded_calls(shared_file("api_bank.zip"), "published", "level-1")
    assert counts == {
        "calls": 191,
        "right": 167,
        "errors": 24,
        "exception": 22,
        "unknown_parameter": 2,
    }
    assert reasons == {
        "counted_twice": 2,
        "fresh_database": 4,
        "letter_case": 2,
        "list_as_text": 15,
        "needs_network": 6,
        "renamed_parameter": 2,
    }


def test_published_rules_count_135_calls_in_level_2() -> None:
    counts, reasons = judge_recorded_calls(shared_file("peers.zip"), "published", "level-2")
    assert counts == {"calls": 135, "right": 125, "errors": 10, "exception": 10}
    assert reasons == {"counted_twice": 16, "compared_key": 2, "list_as_text": 8}


def test_published_tools_accept_texts_in_lower_case() -> None:
    """The published scorer accepts 23 recorded calls in lower case, all of seven tools."""
    tolerated: Counter[str] = Counter()
    for sample in BENCHMARK.read_gold(shared_file("api_bank.zip")):
        if sample.aspect != CALL:
            continue
        gold_call = sample.example.calls[sample.position or 0]
        text = BENCHMARK.text_of(sample, [gold_call])
        lower = re.sub(r"='((?:[^'\\]|\\.)*)'", lambda match: match[0].lower(), text)
        outcomes = [
            BENCHMARK.judge(sample, output, "published").outcome for output in (text, lower)
        ]
        if lower != text and outcomes == ["right", "right"]:
            tolerated[gold_call.api] += 1
    assert tolerated["QueryStock"] == 9
    assert tolerated == {
        "DeleteReminder": 2,
        "DeleteScene": 2,
        "ModifyReminder": 4,
        "QueryHealthData": 3,
        "QueryReminder": 1,
        "QueryStock": 9,
        "SymptomSearch": 2,
    }
