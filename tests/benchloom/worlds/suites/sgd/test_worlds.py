"""Check queries, transactions and refusals in worlds that are built from services."""

import random
from collections.abc import Iterator, Mapping

import msgspec
import pytest

from benchloom.core.errors import RunError
from benchloom.worlds import Session
from benchloom.worlds.session import Outcome
from benchloom.worlds.suites.sgd.start import Answer, Argument, Method, Row, Start, written
from benchloom.worlds.suites.sgd.world import world

FIND = Method(
    "Boats_1",
    "FindBoat",
    takes_effect=False,
    about="Find a boat to rent",
    arguments=(
        Argument("harbour", required=True),
        Argument("size", required=False, values=("small", "large", "dontcare"), default="dontcare"),
        Argument("from", required=False, minutes=30),
    ),
    returns=("harbour", "name", "size", "from"),
)
RENT = Method(
    "Boats_1",
    "RentBoat",
    takes_effect=True,
    arguments=(
        Argument("name", required=True),
        Argument("hours", required=False, default="2"),
        Argument("skipper", required=False, default="dontcare"),
    ),
    returns=("name", "hours", "harbour"),
)
CHECK = Method(
    "Purse_1",
    "CheckBalance",
    takes_effect=False,
    arguments=(Argument("account_type", required=True),),
    returns=("account_type", "balance"),
)
MOVE = Method(
    "Purse_1",
    "TransferMoney",
    takes_effect=True,
    arguments=(
        Argument("account_type", required=True),
        Argument("amount", required=True),
        Argument("recipient", required=True),
    ),
)


def boat(number: int, **values: str) -> Row:
    """Return the row of a boat with these values instead of the defaults."""
    defaults = {"harbour": "Nord", "size": "small", "from": "10:00", "name": f"Boat {number}"}
    return Row("Boats_1", "FindBoat", {**defaults, **values})


START = Start(
    methods=(FIND, RENT, CHECK, MOVE),
    rows=(
        boat(7, size="large"),
        *(boat(number) for number in range(12, 0, -1)),
        boat(50, harbour="Ost", **{"from": "12:15"}),
        Row("Purse_1", "CheckBalance", {"account_type": "savings", "balance": "100.50"}),
    ),
    unavailable=(
        Answer("Boats_1", "RentBoat", {"name": "Boat 3"}, ({"name": "Boat 4"},)),
        Answer("Boats_1", "RentBoat", {"name": "Boat 2", "hours": "9"}),
    ),
    receipts=(
        Answer("Boats_1", "RentBoat", {"name": "Boat 1"}, ({"name": "Boat 1", "hours": "3"},)),
        Answer(
            "Purse_1",
            "TransferMoney",
            {"account_type": "savings", "amount": "70", "recipient": "Mo"},
            ({"amount": "70", "recipient": "Mo"},),
        ),
    ),
)


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(world(written(START))) as world_session:
        yield world_session


def boat_numbers(outcome: Outcome) -> list[str]:
    """Return the numbers of the boats in a result."""
    assert isinstance(outcome.result, list), outcome.message
    return [row["name"].removeprefix("Boat ") for row in outcome.result]  # type: ignore[index, call-overload, union-attr]  # the tool returns rows


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, "7 12 11 10 9 8 7 6 5 4"),
        ({"size": "large"}, "7"),
        ({"size": "dontcare"}, "7 12 11 10 9 8 7 6 5 4"),
        ({"harbour": "Ost"}, "50"),
        ({"harbour": "Ost", "from": "12:45"}, "50"),
        ({"harbour": "Ost", "from": "12:46"}, ""),
        ({"harbour": "Ost", "from": "noon"}, ""),
        ({"harbour": "ost"}, "50"),
    ],
)
def test_query_returns_at_most_ten_matching_rows_by_rank(
    session: Session, arguments: Mapping[str, str], expected: str
) -> None:
    before = session.digest()
    outcome = session.call("Boats_1.FindBoat", {"harbour": "Nord", **arguments})
    assert boat_numbers(outcome) == expected.split()
    assert (outcome.effects, session.digest()) == ((), before)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"harbour": ["Nord"]},
        {"harbour": "Nord", "size": "huge"},
        {"harbour": "Nord", "sail": "yes"},
    ],
)
def test_arguments_that_violate_the_schema_are_refused(
    session: Session, arguments: Mapping[str, str]
) -> None:
    assert session.call("Boats_1.FindBoat", arguments).refused == "invalid_argument"


def test_tool_schema_has_the_names_of_the_service() -> None:
    schema = world(written(START)).tools["Boats_1.FindBoat"].schema()
    assert schema["required"] == ["harbour"]
    assert schema["properties"]["from"] == {"type": "string"}
    assert schema["properties"]["size"]["enum"] == ["dontcare", "large", "small"]


def test_known_transaction_returns_its_recorded_receipt(session: Session) -> None:
    first = session.call("Boats_1.RentBoat", {"name": "Boat 1"})
    assert first.result == {"name": "Boat 1", "hours": "3"}
    second = session.call("Boats_1.RentBoat", {"name": "Boat 1"})
    assert [effect.kind for effect in (*first.effects, *second.effects)] == ["added", "added"]
    assert first.effects[0].key != second.effects[0].key


def test_unknown_receipt_is_built_from_arguments_and_rows(session: Session) -> None:
    outcome = session.call("Boats_1.RentBoat", {"name": "Boat 50"})
    assert outcome.result == {"name": "Boat 50", "hours": "2", "harbour": "Ost"}
    outcome = session.call("Boats_1.RentBoat", {"name": "The Flying Dutchman", "hours": "4"})
    assert outcome.result == {"name": "The Flying Dutchman", "hours": "4"}


def test_order_of_transactions_does_not_change_the_digest() -> None:
    digests = set()
    for order in (("Boat 1", "Boat 50"), ("Boat 50", "Boat 1")):
        with Session(world(written(START))) as session:
            for name in order:
                session.call("Boats_1.RentBoat", {"name": name})
            digests.add(session.digest())
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("arguments", "offer"),
    [({"name": "Boat 3"}, '[{"name":"Boat 4"}]'), ({"name": "Boat 2", "hours": "9"}, "")],
)
def test_unavailable_transaction_is_refused_without_a_change(
    session: Session, arguments: Mapping[str, str], offer: str
) -> None:
    before = session.digest()
    outcome = session.call("Boats_1.RentBoat", arguments)
    assert (outcome.refused, session.digest()) == ("unavailable", before)
    assert outcome.message.endswith(offer)
    assert session.call("Boats_1.RentBoat", {**arguments, "hours": "1"}).refused is None


def test_transfer_reduces_the_balance(session: Session) -> None:
    def balance() -> object:
        outcome = session.call("Purse_1.CheckBalance", {"account_type": "savings"})
        assert isinstance(outcome.result, list)
        return outcome.result[0]

    def move(amount: str) -> Outcome:
        arguments = {"account_type": "savings", "amount": amount, "recipient": "Mo"}
        return session.call("Purse_1.TransferMoney", arguments)

    assert balance() == {"account_type": "savings", "balance": "100.50"}
    assert [effect.kind for effect in move("70").effects] == ["changed", "added"]
    assert balance() == {"account_type": "savings", "balance": "30.50"}
    assert move("30.51").refused == "conflict"
    for amount in ("", "-1", "0", "nan", "1e3", "9" * 400, "٣"):
        assert move(amount).refused == "invalid_argument"
    assert balance() == {"account_type": "savings", "balance": "30.50"}
    assert move("0.5").refused is None
    assert balance() == {"account_type": "savings", "balance": "30.00"}
    # A recorded transfer succeeds even if the account has too little money.
    assert move("70").refused is None
    assert balance() == {"account_type": "savings", "balance": "-40.00"}


@pytest.mark.parametrize(
    "start",
    [
        Start((FIND, FIND), ()),
        Start((FIND,), (boat(1), boat(1))),
        Start((FIND,), (), (Answer("A", "b", {}), Answer("A", "b", {}))),
        Start((msgspec.structs.replace(RENT, arguments=RENT.arguments * 2),), ()),
    ],
)
def test_contradictory_start_is_refused(start: Start) -> None:
    with pytest.raises(RunError):
        world(written(start))


def test_damaged_start_is_loaded_or_refused() -> None:
    text = written(START)
    rng = random.Random(16)
    world_count = 0
    for _ in range(400):
        position = rng.randrange(len(text))
        replacement = rng.choice(("", '"', "{", "]", "0", "\ud800", "\x00", '":"', '";--'))
        try:
            world(text[:position] + replacement + text[position + rng.randrange(3) :])
        except RunError as error:
            assert "\n" not in str(error)
        else:
            world_count += 1
    assert 0 < world_count < 400
