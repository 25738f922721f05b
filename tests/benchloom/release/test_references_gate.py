"""References inside a shortcut: back to an action of it, forward only where that is told."""

import msgspec
import pytest

from benchloom.core.records import Reference, Shortcut
from benchloom.release.gates.references import reference_findings
from tests.support.samples.shortcuts import action, argument, shortcut


def pointing(position: int, target: int | None, *, implicit: bool = False) -> Shortcut:
    """Three actions of which one refers to another by its index."""
    reference = Reference("output", target, "Text", "", "", None, None)
    rows = [action(number, "gettext") for number in range(3)]
    if implicit:
        rows[position] = msgspec.structs.replace(rows[position], implicit_input=reference)
    else:
        held = argument("WFInput", "x", "reference", reference)
        rows[position] = action(position, "gettext", argument("Other", "y"), held)
    return shortcut(*rows)


@pytest.mark.parametrize("implicit", [False, True])
@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("target", [None, -1, 0, 1, 2, 3])
def test_where_a_reference_may_lead(position: int, target: int | None, *, implicit: bool) -> None:
    row = pointing(position, target, implicit=implicit)
    location = f"shortcuts: {row.shortcut_id}: action {position} refers"
    if target is None or 0 <= target < position:
        expected = []
    elif not 0 <= target < 3:
        expected = [f"{location} to action {target} of 3"]
    else:  # itself included
        expected = [f"{location} to {target}, which is not earlier"]
    assert list(reference_findings(row)) == expected
    flagged = msgspec.structs.replace(row, oddities=("forward_reference",))
    assert list(reference_findings(flagged)) == [line for line in expected if "earlier" not in line]


def test_an_action_stands_where_its_index_says() -> None:
    row = shortcut(action(0, "gettext"), action(2, "gettext"))
    assert list(reference_findings(row)) == [f"shortcuts: {row.shortcut_id}: action 1 has index 2"]
