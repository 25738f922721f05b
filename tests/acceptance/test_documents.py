"""Check that code blocks of the README and the tutorial run as printed or have a reason not to."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from benchloom.evaluate.benchmarks import BENCHMARKS
from flows.configuration.file import read_configuration
from tests.support.python import python
from tests.support.stranger import Stranger

ROOT = Path(__file__).resolve().parents[2]
README = "README.md"
TUTORIAL = "docs/pages/tutorial.md"
PYTHON = "docs/pages/python.md"
DEVICE = "docs/pages/device.md"
LANGUAGES = {"sh", "python", "toml", "text"}
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = {
    (README, "make demo"): "sets up an environment from an index, and runs these very tests",
}
"""Shell blocks that are not run: the document and the first words of each, and the reason."""
TESTED_IN_ORDER = "its commands are run in order by a test of their own"
END = "\f"
RUN_PROGRAMS = f"""import json, sys
for code in json.loads(sys.argv[1]):
    exec(code, {{"__name__": "__main__"}})
    print(end={END!r})
"""
"""Runs all programs in one process, because their imports take longer than their work."""
TESTED_ELSEWHERE = "all blocks in one shell, from a clone: tests/docs/test_tutorial.py"


class Block(NamedTuple):
    """A fenced block of a document."""

    document: str
    language: str
    code: str

    @property
    def name(self) -> str:
        """The document and the block's first line."""
        return f"{self.document}: {self.code.strip().splitlines()[0][:50]}"


def blocks(document: str) -> list[Block]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [Block(document, *fields) for fields in _FENCE.findall(text)]


def reason_of(block: Block) -> str | None:
    """Return why this module does not run a block, or None if it runs it."""
    if block.document == TUTORIAL:
        return TESTED_ELSEWHERE
    if block.code.startswith("benchloom "):
        return TESTED_IN_ORDER
    first = block.code.lstrip()
    reasons = (why for (document, start), why in NOT_RUN.items()
               if document == block.document and first.startswith(start))  # fmt: skip
    return next(reasons, None)


ALL = [block for document in (README, TUTORIAL) for block in blocks(document)]


def test_every_code_block_names_its_language() -> None:
    assert [block.name for block in ALL if block.language not in LANGUAGES] == []


def test_every_readme_shell_block_runs_or_has_a_reason() -> None:
    shell = [block for block in ALL if (block.document, block.language) == (README, "sh")]
    assert [block.name for block in shell if reason_of(block) is None] == []
    starts = {start for document, start in NOT_RUN if document == README}
    stale = [
        prefix for prefix in starts if not any(b.code.lstrip().startswith(prefix) for b in shell)
    ]
    assert stale == []


@pytest.mark.long
def test_readme_commands_and_programs_run_as_printed(
    demo_release: Path, tmp_path: Path, prefect_url: str
) -> None:
    """Run the README's commands in order in one folder, then the programs that read the result."""
    folder = tmp_path / "project"
    shutil.copytree(demo_release.parents[1], folder / "demo-output")
    for name in ("scripts", "tests/new_members", "scrapers/sites", "demo/replica/pages"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copytree(ROOT / "demo" / "shortcuts", folder / "my-shortcuts")
    shutil.copytree(ROOT / "demo" / "definitions", folder / "my-apps")
    scorer = BENCHMARKS.find("shortcuts")
    with (folder / "predictions.jsonl").open("w") as lines:
        for sample in scorer.read_gold(demo_release):
            output = scorer.output_of(sample, sample.example.calls)
            lines.write(json.dumps({"id": sample.sample_id, "output": output}) + "\n")
    user = Stranger(folder, tmp_path / "home", prefect_url)
    shell = [
        line
        for block in ALL
        if (block.document, block.language) == (README, "sh") and "make demo" not in block.code
        for line in block.code.splitlines()
    ]
    assert len(shell) >= 10
    for line in shell:
        program, *words = shlex.split(line, comments=True)
        if program != "benchloom":
            subprocess.run([program, *words], cwd=folder, check=True)
        elif words[0] == "explore":
            with user.explores(*words[1:]) as address:
                assert address.startswith("http://127.0.0.1:")
        else:
            user.types(*words)
    # Folders of these names would hide the packages.
    (folder / "scrapers").rename(tmp_path / "sites")
    (folder / "demo").rename(tmp_path / "samples")
    (folder / "demo").symlink_to(ROOT / "demo")
    programs = [
        block.code
        for document in (README, PYTHON, DEVICE)
        for block in blocks(document)
        if block.language == "python"
    ]
    assert len(programs) >= 9
    completed = python("-c", RUN_PROGRAMS, json.dumps(programs), cwd=folder, env=user.environment())
    assert all(completed.stdout.split(END)[:-1])


@pytest.mark.parametrize(
    "block",
    [block for block in ALL if block.language == "toml"],
    ids=lambda block: block.name,
)
def test_configuration_example_can_be_read(block: Block, tmp_path: Path) -> None:
    (tmp_path / "rebuild.toml").write_text(block.code, encoding="utf-8")
    assert read_configuration(tmp_path / "rebuild.toml").sources.shortcuts
