"""Tests of which samples a file of predictions covers, as it may leave out responses."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchloom.evaluate.answers import read_answers
from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.sample_choice import chosen_samples
from benchloom.evaluate.scoring import evaluate
from tests.benchloom.evaluate.api_bank.talks import assistant, call, dialogue_samples, write


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    folder = tmp_path / "gold"
    dialogue_samples(folder, call("Ring", {"bell": "1"}), assistant("Done."), call("Rest", {}))
    return folder


def aspects_of(gold: Path, answers: list[dict[str, str]], *, by_order: bool = False) -> list[str]:
    predictions = list(read_answers(write(gold.parent / "p.jsonl", answers)))
    return [s.aspect for s in chosen_samples(BENCHMARK, gold, predictions, by_order=by_order)]


@pytest.mark.parametrize(
    ("lines", "aspects"), [(2, ["call"] * 2), (3, ["call", "response", "call"])]
)
def test_number_of_lines_decides_the_aspects(gold: Path, lines: int, aspects: list[str]) -> None:
    assert aspects_of(gold, [{"output": ""}] * lines, by_order=True) == aspects


@pytest.mark.parametrize(
    ("ids", "aspects"),
    [
        (["#0", "#1"], ["call", "call"]),
        (["#0/response"], ["response"]),
        (["#1", "#0/response"], ["call", "response", "call"]),
        (["#7"], ["call", "response", "call"]),
    ],
)
def test_prediction_ids_decide_the_aspects(gold: Path, ids: list[str], aspects: list[str]) -> None:
    lines = [{"id": f"Talk-level-1-1.jsonl{suffix}", "output": ""} for suffix in ids]
    assert aspects_of(gold, lines) == aspects


def test_predictions_are_read_from_a_pipe(gold: Path) -> None:
    pipe = gold.parent / "pipe"
    os.mkfifo(pipe)
    line = b'{"id": "Talk-level-1-1.jsonl#0", "output": ""}\n'
    with ThreadPoolExecutor(1) as executor:
        executor.submit(pipe.write_bytes, line)
        summary = evaluate("api-bank", BENCHMARK, gold, pipe, "right", partial=True)
    assert (summary.samples, summary.unused.without_prediction) == (1, 1)
