"""Check that the examples of every help page run as printed, in the folder of a typical user."""

import json
import os
import shlex
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.main import get_command

from benchloom.evaluate.benchmarks import BENCHMARKS
from flows.cli import build_app
from tests.acceptance.test_documents import README, TUTORIAL, blocks
from tests.support.stranger import Stranger

ROOT = Path(__file__).resolve().parents[2]
NOT_RUN = {
    "benchloom crawl": "reads sites of other people",
    "benchloom download": "reads iCloud",
    "benchloom evaluate run": "asks a model",
    "benchloom generate query --in parsed --out texts --max-usd": "asks a model",
    "benchloom explore": "runs until it is interrupted; see test_explore.py",
    "benchloom review": "runs until it is interrupted; see test_review.py",
    "benchloom world serve": "runs until it is interrupted; see test_world_serve.py",
    "benchloom schedule": "runs until it is interrupted; see the tests of schedules",
    "benchloom release sign": "needs a secret key; see the tests of signatures",
    "benchloom release publish --to hf": "needs the Hub; see the tests of targets",
    "benchloom world load api-bank": "needs a copy of API-Bank",
    "benchloom calibrate workspace/releases/0.1.0 --labels workspace/reviews": "needs readers",
    "benchloom completions": "needs the log of a model's replies; see the tests of the ledger",
    "benchloom demo": "makes the release that all these tests read",
    "benchloom parse listings": "needs captures of that site",
    "benchloom parse definitions Tools-mac.sqlite": "needs the file of a Mac",
}
"""Examples that are not run: their first words, and the reason."""


def help_examples() -> list[str]:
    """Return the commands below `Examples:` of every help page, in the order of the pages."""
    lines: list[str] = []

    def collect_examples(command: Any) -> None:
        text = (command.help or "").partition("Examples:")[2]
        lines.extend(line.strip() for line in text.splitlines() if line.strip())
        for subcommand in getattr(command, "commands", {}).values():
            collect_examples(subcommand)

    collect_examples(get_command(build_app()))
    return lines


LINKED_SUFFIXES = (".parquet", ".html", ".json", ".md", ".shortcut", ".svg", ".gz")
ALL = [line for line in dict.fromkeys(help_examples()) if line.startswith("benchloom ")]
TESTED_ELSEWHERE = {
    line.partition(" #")[0].strip()
    for page in (README, TUTORIAL)
    for block in blocks(page)
    if block.language == "sh"
    for line in block.code.splitlines()
}
"""Commands that the tests of the README and the tutorial run as printed."""
RUN = [line for line in ALL if not line.startswith(tuple(NOT_RUN)) and line not in TESTED_ELSEWHERE]


@pytest.fixture(scope="module")
def stranger(
    demo_release: Path, tmp_path_factory: pytest.TempPathFactory, prefect_url: str
) -> Stranger:
    """Return a user with shortcuts, dialogues, texts, labels, predictions and two exports."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(demo_release.parents[1], folder / "workspace")
    shutil.make_archive(str(folder / "shortcuts"), "zip", ROOT / "demo" / "shortcuts")
    for name in ("tea.shortcut", "shared-tea.shortcut"):
        shutil.copy(ROOT / "demo" / "shortcuts" / "tip-for-the-waiter.shortcut", folder / name)
    shutil.copytree(ROOT / "demo" / "definitions", folder / "apps")
    shutil.copytree(ROOT / "demo" / "sgd", folder / "sgd")
    (folder / "rebuild.toml").write_text(
        '[sources]\nshortcuts = ["shortcuts.zip"]\ndefinitions = ["apps"]\n'
    )
    user = Stranger(folder, tmp_path_factory.mktemp("home"), prefect_url)
    user.types("parse", "shortcuts", "shortcuts.zip", "--out", "parsed")
    user.types("convert", "sgd", "sgd/", "--out", "plans")
    user.types("world", "build", "sgd", "sgd/", "--out", "tasks")
    texts = pq.read_table(demo_release / "queries").to_pylist()
    labels = [{"target_id": row["query_id"], "kept": True, "by": "ann"} for row in texts]
    write_lines(folder / "labels.jsonl", labels)
    ids = pq.read_table(folder / "parsed" / "shortcuts.parquet").column("shortcut_id").to_pylist()
    write_lines(
        folder / "texts.jsonl", [{"target_id": ids[0], "text": "Play the song Rain, please."}]
    )
    for benchmark, name in (("shortcuts", "predictions.jsonl"), ("appbench", "plans.jsonl")):
        scorer = BENCHMARKS.find(benchmark)
        outputs = [
            {"id": sample.sample_id, "output": scorer.output_of(sample, sample.example.calls)}
            for sample in scorer.read_gold(demo_release)
        ]
        write_lines(folder / name, outputs)
    for name in ("scores", "other-scores"):
        user.types("evaluate", "shortcuts", "--predictions", "predictions.jsonl", "--out", name)
    for name, published in (("openai", "chats"), ("jsonl", "examples")):
        user.types("release", "export", "--format", name, "--templates", "--out", published)
        exported = folder / published / "test.jsonl"
        exported.rename(folder / f"{published}.jsonl")
    return user


def link_or_copy(source: str, target: str) -> None:
    """Link a file that commands only replace, and copy a file that they change in place."""
    (os.link if source.endswith(LINKED_SUFFIXES) else shutil.copy2)(source, target)


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_every_excluded_command_is_a_help_example() -> None:
    assert [start for start in NOT_RUN if not any(line.startswith(start) for line in ALL)] == []


@pytest.mark.long
@pytest.mark.parametrize("line", RUN)
def test_help_example_runs_without_a_fault(line: str, stranger: Stranger, tmp_path: Path) -> None:
    folder = tmp_path / "user"
    shutil.copytree(stranger.folder, folder, copy_function=link_or_copy)
    if "diff" in line:
        shutil.copytree(
            folder / "workspace" / "releases" / "0.1.0", folder / "workspace" / "releases" / "0.2.0"
        )
    words = shlex.split(line.partition(" > ")[0])[1:]
    replace(stranger, folder=folder).types(*words)
