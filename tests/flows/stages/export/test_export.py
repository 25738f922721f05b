"""Check that `release export` writes a complete folder, always the same, or refuses."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import CompletedProcess

import msgspec
import pytest

from benchloom.core.errors import GateError, RunError
from benchloom.exchange.examples.releases import Choice
from benchloom.exchange.formats import FORMATS, Writing
from flows.stages.export import export_release
from tests.support.commands import benchloom
from tests.support.folders import contents
from tests.support.python import python
from tests.support.samples.plan_release import plan_release, plans, text_of

PATHS = list(plans(8))
PLAN_FORMATS = tuple(
    name
    for name, writing in FORMATS.only(Writing).items()
    if "planning_paths" in writing.tables and not writing.pairs
)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plan_release(tmp_path_factory.mktemp("r") / "release", PATHS)


def run_export(arguments: list[str]) -> CompletedProcess[str]:
    return benchloom("release", "export", *arguments)


@pytest.mark.parametrize("name", PLAN_FORMATS)
def test_every_format_writes_splits_card_and_losses(
    name: str, release: Path, tmp_path: Path
) -> None:
    done = export_release(release, name, tmp_path / "a", Choice())
    again = export_release(release, name, tmp_path / "b", Choice())
    assert done == again
    file_contents = contents(tmp_path / "a")
    assert file_contents == contents(tmp_path / "b")
    assert done.files.keys() == file_contents.keys()
    assert done.splits == {"test": 2, "train": 4, "validation": 2}
    card = file_contents["README.md"].decode()
    assert done.content_digest in card
    assert "| train | 4 |" in card
    lines_with_losses = [json.loads(line) for line in file_contents["losses.jsonl"].splitlines()]
    assert sum(len(line["losses"]) for line in lines_with_losses) == sum(done.losses.values())
    assert {line["id"] for line in lines_with_losses} <= {text_of(path).query_id for path in PATHS}
    for kind in done.losses:
        assert f"| {kind} |" in card


def test_split_is_selected_and_unknown_split_is_refused(release: Path, tmp_path: Path) -> None:
    done = export_release(release, "openai", tmp_path / "a", Choice("test"))
    assert done.splits == {"test": 2}
    assert set(contents(tmp_path / "a")) == {"README.md", "losses.jsonl", "test.jsonl"}
    with pytest.raises(RunError, match=r"no split 'dev'; known: test, train, validation"):
        export_release(release, "openai", tmp_path / "b", Choice("dev"))
    refused = run_export(
        [str(release), "--format", "openai", "--split", "dev", "--out", str(tmp_path / "b")]
    )
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert not (tmp_path / "b").exists()


def test_export_without_rows_states_the_reasons(tmp_path: Path) -> None:
    texts = [
        text_of(PATHS[0], generator="template"),
        text_of(PATHS[1], kept=False),
        text_of(PATHS[1], query_id="second", generator="template"),
        text_of(PATHS[2], kind="category"),
    ]
    release = plan_release(tmp_path / "r", PATHS[:3], texts)
    done = run_export([str(release), "--format", "openai", "--out", str(tmp_path / "a")])
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[-1] == "benchloom: nothing was exported: no row could be written"
    assert any("2 left out" in line and "--templates" in line for line in lines)
    assert any("1 left out" in line and "--all" in line for line in lines)
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
    templates = export_release(release, "openai", tmp_path / "a", Choice(templates=True))
    assert templates.examples == 2
    every = export_release(release, "openai", tmp_path / "b", Choice(every=True, templates=True))
    assert every.examples == 4
    ids = [json.loads(line)["id"] for line in contents(tmp_path / "b")["train.jsonl"].splitlines()]
    assert len(ids) == len(set(ids)) == 3


@pytest.mark.parametrize("table", ["planning_paths", "queries", "api_definitions"])
def test_export_refuses_a_changed_release(table: str, tmp_path: Path) -> None:
    release = plan_release(tmp_path / "r", PATHS)
    (file,) = (release / table).iterdir()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(GateError, match="was changed") as refused:
        export_release(release, "openai", tmp_path / "a", Choice())
    assert [finding.startswith(f"{table}/") for finding in refused.value.findings] == [True]
    assert not (tmp_path / "a").exists()


def test_export_refuses_a_file_outside_the_manifest(tmp_path: Path) -> None:
    release = plan_release(tmp_path / "r", PATHS)
    file = release / "queries" / "unsplit-00000-of-00001.parquet"
    (release / "queries" / "unsplit-00001-of-00002.parquet").write_bytes(file.read_bytes())
    with pytest.raises(GateError) as refused:
        export_release(release, "openai", tmp_path / "a", Choice())
    assert refused.value.findings == (
        "queries/unsplit-00001-of-00002.parquet: not in the manifest",
    )


@pytest.mark.parametrize(("name", "max_bytes"), [("openai", 200), ("trl", 3000)])
def test_full_disk_ends_an_export_with_one_line(
    name: str, max_bytes: int, release: Path, tmp_path: Path
) -> None:
    command = ("release", "export", release, "--format", name, "--out", tmp_path / "a")
    done = benchloom(*command, most=max_bytes)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_killed_export_leaves_no_result(tmp_path: Path) -> None:
    release = plan_release(tmp_path / "r", list(plans(4000)))
    arguments = [str(release), "--format", "openai", "--out", str(tmp_path / "a")]
    command = [sys.executable, "-m", "flows.cli", "release", "export", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not list(tmp_path.glob(".*/*.jsonl")):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "a").exists()
    assert run_export(arguments).returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "r"]


def test_exported_bytes_do_not_depend_on_the_hash_seed(release: Path, tmp_path: Path) -> None:
    command = ["release", "export", release, "--format", "adp", "--distractors", "3", "--json"]
    first = benchloom(*command, "--out", tmp_path / "here")
    seeded = {**os.environ, "PYTHONHASHSEED": "4711"}
    second = python("-m", "flows.cli", *command, "--out", tmp_path / "other", env=seeded)
    assert msgspec.json.decode(first.stdout) == msgspec.json.decode(second.stdout)
    assert contents(tmp_path / "here") == contents(tmp_path / "other")


def test_export_into_a_folder_with_files_is_refused(release: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(RunError, match="not empty"):
        export_release(release, "openai", tmp_path, Choice())
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
