"""Starts from recorded calls: rows by rank, rows of others beside them, known answers."""

import itertools
from collections.abc import Sequence

import pytest

from benchloom.worlds.suites.sgd.calls import RecordedCall
from benchloom.worlds.suites.sgd.dialogue_start import start_of
from benchloom.worlds.suites.sgd.queries import RecordedQuery, ranked
from benchloom.worlds.suites.sgd.start import Argument, Method, Row, canonical

FIND = Method(
    "Boats_1",
    "FindBoat",
    takes_effect=False,
    arguments=(Argument("harbour", required=True), Argument("size", required=False)),
)
RENT = Method(
    "Boats_1", "RentBoat", takes_effect=True, arguments=(Argument("name", required=True),)
)


def row(name: str, size: str = "small", harbour: str = "Nord") -> dict[str, str]:
    return {"name": name, "size": size, "harbour": harbour}


def asked(given: dict[str, str], rows: Sequence[dict[str, str]]) -> RecordedCall:
    return RecordedCall("x", "Boats_1", "FindBoat", given, "ok" if rows else "empty", tuple(rows))


def names(rows: Sequence[Row]) -> list[str]:
    return [start_row.values["name"] for start_row in rows]


def test_rows_rank_as_every_result_had_them() -> None:
    wide = asked({"harbour": "Nord"}, [row("b"), row("d")])
    narrow = asked({"harbour": "Nord", "size": "large"}, [row("a", "large"), row("c", "large")])
    both = asked({"harbour": "Nord", "size": "any"}, [row("c", "large"), row("b")])
    start = start_of([wide, narrow, both], [FIND])
    assert names(start.rows) == ["a", "c", "b", "d"]


def test_rows_that_a_full_result_left_out_stand_behind_it() -> None:
    boats = [row(f"{number:02}") for number in range(10)]
    late = asked({"harbour": "Nord", "size": "large"}, [row("x", "large")])
    full = asked({"harbour": "Nord"}, boats)
    for calls in ([late, full], [full, late]):
        assert names(start_of(calls, [FIND]).rows)[-1] == "x"


@pytest.mark.parametrize("lists", list(itertools.permutations([(0, 1), (1, 2), (2, 0)])))
def test_results_that_contradict_each_other_lose_no_row(lists: Sequence[tuple[int, int]]) -> None:
    rows = [row(name) for name in "abc"]
    order = ranked(rows, [RecordedQuery({"harbour": "Nord"}, places) for places in lists], FIND)
    assert sorted(order) == [0, 1, 2]


def test_rows_of_others_answer_no_query_of_the_dialogue() -> None:
    calls = [asked({"harbour": "Nord"}, [row("a")])]
    others = [
        Row("Boats_1", "FindBoat", row("b")),
        Row("Boats_1", "FindBoat", row("c", harbour="Ost")),
        Row("Boats_1", "FindBoat", row("c", harbour="Ost")),
        Row("Boats_1", "FindBoat", row("a")),
        Row("Trains_1", "FindTrain", {"name": "t"}),
    ]
    start = start_of(calls, [FIND], others)
    assert names(start.rows) == ["a", "c"]


def test_the_first_answer_to_the_same_arguments_counts() -> None:
    first_row, two = {"name": "a", "hours": "1"}, {"name": "a", "hours": "2"}
    calls = [
        asked({"harbour": "Nord"}, []),
        RecordedCall("y", "Boats_1", "RentBoat", {"name": "a"}, "ok", (first_row,)),
        RecordedCall("y", "Boats_1", "RentBoat", {"name": "a"}, "ok", (two,)),
        RecordedCall("y", "Boats_1", "RentBoat", {"name": "b"}, "failed", (two,)),
        RecordedCall("y", "Boats_1", "RentBoat", {"name": "b"}, "ok", (two,)),
    ]
    start = start_of(calls, [FIND, RENT])
    assert [(canonical(receipt.arguments), receipt.rows) for receipt in start.receipts] == [
        ('{"name":"a"}', (first_row,))
    ]
    assert [(call.method, call.rows) for call in start.unavailable] == [
        ("FindBoat", ()),
        ("RentBoat", (two,)),
    ]
