"""Tools for the health data of users, each measured at a time."""

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
    time="the time, like 2023-01-31 18:30:00.",
    health_data="measurements with a name and a value each.",
)
def RecordHealthData(state: State, *, user_id: str, time: str, health_data: list[Any]) -> str:
    """Record health data of a user."""
    need(state, user_id, ("RecordHealthData", 0), "user_id is empty")
    if not health_data:
        text_key = ("RecordHealthData", 1)
        raise refused(state, "invalid_argument", text_key, "health_data is empty")
    items = _items(state, health_data)
    if len({measurement.name for measurement in items}) < len(items):
        text_key = ("RecordHealthData", 4)
        raise refused(state, "invalid_argument", text_key, "a name occurs twice in health_data")
    _add(
        state, user_id, moment(time), {measurement.name: measurement.value for measurement in items}
    )
    return SUCCESS


@read_tool(
    user_id="of whom.",
    start_time="the first time, like 2023-01-31 18:30:00.",
    end_time="until when.",
)
def QueryHealthData(
    state: State, *, user_id: str, start_time: str, end_time: str
) -> list[dict[str, Any]]:
    """Find a user's health data between two times."""
    need(state, user_id, ("QueryHealthData", 0), "user_id is empty")
    start, end = moment(start_time), moment(end_time)
    if start > end:
        text_key = ("QueryHealthData", 2)
        raise refused(state, "invalid_argument", text_key, "the end is before the start")
    rows = state.rows("SELECT * FROM health WHERE user_id = ? ORDER BY rowid", user_id)
    if not rows:
        raise refused(state, "not_found", ("QueryHealthData", 3), "the user has no health data")
    return [
        {"time": row["time"], **msgspec.json.decode(str(row["measured"]))}
        for row in rows
        if start <= str(row["time"]) <= end
    ]


def _items(state: State, items: list[Plain]) -> list[Measured]:
    try:
        return msgspec.convert(items, list[Measured])
    except msgspec.ValidationError as error:
        ours = "each entry of health_data needs a name and a value"
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
                raise RefusedError(
                    "invalid_argument", f"the health data of {user_id!r} have no valid time"
                )
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
