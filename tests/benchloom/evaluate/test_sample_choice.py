"""Which samples a file of predictions is about, where responses may be left out."""

import os
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.evaluate import sample_choice as choosing
from benchloom.evaluate.benchmarks.api_bank import BENCHMARK
from benchloom.evaluate.sample_choice import chosen_samples
from tests.benchloom.evaluate.api_bank.talks import asked, assistant, call, write
from tests.benchloom.evaluate.echo import Echo


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    folder = tmp_path / "gold"
    asked(folder, call("Ring", {"bell": "1"}), assistant("Done."), call("Rest", {}))
    return folder


@pytest.mark.parametrize("kept", [1, 2, 3, 100])
@pytest.mark.parametrize(
    ("lines", "aspects"), [(2, ["call"] * 2), (3, ["call", "response", "call"])]
)
def test_gold_is_the_same_whether_it_is_kept_or_read_again(
    gold: Path, lines: int, aspects: list[str], kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "MAX_SAMPLES_HELD", kept)
    path = write(gold.parent / "p.jsonl", [{"output": ""}] * lines)
    assert [
        sample.aspect for sample in chosen_samples(BENCHMARK, gold, path, by_order=True)
    ] == aspects


@pytest.mark.parametrize(
    ("ids", "aspects"),
    [
        (["#0", "#1"], ["call", "call"]),
        (["#0/response"], ["response"]),
        (["#1", "#0/response"], ["call", "response", "call"]),
        (["#7"], ["call", "response", "call"]),
    ],
)
def test_ids_tell_the_aspects(gold: Path, ids: list[str], aspects: list[str]) -> None:
    lines = [{"id": f"Talk-level-1-1.jsonl{suffix}", "output": ""} for suffix in ids]
    path = write(gold.parent / "p.jsonl", lines)
    assert [sample.aspect for sample in chosen_samples(BENCHMARK, gold, path)] == aspects


def test_a_pipe_cannot_be_read_twice(gold: Path) -> None:
    pipe = gold.parent / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(RunError, match="is not a regular file"):
        chosen_samples(BENCHMARK, gold, pipe)


def test_where_nothing_is_optional_predictions_are_not_looked_at(tmp_path: Path) -> None:
    numbers = tmp_path / "gold.txt"
    numbers.write_text("1 2 3")
    assert len(list(chosen_samples(Echo(), numbers, tmp_path / "nothing"))) == 3
