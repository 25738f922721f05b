"""Worlds of services: what queries find, what transactions leave, and what is refused."""

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


def names(outcome: Outcome) -> list[str]:
    assert isinstance(outcome.result, list), outcome.message
    return [row["name"].removeprefix("Boat ") for row in outcome.result]  # type: ignore[index, call-overload, union-attr]  # the tool returns rows


@pytest.mark.parametrize(
    ("given", "found"),
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
def test_a_query_finds_rows_that_agree_by_rank_ten_at_most(
    session: Session, given: Mapping[str, str], found: str
) -> None:
    before = session.digest()
    outcome = session.call("Boats_1.FindBoat", {"harbour": "Nord", **given})
    assert names(outcome) == found.split()
    assert (outcome.effects, session.digest()) == ((), before)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"harbour": ["Nord"]},
        {"harbour": "Nord", "size": "huge"},
        {"harbour": "Nord", "sail": "yes"},
    ],
)
def test_arguments_are_checked_by_the_schema(session: Session, given: Mapping[str, str]) -> None:
    assert session.call("Boats_1.FindBoat", given).refused == "invalid_argument"


def test_the_schema_of_a_tool_has_the_names_of_the_service() -> None:
    schema = world(written(START)).tools["Boats_1.FindBoat"].schema()
    assert schema["required"] == ["harbour"]
    assert schema["properties"]["from"] == {"type": "string"}
    assert schema["properties"]["size"]["enum"] == ["dontcare", "large", "small"]


def test_a_transaction_leaves_the_receipt_that_is_known(session: Session) -> None:
    first = session.call("Boats_1.RentBoat", {"name": "Boat 1"})
    assert first.result == {"name": "Boat 1", "hours": "3"}
    again = session.call("Boats_1.RentBoat", {"name": "Boat 1"})
    assert [effect.kind for effect in (*first.effects, *again.effects)] == ["added", "added"]
    assert first.effects[0].key != again.effects[0].key


def test_a_receipt_that_is_not_known_follows_from_arguments_and_rows(session: Session) -> None:
    outcome = session.call("Boats_1.RentBoat", {"name": "Boat 50"})
    assert outcome.result == {"name": "Boat 50", "hours": "2", "harbour": "Ost"}
    outcome = session.call("Boats_1.RentBoat", {"name": "The Flying Dutchman", "hours": "4"})
    assert outcome.result == {"name": "The Flying Dutchman", "hours": "4"}


def test_the_order_of_transactions_says_nothing() -> None:
    digests = set()
    for order in (("Boat 1", "Boat 50"), ("Boat 50", "Boat 1")):
        with Session(world(written(START))) as session:
            for name in order:
                session.call("Boats_1.RentBoat", {"name": name})
            digests.add(session.digest())
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("given", "offer"),
    [({"name": "Boat 3"}, '[{"name":"Boat 4"}]'), ({"name": "Boat 2", "hours": "9"}, "")],
)
def test_what_is_not_to_be_had_is_refused_and_changes_nothing(
    session: Session, given: Mapping[str, str], offer: str
) -> None:
    before = session.digest()
    outcome = session.call("Boats_1.RentBoat", given)
    assert (outcome.refused, session.digest()) == ("unavailable", before)
    assert outcome.message.endswith(offer)
    assert session.call("Boats_1.RentBoat", {**given, "hours": "1"}).refused is None


def test_a_balance_goes_down_by_what_is_moved(session: Session) -> None:
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
    # A recorded transfer was done, whatever the account held; its balance tells the truth.
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
def test_a_start_that_contradicts_itself_is_refused(start: Start) -> None:
    with pytest.raises(RunError):
        world(written(start))


def test_a_damaged_start_is_a_world_or_refused_in_one_line() -> None:
    text = written(START)
    chance = random.Random(16)
    world_count = 0
    for _ in range(400):
        position = chance.randrange(len(text))
        cut = chance.choice(("", '"', "{", "]", "0", "\ud800", "\x00", '":"', '";--'))
        try:
            world(text[:position] + cut + text[position + chance.randrange(3) :])
        except RunError as error:
            assert "\n" not in str(error)
        else:
            world_count += 1
    assert 0 < world_count < 400
