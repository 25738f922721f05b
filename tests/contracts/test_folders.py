"""Check that folders have at most fifteen modules, and that suppressed lint rules have reasons."""

import re
from pathlib import Path

import pytest

from benchloom.storage.code import PACKAGES
from docs.members import KINDS

ROOT = Path(__file__).parents[2]
MAX_MODULES = 15
MEMBERS = {page.kind().package.replace(".", "/") for page in KINDS}
"""Folders that contain the members of a kind; they may have any number of modules."""


@pytest.mark.parametrize("package", [*PACKAGES, "demo", "benchmarks"])
def test_folders_have_at_most_fifteen_modules(package: str) -> None:
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


def test_lint_suppressions_have_reasons() -> None:
    bare = re.compile(r"# (?:noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\])\s*$", re.MULTILINE)
    files = [path for name in (*PACKAGES, "demo", "tests") for path in (ROOT / name).rglob("*.py")]
    assert len(files) > 1000
    assert [path.name for path in files if bare.search(path.read_text(encoding="utf-8"))] == []
