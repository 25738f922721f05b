"""Folders hold at most fifteen modules, unless for members; switched-off checks have reasons."""

import re
from pathlib import Path

import pytest

from benchloom.storage.code import PACKAGES
from docs.members import KINDS

ROOT = Path(__file__).parents[2]
MAX_MODULES = 15
MEMBERS = {page.kind().package.replace(".", "/") for page in KINDS}
"""Folders that hold the members of a kind."""


@pytest.mark.parametrize("package", [*PACKAGES, "demo", "benchmarks"])
def test_no_folder_is_a_drawer(package: str) -> None:
    counts = {
        folder.relative_to(ROOT).as_posix(): sum(
            1 for path in folder.glob("*.py") if not path.name.startswith("__")
        )
        for folder in [ROOT / package, *(ROOT / package).rglob("*")]
        if folder.is_dir()
    }
    assert {
        folder: count
        for folder, count in counts.items()
        if count > MAX_MODULES and folder not in MEMBERS
    } == {}


def test_checks_that_a_line_switches_off_have_reasons() -> None:
    bare = re.compile(r"# (?:noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\])\s*$", re.MULTILINE)
    files = [path for name in (*PACKAGES, "demo", "tests") for path in (ROOT / name).rglob("*.py")]
    assert len(files) > 1000
    assert [path.name for path in files if bare.search(path.read_text(encoding="utf-8"))] == []
