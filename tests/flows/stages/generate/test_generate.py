"""Check the command `generate` and its stage from the outside."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Verdict
from benchloom.storage.tables import iter_records
from flows.run.stage import AnyStage
from flows.stages.generate.model import estimate
from flows.stages.generate.plan import GeneratePlan
from flows.stages.generate.run import run_template
from tests.support.llm.command import benchloom
from tests.support.llm.server import Faults, LlmServer
from tests.support.llm.world import (
    endpoint_for,
    plan_for,
    price_file,
    rows_of,
    run_step,
    shortcut,
    shortcuts_folder,
    table_bytes,
    write_definitions,
    write_paths,
    write_shortcuts,
)
from tests.support.shortcut_stages import parsed_folder


def write_world(folder: Path) -> Path:
    return write_paths(write_definitions(shortcuts_folder(folder, 20)))


@pytest.mark.parametrize("step", ["query", "category", "instruction", "nested", "dialogue"])
def test_every_writing_step_generates_kept_rows(tmp_path: Path, step: str) -> None:
    source = write_world(tmp_path / "in")
    with LlmServer().running() as server:
        outcome = run_step(
            plan_for(source, step), tmp_path / "out", endpoint_for(tmp_path, server.url)
        )
    texts, verdicts, rejected = rows_of(tmp_path / "out")
    assert outcome.objects == outcome.kept + sum(outcome.dropped.values()) + len(rejected)
    assert outcome.kept > 0
    assert {row.kind for row in texts} == {step}
    assert {row.generator for row in texts} == {"llm"}
    assert {row.model for row in texts} == {"test-model"}
    assert all(row.prompt_digest and row.completion_digest and row.usd > 0 for row in texts)
    assert {verdict.target_id for verdict in verdicts} == {row.query_id for row in texts}
    assert outcome.usd_per_kept is not None


def test_later_steps_read_generated_texts(tmp_path: Path) -> None:
    source = write_world(tmp_path / "work")
    with LlmServer().running() as server:
        endpoint = endpoint_for(tmp_path, server.url)
        run_step(plan_for(source), tmp_path / "queries", endpoint)
        (tmp_path / "queries/queries.parquet").rename(source / "queries.parquet")
        parameters = run_step(plan_for(source, "parameters"), tmp_path / "parameters", endpoint)
        scored = run_step(plan_for(source, "instruction_score"), tmp_path / "scores", endpoint)
    assert parameters.kept == 20
    stated = json.loads(rows_of(tmp_path / "parameters")[0][0].structured or "")
    assert stated[0]["evidence"] == stated[0]["value"]
    grades = list(iter_records(tmp_path / "scores", "verdicts", Verdict))
    assert len(grades) == scored.objects == 20
    assert {grade.check for grade in grades} == {"instruction_score"}
    assert all(grade.kept == ((grade.score or 0) >= 6) for grade in grades)
    assert 0 < scored.kept < 20
    assert scored.dropped == {"low_score": 20 - scored.kept}


def test_template_writer_is_marked_and_deterministic(tmp_path: Path) -> None:
    source = write_world(tmp_path / "in")
    for step in ("query", "category", "instruction"):
        plan = GeneratePlan(step=step, source=source)
        outcome = run_template(plan, tmp_path / f"{step}-1")
        run_template(plan, tmp_path / f"{step}-2")
        assert table_bytes(tmp_path / f"{step}-1") == table_bytes(tmp_path / f"{step}-2")
        texts, _, _ = rows_of(tmp_path / f"{step}-1")
        assert {row.generator for row in texts} == {"template"}
        assert all(row.model is None and row.completion_digest is None for row in texts)
        assert outcome.kept == outcome.objects
    nested = run_template(GeneratePlan(step="nested", source=source), tmp_path / "nested")
    assert nested.kept == 0
    assert nested.rejected["no_template"] > 0


def test_texts_of_two_writers_are_never_mixed(tmp_path: Path) -> None:
    source = write_world(tmp_path / "in")
    run_template(GeneratePlan(step="query", source=source), tmp_path / "out")
    with LlmServer().running() as server:
        run_step(plan_for(source), tmp_path / "out", endpoint_for(tmp_path, server.url))
    assert {row.generator for row in rows_of(tmp_path / "out")[0]} == {"llm"}
    with pytest.raises(RunError, match="contains the result of 'generate-query'"):
        run_template(GeneratePlan(step="category", source=source), tmp_path / "out")


@pytest.mark.parametrize("structured", [True, False])
def test_second_run_sends_no_request_and_changes_nothing(
    tmp_path: Path, *, structured: bool
) -> None:
    source = shortcuts_folder(tmp_path / "in", 40)
    server = LlmServer(structured=structured, faults=Faults(truncated=0.2, invalid=0.2))
    with server.running():
        endpoint = endpoint_for(tmp_path, server.url)
        outcome = run_step(plan_for(source), tmp_path / "first", endpoint)
        request_count = sum(server.billing.seen.values())
        run_step(plan_for(source), tmp_path / "second", endpoint)
        assert sum(server.billing.seen.values()) == request_count
    assert outcome.kept + sum(outcome.unusable.values()) == 40
    assert table_bytes(tmp_path / "first") == table_bytes(tmp_path / "second")


def test_rows_without_a_request_have_reasons(tmp_path: Path) -> None:
    long = shortcut(1, literals=tuple(f"Value {number}" for number in range(31)))
    rows = [shortcut(0), shortcut(0), long, shortcut(2, description="x" * 9_000)]
    source = write_shortcuts(tmp_path / "in", rows)
    with LlmServer(context=1_200).running() as server:
        outcome = run_step(plan_for(source), tmp_path / "out", endpoint_for(tmp_path, server.url))
    assert outcome.kept == 2
    assert outcome.rejected == {"duplicate_target": 1, "too_many_actions": 1}
    with LlmServer(context=50).running() as server:
        outcome = run_step(plan_for(source), tmp_path / "none", endpoint_for(tmp_path, server.url))
    assert outcome.kept == 2, "replies in the log are still used"
    (tmp_path / "log.sqlite").unlink()
    with LlmServer(context=50).running() as server:
        outcome = run_step(plan_for(source), tmp_path / "none2", endpoint_for(tmp_path, server.url))
    assert outcome.rejected["context_too_long"] == 2


def test_estimate_is_close_to_the_cost(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 40)
    with LlmServer().running() as server:
        endpoint = endpoint_for(tmp_path, server.url)
        forecast = estimate(plan_for(source), endpoint)
        assert server.billing.billed == 0
        outcome = run_step(plan_for(source), tmp_path / "out", endpoint)
        later_forecast = estimate(plan_for(source), endpoint)
    assert forecast.requests == server.billing.billed == 40
    assert forecast.usd is not None
    assert forecast.usd_most is not None
    assert outcome.spending is not None
    assert forecast.usd <= forecast.usd_most
    assert outcome.spending.settled_usd <= forecast.usd_most
    assert outcome.spending.settled_usd == pytest.approx(forecast.usd, rel=0.35)
    assert (later_forecast.requests, later_forecast.logged, later_forecast.usd) == (0, 40, 0.0)


def test_command_estimates_stops_at_the_cap_and_finishes(tmp_path: Path) -> None:
    source = write_world(tmp_path / "in")
    log, prices = str(tmp_path / "log.sqlite"), str(price_file(tmp_path))
    command = ["generate", "query", "--in", str(source), "--log", log, "--prices", prices]
    command += ["--model", "test-model", "--json", "--workspace", str(tmp_path / "w")]
    with LlmServer().running() as server:
        out = ["--out", str(tmp_path / "out")]
        dry = json.loads(benchloom(*command, *out, "--dry-run", "--base-url", server.url).stdout)
        assert dry["estimate"]["requests"] == 20
        assert not (tmp_path / "out").exists()
        output = benchloom(
            *command, *out, "--max-usd", "0.001", code=3, OPENAI_BASE_URL=server.url
        ).stdout
        assert "--max-usd" in json.loads(output)["stopped"]
        done = json.loads(
            benchloom(*command, *out, "--max-usd", "1", OPENAI_BASE_URL=server.url).stdout
        )
        assert done["outcome"]["kept"] == 20
        assert server.billing.billed == 20
    assert "20 completions, 0 changed" in benchloom("completions", "verify", log).stdout
    benchloom("completions", "export", log, "--out", str(tmp_path / "export"))
    assert (tmp_path / "export/completions.parquet").is_file()
    # The default endpoint needs a key.
    command = ["generate", "query", "--in", str(source), "--workspace", str(tmp_path / "w")]
    benchloom(*command, "--out", str(tmp_path / "p"), code=2)


def test_wrong_usage_is_reported_before_any_request(tmp_path: Path) -> None:
    source = write_world(tmp_path / "in")
    with LlmServer().running() as server:
        endpoint = endpoint_for(tmp_path, server.url, max_usd=1.0)
        unknown = GeneratePlan(step="query", source=source, model="nobody")
        with pytest.raises(RunError, match="needs the price of 'nobody'"):
            run_step(unknown, tmp_path / "out", endpoint)
        with pytest.raises(RunError, match=r"unknown step 'poem'; known: .*category"):
            run_step(plan_for(source, "poem"), tmp_path / "out", endpoint)
        with pytest.raises(RunError, match="contains no shortcuts"):
            run_step(plan_for(tmp_path), tmp_path / "out", endpoint)
        (tmp_path / "file").write_text("x")
        with pytest.raises(RunError, match="is a file"):
            run_step(plan_for(source), tmp_path / "file", endpoint)
        (tmp_path / "bad").mkdir()
        (tmp_path / "bad/shortcuts.parquet").write_bytes(b"no table")
        with pytest.raises(RunError, match="not a readable Parquet file"):
            run_step(plan_for(tmp_path / "bad"), tmp_path / "out", endpoint)
        assert not server.arrivals


@pytest.mark.real_data
@pytest.mark.slow
def test_real_shortcuts_get_generated_texts(real_shortcuts: AnyStage, tmp_path: Path) -> None:
    parsed = parsed_folder(real_shortcuts)
    plan = plan_for(parsed)
    template = GeneratePlan(step="query", source=parsed)
    written = run_template(template, tmp_path / "template")
    with LlmServer().running() as server:
        outcome = run_step(plan, tmp_path / "out", endpoint_for(tmp_path, server.url))
    assert written.objects == outcome.objects == 685
    # Templates know few actions, so most shortcuts need a model.
    without_template = written.rejected["no_template"]
    assert written.rejected == {**outcome.rejected, "no_template": without_template}
    assert outcome.rows["queries"] > 340
    # Texts of the test server are unrelated; a check finds this if the target has enough text.
    verdicts = iter_records(tmp_path / "out", "verdicts", Verdict)
    reasons = Counter(verdict.reason for verdict in verdicts if not verdict.kept)
    assert reasons["unrelated_request"] > 150
    assert reasons.total() - reasons["unrelated_request"] < 10
