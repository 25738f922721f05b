"""Tools for the alarms of users."""

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Alarm
from benchloom.worlds.suites.api_bank.part import (
    Part,
    UserTable,
    as_moment,
    fill_from,
    moment,
    user_of,
)
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = """
CREATE TABLE alarms (
    alarm_id TEXT PRIMARY KEY, time TEXT NOT NULL, username TEXT NOT NULL
) STRICT;
"""


ALARMS = UserTable("alarms", "alarm_id", {"time": (0, "there is no alarm at {time}")}, blank=0)


@tool(time="the time, like 2023-01-31 18:30:00.")
def AddAlarm(state: State, *, token: str, time: str) -> str:
    """Set an alarm."""
    return ALARMS.add(state, user_of(state, token), time=moment(time))


@tool()
def DeleteAlarm(state: State, *, token: str, time: str) -> str:
    """Delete an alarm."""
    return ALARMS.remove(state, "DeleteAlarm", token, time=as_moment(time))


@tool(from_time="the current time of the alarm.", to_time="the new time of the alarm.")
def ModifyAlarm(state: State, *, token: str, from_time: str, to_time: str) -> str:
    """Change the time of an alarm."""
    at = as_moment(from_time)
    row = ALARMS.find(state, "ModifyAlarm", token, time=at, from_time=at)
    return ALARMS.change(state, row, {"time": moment(to_time)})


@read_tool()
def QueryAlarm(state: State, *, token: str, time: str) -> Alarm:
    """Find an alarm."""
    return msgspec.convert(ALARMS.find(state, "GetAlarm", token, time=as_moment(time)), Alarm)


PART = Part(
    schema=_SCHEMA,
    fill=fill_from("alarms", "alarm_id", lambda databases: databases.alarm),
    tools=globals(),
    descriptions={"token": "the user's token.", "time": "the time of the alarm."},
)
