"""Check that unreadable replies end a run early, and that a run that keeps nothing fails."""

import json
import re
import sqlite3
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pytest

from benchloom.core.errors import GateError
from benchloom.core.records import Rejected
from flows.stages.generate.model import price_of
from flows.stages.generate.outcome import Outcome, require_usable
from prompts.endpoint.limits import DEFAULTS
from prompts.results.rows import NOT_REQUESTED, distinct_cases
from prompts.steps import STEPS, Sampling
from tests.support.commands import benchloom
from tests.support.llm.server import Faults, LlmServer
from tests.support.llm.world import (
    endpoint_for,
    plan_for,
    price_file,
    rows_of,
    run_step,
    shortcuts_folder,
)

ROOT = Path(__file__).resolve().parents[4]
MAX_IN_FLIGHT = 2 * DEFAULTS.concurrency
"""Conversations in flight when the run ends; the run waits for their replies."""
ROWS = 3 * (20 + MAX_IN_FLIGHT)
"""Rows per run; two tries request at most two thirds of them."""


def run_generate(folder: Path, url: str, *further_options: str) -> CompletedProcess[str]:
    options = ["--log", str(folder / "log.sqlite"), "--prices", str(price_file(folder))]
    options += ["--in", str(folder / "in"), "--out", str(folder / "out")]
    options += ["--workspace", str(folder / "w"), "--base-url", url, "--model", "test-model"]
    return benchloom("generate", "query", *options, *further_options, env={"PATH": "", "HOME": ""})


def count_completions(log: Path) -> int:
    connection = sqlite3.connect(f"{log.resolve().as_uri()}?mode=ro", uri=True)
    ((count,),) = connection.execute("SELECT count(*) FROM completions").fetchall()
    connection.close()
    return int(count)


@pytest.mark.parametrize("faults", [Faults(invalid=1.0), Faults(truncated=1.0)])
def test_twenty_consecutive_unreadable_replies_end_the_run(tmp_path: Path, faults: Faults) -> None:
    shortcuts_folder(tmp_path / "in", ROWS)
    with LlmServer(faults=faults).running() as server:
        done = run_generate(tmp_path, server.url)
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        assert "20 replies in a row could not be read" in done.stderr
        assert "run again to continue" in done.stderr
        assert 20 <= server.billing.billed <= 20 + MAX_IN_FLIGHT
        assert server.in_flight == 0
        first = server.billing.billed
        assert count_completions(tmp_path / "log.sqlite") == first, (
            "replies that were billed are logged"
        )

        # The second run requests the next rows and repeats no request.
        again = run_generate(tmp_path, server.url)
        assert again.returncode == 2, again.stderr
        assert first < server.billing.billed <= 2 * (20 + MAX_IN_FLIGHT)
        assert max(server.billing.replies.values()) == 1

        server.faults = Faults()
        repaired = run_generate(tmp_path, server.url, "--json")
        assert repaired.returncode == 0, repaired.stderr
        assert max(server.billing.replies.values()) == 1
    outcome = json.loads(repaired.stdout)["outcome"]
    assert outcome["objects"] == ROWS
    (reason,) = outcome["rejected"]
    assert reason == ("unreadable_reply" if faults.invalid else "truncated_reply")
    assert 10 <= outcome["rejected"][reason] <= 20 + MAX_IN_FLIGHT
    assert outcome["kept"] == ROWS - outcome["rejected"][reason]


def test_readable_reply_resets_the_count(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 150)
    with LlmServer(faults=Faults(invalid=0.6)).running() as server:
        outcome = run_step(plan_for(source), tmp_path / "out", endpoint_for(tmp_path, server.url))
    assert outcome.rejected["unreadable_reply"] > 20
    assert outcome.kept > 20


def test_run_that_keeps_nothing_fails_with_the_reasons(tmp_path: Path) -> None:
    shortcuts_folder(tmp_path / "in", 12)
    # The reply has the right form, but its sentence lacks every required value.
    with LlmServer(fixed='{"query": "Could you do this one thing for me?"}').running() as server:
        done = run_generate(tmp_path, server.url, "--json")
    assert done.returncode == 1, done.stderr
    outcome = json.loads(done.stdout)["outcome"]
    assert (outcome["objects"], outcome["kept"]) == (12, 0)
    assert sum(outcome["dropped"].values()) == 12
    reason_counts = ", ".join(f"{count} {reason}" for reason, count in outcome["dropped"].items())
    assert f"benchloom: nothing was kept: of 12 rows {reason_counts}" in done.stderr
    texts, verdicts, _ = rows_of(tmp_path / "out")
    assert len(texts) == 12
    assert {row.kept for row in texts} == {False}
    assert verdicts


def test_run_without_rows_succeeds(tmp_path: Path) -> None:
    shortcuts_folder(tmp_path / "in", 0)
    with LlmServer().running() as server:
        done = run_generate(tmp_path, server.url)
    assert done.returncode == 0, done.stderr
    assert "0 rows" in done.stdout


def make_outcome(rejected: dict[str, int], kept: int = 0, dropped: int = 0) -> Outcome:
    faults = {"empty_request": dropped} if dropped else {}
    objects = kept + dropped + sum(rejected.values())
    return Outcome(objects=objects, rows={}, rejected=rejected, kept=kept, dropped=faults)


def test_judge_without_usable_replies_stops_the_run() -> None:
    judge = make_outcome({"wrong_calls": 26, "no_source": 2})
    assert judge.unusable == {"wrong_calls": 26}
    assert judge.passed_over == {"no_source": 2}
    with pytest.raises(GateError, match=r"none of 26 replies was usable \(26 wrong_calls\)"):
        require_usable("faithfulness", judge)
    for accepted in (
        make_outcome({"wrong_calls": 25}, kept=1),
        make_outcome({"wrong_calls": 25}, dropped=1),
        make_outcome({"no_source": 3}),
        make_outcome({}),
    ):
        require_usable("faithfulness", accepted)


def test_reasons_of_skipped_rows_are_listed(tmp_path: Path) -> None:
    shortcuts_folder(tmp_path / "in", 3)
    for name, step in STEPS.all().items():
        if step.reads == ("shortcuts",):
            cases = distinct_cases(step, tmp_path / "in", Sampling())
            reasons = {case.reason for case in cases if isinstance(case, Rejected)}
            assert reasons <= NOT_REQUESTED, name
    rejection_call = re.compile(r'"generate",\s*[\w.]+,\s*"(\w+)"')
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "prompts").rglob("*.py")]
    reasons_in_code = {reason for text in sources for reason in rejection_call.findall(text)}
    assert {"no_template", "no_steps"} <= reasons_in_code <= NOT_REQUESTED
    assert {"no_actions", "too_many_actions", "runs_other_shortcut"} <= NOT_REQUESTED


def test_free_endpoint_costs_nothing_for_any_model(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 3)
    plan = plan_for(source)
    paid = endpoint_for(tmp_path, "http://127.0.0.1:1/v1")
    unknown = msgspec.structs.replace(plan, model="a-model-of-nobody")
    assert price_of(unknown, paid) is None
    free = msgspec.structs.replace(paid, free=True, max_usd=1.0)
    price = price_of(unknown, free)
    assert price is not None
    assert price.nano(1_000_000, 1_000_000) == 0
    with LlmServer().running() as server:
        endpoint = msgspec.structs.replace(free, base_url=server.url)
        outcome = run_step(unknown, tmp_path / "out", endpoint)
    assert outcome.spending is not None
    assert outcome.spending.settled_usd == 0
