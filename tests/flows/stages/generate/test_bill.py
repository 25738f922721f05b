"""Check that the ledger equals the bill of an endpoint that counts for itself, also after kills."""

from collections import defaultdict
from pathlib import Path

import msgspec
import pytest

from benchloom.core.errors import RunError
from flows.stages.generate.model import estimate
from flows.stages.generate.outcome import extra_lines
from flows.stages.generate.plan import Endpoint, GeneratePlan, folders_for_step
from flows.stages.generate.preview import Choice, preview_model
from prompts.ledger.schema import spent_between
from prompts.results.attempts import Attempts
from tests.support.llm.provider import PRICE_TABLE, Provider
from tests.support.llm.server import Faults
from tests.support.llm.world import (
    child_context,
    endpoint_for,
    kill_after,
    plan_for,
    run_step,
    shortcut,
    wait_until,
    write_shortcuts,
)

ROWS = 12
LONG_TEXT = "What this does, told at length for those who want to know it. " * 20
BATCH_FAULTS = Faults(truncated=0.2, invalid=0.2)
DIRECT_FAULTS = Faults(truncated=0.2, invalid=0.2, server_error=0.2)
LONG_LIST = tuple(f"Everything that belongs on list {number} of mine" for number in range(20))


def long_prompt_plan(folder: Path, **settings: object) -> GeneratePlan:
    """Return a plan of requests for shortcuts; their prompts are long and share their beginning."""
    rows = [
        shortcut(number, "Helper", LONG_TEXT, literals=(*LONG_LIST, f"Everything {number}"))
        for number in range(ROWS)
    ]
    plan = plan_for(write_shortcuts(folder / "in", rows))
    return msgspec.structs.replace(plan, **settings)


def priced_endpoint(folder: Path, server: Provider, *, batch: bool) -> Endpoint:
    endpoint = endpoint_for(folder, server.url, batch=batch)
    endpoint.prices.write_text(PRICE_TABLE)
    return endpoint


def booked_micro(endpoint: Endpoint) -> float:
    """Return the cost in the ledger of a workspace, in micro-dollars."""
    return round(spent_between(endpoint.log, 0.0, 1e12) * 1e6, 3)


@pytest.mark.parametrize(
    ("batch", "server", "unanswered"),
    [
        (True, Provider(batch_end="expired", lose_lines=0.2, fail_lines=0.2), 1),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (
                (False, Provider(faults=DIRECT_FAULTS, most_thoughts=400), 0),
                (True, Provider(faults=BATCH_FAULTS, most_thoughts=400), 0),
                (True, Provider(batch_end="cancelled", lose_lines=0.4), 1),
                (True, Provider(batch_end="failed", lose_lines=1.0), ROWS),
            )
        ),
    ],
)
def test_ledger_equals_the_bill(
    tmp_path: Path, *, batch: bool, server: Provider, unanswered: int
) -> None:
    plan = long_prompt_plan(tmp_path)
    with server.running():
        endpoint = priced_endpoint(tmp_path, server, batch=batch)
        outcome = run_step(plan, tmp_path / "out", endpoint)
        assert outcome.rejected.get("request_not_accepted", 0) >= unanswered
        assert outcome.objects == outcome.kept + sum(outcome.rejected.values()) == ROWS
        assert booked_micro(endpoint) == server.micro
        # The next run repeats unanswered requests, directly where batches failed.
        server.lose_lines = server.fail_lines = 0.0
        direct = msgspec.structs.replace(endpoint, batch=False)
        resumed = run_step(plan, tmp_path / "again", direct)
    assert resumed.spending is not None
    assert resumed.spending.open_attempts == 0
    assert resumed.objects == ROWS
    assert "request_not_accepted" not in resumed.rejected
    assert booked_micro(endpoint) == server.micro
    assert any(line.cached >= 1_024 for line in server.bill)
    assert server.bill[-1].in_batch == (batch and not unanswered)


@pytest.mark.parametrize(
    ("attempts", "purposes", "batch"),
    [
        (Attempts(candidates=3, repair=True), {"candidate", "judge", "repair"}, False),
        pytest.param(Attempts(repair=True), {"repair"}, True, marks=pytest.mark.long),
        pytest.param(Attempts(candidates=3), {"candidate", "judge"}, True, marks=pytest.mark.long),
    ],
)
def test_candidates_and_repairs_keep_more_texts_and_are_billed_separately(
    tmp_path: Path, attempts: Attempts, purposes: set[str], *, batch: bool
) -> None:
    plan = long_prompt_plan(tmp_path)
    server = Provider(careless=0.4, strict=0.2)
    with server.running():
        endpoint = priced_endpoint(tmp_path, server, batch=batch)
        first = run_step(plan, tmp_path / "first", endpoint)
        plan = msgspec.structs.replace(plan, attempts=attempts)
        forecast = estimate(plan, endpoint)
        before = len(server.bill)
        outcome = run_step(plan, tmp_path / "out", endpoint)
    assert outcome.kept > first.kept
    assert booked_micro(endpoint) == server.micro
    assert outcome.spending is not None
    billed = defaultdict[str, list[int]](list)
    for entry in server.bill:
        billed[entry.purpose].append(entry.micro)
    assert set(billed) == purposes | {"step"}
    for purpose, part in outcome.spending.extras.items():
        micro = billed.pop(purpose)
        assert (part.attempts, round(part.usd * 1e6, 3)) == (len(micro), sum(micro))
    assert set(billed) == {"step"}
    # The replies for the first texts are already in the log.
    assert len(billed["step"]) == before == ROWS
    assert 0 < forecast.requests <= ROWS * (attempts.candidates * 3)
    (line,) = extra_lines(outcome.spending)
    assert all(str(part.attempts) in line for part in outcome.spending.extras.values())


@pytest.mark.long
def test_verdicts_about_candidates_are_not_paid_for_again(tmp_path: Path) -> None:
    plan = long_prompt_plan(tmp_path, attempts=Attempts(candidates=2))
    server = Provider()
    with server.running():
        endpoint = priced_endpoint(tmp_path, server, batch=False)
        run_step(plan, tmp_path / "out", endpoint)
        paid = server.micro
        with folders_for_step("faithfulness", [plan.source, tmp_path / "out"]) as joined_source:
            judge_plan = msgspec.structs.replace(
                plan, step="faithfulness", source=joined_source, attempts=Attempts()
            )
            outcome = run_step(judge_plan, tmp_path / "judged", endpoint)
    assert outcome.judged == ROWS
    assert server.micro == paid


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": "category"}, "supports neither candidates nor a repair turn; steps that do: "),
        ({"temperature": 0}, "all candidates would be equal at temperature 0"),
    ],
)
def test_attempts_without_effect_are_refused(settings: dict[str, object], message: str) -> None:
    plan = GeneratePlan(step="query", source=Path(), attempts=Attempts(2))
    with pytest.raises(RunError, match=message):
        msgspec.structs.replace(plan, **settings)


@pytest.mark.long
def test_ledger_equals_the_bill_after_killed_batch_runs(tmp_path: Path) -> None:
    plan = long_prompt_plan(tmp_path)
    server = Provider(batch_polls=12)
    with server.running():
        endpoint = priced_endpoint(tmp_path, server, batch=True)
        for pause in (0.0, 0.01, 0.04):
            child = child_context().Process(target=run_step, args=(plan, tmp_path / "o", endpoint))
            child.start()
            wait_until(lambda child=child: bool(server.files) or child.exitcode is not None)  # type: ignore[misc]  # mypy infers no lambda
            kill_after(child, pause)
        outcome = run_step(plan, tmp_path / "o", endpoint)
    assert outcome.kept == len(server.bill) == ROWS
    assert outcome.spending is not None
    assert outcome.spending.open_attempts == 0
    assert booked_micro(endpoint) == server.micro


@pytest.mark.long
def test_first_replies_forecast_the_cost_of_the_rest(tmp_path: Path) -> None:
    plan = long_prompt_plan(tmp_path, reply_tokens=8_000)
    server = Provider(thinks=1_000, most_thoughts=300)
    with server.running():
        endpoint = priced_endpoint(tmp_path, server, batch=False)
        forecast = preview_model(plan, endpoint, Choice(count=6)).forecast
        first = len(server.bill)
        run_step(plan, tmp_path / "out", endpoint)
    assert forecast is not None
    assert (forecast.logged, forecast.requests) == (first, ROWS - first)
    used = sum(line.reply for line in server.bill[first:])
    assert used / 1.3 <= forecast.tokens_out <= 1.3 * used
