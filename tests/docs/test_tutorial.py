"""Every command of the tutorial, in its order, in one shell, from a clone of this very tree."""

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
FOREIGN = ("GIT_", "MAKE")
SET_UP = """#!/bin/sh
# Stands in for a minute of pip: the environment of the tests, as finished as one just made.
mkdir -p .venv/bin
echo 'PATH={path}' > .venv/bin/activate
touch -d tomorrow .venv/.installed
"""


def script() -> str:
    """The tutorial as a shell script: shell as it is, Python through the interpreter."""
    typed = ["set -euo pipefail"]
    for block in blocks(TUTORIAL):
        if block.language == "sh":
            typed.append(block.code)
        elif block.language == "python":
            typed.append(f"python - <<'END_OF_PYTHON'\n{block.code}END_OF_PYTHON\n")
    return "\n".join(typed)


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=reader", "-c", "user.email=reader@example.org", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def address(tmp_path: Path) -> Path:
    """A repository with the files of this tree, changes that are not committed included."""
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
def test_the_tutorial_ends_in_a_published_release(
    address: Path, tmp_path: Path, prefect_url: str
) -> None:
    hook = tmp_path / "template" / "hooks" / "post-checkout"
    hook.parent.mkdir(parents=True)
    reader_folder = tmp_path / "reader"
    reader_folder.mkdir()
    clean = clean_environment(tmp_path / "home", prefect_url)
    variables = {name: value for name, value in clean.items() if not name.startswith(FOREIGN)}
    with command_folder() as commands:
        path = os.pathsep.join(map(str, (commands, Path(sys.executable).parent, "$PATH")))
        hook.write_text(SET_UP.format(path=path))
        hook.chmod(0o755)
        done = subprocess.run(
            ["bash", "-c", script()],
            cwd=reader_folder,
            env=variables | {"ADDRESS": str(address), "GIT_TEMPLATE_DIR": str(hook.parents[1])},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    # Each of them was checked by a command, and a fault would have ended the shell.
    for folder in ("workspace/releases", "published", "elsewhere"):
        assert (reader_folder / "first" / folder / "0.1.0" / "manifest.json").is_file()
    checks = [line for line in script().splitlines() if line.startswith("benchloom release check")]
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
    assert all(text in done.stdout for text in texts)


def test_commands_of_the_project_are_run_and_not_only_shown() -> None:
    """Commands in blocks of text, which no test runs, are listed here so that none is missed."""
    text_lines = [
        line
        for block in blocks(TUTORIAL)
        if block.language == "text"
        for line in block.code.splitlines()
    ]
    assert [line.split(" --to ")[0] for line in text_lines] == ["benchloom release publish"] * 2
    assert all("://" in line for line in text_lines)
