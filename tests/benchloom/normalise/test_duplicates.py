"""Tests of duplicates: which of several equal shortcuts is kept, in what order, and the reasons."""

from itertools import permutations

import msgspec
import pytest

from benchloom.normalise.shortcuts import Key
from benchloom.normalise.shortcuts.duplicates import choose, rows_by_part


def shortcut_key(
    uri: str,
    *,
    shortcut_id: str = "s1",
    canonical: str = "c1",
    source: str = "f1",
    empty: bool = False,
    named: bool = True,
) -> Key:
    """Return the key by which shortcuts are compared; equal by default."""
    return Key(shortcut_id, canonical, source, uri, empty, named, 0, 0)


def kept_uris(*keys: Key) -> list[str]:
    return [row_key.source_uri for row_key in choose(keys).chosen]


@pytest.mark.parametrize(
    "group",
    [
        # The first is kept: named before nameless, then by URI, then by file digest.
        (shortcut_key("b"), shortcut_key("a", named=False), shortcut_key("c", named=False)),
        (shortcut_key("a"), shortcut_key("b"), shortcut_key("c")),
        (
            shortcut_key("a", source="f1"),
            shortcut_key("a", source="f2"),
            shortcut_key("b", source="f0"),
        ),
        (shortcut_key("a", named=False), shortcut_key("b", named=False)),
    ],
)
def test_best_duplicate_is_kept_in_any_order(group: tuple[Key, ...]) -> None:
    for order in permutations(group):
        choice = choose(order)
        assert choice.chosen == [group[0]]
        assert len(choice.left_out) == len(group) - 1


def test_rejection_reason_is_the_degree_of_equality() -> None:
    best = shortcut_key("a")
    same_bytes = shortcut_key("b")
    same_actions = shortcut_key("c", source="f2")
    renamed = shortcut_key("d", source="f3", canonical="c2")
    rows = choose([renamed, same_actions, best, same_bytes]).left_out
    assert [(row.source_uri, row.reason) for row in rows] == [
        ("b", "duplicate_bytes"),
        ("c", "duplicate_actions"),
        ("d", "duplicate_renamed"),
    ]
    assert all(row.message.endswith(" a") and row.digest == "s1" for row in rows)
    assert {row.stage for row in rows} == {"normalise"}


def test_empty_shortcuts_are_never_merged() -> None:
    rows = [
        shortcut_key("b", empty=True),
        shortcut_key("a", empty=True),
        shortcut_key("c", shortcut_id="s0"),
    ]
    choice = choose(rows)
    assert [row_key.source_uri for row_key in choice.chosen] == ["b", "a", "c"]
    assert choice.left_out == []


def test_kept_rows_are_sorted_by_part_and_row() -> None:
    rows = [
        msgspec.structs.replace(
            shortcut_key(str(number), shortcut_id=f"s{-number}"), part=number % 3, row=number
        )
        for number in range(9)
    ]
    for order in (rows, rows[::-1]):
        kept_rows = choose(order).chosen
        assert [(row_key.part, row_key.row) for row_key in kept_rows] == sorted(
            (n % 3, n) for n in range(9)
        )


@pytest.mark.parametrize("count", [0, 7, 100])
def test_rows_by_part_contain_every_kept_row_once(count: int) -> None:
    rows = [
        msgspec.structs.replace(shortcut_key(str(number)), part=number // 10, row=2**33 + number)
        for number in range(count)
        if number % 4
    ]
    parts = rows_by_part(rows, 12)
    assert len(parts) == 12
    assert [(number, row) for number, part in enumerate(parts) for row in part] == [
        (row.part, row.row) for row in rows
    ]
