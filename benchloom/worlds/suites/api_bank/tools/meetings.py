"""Tools for meetings, which users schedule with attendees."""

from typing import cast

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Databases, Meeting
from benchloom.worlds.suites.api_bank.part import (
    SUCCESS,
    Part,
    UserTable,
    as_moment,
    moment,
    need,
    user_of,
)
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = """
CREATE TABLE meetings (
    meeting_id TEXT PRIMARY KEY, meeting_topic TEXT NOT NULL, start_time TEXT NOT NULL,
    end_time TEXT NOT NULL, location TEXT NOT NULL, attendees TEXT NOT NULL, username TEXT NOT NULL
) STRICT;
"""


MEETINGS = UserTable(
    "meetings",
    "meeting_id",
    {
        "meeting_topic": (1, "there is no meeting about {meeting_topic}"),
        "start_time": (2, "there is no meeting at {start_time}"),
    },
    blank=0,
)


@tool()
def AddMeeting(
    state: State,
    *,
    token: str,
    meeting_topic: str,
    start_time: str,
    end_time: str,
    location: str,
    attendees: list[str],
) -> str:
    """Schedule a meeting."""
    username = user_of(state, token)
    need(state, meeting_topic, ("AddMeeting", 0), "meeting_topic is empty")
    values = {
        "meeting_topic": meeting_topic,
        "start_time": moment(start_time),
        "end_time": moment(end_time),
        "location": location,
        "attendees": _people_json(attendees),
        "username": username,
    }
    # Attendees are a set: their order does not change the id of the meeting.
    key = state.new_id(
        "meetings", *{**values, "attendees": _people_json(sorted(attendees))}.values()
    )
    state.add("meetings", meeting_id=key, **values)
    return SUCCESS


@tool(start_time="the start; used only if no meeting has the topic.")
def DeleteMeeting(
    state: State,
    *,
    token: str,
    meeting_topic: str = "",
    start_time: str = "",
    end_time: str = "",
    location: str = "",
    attendees: list[str] | None = None,
) -> str:
    """Cancel a meeting."""
    del end_time, location, attendees
    values = {"meeting_topic": meeting_topic, "start_time": as_moment(start_time)}
    return MEETINGS.remove(state, "DeleteMeeting", token, **values)


@tool()
def ModifyMeeting(
    state: State,
    *,
    token: str,
    meeting_topic: str = "",
    start_time: str = "",
    end_time: str = "",
    location: str = "",
    attendees: list[str] | None = None,
) -> str:
    """Change a meeting, selected by topic or else by start; the arguments are its new values."""
    start = as_moment(start_time)
    row = MEETINGS.find(
        state, "ModifyMeeting", token, meeting_topic=meeting_topic, start_time=start
    )
    values = {
        "meeting_topic": meeting_topic,
        "start_time": start_time and moment(start_time),
        "end_time": end_time and moment(end_time),
        "location": location,
        "attendees": "" if attendees is None else _people_json(attendees),
    }
    return MEETINGS.change(state, row, values)


@read_tool(start_time="the start; used only if no meeting has the topic.")
def QueryMeeting(
    state: State,
    *,
    token: str,
    meeting_topic: str = "",
    start_time: str = "",
    end_time: str = "",
    location: str = "",
    attendees: list[str] | None = None,
) -> Meeting:
    """Find a meeting."""
    del end_time, location, attendees
    start = as_moment(start_time)
    row = MEETINGS.find(state, "GetMeeting", token, meeting_topic=meeting_topic, start_time=start)
    people = msgspec.json.decode(str(row["attendees"]))
    return msgspec.convert({**row, "attendees": people}, Meeting)


def _people_json(people: list[str]) -> str:
    return msgspec.json.encode(people).decode()


def _fill(state: State, databases: Databases) -> None:
    for key, source_meeting in databases.meeting.items():
        values = cast("dict[str, str]", msgspec.structs.asdict(source_meeting))
        values["attendees"] = _people_json(source_meeting.attendees)
        state.add("meetings", meeting_id=key, **values)


PART = Part(
    schema=_SCHEMA,
    fill=_fill,
    tools=globals(),
    descriptions={
        "token": "the user's token.",
        "meeting_topic": "the topic.",
        "start_time": "the start, like 2023-01-31 18:30:00.",
        "end_time": "the end.",
        "location": "where.",
        "attendees": "who comes.",
    },
    sets=("meetings.attendees",),
    goals={"AddMeeting": "schedule a meeting"},
)
