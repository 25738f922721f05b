"""Check that the start of a recorded dialogue has ranked rows and the recorded answers."""

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
    """Return the values of a boat."""
    return {"name": name, "size": size, "harbour": harbour}


def recorded_query(arguments: dict[str, str], rows: Sequence[dict[str, str]]) -> RecordedCall:
    """Return a recorded query for boats."""
    return RecordedCall(
        "x", "Boats_1", "FindBoat", arguments, "ok" if rows else "empty", tuple(rows)
    )


def boat_names(rows: Sequence[Row]) -> list[str]:
    """Return the names of boats."""
    return [start_row.values["name"] for start_row in rows]


def test_rows_keep_the_order_of_every_result() -> None:
    wide = recorded_query({"harbour": "Nord"}, [row("b"), row("d")])
    narrow = recorded_query(
        {"harbour": "Nord", "size": "large"}, [row("a", "large"), row("c", "large")]
    )
    both = recorded_query({"harbour": "Nord", "size": "any"}, [row("c", "large"), row("b")])
    start = start_of([wide, narrow, both], [FIND])
    assert boat_names(start.rows) == ["a", "c", "b", "d"]


def test_rows_missing_from_a_full_result_rank_last() -> None:
    boats = [row(f"{number:02}") for number in range(10)]
    late = recorded_query({"harbour": "Nord", "size": "large"}, [row("x", "large")])
    full = recorded_query({"harbour": "Nord"}, boats)
    for calls in ([late, full], [full, late]):
        assert boat_names(start_of(calls, [FIND]).rows)[-1] == "x"


@pytest.mark.parametrize("lists", list(itertools.permutations([(0, 1), (1, 2), (2, 0)])))
def test_contradictory_results_lose_no_row(lists: Sequence[tuple[int, int]]) -> None:
    rows = [row(name) for name in "abc"]
    order = ranked(
        rows, [RecordedQuery({"harbour": "Nord"}, positions) for positions in lists], FIND
    )
    assert sorted(order) == [0, 1, 2]


def test_rows_of_other_dialogues_match_no_recorded_query() -> None:
    calls = [recorded_query({"harbour": "Nord"}, [row("a")])]
    others = [
        Row("Boats_1", "FindBoat", row("b")),
        Row("Boats_1", "FindBoat", row("c", harbour="Ost")),
        Row("Boats_1", "FindBoat", row("c", harbour="Ost")),
        Row("Boats_1", "FindBoat", row("a")),
        Row("Trains_1", "FindTrain", {"name": "t"}),
    ]
    start = start_of(calls, [FIND], others)
    assert boat_names(start.rows) == ["a", "c"]


def test_first_answer_to_equal_arguments_is_kept() -> None:
    first_row, second_row = {"name": "a", "hours": "1"}, {"name": "a", "hours": "2"}
    calls = [
        recorded_query({"harbour": "Nord"}, []),
        RecordedCall("y", "Boats_1", "RentBoat", {"name": "a"}, "ok", (first_row,)),
        RecordedCall("y", "Boats_1", "RentBoat", {"name": "a"}, "ok", (second_row,)),
        RecordedCall("y", "Boats_1", "RentBoat", {"name": "b"}, "failed", (second_row,)),
        RecordedCall("y", "Boats_1", "RentBoat", {"name": "b"}, "ok", (second_row,)),
    ]
    start = start_of(calls, [FIND, RENT])
    assert [(canonical(receipt.arguments), receipt.rows) for receipt in start.receipts] == [
        ('{"name":"a"}', (first_row,))
    ]
    assert [(call.method, call.rows) for call in start.unavailable] == [
        ("FindBoat", ()),
        ("RentBoat", (second_row,)),
    ]
