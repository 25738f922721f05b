"""Every code block of the README and the tutorial runs as it is printed, or says why it cannot."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.main import get_command

from flows.cli import build_app
from flows.configuration.file import read_configuration
from tests.support.stranger import Stranger

ROOT = Path(__file__).resolve().parents[2]
README = "README.md"
TUTORIAL = "docs/pages/tutorial.md"
LANGUAGES = {"sh", "python", "toml", "text"}
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = {
    (README, "make demo"): "sets up an environment from an index, and runs these very tests",
    (README, ".venv/bin/benchloom rebuild"): "needs the weights of the local model and a browser",
    (README, "benchloom release sign"): "needs a secret key, a bucket and the Hub",
}
"""Shell blocks by their first words, and what they need that is not here."""
ELSEWHERE = "all blocks in one shell, from a clone: tests/docs/test_tutorial.py"


class Block(NamedTuple):
    """A fenced block of a document."""

    document: str
    language: str
    code: str

    @property
    def name(self) -> str:
        """The document and the first line."""
        return f"{self.document}: {self.code.strip().splitlines()[0][:50]}"


def blocks(document: str) -> list[Block]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [Block(document, *fields) for fields in _FENCE.findall(text)]


def reason_of(block: Block) -> str | None:
    """Why a block is not run here, None of one that is."""
    if block.document == TUTORIAL:
        return ELSEWHERE
    first = block.code.lstrip()
    reasons = (why for (document, start), why in NOT_RUN.items()
               if document == block.document and first.startswith(start))  # fmt: skip
    return next(reasons, None)


ALL = [block for document in (README, TUTORIAL) for block in blocks(document)]


def test_every_block_says_what_it_is() -> None:
    assert [block.name for block in ALL if block.language not in LANGUAGES] == []


def test_every_shell_block_of_the_readme_runs_or_says_why_not() -> None:
    shell = [block for block in ALL if (block.document, block.language) == (README, "sh")]
    assert [block.name for block in shell if reason_of(block) is None] == []
    starts = {start for document, start in NOT_RUN if document == README}
    stale = [
        prefix for prefix in starts if not any(b.code.lstrip().startswith(prefix) for b in shell)
    ]
    assert stale == []


@pytest.mark.parametrize(
    "block",
    [block for block in ALL if (block.document, block.language) == (README, "python")],
    ids=lambda block: block.name,
)
def test_python_of_the_readme_runs_over_the_release_of_the_demo(
    block: Block, demo_release: Path, tmp_path: Path
) -> None:
    assert demo_release.parts[-3:-1] == ("demo-output", "releases")
    (tmp_path / "demo-output").symlink_to(demo_release.parents[1])
    reader = Stranger(tmp_path, tmp_path / "home")
    done = subprocess.run(
        [sys.executable, "-c", block.code],
        cwd=tmp_path,
        env=reader.environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(
    "block",
    [block for block in ALL if block.language == "toml"],
    ids=lambda block: block.name,
)
def test_a_configuration_that_is_shown_can_be_read(block: Block, tmp_path: Path) -> None:
    (tmp_path / "rebuild.toml").write_text(block.code, encoding="utf-8")
    assert read_configuration(tmp_path / "rebuild.toml").sources.shortcuts


def test_every_command_that_the_readme_lists_exists() -> None:
    """The list of commands holds names in capitals, so that it cannot be run as it is."""
    (listed,) = [b for b in ALL if b.language == "text" and b.code.startswith("benchloom parse")]
    missing = [line for line in listed.code.splitlines() if not is_known(line)]
    assert missing == []


def is_known(line: str) -> bool:
    """Whether the words of a line in small letters, up to the first that is none, are commands."""
    command: Any = get_command(build_app())
    for word in line.split("#", maxsplit=1)[0].split()[1:]:
        commands = getattr(command, "commands", None)
        if commands is None or not word[0].islower():
            break
        if any(name not in commands for name in word.split("|")):
            return False
        command = commands[word.split("|")[0]]
    return True
