"""Tests of measures: counts from published actions equal the counts of the parser."""

import msgspec
import pytest

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Shortcut
from benchloom.core.records.shortcut import measure
from benchloom.release.gates.derived import contradictions
from benchloom.storage.tables import iter_records
from flows.run.stage import AnyStage
from parsers.shortcuts import parse_shortcut
from tests.support.demo_files.shortcuts import files
from tests.support.shortcut_stages import parsed_folder


def parse_demo_shortcuts() -> list[Shortcut]:
    """Return the demo shortcuts that can be parsed."""
    shortcuts = []
    for name, data in files().items():
        try:
            shortcuts.append(parse_shortcut(data, name))
        except RejectedInputError:
            continue
    return shortcuts


def test_measures_of_demo_shortcuts_equal_the_parsed_counts() -> None:
    shortcuts = parse_demo_shortcuts()
    assert len(shortcuts) > 50
    assert max(shortcut.length for shortcut in shortcuts) > 5
    for shortcut in shortcuts:
        measures = measure(shortcut.actions)
        assert (measures.length, measures.unique_api_count, measures.action_count) == (
            shortcut.length,
            shortcut.unique_api_count,
            shortcut.action_count,
        )
        assert list(contradictions(shortcut)) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [("length", 99), ("level", 5), ("unique_api_count", 0), ("action_count", 1), ("split", "x")],
)
def test_changed_count_is_the_only_contradiction(column: str, value: object) -> None:
    shortcut = next(s for s in parse_demo_shortcuts() if s.action_count > 2)
    forged = msgspec.structs.replace(shortcut, **{column: value})
    assert [contradiction[0] for contradiction in contradictions(forged)] == [column]


@pytest.mark.real_data
@pytest.mark.slow
def test_real_shortcuts_have_no_contradictions(real_shortcuts: AnyStage) -> None:
    rows = list(iter_records(parsed_folder(real_shortcuts), "shortcuts", Shortcut))
    assert rows
    assert [contradiction for row in rows for contradiction in contradictions(row)] == []
