"""Alarms of users."""

import msgspec

from benchloom.worlds.state import Row, State
from benchloom.worlds.suites.api_bank.databases import Alarm
from benchloom.worlds.suites.api_bank.part import (
    SUCCESS,
    Criterion,
    Part,
    as_moment,
    fill_from,
    first_match,
    moment,
    user_of,
)
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = """
CREATE TABLE alarms (
    alarm_id TEXT PRIMARY KEY, time TEXT NOT NULL, username TEXT NOT NULL
) STRICT;
"""


@tool(time="the time, like 2023-01-31 18:30:00.")
def AddAlarm(state: State, *, token: str, time: str) -> str:
    """Set an alarm."""
    username = user_of(state, token)
    at = moment(time)
    key = state.new_id("alarms", username, at)
    state.add("alarms", alarm_id=key, time=at, username=username)
    return SUCCESS


@tool()
def DeleteAlarm(state: State, *, token: str, time: str) -> str:
    """Delete an alarm."""
    alarm = _matching_row(state, "DeleteAlarm", token, time)
    state.remove("alarms", alarm_id=alarm["alarm_id"])
    return SUCCESS


@tool(from_time="the current time of the alarm.", to_time="the new time of the alarm.")
def ModifyAlarm(state: State, *, token: str, from_time: str, to_time: str) -> str:
    """Change the time of an alarm."""
    alarm = _matching_row(state, "ModifyAlarm", token, from_time, "from_time")
    state.change("alarms", {"alarm_id": alarm["alarm_id"]}, time=moment(to_time))
    return SUCCESS


@read_tool()
def QueryAlarm(state: State, *, token: str, time: str) -> Alarm:
    """Find an alarm."""
    return msgspec.convert(_matching_row(state, "GetAlarm", token, time), Alarm)


def _matching_row(state: State, tool_name: str, token: str, time: str, slot: str = "time") -> Row:
    username = user_of(state, token)
    at = as_moment(time)
    criterion = Criterion("time", at, (tool_name, 0), "there is no alarm at {time}")
    return first_match(
        state, "alarms", username, (criterion,), neither=(tool_name, 0), **{slot: at}
    )


PART = Part(
    schema=_SCHEMA,
    fill=fill_from("alarms", "alarm_id", lambda databases: databases.alarm),
    tools=globals(),
    descriptions={"token": "the user's token.", "time": "the time of the alarm."},
)
