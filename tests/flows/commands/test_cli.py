"""Tests of the command line: they check exit codes, one-line errors and JSON summaries."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pyarrow.parquet as pq
import pytest

import flows.rebuild
from flows.commands.rebuild import first_table
from flows.engine.single import FLOWS
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS
from tests.support.python import python
from tests.support.shared_data import shared_file


def stderr_lines(done: CompletedProcess[str]) -> list[str]:
    """Return the lines a command wrote to stderr without progress lines, whose number varies."""
    return [line for line in done.stderr.splitlines() if not line.startswith("parse shortcuts: ")]


def test_parse_writes_one_row_per_object_and_a_json_summary(tmp_path: Path) -> None:
    """The output is equal for any worker count, with a cross-check and if --strict fails."""
    words = ("parse", "shortcuts", SHORTCUTS, "--out")
    done = benchloom(*words, tmp_path / "x", "--json")
    assert (done.returncode, stderr_lines(done)) == (0, [])
    summary = json.loads(done.stdout)
    assert summary["rows"] == {"rejected": 19, "shortcuts": 53}
    assert summary["objects"] == 72
    assert sum(summary["reasons"].values()) == 19
    strict = benchloom(*words, tmp_path / "y", "--workers", 2, "--cross-check", "--strict")
    assert strict.returncode == 1
    assert stderr_lines(strict) == [
        "benchloom: --strict: 19 objects were rejected; see rejected.parquet"
    ]
    for name in ("shortcuts.parquet", "rejected.parquet"):
        assert (tmp_path / "x" / name).read_bytes() == (tmp_path / "y" / name).read_bytes()
    rows = pq.read_table(tmp_path / "x" / "shortcuts.parquet")
    assert rows.num_rows == 53
    assert "odd/renamed.plist" in rows.column("source_uri").to_pylist()
    assert pq.read_table(tmp_path / "x" / "rejected.parquet").num_rows == 19


@pytest.mark.real_data
def test_cross_check_agrees_on_real_files(tmp_path: Path) -> None:
    done = benchloom(
        "parse",
        "shortcuts",
        shared_file("shortcuts.zip"),
        "--out",
        tmp_path / "x",
        "--cross-check",
        "--json",
    )
    summary = json.loads(done.stdout)
    assert summary["rows"]["shortcuts"] == 685
    assert summary["reasons"] == {"not_a_shortcut": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rebuild", "--config", "bad.toml"], "unknown key 'source'; did you mean 'sources'?"),
        (["rebuild", "--config", "none.toml"], "the configuration has no input in [sources]"),
        (["run", "normalize"], "unknown flow 'normalize'; did you mean 'normalise'?"),
        (["parse", "listings", ".", "--site", "zz", "--out", "o"], "unknown site 'zz'; known: "),
        (["convert", "sgd", ".", "--format", "parket", "--out", "o"], "did you mean 'parquet'?"),
        (
            ["run", "parse", "--param", "input=a"],
            "expected NAME=VALUE with one of the names inputs",
        ),
        (["run", "parse"], "needs --param inputs=VALUE"),
    ],
)
def test_wrong_usage_is_one_line_with_exit_code_2(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "bad.toml").write_text("[source]\nshortcuts = []\n")
    (tmp_path / "none.toml").write_text("[sources]\nshortcuts = []\n")
    done = benchloom(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    first_line, *other_lines = done.stderr.splitlines()
    # A command with slow imports first prints that it is starting.
    assert other_lines == [] or (first_line, len(other_lines)) == (
        f"benchloom {arguments[0]}: starting...",
        1,
    )
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["shortcuts", "definitions"])
def test_unreadable_input_fails_with_a_clear_message(tmp_path: Path, command: str) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/one.txt").write_text("water the tomatoes")
    words = ("parse", command, tmp_path / "notes", "--out", tmp_path / "out")
    done = benchloom(*words)
    assert done.returncode == 1
    assert "nothing was read: all 1 objects were rejected (1 " in done.stderr
    assert "NOTHING WAS READ" in done.stdout
    done = benchloom(*words, "--json")
    assert done.returncode == 1
    assert "nothing was read" in done.stderr
    assert json.loads(done.stdout)["objects"] == 1
    assert benchloom(*words, "--strict").returncode == 1
    build_words = ("release", "build", "--in", tmp_path / "out", "--workspace", tmp_path / "w")
    done = benchloom(*build_words)
    assert done.returncode == 1
    assert "nothing was read: 1 objects were rejected" in done.stderr


def test_unconvertible_file_error_names_the_expected_format(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('{"MUL1.json": {"log": []}}')
    done = benchloom("convert", "multiwoz", tmp_path / "data.json", "--out", tmp_path / "out")
    assert done.returncode == 1
    assert "1 objects" in done.stdout
    assert "MultiWOZ_2.2" in done.stderr
    assert "Traceback" not in done.stderr


def test_first_table_to_load_has_rows() -> None:
    assert first_table({"shortcuts": 2, "rejected": 9}) == "shortcuts"
    assert first_table({"shortcuts": 0, "planning_paths": 4, "rejected": 1}) == "planning_paths"
    assert first_table({"dialogues": 5, "planning_paths": 4}) == "planning_paths"
    assert first_table({"dialogues": 0, "rejected": 3}) == "rejected"


def test_cli_starts_without_heavy_libraries() -> None:
    probe = (
        "import sys; from flows.cli import build_app; build_app(); "
        "print([m for m in ('prefect', 'pyarrow', 'pandas', 'selenium', 'openai', 'httpx', "
        "'pydantic') if m in sys.modules])"
    )
    assert python("-c", probe).stdout.strip() == "[]"


def test_rebuild_imports_flows_lazily() -> None:
    lines = Path(flows.rebuild.__file__).read_text().splitlines()
    assert not [name for name in FLOWS.names() if f"from flows.{name} import {name}" in lines]
