"""Run every command of the tutorial in order in one shell, in a clone of this working tree."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.acceptance.test_documents import TUTORIAL, blocks
from tests.support.commands import command_folder
from tests.support.prefect_server import clean_environment

ROOT = Path(__file__).resolve().parents[2]
REMOVED_VARIABLES = ("GIT_", "MAKE")
SET_UP = """#!/bin/sh
# Use the environment of the tests instead of a new one, which pip would take a minute to install.
mkdir -p .venv/bin
echo 'PATH={path}' > .venv/bin/activate
touch -d tomorrow .venv/.installed
"""


def tutorial_script() -> str:
    """Return the tutorial as a shell script whose Python blocks run in the interpreter."""
    parts = ["set -euo pipefail"]
    for block in blocks(TUTORIAL):
        if block.language == "sh":
            parts.append(block.code)
        elif block.language == "python":
            parts.append(f"python - <<'END_OF_PYTHON'\n{block.code}END_OF_PYTHON\n")
    return "\n".join(parts)


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=reader", "-c", "user.email=reader@example.org", *words]
    completed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return completed.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with the files of this working tree, also uncommitted ones."""
    copy = tmp_path / "origin"
    for name in git(ROOT, "ls-files", "-co", "--exclude-standard", "-z").split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
            (copy / name).chmod((ROOT / name).stat().st_mode)
    git(copy, "init", "--quiet")
    git(copy, "add", "--all")
    git(copy, "commit", "--quiet", "--message", "The tree")
    return copy


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.prefect
def test_tutorial_ends_in_a_published_release(
    repository: Path, tmp_path: Path, prefect_url: str
) -> None:
    hook = tmp_path / "template" / "hooks" / "post-checkout"
    hook.parent.mkdir(parents=True)
    reader_folder = tmp_path / "reader"
    reader_folder.mkdir()
    clean = clean_environment(tmp_path / "home", prefect_url)
    variables = {
        name: value for name, value in clean.items() if not name.startswith(REMOVED_VARIABLES)
    }
    with command_folder() as commands:
        path = os.pathsep.join(map(str, (commands, Path(sys.executable).parent, "$PATH")))
        hook.write_text(SET_UP.format(path=path))
        hook.chmod(0o755)
        completed = subprocess.run(
            ["bash", "-c", tutorial_script()],
            cwd=reader_folder,
            env=variables | {"ADDRESS": str(repository), "GIT_TEMPLATE_DIR": str(hook.parents[1])},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert "Traceback" not in completed.stderr
    # The tutorial checks each of these releases, and a failing check would have ended the shell.
    for folder in ("workspace/releases", "published", "elsewhere"):
        assert (reader_folder / "first" / folder / "0.1.0" / "manifest.json").is_file()
    checks = [
        line
        for line in tutorial_script().splitlines()
        if line.startswith("benchloom release check")
    ]
    assert checks == [
        "benchloom release check",
        "benchloom release check published/0.1.0",
        "benchloom release check elsewhere/0.1.0",
    ]
    queries = pd.read_parquet(
        reader_folder / "first" / "workspace" / "releases" / "0.1.0" / "queries"
    )
    texts = queries[queries.kept & (queries.kind == "query")].text
    assert len(texts) > 0
    assert all(text in completed.stdout for text in texts)


def test_blocks_that_no_test_runs_contain_only_known_commands() -> None:
    """The commands in blocks of text, which no test runs, are listed here."""
    text_lines = [
        line
        for block in blocks(TUTORIAL)
        if block.language == "text"
        for line in block.code.splitlines()
    ]
    assert [line.split(" --to ")[0] for line in text_lines] == ["benchloom release publish"] * 2
    assert all("://" in line for line in text_lines)
