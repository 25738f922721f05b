"""Documents for people name only existing commands, options, files, make targets and keys."""

import re
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchloom.evaluate.benchmarks import BENCHMARKS
from docs.building import ROOT
from docs.generated.commands import command_words
from flows.cli import build_app

PAGES = [
    ROOT / "README.md",
    ROOT / "AGENTS.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs" / "pages").glob("*.md")),
    *sorted((ROOT / "examples").rglob("*.sh")),
]
CODE = re.compile(r"^```\w*\n(.*?)^```$|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir()}
ELSEWHERE = {"docs-output", "demo-output", "workspace"}
"""Folders that a command makes."""


def code_of(page: Path) -> list[str]:
    """The lines of code in a page; a shell file is code all over."""
    text = page.read_text(encoding="utf-8")
    code_blocks = (
        [text] if page.suffix == ".sh" else [block or word for block, word in CODE.findall(text)]
    )
    joined = "\n".join(code_blocks).replace("\\\n", " ")
    return [line for line in joined.splitlines() if not line.lstrip().startswith("#!")]


@cache
def commands() -> dict[tuple[str, ...], str]:
    """The help of every command by its words."""
    app = build_app()
    runner = CliRunner(env={"COLUMNS": "200", "TERMINAL_WIDTH": "200", "NO_COLOR": "1"})
    return {
        words: runner.invoke(app, [*words, "--help-all"]).output for words in command_words(app)
    }


def calls_in(line: str) -> list[tuple[list[str], str]]:
    """The commands of ours that a line calls: their words, and what follows them."""
    calls = []
    for match in re.finditer(
        r"(?<![\w/.-])benchloom ([a-z][a-z|-]*)(?: ([a-z][a-z|-]*|BENCHMARK))?(.*)", line
    ):
        first, second, rest = match.groups()
        calls.append(([first, *([second] if second else [])], rest.split(" #")[0].split("; ")[0]))
    return calls


def faults_of(line: str) -> list[str]:
    """Commands and options that are not there."""
    faults = []
    groups = {words[0] for words in commands() if len(words) > 1}
    named: list[tuple[str, ...]]
    for words, rest in calls_in(line):
        if words[0] in groups:
            below = words[1] if len(words) > 1 else ""
            below = "BENCHMARK" if words[0] == "evaluate" and below in BENCHMARKS.names() else below
            named = [(words[0], part) for part in below.split("|") if part or "..." not in rest]
        else:
            named = [(part,) for part in words[0].split("|")]
        for command in named:
            if command not in commands():
                faults.append(f"benchloom {' '.join(command)}")
                continue
            options = re.findall(r"(?<![\w-])(--[a-z-]+)", rest)
            faults += [
                f"{command} {option}"
                for option in options
                if f"{option} " not in commands()[command]
            ]
    return faults


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_and_options_are_there(page: Path) -> None:
    assert [fault for line in code_of(page) for fault in faults_of(line)] == []


def test_a_command_or_option_that_is_not_there_is_noticed() -> None:
    assert faults_of("benchloom rebuild --config rebuild.toml --workspace DIR  # --never") == []
    assert faults_of("benchloom release check|diff|list") == []
    assert faults_of("benchloom rebuilt") == ["benchloom rebuilt"]
    assert faults_of("benchloom release undo X") == ["benchloom release undo"]
    assert faults_of("x; benchloom clean --wet-run") == ["('clean',) --wet-run"]
    assert any(calls_in(line) for page in PAGES for line in code_of(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_and_targets_are_there(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in code_of(page):
        for target in re.findall(r"(?<![\w-])make ([a-z]+)\b", line.split("#")[0]):
            assert target in targets, line
        named = re.sub(r"inspect eval \S+", "", line)  # a task: `benchloom/NAME`
        for path in re.findall(r"(?<![\w./<>:~$-])((?:\.?[\w-]+/)+[\w.<>-]*)", named):
            if path.split("/")[0] in FOLDERS - ELSEWHERE and "NNNN" not in path:
                assert (ROOT / path.split("<")[0]).exists(), path


def test_the_changelog_has_at_most_150_lines() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150, "merge lines of one subject, and shorten earlier versions"
