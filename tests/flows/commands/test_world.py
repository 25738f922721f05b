"""Tests of `benchloom world`: they check listing, loading and replaying of suites."""

from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from benchloom.core.errors import RunError
from benchloom.worlds.suites import SUITES
from benchloom.worlds.world_files import loaded_starts
from flows.cli import build_app
from tests.benchloom.worlds.suites.api_bank.sample import (
    ADA,
    copy_of,
    dialogue_turn,
    lines,
    recorded_call,
)


def test_world_list_shows_suites_with_their_tools(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        build_app(), ["world", "list", "--json", "--workspace", str(tmp_path)]
    )
    suites = {suite["suite"]: suite for suite in msgspec.json.decode(done.stdout)["suites"]}
    assert tuple(suites) == SUITES.names()
    assert suites["everyday"]["tools"] == len(SUITES.find("everyday").world("{}").tools)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["replay", "everyday"], "suite 'everyday' has no recorded dialogues"),
        (["load", "everyday"], "suite 'everyday' needs no data"),
        (["replay", "everydya"], "did you mean 'everyday'?"),
        (["load", "everydya"], "did you mean 'everyday'?"),
    ],
)
def test_unsupported_suite_commands_are_errors(
    words: list[str], message: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(build_app(), ["world", *words, str(tmp_path)])
    assert isinstance(done.exception, RunError), done.output
    assert message in str(done.exception)


def run_world(*words: str) -> Result:
    """Run `benchloom world` with these words; return its output and exit code."""
    return CliRunner().invoke(build_app(), ["world", *words])


@pytest.fixture
def api_bank_copy(tmp_path: Path) -> Path:
    """Return a tiny copy of API-Bank's files."""
    dialogue = lines(dialogue_turn("Hello"), recorded_call("GetUserToken", ADA, {"token": "other"}))
    for source in copy_of({"one.jsonl": dialogue}, {"Wiki.json": b"{"}):
        path = tmp_path / source.source_uri
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.read())
    return tmp_path / "copy"


def test_loaded_start_is_stored_and_listed(api_bank_copy: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    done = run_world(
        "load", "api-bank", str(api_bank_copy), "--json", "--workspace", str(workspace)
    )
    report = msgspec.json.decode(done.stdout)
    assert (report["starts"], report["tools"]) == (1, 52)
    assert report["reasons"] == {"bad_json": 1}
    rejected = msgspec.json.decode((Path(report["out"]) / "rejected.json").read_bytes())
    assert tuple(rejected) == ("init_database/Wiki.json",)
    output = run_world("list", "--workspace", str(workspace)).stdout
    assert "api-bank, 52 tools" in output
    second_load = run_world("load", "api_bank", str(api_bank_copy), "--workspace", str(workspace))
    assert second_load.exit_code == 0
    assert tuple(loaded_starts(workspace, "api-bank")) == ("api-bank",)


def test_damaged_start_is_refused(api_bank_copy: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    assert (
        run_world("load", "api-bank", str(api_bank_copy), "--workspace", str(workspace)).exit_code
        == 0
    )
    starts = workspace / "worlds" / "api-bank" / "starts.jsonl"
    starts.write_bytes(starts.read_bytes().replace(b"plum-7", b"plum-8"))
    done = run_world("list", "--workspace", str(workspace))
    assert isinstance(done.exception, RunError)
    assert "run 'benchloom world load api-bank' again" in str(done.exception)


def test_replay_reports_figures_and_differences(api_bank_copy: Path, tmp_path: Path) -> None:
    file = tmp_path / "out" / "differences.jsonl"
    done = run_world("replay", "api-bank", str(api_bank_copy), "--json", "--differences", str(file))
    report = msgspec.json.decode(done.stdout)
    assert {name: report[name] for name in ("dialogues", "dialogues_equal", "calls")} == {
        "dialogues": 1,
        "dialogues_equal": 0,
        "calls": 1,
    }
    assert (report["calls_equal"], report["excluded"]) == (0, 0)
    assert report["reasons"] == {"ours_wrong": 1}
    (line,) = file.read_bytes().splitlines()
    assert msgspec.json.decode(line)["tool"] == "GetUserToken"
    output = run_world("replay", "api-bank", str(api_bank_copy)).stdout
    assert "0 of 1 dialogues equal, 0 of 1 calls" in output
    assert "dialogues/one.jsonl#call 1 GetUserToken: ours_wrong" in output


def test_replay_without_dialogues_fails(api_bank_copy: Path) -> None:
    done = run_world("replay", "api-bank", str(api_bank_copy / "init_database"))
    assert isinstance(done.exception, RunError)
    assert "no dialogue of api-bank" in str(done.exception)
