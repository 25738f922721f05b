"""What services gave back, read from the bytes of a file."""

import msgspec
import pytest

from benchloom.core.records.planning_path import Mode
from parsers.dialogues.conversion.found import found_in
from parsers.dialogues.material import Found, Refused
from parsers.dialogues.sgd.families import read_recorded
from parsers.dialogues.sgd.schema import Schema, read_schema

MODES: tuple[Mode, ...] = ("flow", "name")
SCHEMA = (
    b'[{"service_name": "Boats_1", "slots": [{"name": "size"}], "intents": ['
    b'{"name": "FindBoat", "optional_slots": {"size": "small"}, "result_slots": ["size"]},'
    b'{"name": "RentBoat", "is_transactional": true, "required_slots": ["size"]}]}]'
)


@pytest.fixture(scope="module")
def schema() -> Schema:
    return read_schema(SCHEMA)


def file_of(*frames: tuple[str, list[dict[str, str]], str]) -> bytes:
    turns = [
        {
            "speaker": "SYSTEM",
            "frames": [
                {
                    "service": "Boats_1",
                    "actions": [{"act": act}],
                    "service_call": {"method": method, "parameters": {"size": "small"}},
                    "service_results": rows,
                }
            ],
        }
        for method, rows, act in frames
    ]
    return msgspec.json.encode([{"dialogue_id": "a", "turns": turns}])


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
    data = file_of((method, rows, act))
    for mode in MODES:
        (dialogue,) = found_in(data, schema, mode)
        (call,) = dialogue.calls
        assert (call.outcome, len(call.rows), call.turn) == (outcome, len(rows), 0)


@pytest.mark.parametrize("mode", MODES)
def test_a_damaged_dialogue_has_no_calls_and_its_neighbours_have_theirs(
    schema: Schema, mode: Mode
) -> None:
    good = file_of(("FindBoat", [], "OFFER"))[1:-1]
    bad = good.replace(b'"a"', b'"b"').replace(b'{"size":"small"}', b'{"size":7}')
    dialogues = list(found_in(b"[" + good + b"," + bad + b"," + good + b"]", schema, mode))
    assert [(dialogue.dialogue_id, len(dialogue.calls)) for dialogue in dialogues] == [
        ("a", 1),
        ("b", 0),
        ("a", 1),
    ]


def test_results_that_are_no_texts_cost_the_results_alone(schema: Schema) -> None:
    data = file_of(("FindBoat", [{"size": "small"}], "OFFER")).replace(
        b'[{"size":"small"}]', b'[{"size":7}]'
    )
    assert list(found_in(data, schema, "name")) == [Found("a", ())]
    (read,) = read_recorded(data, "name")
    assert not isinstance(read, Refused)
    (read,) = read_recorded(data, "flow")
    assert isinstance(read, Refused)


def test_a_file_is_read_once_for_all_who_ask() -> None:
    data, other = file_of(("FindBoat", [], "OFFER")), file_of(("RentBoat", [], "OFFER"))
    first = read_recorded(data, "flow")
    assert read_recorded(data, "flow") is first
    assert read_recorded(other, "flow") != first
    assert read_recorded(data, "flow") == first
    assert read_recorded(bytes(bytearray(data)), "flow") == first


@pytest.mark.parametrize("data", [b"", b"7", b"[]", b"not json", b"\xff"])
def test_a_file_without_dialogues_has_no_results(schema: Schema, data: bytes) -> None:
    assert list[Found](found_in(data, schema, "flow")) == []
