"""Short dialogues: a schema with one search and one booking, and turns to combine."""

from typing import Any

import msgspec

from benchloom.core.records import PlanningPath
from benchloom.core.records.planning_path import Droppable
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.material import Refused
from parsers.dialogues.sgd.schema import Schema, read_schema

Json = dict[str, Any]
SLOTS = ("inn", "town", "stars", "rooms", "day", "hour", "kind")


def inn_schema(search_rooms: str = "1", book_rooms: str | None = None) -> Schema:
    """Return a schema where `rooms` has a default in the search and optionally in the booking."""
    optional = {} if book_rooms is None else {"rooms": book_rooms}
    required = ["inn", "hour"] if optional else ["inn", "hour", "rooms"]
    service = {
        "service_name": "Inns_1",
        "slots": [
            {"name": slot, "is_categorical": slot == "kind", "possible_values": ["Plain", "Grand"]}
            for slot in SLOTS
        ],
        "intents": [
            {
                "name": "FindInns",
                "required_slots": ["town"],
                "optional_slots": {"rooms": search_rooms, "kind": "dontcare", "stars": "dontcare"},
                "result_slots": list(SLOTS),
            },
            {
                "name": "BookInn",
                "is_transactional": True,
                "required_slots": required,
                "optional_slots": {**optional, "kind": "dontcare", "day": "dontcare"},
                "result_slots": list(SLOTS),
            },
        ],
    }
    trips = {
        "service_name": "Trips_1",
        "slots": [{"name": slot} for slot in ("leaving_date", "rooms")],
        "intents": [
            {
                "name": "BuyTrip",
                "required_slots": ["leaving_date"],
                "optional_slots": {"rooms": "dontcare"},
            }
        ],
    }
    return read_schema(msgspec.json.encode([service, trips]))


def act(act: str, **values: str) -> list[Json]:
    """Return one act per slot, or one act without a slot."""
    if not values:
        return [{"act": act, "slot": "", "values": []}]
    return [
        {"act": act, "slot": slot, "values": [value], "canonical_values": [value]}
        for slot, value in values.items()
    ]


def user(*acts: list[Json], service: str = "Inns_1") -> Json:
    actions = [action for group in acts for action in group]
    return {"speaker": "USER", "frames": [{"service": service, "actions": actions}]}


def system(
    *acts: list[Json], call: tuple[str, Json] | None = None, rows: tuple[Json, ...] = ()
) -> Json:
    frame: Json = {"service": "Inns_1", "actions": [action for group in acts for action in group]}
    if call is not None:
        frame["service"] = "Trips_1" if call[0] == "BuyTrip" else "Inns_1"
        frame["service_call"] = {"method": call[0], "parameters": call[1]}
        frame["service_results"] = list(rows)
    return {"speaker": "SYSTEM", "frames": [frame]}


def plan(*turns: Json, of: Schema | None = None, drop: tuple[Droppable, ...] = ()) -> PlanningPath:
    data = msgspec.json.encode([{"dialogue_id": "9_00001", "turns": list(turns)}])
    (row,) = Converter(of or inn_schema(), "flow", "train", drop=drop).convert(data, "told.json")
    assert not isinstance(row, Refused), row
    return row
