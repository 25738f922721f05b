"""Check the first turn of a user and the facts that the user keeps back for questions."""

import pytest

from benchloom.worlds.everyday import everyday
from benchloom.worlds.task import GoldCall, Origin
from benchloom.worlds.user.facts import facts_of, spoken_values, takes_result_fields
from benchloom.worlds.user.first_turn import opening


def call(tool: str, *, source: int | None = None, words: str = "", **arguments: object) -> GoldCall:
    """Return a call with ids from call number `source` and spoken `words` for truth values."""
    origins = []
    for name, value in arguments.items():
        if name.endswith("_id"):
            origins.append(Origin(name, "result", source or 0))
        elif isinstance(value, bool):
            origins.append(Origin(name, "words", 0, words))
        else:
            origins.append(Origin(name, "turn", 0, str(value)))
    return GoldCall(tool=tool, arguments=arguments, origins=tuple(origins))  # type: ignore[arg-type]  # values of JSON


NOTES = [
    call("notes.search_notes", query="Bees"),
    call("notes.delete_note", note_id="n1"),
    call("notes.search_notes", query="Ale"),
    call("notes.lock_note", source=2, note_id="n2"),
]
BILL = [
    call("bank.search_bills", query="Tern", paid=False, words="unpaid"),
    call("bank.pay_bill", bill_id="b1"),
]
CARD = [
    call("wallet.search_cards", query="Blue"),
    call("wallet.update_card", card_id="c1", blocked=True, words="lock"),
]
FOLDERS = [call("mail.create_folder", name=name) for name in ("Bills", "Trips")]
LAMP = [
    call("home.search_devices", query="Lamp"),
    call("home.update_device", device_id="d", level=9),
]
PAIR = [
    *LAMP,
    call("home.search_devices", query="Fan"),
    call("home.delete_device", source=2, device_id="e"),
]

SAME = [*NOTES[:1], *NOTES[3:], call("notes.update_note", note_id="n2", title="Rye?")]
NEW_NOTE = [
    call("notes.create_note", title="Ale"),
    call("notes.lock_note", source=0, note_id="n3"),
]
UNITS = [
    GoldCall(
        tool="units.convert_units",
        arguments={"amount": 3, "unit": "d", "to_unit": "h"},
        origins=(
            Origin("amount", "turn", 0, "3"),
            Origin("unit", "words", 0, "days"),
            Origin("to_unit", "words", 0, "hours"),
        ),
    )
]


@pytest.mark.parametrize(
    ("calls", "goal", "facts"),
    [
        (
            NOTES,
            "delete a note and lock a note",
            ['The note to delete is "Bees".', 'The note to lock is "Ale".'],
        ),
        (
            SAME,
            "lock a note and rename that note",
            ['The note is "Bees".', 'The new note title is "Rye?"'],
        ),
        (NEW_NOTE, "create a note and lock the new note", ['The title of the note is "Ale".']),
        (BILL, "pay a bill", ["The unpaid bill is Tern."]),
        (CARD, "lock a card", ["The card is Blue."]),
        (FOLDERS, "create two folders", ["The names of the folders are Bills and Trips."]),
        (
            LAMP,
            "change the level of a device",
            ["The device is Lamp.", "The level of the device is 9."],
        ),
        (
            PAIR,
            "change the level of a device and remove a device",
            [
                "The device to change the level of is Lamp.",
                "The level of the device is 9.",
                "The device to remove is Fan.",
            ],
        ),
    ],
)
def test_first_turn_states_goals_without_the_facts(
    calls: list[GoldCall], goal: str, facts: list[str]
) -> None:
    assert opening(calls, None, everyday(), 0) == f"I want to {goal}."
    assert [fact.statement for fact in (facts_of(calls, everyday().goals) or {}).values()] == facts


def test_two_goals_of_the_same_name_give_no_opening() -> None:
    assert opening([*CARD, *CARD], None, everyday(), 0) is None


def test_argument_from_a_result_field_is_detected() -> None:
    creation = call("notes.create_note", title="Ale")
    copied_call = GoldCall(
        tool=creation.tool,
        arguments={"text": "brown"},
        origins=(Origin("text", "result", 0, "text"),),
    )
    assert takes_result_fields([copied_call])
    assert not takes_result_fields(NOTES)


def test_codes_are_spoken_as_in_the_request() -> None:
    statements = [fact.statement for fact in (facts_of(UNITS, {}) or {}).values()]
    assert statements == ["The amount is 3.", "The unit is days.", "The target unit is hours."]
    assert spoken_values(UNITS, {})[0] == {"unit": "days", "to_unit": "hours"}
