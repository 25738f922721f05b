"""Tests of tasks in worlds through inspect_ai: scripted models get their expected scores."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchloom.evaluate.world_runs.selection import WorldChoice, chosen_tasks
from benchloom.worlds.runs.scoring import MAX_TEXT
from tests.support.llm.errands import Actor, ErrandServer, endless, gold, lost, silent
from tests.support.samples.errands import errands, write_tasks
from tests.support.samples.tasks_of_suites import tasks_of_suites

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("collect_inspect_connections"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]
MODELS: dict[str, Actor] = {"gold": gold, "silent": silent, "lost": lost, "endless": endless}


@pytest.fixture(scope="module")
def server() -> Iterator[ErrandServer]:
    with ErrandServer(tasks=tasks_of_suites(), actors=MODELS).running() as running:
        assert isinstance(running, ErrandServer)
        yield running


@pytest.mark.long
def test_gold_model_solves_all_tasks_and_silent_model_none(
    server: ErrandServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import inspect_ai

    tasks = write_tasks(tmp_path / "tasks.jsonl", tasks_of_suites())
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    logs: list[Any] = []
    # Models with the same result in every attempt run all tasks twice; the others behave alike in
    # every task and run two of them.
    count = len(tasks_of_suites())
    for models, epochs, limit in ((("gold", "silent"), 2, count), (("lost", "endless"), 1, 2)):
        logs += inspect_ai.eval(
            "benchloom/worlds",
            model=[f"openai-api/openai/{model}" for model in models],
            task_args={
                "release": str(tasks),
                "epochs": epochs,
                "limit": limit,
                "rounds": 6,
                "distractors": 2,
            },
            log_dir=str(tmp_path / "logs"),
            display="none",
            max_retries=3,  # a connection that was closed while it was idle is no answer
            ctl_server=False,
        )
        assert {len(log.samples) for log in logs[-2:]} == {epochs * limit}
    metrics_by_model = {}
    for model, log in zip(MODELS, logs, strict=True):
        assert log.status == "success", log.error
        (scores,) = log.results.scores
        metrics_by_model[model] = {name: metric.value for name, metric in scores.metrics.items()}
    assert (
        metrics_by_model["gold"]["solved"]
        == metrics_by_model["gold"]["pass^2"]
        == metrics_by_model["gold"]["solved_high"]
        == 1
    )
    assert 0.5 < metrics_by_model["gold"]["solved_low"] < 0.75
    assert metrics_by_model["gold"]["answer"] == metrics_by_model["gold"]["digest"] == 1
    assert metrics_by_model["gold"]["collateral"] == 0
    assert "recovery" not in metrics_by_model["gold"]
    assert (
        metrics_by_model["silent"]["solved"]
        == metrics_by_model["silent"]["pass^2"]
        == metrics_by_model["silent"]["answer"]
        == 0
    )
    assert 0.25 < metrics_by_model["silent"]["solved_high"] < 0.4
    assert metrics_by_model["silent"]["digest"] == pytest.approx(2 / len(tasks_of_suites()))
    assert metrics_by_model["lost"]["solved"] == metrics_by_model["lost"]["recovery"] == 0
    (first, *_) = logs[2].samples
    assert first.scores["judged_by_state"].value["calls"] == 6
    explanation = first.scores["judged_by_state"].explanation
    assert "2 calls did not run: the arguments are not readable" in explanation
    assert "2 calls did not run: no tool has this name" in explanation
    assert metrics_by_model["endless"]["solved"] == 0
    (first, *_) = logs[3].samples
    score = first.scores["judged_by_state"]
    from benchloom.evaluate.tasks.worlds import MAX_CALLS

    assert f"{MAX_CALLS} calls, {MAX_CALLS} refused" in score.explanation
    assert f"ended after {MAX_CALLS} calls" in score.explanation
    assert len(score.answer) == MAX_TEXT


def test_chosen_tasks_are_of_the_split_and_in_order(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "tasks.jsonl")
    choice = WorldChoice(gold=str(tasks), split="test", limit=2, seed=3)
    chosen = list(chosen_tasks(choice))
    assert len(chosen) == 2
    assert chosen == [task.task_id for task in errands() if task.task_id in chosen]
