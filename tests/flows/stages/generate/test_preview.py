"""Check that `generate --preview` shows prompts, replies, verdicts and costs of a few rows."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchloom.core.errors import GateError
from flows.commands._preview import show_preview, visible
from flows.stages.generate.preview import Choice, preview_model
from tests.support.llm.command import benchloom
from tests.support.llm.server import LlmServer
from tests.support.llm.world import (
    endpoint_for,
    plan_for,
    price_file,
    run_step,
    shortcut,
    shortcuts_folder,
    write_definitions,
    write_paths,
    write_shortcuts,
)


def preview_command(work: Path, source: Path, step: str = "query") -> list[str]:
    """Return the arguments that every preview of these tests begins with."""
    arguments = ["generate", step, "--in", str(source), "--prices", str(price_file(work))]
    return [*arguments, "--model", "test-model", "--workspace", str(work / "w")]


def read_preview(*arguments: object, code: int = 0, **environment: str) -> Any:
    """Run a command with `--json` and return its preview."""
    return json.loads(benchloom(*arguments, "--json", code=code, **environment).stdout)["preview"]


def test_run_uses_the_replies_of_its_preview(tmp_path: Path) -> None:
    command = preview_command(tmp_path, shortcuts_folder(tmp_path / "in", 12))
    with LlmServer().running() as server:
        url = ("--base-url", server.url)
        preview = read_preview(*command, *url, "--preview", 3)
        assert server.billing.billed == 3
        assert len(preview["rows"]) == 3
        for row in preview["rows"]:
            (turn,) = row["exchanges"]
            assert [message["role"] for message in turn["messages"]] == ["system", "user"]
            assert json.loads(turn["reply"])["query"] == row["text"]
            assert row["kept"] == all(verdict["kept"] for verdict in row["verdicts"])
            assert row["tokens_in"] > 0 < row["usd"]
        assert preview["spent_usd"] == pytest.approx(sum(row["usd"] for row in preview["rows"]))
        assert (preview["forecast"]["requests"], preview["forecast"]["logged"]) == (9, 3)
        again = read_preview(*command, *url, "--preview", 3)
        assert again["spent_usd"] == 0
        assert all(row["exchanges"][0]["from_log"] for row in again["rows"])
        assert not list((tmp_path / "w").glob("*/stage.json"))
        benchloom(*command, *url, "--out", tmp_path / "out")
        assert server.billing.billed == 12


def test_dry_preview_shows_the_prompts_of_the_run(tmp_path: Path) -> None:
    command = preview_command(tmp_path, shortcuts_folder(tmp_path / "in", 5))
    dry = read_preview(
        *command, "--preview", 2, "--dry-run", OPENAI_BASE_URL="http://127.0.0.1:9/v1"
    )
    keyless = read_preview(*command, "--preview", 2)
    assert dry["rows"] == keyless["rows"]
    assert not dry["asked"]
    assert "set OPENAI_API_KEY" in benchloom(*command, "--preview", 1).stdout
    with LlmServer().running() as server:
        live = read_preview(*command, "--preview", 2, "--base-url", server.url)
    for before, after in zip(dry["rows"], live["rows"], strict=True):
        assert "reply" not in before["exchanges"][0]
        assert before["exchanges"][0]["messages"] == after["exchanges"][0]["messages"]


def test_seed_selects_the_previewed_rows(tmp_path: Path) -> None:
    command = [*preview_command(tmp_path, shortcuts_folder(tmp_path / "in", 40)), "--dry-run"]

    def target_ids(*options: object) -> list[str]:
        return [
            row["target_id"] for row in read_preview(*command, "--preview", 4, *options)["rows"]
        ]

    drawn = target_ids("--seed", 1)
    assert target_ids("--seed", 1) == drawn
    assert target_ids() != drawn


def test_preview_stops_at_the_cap_and_shows_finished_rows(tmp_path: Path) -> None:
    command = preview_command(tmp_path, shortcuts_folder(tmp_path / "in", 12))
    with LlmServer().running() as server:
        command += ["--base-url", server.url, "--max-usd", "0.004"]
        preview = read_preview(*command, "--preview", 12, code=3)
        billed = server.billing.billed
        assert 0 < billed < 12
    replies = [row for row in preview["rows"] if "reply" in row["exchanges"][0]]
    assert len(replies) == billed
    assert "--max-usd" in preview["stopped"]
    assert preview["spent_usd"] <= 0.004
    assert len(preview["rows"]) == 12


@pytest.mark.parametrize("step", ["category", "instruction", "nested", "dialogue"])
def test_every_writing_step_has_a_preview(tmp_path: Path, step: str) -> None:
    source = write_paths(write_definitions(shortcuts_folder(tmp_path / "in", 5)))
    with LlmServer().running() as server:
        endpoint = endpoint_for(tmp_path, server.url)
        preview = preview_model(plan_for(source, step), endpoint, Choice(count=2))
    assert len(preview.rows) == 2
    for row in preview.rows:
        assert all(turn.reply for turn in row.exchanges)
        assert row.text is not None or row.reason is not None


@pytest.mark.parametrize("step", ["faithfulness", "instruction_score", "parameters"])
def test_judge_steps_have_a_preview(tmp_path: Path, step: str) -> None:
    source = shortcuts_folder(tmp_path / "in", 5)
    with LlmServer().running() as server:
        run_step(plan_for(source), tmp_path / "texts", endpoint_for(tmp_path, server.url))
        command = [*preview_command(tmp_path, source, step), "--base-url", server.url]
        output = benchloom(*command, "--beside", tmp_path / "texts", "--preview", 2).stdout
    assert "=== row 2 of 2: " in output
    assert " by " in output.partition("--- reply")[2]
    assert "all rows: 3 requests to send, 2 replies already in the log" in output


def test_preview_remembers_an_endpoint_without_schemas(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 6)
    with LlmServer(structured=False).running() as server:
        endpoint = endpoint_for(tmp_path, server.url)
        first = preview_model(plan_for(source), endpoint, Choice(count=2))
        assert first.forecast is not None
        assert first.forecast.logged == 2
        later = preview_model(plan_for(source), endpoint, Choice(count=3), ask=False)
    for row in (*first.rows, *later.rows):
        assert "Reply with one JSON object" in row.exchanges[0].messages[0].content
    assert [row.text is None for row in later.rows] == [False, False, True]


def test_preview_shows_unreadable_replies_with_their_prompt(tmp_path: Path) -> None:
    source = shortcuts_folder(tmp_path / "in", 2)
    with LlmServer(fixed="no JSON").running() as server:
        endpoint = endpoint_for(tmp_path, server.url)
        preview = preview_model(plan_for(source), endpoint, Choice(count=1))
    (row,) = preview.rows
    assert row.reason == "unreadable_reply"
    assert [turn.reply for turn in row.exchanges] == ["no JSON", "no JSON"]
    assert len(row.exchanges[1].messages) == 4


def test_preview_without_any_reply_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = plan_for(shortcuts_folder(tmp_path / "in", 2))
    endpoint = endpoint_for(tmp_path, "http://127.0.0.1:9/v1")
    with pytest.raises(
        GateError, match=r"the model replied to no row of the preview \(1 endpoint_failed\)"
    ):
        show_preview(plan, endpoint, Choice(count=1), "llm", ask=True, as_json=False)
    output = capsys.readouterr().out
    assert "--- user" in output
    assert "--- rejected: endpoint_failed" in output
    assert "uses the replies above" not in output


def test_preview_of_templates_shows_texts_and_verdicts(tmp_path: Path) -> None:
    rows = [shortcut(0), shortcut(0), shortcut(1), shortcut(2)]
    command = preview_command(tmp_path, write_shortcuts(tmp_path / "in", rows))
    preview = read_preview(*command, "--writer", "template", "--preview", 3)
    assert [row["kept"] for row in preview["rows"]] == [True, True, True]
    assert preview["passed_over"] == {"duplicate_target": 1}
    assert preview["forecast"] is None
    assert "--- text" in benchloom(*command, "--writer", "template", "--preview", 1).stdout


def test_preview_prints_no_control_characters(tmp_path: Path) -> None:
    row = shortcut(1, "evil \x1b[2J\u202e")
    command = preview_command(tmp_path, write_shortcuts(tmp_path / "in", [row]))
    with LlmServer(fixed='{"query": "Clear \x1b[2J it\\u001b[2J\u202e now"}').running() as server:
        output = benchloom(*command, "--preview", 1, "--base-url", server.url, COLUMNS="60").stdout
    assert all(line.isprintable() for line in output.split("\n"))
    assert "\\x1b[2J" in output
    assert max(len(line) for line in output.split("--- reply")[0].split("\n")[1:]) <= 60
    assert visible("a\x9b\u2028b") == "a\\x9b\\u2028b"


def test_only_previews_and_forecasts_need_no_output_folder(tmp_path: Path) -> None:
    command = preview_command(tmp_path, shortcuts_folder(tmp_path / "in", 2))
    done = benchloom(*command, code=2)
    assert "--out DIR is missing" in done.stderr
    assert "--preview 3" in benchloom(*command, "--dry-run").stdout
