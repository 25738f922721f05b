"""Check the utterances of users and the recorded calls read from valid and damaged dialogues."""

import json
from typing import Any

import msgspec
import pytest

from benchloom.core.records import Utterance
from benchloom.core.records.planning_path import Mode
from parsers.dialogues.conversion.contents import (
    LONGEST_UTTERANCE,
    MAX_UTTERANCES,
    recorded_calls,
    user_words,
)
from parsers.dialogues.conversion.readers import Folder, recorded_or_rebuilt
from parsers.dialogues.material import RecordedCall, Refused
from parsers.dialogues.sgd.model import Dialogue
from parsers.dialogues.sgd.schema import Schema, read_schema

MODES: tuple[Mode, ...] = ("flow", "name")
SCHEMA = (
    b'[{"service_name": "Boats_1", "slots": [{"name": "size"}], "intents": ['
    b'{"name": "FindBoat", "optional_slots": {"size": "small"}, "result_slots": ["size"]},'
    b'{"name": "RentBoat", "is_transactional": true, "required_slots": ["size"]}]}]'
)


def read_utterances(*turns: tuple[str, object]) -> tuple[tuple[Utterance, ...], bool]:
    dialogue = {
        "dialogue_id": "1",
        "turns": [
            {"speaker": speaker, "frames": [], "utterance": utterance}
            for speaker, utterance in turns
        ],
    }
    return user_words(msgspec.json.decode(json.dumps(dialogue), type=Dialogue))


def test_user_utterances_have_turn_numbers() -> None:
    utterances, is_complete = read_utterances(
        ("USER", "A lamp, please."), ("SYSTEM", "Which?"), ("USER", "Red — ☎")
    )
    assert [(entry.turn, entry.text) for entry in utterances] == [
        (0, "A lamp, please."),
        (2, "Red — ☎"),
    ]
    assert is_complete


def test_unreadable_utterances_are_dropped_alone() -> None:
    utterances, is_complete = read_utterances(
        ("USER", 7), ("USER", "Hello."), ("USER", None), ("USER", "  ")
    )
    assert [entry.text for entry in utterances] == ["Hello."]
    assert not is_complete


def test_turn_without_utterance_leaves_the_dialogue_complete() -> None:
    data = b'{"dialogue_id": "1", "turns": [{"speaker": "USER", "frames": []}]}'
    assert user_words(msgspec.json.decode(data, type=Dialogue)) == ((), True)


def test_utterances_are_limited_in_number_and_length() -> None:
    many, is_complete = read_utterances(
        *(("USER", f"turn {number}") for number in range(MAX_UTTERANCES + 3))
    )
    assert (len(many), is_complete) == (MAX_UTTERANCES, False)
    cut, is_complete = read_utterances(("USER", "x" * (LONGEST_UTTERANCE + 1)))
    assert (len(cut[0].text), is_complete) == (LONGEST_UTTERANCE, False)


@pytest.fixture(scope="module")
def boat_schema() -> Schema:
    return read_schema(SCHEMA)


def write_dialogue(method: str, rows: list[dict[str, Any]], act: str) -> bytes:
    frame = {
        "service": "Boats_1",
        "actions": [{"act": act}],
        "service_call": {"method": method, "parameters": {"size": "small"}},
        "service_results": rows,
    }
    turns = [{"speaker": "SYSTEM", "frames": [frame]}]
    return msgspec.json.encode([{"dialogue_id": "a", "turns": turns}])


def read_calls(data: bytes, schema: Schema, mode: Mode) -> tuple[RecordedCall, ...] | None:
    """Return the calls of a file's only dialogue, or None if the dialogue is refused."""
    (dialogue,) = recorded_or_rebuilt(Folder(schema))(data)
    return None if isinstance(dialogue, Refused) else recorded_calls(dialogue, schema, mode)


@pytest.mark.parametrize(
    ("method", "rows", "act", "outcome"),
    [
        ("FindBoat", [{"size": "small"}], "OFFER", "ok"),
        ("FindBoat", [], "NOTIFY_FAILURE", "empty"),
        ("FindBoat", [], "OFFER", "empty"),
        ("RentBoat", [{"size": "small"}], "NOTIFY_SUCCESS", "ok"),
        ("RentBoat", [], "NOTIFY_FAILURE", "failed"),
        ("RentBoat", [{"size": "large"}], "NOTIFY_FAILURE", "failed"),
        ("RentBoat", [], "NOTIFY_SUCCESS", "failed"),
    ],
)
def test_call_outcomes_of_searches_and_transactions(
    boat_schema: Schema, method: str, rows: list[dict[str, str]], act: str, outcome: str
) -> None:
    for mode in MODES:
        (call,) = read_calls(write_dialogue(method, rows, act), boat_schema, mode) or ()
        assert (call.outcome, len(call.rows), call.turn) == (outcome, len(rows), 0)


def test_result_with_a_number_refuses_the_dialogue(boat_schema: Schema) -> None:
    data = write_dialogue("FindBoat", [{"size": 7}], "OFFER")
    assert all(read_calls(data, boat_schema, mode) is None for mode in MODES)


def test_rebuilt_calls_are_not_recorded_calls(boat_schema: Schema) -> None:
    frame = {"service": "Boats_1", "actions": [{"act": "OFFER"}]}
    state = {"active_intent": "FindBoat", "slot_values": {"size": ["small"]}}
    turns = [
        {"speaker": "USER", "frames": [{**frame, "actions": [], "state": state}]},
        {"speaker": "SYSTEM", "frames": [frame]},
    ]
    data = msgspec.json.encode([{"dialogue_id": "a", "turns": turns}])
    (dialogue,) = recorded_or_rebuilt(Folder(boat_schema))(data)
    assert isinstance(dialogue, Dialogue)
    assert dialogue.turns[1].frames[0].service_call
    assert recorded_calls(dialogue, boat_schema, "flow") == ()
