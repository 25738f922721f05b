"""Check calls that are rebuilt from MultiWOZ's states, acts and spans against known answers."""

import json
from typing import Any

import pytest

from benchloom.core.records import PlanningPath
from parsers.dialogues.material import AccompanyingFile, DialogueInput, PlanOptions, Refused
from parsers.dialogues.sources import DIALOGUE_SOURCES
from tests.support.samples.dialogues import dialogue_files, sample

SAMPLE = sample("multiwoz")
Json = dict[str, Any]

CALLS = {
    "INV0001.json": "find_restaurant superseded, find_restaurant ok, book_restaurant ok",
    "INV0002.json": "find_attraction retried, find_attraction ok, find_attraction ok",
    "INV0003.json": "find_hotel ok, book_hotel retried, book_hotel ok",
    "INV0004.json": "find_train ok, book_train ok",
    "INV0005.json": "find_restaurant ok, book_restaurant ok, book_taxi ok",
    "INV0006.json": "find_restaurant ok, book_restaurant ok",
    "INV0007.json": "book_taxi ok",
    "INV0008.json": "find_hotel ok, book_hotel ok, find_train ok, book_train ok",
}
EDGES = {
    "INV0001.json": [(1, "restaurant-name", 2, "restaurant-name")],
    "INV0002.json": [(1, "attraction-name", 2, "attraction-name")],
    "INV0003.json": [(0, "hotel-name", 1, "hotel-name"), (0, "hotel-name", 2, "hotel-name")],
    "INV0004.json": [(0, "train-leaveat", 1, "train-leaveat")],
    "INV0005.json": [
        (0, "restaurant-name", 1, "restaurant-name"),
        (0, "restaurant-name", 2, "taxi-destination"),
    ],
    "INV0006.json": [(0, "restaurant-name", 1, "restaurant-name")],
    "INV0007.json": [],
    "INV0008.json": [(0, "hotel-name", 1, "hotel-name")],
}
PROVENANCE = [
    ("INV0001.json", 2, "restaurant-booktime", "19:30", "user", 4),
    ("INV0004.json", 0, "train-leaveat", "09:15", "user", 2),
    ("INV0005.json", 2, "taxi-arriveby", "20:00", "carried", 2),
    ("INV0008.json", 2, "train-day", "thursday", "carried", 2),
]


def convert(
    dialogues: list[Json], acts: Json | None = None, schema: list[Json] | None = None
) -> list[PlanningPath | Refused]:
    """Convert dialogues of `train/` with the sample's schema and the given acts."""
    schema_json = json.dumps(schema).encode() if schema else (SAMPLE / "schema.json").read_bytes()
    accompanying_files = [AccompanyingFile("schema.json", schema_json)]
    if acts is not None:
        accompanying_files.append(AccompanyingFile("dialog_acts.json", json.dumps(acts).encode()))
    dialogue_input = DialogueInput(("train/d.json",), tuple(accompanying_files), "top")
    conversion = DIALOGUE_SOURCES.find("multiwoz").open(dialogue_input, PlanOptions())
    rows = conversion.convert("train/d.json", json.dumps(dialogues).encode())
    return [row if isinstance(row, Refused) else row.path for row in rows]


def read_dialogues() -> list[Json]:
    """Return every dialogue of the sample."""
    return [
        dialogue for file in dialogue_files(SAMPLE) for dialogue in json.loads(file.read_bytes())
    ]


def read_acts() -> Json:
    acts: Json = json.loads((SAMPLE / "dialog_acts.json").read_bytes())
    return acts


def convert_one(dialogue: Json, acts: Json | None = None) -> PlanningPath:
    (row,) = convert([dialogue], acts)
    assert isinstance(row, PlanningPath), row
    return row


@pytest.fixture(scope="module")
def plans() -> dict[str, PlanningPath]:
    rows = convert(read_dialogues(), read_acts())
    plans_by_id = {row.source_id: row for row in rows if isinstance(row, PlanningPath)}
    assert len(plans_by_id) == len(rows)
    return plans_by_id


def calls_text(path: PlanningPath) -> str:
    return ", ".join(f"{step.api} {step.outcome}" for step in path.steps)


def edges_of(path: PlanningPath) -> list[tuple[int, str, int, str]]:
    return [(e.from_step, e.output, e.to_step, e.argument) for e in path.edges]


def test_rebuilt_calls_and_edges(plans: dict[str, PlanningPath]) -> None:
    assert {name: calls_text(path) for name, path in plans.items()} == CALLS
    assert {name: edges_of(path) for name, path in plans.items()} == EDGES


@pytest.mark.parametrize("expected", PROVENANCE, ids=lambda row: f"{row[0]}-{row[2]}")
def test_argument_provenance(
    plans: dict[str, PlanningPath], expected: tuple[str, int, str, str, str, int]
) -> None:
    name, step, slot, value, provenance, turn = expected
    (argument,) = [a for a in plans[name].steps[step].arguments if a.name == slot]
    assert (argument.value, argument.provenance, argument.turn) == (value, provenance, turn)


def test_plans_flag_how_calls_were_rebuilt(plans: dict[str, PlanningPath]) -> None:
    for name, path in plans.items():
        assert "rebuilt_calls" in path.oddities
        assert ("calls_without_acts" in path.oddities) is (name == "INV0006.json")


def test_spans_without_acts_give_the_calls_that_succeed() -> None:
    for dialogue in read_dialogues():
        name = dialogue["dialogue_id"]
        path = convert_one(dialogue)
        assert "calls_without_acts" in path.oddities
        if name in {"INV0004.json", "INV0005.json", "INV0007.json", "INV0008.json"}:
            assert (calls_text(path), edges_of(path)) == (CALLS[name], EDGES[name])
        elif name == "INV0003.json":
            assert calls_text(path) == "find_hotel ok, book_hotel ok"


def test_states_alone_give_calls() -> None:
    dialogue = next(
        candidate for candidate in read_dialogues() if candidate["dialogue_id"] == "INV0004.json"
    )
    for turn in dialogue["turns"]:
        for frame in turn["frames"]:
            frame["slots"] = []
    path = convert_one(dialogue)
    assert path.oddities == ("calls_by_state_alone", "rebuilt_calls", "superseded_call")
    assert calls_text(path) == "find_train superseded, find_train ok, book_train ok"


def test_acts_inside_frames_take_precedence() -> None:
    dialogue = next(
        candidate for candidate in read_dialogues() if candidate["dialogue_id"] == "INV0001.json"
    )
    offer = {"act": "OFFER", "slot": "restaurant-name", "values": ["fjord corner"]}
    offer["canonical_values"] = offer["values"]
    dialogue["turns"][3]["frames"][0]["actions"] = [offer]
    dialogue["turns"][5]["frames"][0]["actions"] = [{"act": "NOTIFY_SUCCESS", "slot": ""}]
    path = convert_one(dialogue, read_acts())
    assert calls_text(path) == "find_restaurant ok, book_restaurant ok"
    assert path.oddities == ("rebuilt_calls",)


def test_declared_result_slots_become_returns() -> None:
    schema = json.loads((SAMPLE / "schema.json").read_bytes())
    schema[0]["intents"][0]["result_slots"] = ["restaurant-name"]
    dialogue = next(
        candidate for candidate in read_dialogues() if candidate["dialogue_id"] == "INV0001.json"
    )
    (row,) = convert([dialogue], read_acts(), schema)
    assert isinstance(row, PlanningPath)
    assert row.steps[0].returns == ("restaurant-name",)
    assert row.steps[2].returns == ("restaurant-ref",)


def test_unknown_intent_or_service_refuses_one_dialogue() -> None:
    first, second, *rest = read_dialogues()
    first["turns"][0]["frames"][0]["state"]["active_intent"] = "find_nothing"
    second["turns"][0]["frames"][0]["service"] = "spaceship"
    rows = convert([first, second, *rest], read_acts())
    assert [row.reason for row in rows[:2] if isinstance(row, Refused)] == [
        "unknown_intent",
        "missing_schema",
    ]
    assert all(isinstance(row, PlanningPath) for row in rows[2:])


def test_broken_acts_refuse_only_their_dialogue() -> None:
    acts = read_acts()
    acts["INV0001.json"] = {"0": {"dialog_act": [1, 2]}}
    reasons = {
        row.dialogue_id: row.reason
        for row in convert(read_dialogues(), acts)
        if isinstance(row, Refused)
    }
    assert reasons == {"INV0001.json": "bad_acts"}


def test_broken_acts_file_is_reported_and_spans_are_used() -> None:
    data = (SAMPLE / "dialog_acts.json").read_bytes()[:-20]
    dialogue_input = DialogueInput(
        ("train/d.json",),
        (
            AccompanyingFile("schema.json", (SAMPLE / "schema.json").read_bytes()),
            AccompanyingFile("dialog_acts.json", data),
        ),
        "top",
    )
    conversion = DIALOGUE_SOURCES.find("multiwoz").open(dialogue_input, PlanOptions())
    fault = conversion.fault_of("dialog_acts.json")
    assert fault is not None
    assert fault.reason == "bad_acts"
    rows = list(conversion.convert("train/d.json", json.dumps(read_dialogues()).encode()))
    plans = [row.path for row in rows if not isinstance(row, Refused)]
    assert plans
    assert all("calls_without_acts" in path.oddities for path in plans)


def test_dialogue_with_thousands_of_values_is_too_large() -> None:
    dialogue = read_dialogues()[0]
    spans = [{"slot": "restaurant-name", "value": f"place {n}"} for n in range(5_000)]
    for turn in dialogue["turns"]:
        for frame in turn["frames"]:
            if turn["speaker"] == "SYSTEM":
                frame["slots"] = spans
    (row,) = convert([dialogue])
    assert isinstance(row, Refused)
    assert row.reason == "too_large"
