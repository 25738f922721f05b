"""Health: what people have measured."""

from typing import Any

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.api_bank.databases import Databases
from benchloom.worlds.suites.api_bank.part import SUCCESS, Part, moment, need, refused
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = """
CREATE TABLE health (
    record_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, time TEXT NOT NULL, measured TEXT NOT NULL
) STRICT;
"""


class Measured(msgspec.Struct, frozen=True):
    """A measured quantity and its value."""

    name: str
    value: Any


@tool(
    user_id="of whom.",
    time="when, like 2023-01-31 18:30:00.",
    health_data="items with a name and a value each.",
)
def RecordHealthData(state: State, *, user_id: str, time: str, health_data: list[Any]) -> str:
    """Keep what was measured."""
    need(state, user_id, ("RecordHealthData", 0), "nobody is named")
    if not health_data:
        text_key = ("RecordHealthData", 1)
        raise refused(state, "invalid_argument", text_key, "nothing was measured")
    items = _items(state, health_data)
    if len({measurement.name for measurement in items}) < len(items):
        text_key = ("RecordHealthData", 4)
        raise refused(state, "invalid_argument", text_key, "something is told twice")
    _add(
        state, user_id, moment(time), {measurement.name: measurement.value for measurement in items}
    )
    return SUCCESS


@read_tool(
    user_id="of whom.", start_time="from when on, like 2023-01-31 18:30:00.", end_time="until when."
)
def QueryHealthData(
    state: State, *, user_id: str, start_time: str, end_time: str
) -> list[dict[str, Any]]:
    """Tell what was measured in a time."""
    need(state, user_id, ("QueryHealthData", 0), "nobody is named")
    start, end = moment(start_time), moment(end_time)
    if start > end:
        text_key = ("QueryHealthData", 2)
        raise refused(state, "invalid_argument", text_key, "it ends before it begins")
    rows = state.rows("SELECT * FROM health WHERE user_id = ? ORDER BY rowid", user_id)
    if not rows:
        raise refused(state, "not_found", ("QueryHealthData", 3), "nothing is known of this one")
    return [
        {"time": row["time"], **msgspec.json.decode(str(row["measured"]))}
        for row in rows
        if start <= str(row["time"]) <= end
    ]


def _items(state: State, items: list[Plain]) -> list[Measured]:
    try:
        return msgspec.convert(items, list[Measured])
    except msgspec.ValidationError as error:
        ours = "an item needs a name and a value"
        raise refused(state, "invalid_argument", ("RecordHealthData", 3), ours) from error


def _add(state: State, user_id: str, time: str, measured: dict[str, Plain]) -> None:
    encoded_values = msgspec.json.encode(measured, order="sorted").decode()
    key = state.new_id("health", user_id, time, encoded_values)
    state.add("health", record_id=key, user_id=user_id, time=time, measured=encoded_values)


def _fill(state: State, databases: Databases) -> None:
    for user_id, entries in databases.health_data.items():
        for entry in entries:
            measured = {name: value for name, value in entry.items() if name != "time"}
            if not isinstance(entry.get("time"), str):
                raise RefusedError("invalid_argument", f"{user_id!r}: measured at no time")
            _add(state, user_id, str(entry["time"]), measured)


PART = Part(
    schema=_SCHEMA,
    fill=_fill,
    tools=globals(),
    goals={
        "QueryHealthData": "look up my health data",
        "RecordHealthData": "record some health data",
    },
)
