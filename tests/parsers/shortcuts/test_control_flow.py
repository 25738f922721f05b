"""Check lengths, depths and branches of control flow, and the rules for damaged blocks."""

import pytest

from benchloom.core.built_in_actions import (
    CONDITIONAL,
    MENU,
    REPEAT_COUNT,
    SYSTEM_PREFIX,
)
from benchloom.core.records import Action
from benchloom.core.records.shortcut import measure
from parsers.shortcuts.control_flow import control_flow

STEP: tuple[str, dict[str, object]] = (SYSTEM_PREFIX + "gettext", {})


def block(identifier: str, group: str, mode: object) -> tuple[str, dict[str, object]]:
    return identifier, {"GroupingIdentifier": group, "WFControlFlowMode": mode}


def length_of(actions: list[tuple[str, dict[str, object]]]) -> int:
    """Return the length of a shortcut, measured by the positions of its actions."""
    positions = enumerate(zip(actions, control_flow(actions).positions, strict=True))
    return measure(
        [
            Action(index, name, "", p.depth, p.block, p.branch, p.control, None, None, ())
            for index, ((name, _), p) in positions
        ]
    ).length


def test_longest_branch_determines_the_length() -> None:
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
    assert length_of(actions) == 3
    assert [position.branch for position in flow.positions[1:]] == [0, 0, 1, 1, 1, 1]
    assert [position.depth for position in flow.positions] == [0, 0, 1, 0, 1, 1, 0]
    assert [p.control for p in flow.positions if p.control] == ["open", "branch", "close"]


def test_modes_written_as_floats_are_valid() -> None:
    actions = [
        block(CONDITIONAL, "a", 0.0),
        STEP,
        block(CONDITIONAL, "a", 1.0),
        block(CONDITIONAL, "a", 2.0),
        STEP,
    ]
    flow = control_flow(actions)
    assert [p.control for p in flow.positions] == ["open", None, "branch", "close", None]
    assert not flow.flags


def test_loop_body_counts_once() -> None:
    actions = [block(REPEAT_COUNT, "a", 0), STEP, STEP, block(REPEAT_COUNT, "a", 2)]
    assert length_of(actions) == 2


def test_menu_inside_a_condition_adds_its_longest_case() -> None:
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
    assert length_of(actions) == 3


@pytest.mark.parametrize("branches", [(3, 1, 2), (1, 3, 2), (1, 2, 3), (3, 0, 0), (0, 0, 3)])
@pytest.mark.parametrize("identifier", [MENU, CONDITIONAL])
def test_longest_branch_counts_at_any_position(identifier: str, branches: tuple[int, ...]) -> None:
    actions = [STEP, block(identifier, "m", 0)]
    for length in branches:
        actions += [block(identifier, "m", 1), *[STEP] * length]
    actions += [block(identifier, "m", 2), STEP]
    flow = control_flow(actions)
    assert (length_of(actions), flow.flags) == (1 + 3 + 1, set())
    assert [p.branch for p in flow.positions if p.control] == [0, 1, 2, 3, 3]


def test_divider_in_a_loop_splits_no_length() -> None:
    actions = [block(REPEAT_COUNT, "a", 0), STEP, block(REPEAT_COUNT, "a", 1), STEP, STEP]
    assert length_of([*actions, block(REPEAT_COUNT, "a", 2)]) == 3


def test_every_position_names_its_block() -> None:
    flow = control_flow(
        [
            STEP,
            block(CONDITIONAL, "a", 0),
            block(CONDITIONAL, "b", 0),
            STEP,
            block(CONDITIONAL, "b", 2),
            STEP,
            block(CONDITIONAL, "a", 2),
            block(REPEAT_COUNT, "c", 0),
            block(REPEAT_COUNT, "c", 2),
        ]
    )
    assert [position.block for position in flow.positions] == [None, 0, 1, 1, 1, 0, 0, 2, 2]
    assert [position.depth for position in flow.positions] == [0, 0, 1, 2, 1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("mode", "expected", "flag"),
    [
        (0, ["open", "close"], None),
        (None, ["open", "close"], "missing_control_mode"),
        ("x", ["open", "close"], "bad_control_mode"),
        (3, ["open", "close"], "bad_control_mode"),
        (1.5, ["open", "close"], "bad_control_mode"),
    ],
)
def test_action_without_mode_opens_a_new_group(
    mode: object, expected: list[str], flag: str | None
) -> None:
    flow = control_flow([block(CONDITIONAL, "a", mode), STEP, block(CONDITIONAL, "a", 2)])
    assert [p.control for p in flow.positions if p.control] == expected
    assert flow.flags == ({flag} if flag else set())


def test_action_without_mode_divides_an_open_group() -> None:
    opened = block(CONDITIONAL, "a", 0)
    flow = control_flow([opened, STEP, block(CONDITIONAL, "a", None), block(CONDITIONAL, "a", 2)])
    assert [p.control for p in flow.positions if p.control] == ["open", "branch", "close"]
    assert [p.branch for p in flow.positions] == [0, 0, 1, 1]


def test_reused_and_missing_groups_are_flagged() -> None:
    block_actions = [block(CONDITIONAL, "a", 0), block(CONDITIONAL, "a", 2)]
    assert control_flow(block_actions).flags == set()
    assert control_flow([*block_actions, *block_actions]).flags == {"group_reused"}
    inside = [block_actions[0], block_actions[0], STEP, block_actions[1], STEP, block_actions[1]]
    flow = control_flow(inside)
    assert (flow.flags, length_of(inside)) == ({"group_reused"}, 2)
    assert [position.depth for position in flow.positions] == [0, 1, 2, 1, 1, 0]
    nameless = control_flow([(CONDITIONAL, {"WFControlFlowMode": 0}), STEP])
    assert nameless.flags == {"missing_group", "unclosed_block"}
    misplaced_group = control_flow([(STEP[0], {"GroupingIdentifier": "a"})])
    assert misplaced_group.flags == {"group_on_other_action"}


@pytest.mark.parametrize("depth", [5000, 8000])
def test_deep_nesting_and_unclosed_openers_are_read(depth: int) -> None:
    openers = [block(CONDITIONAL, str(number), 0) for number in range(depth)]
    closers = [block(CONDITIONAL, str(number), 2) for number in reversed(range(depth))]
    closed = control_flow([*openers, STEP, *closers])
    assert (length_of([*openers, STEP, *closers]), closed.flags) == (1, set())
    assert closed.positions[depth].depth == depth
    unclosed = control_flow([*openers, STEP])
    assert (length_of([*openers, STEP]), unclosed.flags) == (1, {"unclosed_block"})


def test_unmatched_end_is_ignored() -> None:
    actions = [STEP, block(CONDITIONAL, "x", 2), STEP]
    assert (length_of(actions), control_flow(actions).flags) == (2, {"unmatched_control"})


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
    assert length_of(actions) == 2
    assert flow.flags == {"crossing_blocks", "unmatched_control"}
    assert flow.positions[4].depth == 0


@pytest.mark.parametrize("mode", ["\u00b2", "\u0661", "9" * 5001, "", "-1", "1.0"])
def test_text_that_is_no_mode_is_flagged(mode: str) -> None:
    flow = control_flow([block(CONDITIONAL, "a", mode), STEP])
    assert "bad_control_mode" in flow.flags
    as_text = control_flow([block(CONDITIONAL, "a", " 0 "), STEP, block(CONDITIONAL, "a", "2")])
    assert as_text.flags == {"control_mode_as_text"}
