"""Scripted models do tasks in worlds through inspect_ai, and score what they must."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchloom.evaluate.acting.choosing import WorldChoice, chosen_tasks
from tests.support.llm.errands import Actor, ErrandServer, gold, lost, silent
from tests.support.samples.errands import errands, written

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("left_by_inspect"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]
MODELS: dict[str, Actor] = {"gold": gold, "silent": silent, "lost": lost}


@pytest.fixture(scope="module")
def server() -> Iterator[ErrandServer]:
    with ErrandServer(tasks=errands(), actors=MODELS).running() as running:
        assert isinstance(running, ErrandServer)
        yield running


def test_gold_solves_all_and_silence_nothing(
    server: ErrandServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import inspect_ai

    tasks = written(tmp_path / "tasks.jsonl")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    logs = inspect_ai.eval(
        "benchloom/worlds",
        model=[f"openai-api/openai/{model}" for model in MODELS],
        task_args={"release": str(tasks), "epochs": 2, "rounds": 6, "distractors": 2},
        log_dir=str(tmp_path / "logs"),
        display="none",
        max_retries=0,
        ctl_server=False,
    )
    found = {}
    for model, log in zip(MODELS, logs, strict=True):
        assert log.status == "success", log.error
        assert len(log.samples) == 2 * len(errands())
        (scores,) = log.results.scores
        found[model] = {name: one.value for name, one in scores.metrics.items()}
    assert found["gold"]["solved"] == found["gold"]["pass^2"] == found["gold"]["solved_low"] == 1
    assert found["gold"]["answer"] == found["gold"]["digest"] == 1
    assert found["gold"]["collateral"] == 0
    assert "recovery" not in found["gold"]
    assert found["silent"]["solved"] == found["silent"]["pass^2"] == found["silent"]["answer"] == 0
    assert found["silent"]["solved_high"] == 0
    assert found["silent"]["digest"] == pytest.approx(1 / 3)
    assert found["lost"]["solved"] == found["lost"]["recovery"] == 0
    (first, *_) = logs[2].samples
    assert first.scores["judged_by_state"].value["calls"] == 6


def test_tasks_are_drawn_alike_and_of_a_split(tmp_path: Path) -> None:
    tasks = written(tmp_path / "tasks.jsonl")
    choice = WorldChoice(gold=str(tasks), split="test", limit=2, seed=3)
    chosen = list(chosen_tasks(choice))
    assert len(chosen) == 2
    assert chosen == [one.task_id for one in errands() if one.task_id in chosen]
