"""Tests of the reference gate: references lead to earlier actions unless flagged as forward."""

import msgspec
import pytest

from benchloom.core.records import Reference, Shortcut
from benchloom.release.gates.references import reference_findings
from tests.support.samples.shortcuts import action, argument, shortcut


def shortcut_with_reference(
    position: int, target: int | None, *, implicit: bool = False
) -> Shortcut:
    """Return a shortcut of three actions of which one refers to another by its index."""
    reference = Reference("output", target, "Text", "", "", None, None)
    rows = [action(number, "gettext") for number in range(3)]
    if implicit:
        rows[position] = msgspec.structs.replace(rows[position], implicit_input=reference)
    else:
        reference_argument = argument("WFInput", "x", "reference", reference)
        rows[position] = action(position, "gettext", argument("Other", "y"), reference_argument)
    return shortcut(*rows)


@pytest.mark.parametrize("implicit", [False, True])
@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("target", [None, -1, 0, 1, 2, 3])
def test_reference_to_a_later_or_missing_action_is_reported(
    position: int, target: int | None, *, implicit: bool
) -> None:
    row = shortcut_with_reference(position, target, implicit=implicit)
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


def test_action_with_a_wrong_index_is_reported() -> None:
    row = shortcut(action(0, "gettext"), action(2, "gettext"))
    assert list(reference_findings(row)) == [f"shortcuts: {row.shortcut_id}: action 1 has index 2"]
