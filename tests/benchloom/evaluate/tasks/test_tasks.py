"""Four scripted models run through inspect_ai on every task, and score what they must."""

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
    """Every third answer calls something that does not exist."""
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


def judged(asked: ModelRequests, profile: Profile) -> Summary:
    """The figures without inspect_ai."""
    tally = Tally()
    for number, sample in enumerate(asked.samples.values()):
        replies: list[Reply] = []
        while (prompt := asked.ask(sample, replies)) is not None:
            right = right_reply(asked, sample, prompt, replies)
            following = asked.ask(sample, [*replies, right])
            replies.append(right if following else profile(number, right))
        tally.add(sample, asked.benchmark.judge(sample, asked.output(sample, replies), "right"))
    return tally.summary(asked.choice.benchmark, "right", asked.benchmark.metrics("right"), 0)


WHOLE = {
    "appbench": "success",
    "nestful": "full_match",
    "api-bank": "correctness",
    "shortcuts": "exact_action",
}


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    """One for all tests: inspect_ai keeps the client of a model while the process lives."""
    with ScriptedServer().running() as running:
        assert isinstance(running, ScriptedServer)
        yield running


@pytest.mark.long
@pytest.mark.parametrize("protocol", [PAPER, TOOLS])
@pytest.mark.parametrize("benchmark", WHOLE)
def test_four_models_score_what_they_must(
    benchmark: str,
    protocol: str,
    *,
    server: ScriptedServer,
    evaluation_gold: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import inspect_ai

    # A protocol decides how calls are written: what else is wrong with them needs one protocol,
    # and one benchmark, which has samples of calls and of responses.
    everything = protocol == PAPER and benchmark == "api-bank"
    models = {name: MODELS[name] for name in (MODELS if everything else FORMS)}
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
        expected = judged(evaluation, MODELS[model])
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
        assert (expected.metrics[WHOLE[benchmark]] == 1) is (model == "gold")
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
            expected = judged(evaluation, profile)
            assert rescoring.after.summary.metrics == pytest.approx(expected.metrics)


def test_tasks_are_found_by_the_name_of_the_package() -> None:
    (entry_point,) = entry_points(group="inspect_ai", name="benchloom")
    assert entry_point.load().__name__ == "benchloom.evaluate.tasks"
