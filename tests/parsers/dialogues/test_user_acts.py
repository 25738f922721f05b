"""Check that acts give the user's wordings of values and the results that the user requested."""

from benchloom.core.records import Wording
from parsers.dialogues.conversion.contents import requested_of, wordings_of
from parsers.dialogues.sgd.model import Action, Frame, ServiceCall, Turn

SERVICE = "Eateries_1"
ROWS = (
    {"name": "Umo Grill", "phone": "555-0101", "open": "True"},
    {"name": "Lark", "phone": "555-0102", "open": "False"},
)


def turn(speaker: str, *acts: Action, call: bool = False) -> Turn:
    service_call = ServiceCall("Find", {}) if call else None
    return Turn(speaker, (Frame(SERVICE, acts, service_call),))


def act(name: str, slot: str, *values: str, spoken_value: str = "") -> Action:
    return Action(name, slot, values or None, (spoken_value,) if spoken_value else values or None)


DIALOGUE = (
    turn(
        "USER", act("INFORM", "name", "Umo Grill", spoken_value="Umo"), act("INFORM", "size", "2")
    ),
    turn("SYSTEM", act("OFFER", "name", "Umo Grill"), call=True),
    turn("USER", act("REQUEST", "phone"), act("REQUEST", "menu")),
    turn("SYSTEM", act("INFORM", "phone", "555-0101")),
    turn("USER", act("REQUEST_ALTS", "")),
    turn("SYSTEM", act("OFFER", "name", "Lark"), act("INFORM", "phone", "555-0102")),
    turn("USER", act("REQUEST", "open")),
    turn("SYSTEM", act("INFORM", "open", "False")),
    turn("USER", act("REQUEST", "phone")),
    turn("SYSTEM", act("INFORM", "phone", "555-0102"), call=True),
)


def test_requests_refer_to_the_last_offered_row() -> None:
    assert requested_of(1, SERVICE, ROWS, DIALOGUE) == {0: ("phone",), 1: ("open",)}
    assert requested_of(1, "Other_1", ROWS, DIALOGUE) == {}


def test_wordings_of_counts_need_a_similar_slot() -> None:
    counts = (turn("USER", act("INFORM", "party_size", "2", spoken_value="two")), *DIALOGUE)
    arguments = {"place": "Umo Grill", "number_of_seats": "2", "rating": "2"}
    assert wordings_of(2, arguments, counts) == [
        Wording("number_of_seats", "two"),
        Wording("place", "Umo"),
    ]
    assert wordings_of(0, arguments, counts) == []
