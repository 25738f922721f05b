"""Shortcuts that check themselves: lists, dates, dictionaries, texts, numbers, loops."""

from pathlib import Path

import pytest

from benchloom.device.running import run
from tests.support.small_shortcuts import small_shortcut

SHORTCUTS = Path(__file__).resolve().parents[2] / "data" / "device" / "self_checking.txt"
SECTIONS = SHORTCUTS.read_text(encoding="utf-8").split("\n## ")[1:]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.partition("\n")[0])
def test_the_shortcut_passes_its_own_checks(section: str) -> None:
    _, _, steps = section.partition("\n")
    execution = run(small_shortcut(f"{steps}\noutput passed"))
    assert (execution.outcome, execution.output) == ("finished", ("passed",))
