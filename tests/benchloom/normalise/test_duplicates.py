"""Which of equal shortcuts is kept, why the others are not, and in what order."""

from itertools import permutations

import msgspec
import pytest

from benchloom.normalise.shortcuts import Key
from benchloom.normalise.shortcuts.duplicates import choose, rows_by_part


def key(
    uri: str,
    *,
    ident: str = "s1",
    canonical: str = "c1",
    source: str = "f1",
    empty: bool = False,
    named: bool = True,
) -> Key:
    return Key(ident, canonical, source, uri, empty, named, 0, 0)


def kept(*keys: Key) -> list[str]:
    return [row_key.source_uri for row_key in choose(keys).chosen]


@pytest.mark.parametrize(
    "group",
    [
        # The first is kept: named before nameless, then by place, then by bytes.
        (key("b"), key("a", named=False), key("c", named=False)),
        (key("a"), key("b"), key("c")),
        (key("a", source="f1"), key("a", source="f2"), key("b", source="f0")),
        (key("a", named=False), key("b", named=False)),
    ],
)
def test_the_best_is_kept_in_any_order(group: tuple[Key, ...]) -> None:
    for order in permutations(group):
        choice = choose(order)
        assert choice.chosen == [group[0]]
        assert len(choice.left_out) == len(group) - 1


def test_the_reason_says_how_equal_they_are() -> None:
    best = key("a")
    same_bytes = key("b")
    same_actions = key("c", source="f2")
    renamed = key("d", source="f3", canonical="c2")
    rows = choose([renamed, same_actions, best, same_bytes]).left_out
    assert [(row.source_uri, row.reason) for row in rows] == [
        ("b", "duplicate_bytes"),
        ("c", "duplicate_actions"),
        ("d", "duplicate_renamed"),
    ]
    assert all(row.message.endswith(" a") and row.digest == "s1" for row in rows)
    assert {row.stage for row in rows} == {"normalise"}


def test_empty_ones_are_never_merged() -> None:
    rows = [key("b", empty=True), key("a", empty=True), key("c", ident="s0")]
    choice = choose(rows)
    assert [row_key.source_uri for row_key in choice.chosen] == ["b", "a", "c"]
    assert choice.left_out == []


def test_what_is_kept_lies_where_it_was_parsed() -> None:
    rows = [
        msgspec.structs.replace(key(str(number), ident=f"s{-number}"), part=number % 3, row=number)
        for number in range(9)
    ]
    for order in (rows, rows[::-1]):
        kept_rows = choose(order).chosen
        assert [(one.part, one.row) for one in kept_rows] == sorted((n % 3, n) for n in range(9))


@pytest.mark.parametrize("count", [0, 7, 100])
def test_parts_hold_every_kept_row_once(count: int) -> None:
    rows = [
        msgspec.structs.replace(key(str(number)), part=number // 10, row=2**33 + number)
        for number in range(count)
        if number % 4
    ]
    parts = rows_by_part(rows, 12)
    assert len(parts) == 12
    assert [(number, row) for number, part in enumerate(parts) for row in part] == [
        (row.part, row.row) for row in rows
    ]
