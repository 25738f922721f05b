"""A mark that cannot be made costs the next rebuild time, and this one nothing."""

from pathlib import Path

from flows.unchanged.looking import MarkedInput
from flows.unchanged.mark import FILE_NAME
from flows.unchanged.marking import Notes, leave_mark, take_notes


def test_an_input_that_cannot_be_read_is_for_the_stages_to_tell() -> None:
    unreadable = (MarkedInput("/proc/self/mem"),)
    assert take_notes("asked", unreadable, looks_outside=False) is None


def test_a_mark_that_cannot_be_made_is_told_and_fails_nothing(tmp_path: Path) -> None:
    notes = take_notes("asked", (), looks_outside=False)
    assert isinstance(notes, Notes)
    told = leave_mark(tmp_path, notes, tmp_path / "releases" / "0.1.0")
    assert told is not None
    assert "0.1.0" in told
    assert not (tmp_path / FILE_NAME).exists()
