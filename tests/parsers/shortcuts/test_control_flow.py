"""Control flow: nesting is linear, damaged blocks follow the rules."""

import pytest

from parsers.shortcuts.control_flow import control_flow
from parsers.shortcuts.vocabulary import CONDITIONAL, MENU, REPEAT_COUNT, SYSTEM_PREFIX

STEP: tuple[str, dict[str, object]] = (SYSTEM_PREFIX + "gettext", {})


def block(identifier: str, group: str, mode: object) -> tuple[str, dict[str, object]]:
    return identifier, {"GroupingIdentifier": group, "WFControlFlowMode": mode}


def test_longest_branch_counts() -> None:
    actions = [
        STEP,
        block(CONDITIONAL, "a", 0),
        STEP,
        block(CONDITIONAL, "a", 1),
        STEP,
        STEP,
        block(CONDITIONAL, "a", 2),
    ]
    flow = control_flow(actions)
    assert flow.length == 3
    assert [position.branch for position in flow.positions[1:]] == [0, 0, 1, 1, 1, 1]
    assert [position.depth for position in flow.positions] == [0, 0, 1, 0, 1, 1, 0]
    assert [p.control for p in flow.positions if p.control] == ["open", "branch", "close"]


def test_loop_body_counts_once_even_with_a_divider() -> None:
    actions = [block(REPEAT_COUNT, "a", 0), STEP, STEP, block(REPEAT_COUNT, "a", 2)]
    assert control_flow(actions).length == 2


def test_menu_inside_condition() -> None:
    actions = [
        block(CONDITIONAL, "a", 0),
        block(MENU, "b", 0),
        block(MENU, "b", 1),
        STEP,
        block(MENU, "b", 1),
        STEP,
        STEP,
        block(MENU, "b", 2),
        STEP,
        block(CONDITIONAL, "a", 1),
        STEP,
        block(CONDITIONAL, "a", 2),
    ]
    assert control_flow(actions).length == 3


@pytest.mark.parametrize("depth", [5000, 8000])
def test_deep_nesting_and_unclosed_openers_are_read(depth: int) -> None:
    openers = [block(CONDITIONAL, str(number), 0) for number in range(depth)]
    closers = [block(CONDITIONAL, str(number), 2) for number in reversed(range(depth))]
    closed = control_flow([*openers, STEP, *closers])
    assert (closed.length, closed.flags) == (1, set())
    assert closed.positions[depth].depth == depth
    unclosed = control_flow([*openers, STEP])
    assert (unclosed.length, unclosed.flags) == (1, {"unclosed_block"})


def test_unmatched_end_is_ignored() -> None:
    flow = control_flow([STEP, block(CONDITIONAL, "x", 2), STEP])
    assert (flow.length, flow.flags) == (2, {"unmatched_control"})


def test_crossing_end_closes_the_inner_block() -> None:
    actions = [
        block(CONDITIONAL, "a", 0),
        block(CONDITIONAL, "b", 0),
        STEP,
        block(CONDITIONAL, "a", 2),
        STEP,
        block(CONDITIONAL, "b", 2),
    ]
    flow = control_flow(actions)
    assert flow.length == 2
    assert flow.flags == {"crossing_blocks", "unmatched_control"}
    assert flow.positions[4].depth == 0


@pytest.mark.parametrize("mode", ["\u00b2", "\u0661", "9" * 5001, "", "-1", "1.0"])
def test_a_text_that_is_no_mode_is_a_bad_one(mode: str) -> None:
    flow = control_flow([block(CONDITIONAL, "a", mode), STEP])
    assert "bad_control_mode" in flow.flags
    as_text = control_flow([block(CONDITIONAL, "a", " 0 "), STEP, block(CONDITIONAL, "a", "2")])
    assert as_text.flags == {"control_mode_as_text"}
