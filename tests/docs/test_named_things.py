"""Check that documents name only existing commands, options, files and make targets."""

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
"""Folders that commands create."""


def code_lines(page: Path) -> list[str]:
    """Return the lines of code in a page; a shell file consists of code only."""
    text = page.read_text(encoding="utf-8")
    code_blocks = (
        [text] if page.suffix == ".sh" else [block or word for block, word in CODE.findall(text)]
    )
    joined = "\n".join(code_blocks).replace("\\\n", " ")
    return [line for line in joined.splitlines() if not line.lstrip().startswith("#!")]


@cache
def commands() -> dict[tuple[str, ...], str]:
    """Return the help of every command, by the words of the command."""
    app = build_app()
    runner = CliRunner(env={"COLUMNS": "200", "TERMINAL_WIDTH": "200", "NO_COLOR": "1"})
    return {
        words: runner.invoke(app, [*words, "--help-all"]).output for words in command_words(app)
    }


def commands_in(line: str) -> list[tuple[list[str], str]]:
    """Return the words and the remaining text of every `benchloom` command in a line."""
    named_commands = []
    for match in re.finditer(
        r"(?<![\w/.-])benchloom ([a-z][a-z|-]*)(?: ([a-z][a-z|-]*|BENCHMARK))?(.*)", line
    ):
        first, second, rest = match.groups()
        named_commands.append(
            ([first, *([second] if second else [])], rest.split(" #")[0].split("; ")[0])
        )
    return named_commands


def unknown_names_in(line: str) -> list[str]:
    """Return the commands and options in a line that do not exist."""
    unknown_names = []
    groups = {words[0] for words in commands() if len(words) > 1}
    candidates: list[tuple[str, ...]]
    for words, rest in commands_in(line):
        if words[0] in groups:
            below = words[1] if len(words) > 1 else ""
            below = "BENCHMARK" if words[0] == "evaluate" and below in BENCHMARKS.names() else below
            candidates = [
                (words[0], part) for part in below.split("|") if part or "..." not in rest
            ]
        else:
            candidates = [(part,) for part in words[0].split("|")]
        for command in candidates:
            if command not in commands():
                unknown_names.append(f"benchloom {' '.join(command)}")
                continue
            options = re.findall(r"(?<![\w-])(--[a-z-]+)", rest)
            unknown_names += [
                f"{command} {option}"
                for option in options
                if f"{option} " not in commands()[command]
            ]
    return unknown_names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_names_only_existing_commands_and_options(page: Path) -> None:
    assert [name for line in code_lines(page) for name in unknown_names_in(line)] == []


def test_missing_command_or_option_is_reported() -> None:
    assert (
        unknown_names_in("benchloom rebuild --config rebuild.toml --workspace DIR  # --never") == []
    )
    assert unknown_names_in("benchloom release check|diff|list") == []
    assert unknown_names_in("benchloom rebuilt") == ["benchloom rebuilt"]
    assert unknown_names_in("benchloom release undo X") == ["benchloom release undo"]
    assert unknown_names_in("x; benchloom clean --wet-run") == ["('clean',) --wet-run"]
    assert any(commands_in(line) for page in PAGES for line in code_lines(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_names_only_existing_files_and_make_targets(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in code_lines(page):
        for target in re.findall(r"(?<![\w-])make ([a-z]+)\b", line.split("#")[0]):
            assert target in targets, line
        # `benchloom/NAME` after `inspect eval` is the name of a task, not a path.
        checked_text = re.sub(r"inspect eval \S+", "", line)
        for path in re.findall(r"(?<![\w./<>:~$-])((?:\.?[\w-]+/)+[\w.<>-]*)", checked_text):
            if path.split("/")[0] in FOLDERS - ELSEWHERE and "NNNN" not in path:
                assert (ROOT / path.split("<")[0]).exists(), path


def test_changelog_has_at_most_150_lines() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150, "merge lines of one subject, and shorten earlier versions"
