"""Words of users and results of services, read from valid and damaged dialogues."""

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


def words_of(*turns: tuple[str, object]) -> tuple[tuple[Utterance, ...], bool]:
    dialogue = {
        "dialogue_id": "1",
        "turns": [{"speaker": speaker, "frames": [], "utterance": said} for speaker, said in turns],
    }
    return user_words(msgspec.json.decode(json.dumps(dialogue), type=Dialogue))


def test_the_words_of_the_user_with_their_turns() -> None:
    utterances, whole = words_of(
        ("USER", "A lamp, please."), ("SYSTEM", "Which?"), ("USER", "Red — ☎")
    )
    assert [(entry.turn, entry.text) for entry in utterances] == [
        (0, "A lamp, please."),
        (2, "Red — ☎"),
    ]
    assert whole


def test_a_turn_that_says_nothing_readable_costs_only_itself() -> None:
    utterances, whole = words_of(("USER", 7), ("USER", "Hello."), ("USER", None), ("USER", "  "))
    assert [entry.text for entry in utterances] == ["Hello."]
    assert not whole


def test_a_turn_without_words_leaves_the_dialogue_whole() -> None:
    data = b'{"dialogue_id": "1", "turns": [{"speaker": "USER", "frames": []}]}'
    assert user_words(msgspec.json.decode(data, type=Dialogue)) == ((), True)


def test_a_huge_dialogue_is_bounded() -> None:
    many, whole = words_of(*(("USER", f"turn {number}") for number in range(MAX_UTTERANCES + 3)))
    assert (len(many), whole) == (MAX_UTTERANCES, False)
    cut, whole = words_of(("USER", "x" * (LONGEST_UTTERANCE + 1)))
    assert (len(cut[0].text), whole) == (LONGEST_UTTERANCE, False)


@pytest.fixture(scope="module")
def schema() -> Schema:
    return read_schema(SCHEMA)


def file_of(method: str, rows: list[dict[str, Any]], act: str) -> bytes:
    frame = {
        "service": "Boats_1",
        "actions": [{"act": act}],
        "service_call": {"method": method, "parameters": {"size": "small"}},
        "service_results": rows,
    }
    turns = [{"speaker": "SYSTEM", "frames": [frame]}]
    return msgspec.json.encode([{"dialogue_id": "a", "turns": turns}])


def calls_of(data: bytes, schema: Schema, mode: Mode) -> tuple[RecordedCall, ...] | None:
    """The calls of the only dialogue of a file, None if it is refused."""
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
def test_a_transaction_fails_and_a_query_finds_nothing(
    schema: Schema, method: str, rows: list[dict[str, str]], act: str, outcome: str
) -> None:
    for mode in MODES:
        (call,) = calls_of(file_of(method, rows, act), schema, mode) or ()
        assert (call.outcome, len(call.rows), call.turn) == (outcome, len(rows), 0)


def test_a_dialogue_with_a_result_that_is_not_a_text_is_refused(schema: Schema) -> None:
    data = file_of("FindBoat", [{"size": 7}], "OFFER")
    assert all(calls_of(data, schema, mode) is None for mode in MODES)


def test_rebuilt_calls_are_not_recorded_ones(schema: Schema) -> None:
    frame = {"service": "Boats_1", "actions": [{"act": "OFFER"}]}
    state = {"active_intent": "FindBoat", "slot_values": {"size": ["small"]}}
    turns = [
        {"speaker": "USER", "frames": [{**frame, "actions": [], "state": state}]},
        {"speaker": "SYSTEM", "frames": [frame]},
    ]
    data = msgspec.json.encode([{"dialogue_id": "a", "turns": turns}])
    (dialogue,) = recorded_or_rebuilt(Folder(schema))(data)
    assert isinstance(dialogue, Dialogue)
    assert dialogue.turns[1].frames[0].service_call
    assert recorded_calls(dialogue, schema, "flow") == ()
