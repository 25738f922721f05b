"""A folder holds at most fifteen modules, unless it holds the members of a kind."""

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
