"""Which of equal shortcuts is kept, why the others are not, and in what order."""

from itertools import permutations

import msgspec
import pytest

from benchloom.normalise.shortcuts import duplicates
from benchloom.normalise.shortcuts.duplicates import choose, cut
from benchloom.normalise.shortcuts.keys import Key


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
    return [found.source_uri for found in choose(keys).kept]


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
        assert choice.kept == [group[0]]
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
    assert [found.source_uri for found in choice.kept] == ["c", "a", "b"]
    assert choice.left_out == []


def test_what_is_kept_is_sorted_by_id_then_bytes_then_place() -> None:
    rows = [
        key("z", ident="s2"),
        key("y", ident="s1", empty=True, source="f2"),
        key("x", ident="s1", empty=True, source="f1"),
        key("w", ident="s1", empty=True, source="f1"),
    ]
    for order in permutations(rows):
        assert kept(*order) == ["w", "x", "y", "z"]


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(0, []), (7, [3, 3, 1]), (24, [3] * 8), (25, [6, 6, 6, 6, 1]), (100, [15] * 6 + [10])],
)
def test_shards_hold_every_row_once_and_there_are_never_many(
    monkeypatch: pytest.MonkeyPatch, count: int, sizes: list[int]
) -> None:
    monkeypatch.setattr(duplicates, "ROWS_PER_BUCKET", 3)
    rows = [
        msgspec.structs.replace(key(str(number)), part=number % 5, row=2**33 + number)
        for number in range(count)
    ]
    shards = cut(rows)
    assert [len(shard) for shard in shards] == sizes
    assert [place for shard in shards for place in shard.read()] == [
        (row.part, row.row) for row in rows
    ]
