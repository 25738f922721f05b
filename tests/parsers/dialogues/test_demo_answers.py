"""Check flow mode and name mode on hand-written dialogues with known answers."""

import msgspec
import pytest

from benchloom.core.records import PlanningPath
from parsers.dialogues.provenance.calls import Call
from parsers.dialogues.provenance.flow_mode import traced_calls
from parsers.dialogues.provenance.state_calls import rebuild_calls
from parsers.dialogues.sgd.dialogue_files import DialogueReader
from parsers.dialogues.sgd.model import Dialogue
from tests.parsers.dialogues.demo_dialogues import DEMO, convert_demo, read_split_schema

EDGES: dict[str, list[tuple[int, str, int, str, str]]] = {
    "1_00000": [],
    "1_00001": [],
    "1_00002": [(0, "bistro_name", 1, "bistro_name", "offered/same_slot")],
    "1_00003": [
        (0, "bistro_name", 1, "bistro_name", "offered/same_slot"),
        (0, "bistro_name", 2, "bistro_name", "offered/same_slot"),
    ],
    "1_00004": [(1, "bistro_name", 2, "bistro_name", "offered/same_slot")],
    "1_00005": [],
    "1_00006": [(0, "museum_name", 1, "destination", "offered/other_slot")],
    "1_00007": [(0, "address", 1, "destination", "informed/other_slot")],
    "1_00008": [],
    "1_00009": [
        (0, "concert_name", 1, "concert_name", "offered/same_slot"),
        (0, "date", 2, "departure_date", "offered/equivalent_slot"),
    ],
    "1_00010": [],
    "1_00011": [
        (0, "departure_time", 1, "departure_time", "offered/same_slot"),
        (0, "travelers", 1, "travelers", "returned/same_slot"),
    ],
    "1_00012": [(0, "track", 1, "track", "returned/same_slot")],
    "2_00000": [],
    "2_00001": [(0, "ride_fare", 1, "amount", "offered/equivalent_slot")],
    "2_00002": [(0, "museum_name", 1, "destination", "offered/other_slot")],
    "2_00003": [],
    "2_00004": [],
    "2_00005": [(0, "bistro_name", 1, "bistro_name", "offered/same_slot")],
    "2_00006": [],
    "2_00007": [],
    "3_00000": [],
    "3_00001": [(0, "bistro_name", 1, "bistro_name", "offered/same_slot")],
    "3_00002": [
        (0, "bistro_name", 1, "bistro_name", "offered/same_slot"),
        (0, "address", 2, "destination", "offered/other_slot"),
    ],
    "3_00003": [],
    "3_00004": [
        (0, "concert_name", 1, "concert_name", "offered/same_slot"),
        (0, "venue", 2, "destination", "offered/other_slot"),
        (0, "venue", 3, "location", "offered/other_slot"),
    ],
    "3_00005": [],
    "3_00006": [],
    "3_00007": [
        (0, "artist", 1, "artist", "offered/same_slot"),
        (1, "track", 2, "track", "offered/same_slot"),
    ],
}
CATEGORIES = {
    "SS": "1_00000 1_00001 2_00000 2_00003 2_00004 3_00000 3_00006",
    "SM": "1_00002 1_00003 1_00004 1_00005 1_00008 1_00011 1_00012 2_00005 3_00001 3_00007",
    "MS": "1_00006 1_00007 1_00010 2_00001 2_00002 2_00006 3_00003 3_00005",
    "MM": "1_00009 2_00007 3_00002 3_00004",
}
PROVENANCE = [
    ("1_00000", 0, "date", "user", 0),
    ("1_00001", 0, "number_of_riders", "default", None),
    ("1_00002", 1, "bistro_name", "result", 1),
    ("1_00002", 1, "party_size", "default", None),
    ("1_00002", 1, "city", "user", 0),
    ("1_00003", 2, "time", "system", 3),
    ("1_00008", 1, "bistro_name", "user", 0),
    ("1_00010", 1, "city", "carried", 0),
    ("1_00011", 1, "travelers", "result", 1),
    ("2_00002", 1, "number_of_riders", "system", 3),
    ("2_00003", 0, "location", "system", 1),
    ("2_00004", 0, "destination", "user", 0),
    ("2_00004", 0, "shared_ride", "user", 2),
    ("2_00006", 1, "destination", "user", 2),
]
OUTCOMES = {
    "1_00003": ["ok", "retried", "ok"],
    "1_00004": ["superseded", "ok", "ok"],
    "1_00005": ["superseded", "ok"],
    "2_00000": ["failed"],
    "2_00007": ["retried", "ok", "ok"],
    "3_00007": ["ok", "ok", "ok"],
}


@pytest.fixture(scope="module")
def flow_plans() -> dict[str, PlanningPath]:
    return convert_demo("flow")


def test_every_demo_dialogue_has_known_edges(flow_plans: dict[str, PlanningPath]) -> None:
    assert flow_plans.keys() == EDGES.keys()
    assert len(flow_plans) >= 25


@pytest.mark.parametrize("name", EDGES)
def test_flow_mode_edges(flow_plans: dict[str, PlanningPath], name: str) -> None:
    edges = [
        (e.from_step, e.output, e.to_step, e.argument, e.evidence) for e in flow_plans[name].edges
    ]
    assert edges == EDGES[name]


@pytest.mark.parametrize("category", CATEGORIES)
def test_flow_mode_categories(flow_plans: dict[str, PlanningPath], category: str) -> None:
    names = [name for name, path in flow_plans.items() if path.category == category]
    assert sorted(names) == CATEGORIES[category].split()


@pytest.mark.parametrize("expected", PROVENANCE, ids=lambda row: f"{row[0]}-{row[2]}")
def test_flow_mode_argument_provenance(
    flow_plans: dict[str, PlanningPath], expected: tuple[str, int, str, str, int | None]
) -> None:
    name, step, argument, provenance, turn = expected
    (step_argument,) = [a for a in flow_plans[name].steps[step].arguments if a.name == argument]
    assert (step_argument.provenance, step_argument.turn) == (provenance, turn)


@pytest.mark.parametrize("name", OUTCOMES)
def test_flow_mode_step_outcomes(flow_plans: dict[str, PlanningPath], name: str) -> None:
    assert [step.outcome for step in flow_plans[name].steps] == OUTCOMES[name]


def test_flow_mode_parallel_and_sequential_scales(flow_plans: dict[str, PlanningPath]) -> None:
    assert (flow_plans["3_00003"].parallel_scale, flow_plans["3_00003"].sequential_scales) == (
        2,
        (1, 1),
    )
    assert (flow_plans["3_00004"].parallel_scale, flow_plans["3_00004"].sequential_scales) == (
        1,
        (4,),
    )
    assert (flow_plans["1_00004"].parallel_scale, flow_plans["1_00004"].sequential_scales) == (
        2,
        (2, 1),
    )


def test_dropped_calls_leave_a_flag_and_valid_edges() -> None:
    plans = convert_demo("flow", ("retried", "superseded"))
    assert [step.outcome for step in plans["1_00003"].steps] == ["ok", "ok"]
    assert "dropped:1" in plans["1_00003"].oddities
    assert [(e.from_step, e.to_step) for e in plans["1_00003"].edges] == [(0, 1)]
    assert [(e.from_step, e.to_step) for e in plans["1_00004"].edges] == [(0, 1)]
    assert [step.index for step in plans["1_00004"].steps] == [0, 1]


def test_name_mode_transaction_returns_only_a_success_flag() -> None:
    path = convert_demo("name")["3_00000"]
    assert (path.steps[0].app, path.steps[0].api) == ("Rents", "getride")
    assert path.steps[0].returns == ("success_flag",)


def test_name_mode_uses_published_names_and_test_split_outputs() -> None:
    plans = convert_demo("name")
    search, booking = plans["1_00002"].steps
    assert search.returns == ("bistro_name", "location", "category", "address")
    assert [(a.name, a.kind) for a in booking.arguments] == [
        ("bistro_name", "reference"),
        ("city", "literal"),
        ("party_size", "literal"),
        ("time", "literal"),
    ]
    assert plans["3_00006"].steps[0].api == "reviewmovies"
    assert plans["3_00005"].category == "SM"
    assert plans["3_00004"].steps[3].app == "WeChat"


def test_name_mode_references_outputs_of_failed_calls() -> None:
    ride, _, second_ride = convert_demo("name")["2_00007"].steps
    assert ride.outcome == "retried"
    assert [(a.name, a.from_step) for a in second_ride.arguments] == [("destination", 0)]


def trace_calls(dialogue: Dialogue, split: str) -> list[Call]:
    return [traced_call.call for traced_call in traced_calls(dialogue, read_split_schema(split))]


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_calls_rebuilt_from_states_equal_recorded_calls(split: str) -> None:
    reader = DialogueReader(Dialogue)
    compared = 0
    for file in sorted((DEMO / split).glob("dialogues_*.json")):
        for dialogue in reader.read(file.read_bytes()):
            assert isinstance(dialogue, Dialogue)
            if dialogue.dialogue_id == "1_00012":
                continue  # the system offers nothing, so the state alone does not reveal the search
            recorded = trace_calls(dialogue, split)
            rebuilt = trace_calls(
                rebuild_calls(remove_calls(dialogue), read_split_schema(split)), split
            )
            expected_calls = [(c.turn, c.api.definition, c.arguments, c.failed) for c in recorded]
            assert [
                (c.turn, c.api.definition, c.arguments, c.failed) for c in rebuilt
            ] == expected_calls
            compared += len(expected_calls)
    assert compared >= 12


def remove_calls(dialogue: Dialogue) -> Dialogue:
    turns = tuple(
        msgspec.structs.replace(
            turn,
            frames=tuple(
                msgspec.structs.replace(frame, service_call=None, service_results=())
                for frame in turn.frames
            ),
        )
        for turn in dialogue.turns
    )
    return msgspec.structs.replace(dialogue, turns=turns)
