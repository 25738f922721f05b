"""Tests of tasks of inspect_ai: scripted models get their expected scores in each of them."""

from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from benchloom.evaluate.benchmark import UNPARSEABLE
from benchloom.evaluate.model_requests import PAPER, Choice, ModelRequests
from benchloom.evaluate.protocol import TOOLS, PredictedCall, Reply
from benchloom.evaluate.rescoring import rescore
from benchloom.evaluate.scoring import Summary, Tally
from tests.support.llm.scripted import Profile, ScriptedServer, right_reply

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("collect_inspect_connections"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


def gold(number: int, right: Reply) -> Reply:
    del number
    return right


def empty(number: int, right: Reply) -> Reply:
    del number, right
    return Reply("")


def every_third_wrong(number: int, right: Reply) -> Reply:
    """Return the right reply, but for every third number a call of an unknown tool."""
    if number % 3 != 2:
        return right
    if right.calls:
        return Reply("", (PredictedCall("Kiosks__Order", {"what": "tea"}),))
    for name in ("Find", "Book", "is.workflow.actions.", "There is", "It is booked"):
        right = Reply(right.text.replace(name, "Kiosks"))
    return right


def malformed(number: int, right: Reply) -> Reply:
    del number
    if right.calls:
        return Reply("", (PredictedCall(right.calls[0].name, {}, '{"what": '),))
    return Reply('[{"name": (((')


MODELS: dict[str, Profile] = {
    "gold": gold,
    "empty": empty,
    "third": every_third_wrong,
    "malformed": malformed,
}
FORMS = ("gold", "malformed")
"""Models that differ in how a protocol writes their calls."""


def expected_summary(requests: ModelRequests, profile: Profile) -> Summary:
    """Return the expected figures, computed without inspect_ai."""
    tally = Tally()
    for number, sample in enumerate(requests.samples.values()):
        replies: list[Reply] = []
        while (prompt := requests.ask(sample, replies)) is not None:
            right = right_reply(requests, sample, prompt, replies)
            following = requests.ask(sample, [*replies, right])
            replies.append(right if following else profile(number, right))
        tally.add(
            sample, requests.benchmark.judge(sample, requests.output(sample, replies), "right")
        )
    return tally.summary(requests.choice.benchmark, "right", requests.benchmark.metrics("right"), 0)


MAIN_METRIC = {
    "appbench": "success",
    "nestful": "full_match",
    "api-bank": "correctness",
    "shortcuts": "exact_action",
}


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    """Return one server for all tests, as inspect_ai keeps a model's client until the end."""
    with ScriptedServer().running() as running:
        assert isinstance(running, ScriptedServer)
        yield running


@pytest.mark.long
@pytest.mark.parametrize("protocol", [PAPER, TOOLS])
@pytest.mark.parametrize("benchmark", MAIN_METRIC)
def test_scripted_models_get_their_expected_scores(
    benchmark: str,
    protocol: str,
    *,
    server: ScriptedServer,
    evaluation_gold: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import inspect_ai

    # Protocols differ in how calls are written. Models with other faults run with one protocol and
    # one benchmark only, which has samples of calls and of responses.
    is_full_run = protocol == PAPER and benchmark == "api-bank"
    models = {name: MODELS[name] for name in (MODELS if is_full_run else FORMS)}
    choice = Choice(benchmark=benchmark, gold=str(evaluation_gold), protocol=protocol)
    evaluation = ModelRequests(choice)
    for model, profile in models.items():
        server.teach(evaluation, profile, model)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    logs = inspect_ai.eval(
        f"benchloom/{benchmark.replace('-', '_')}",
        model=[f"openai-api/openai/{model}" for model in models],
        task_args={"release": str(evaluation_gold), "protocol": protocol},
        log_dir=str(tmp_path),
        display="none",
        max_retries=0,
        ctl_server=False,
    )
    for model, log in zip(models, logs, strict=True):
        expected = expected_summary(evaluation, MODELS[model])
        assert log.status == "success", log.error
        (scores,) = log.results.scores
        assert {name: metric.value for name, metric in scores.metrics.items()} == pytest.approx(
            expected.metrics
        )
        outcomes = [
            next(iter(sample.scores.values())).metadata["outcome"] for sample in log.samples
        ]
        count = len(evaluation.samples)
        right = outcomes.count("right")
        assert right == {"gold": count, "third": count - count // 3}.get(model, 0)
        assert (expected.metrics[MAIN_METRIC[benchmark]] == 1) is (model == "gold")
        if model == "malformed":
            calls = [
                sample for sample in evaluation.samples.values() if sample.aspect != "response"
            ]
            unread = outcomes.count(UNPARSEABLE) + outcomes.count("no_call")
            assert unread == len(calls)
    if protocol == PAPER:
        from benchloom.evaluate.tasks.logs import logged_runs

        runs = {logged_run.scored.name: logged_run for logged_run in logged_runs(tmp_path)}
        for model, profile in models.items():
            run = runs[f"openai-api/openai/{model}"]
            rescoring = rescore(run.scored, tmp_path / "again" / model, run.samples)
            assert rescoring.changed() == {}
            expected = expected_summary(evaluation, profile)
            assert rescoring.after.summary.metrics == pytest.approx(expected.metrics)


def test_tasks_are_registered_under_the_package_name() -> None:
    (entry_point,) = entry_points(group="inspect_ai", name="benchloom")
    assert entry_point.load().__name__ == "benchloom.evaluate.tasks"
