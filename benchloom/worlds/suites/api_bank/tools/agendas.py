"""Agendas: planned events of users."""

import msgspec

from benchloom.worlds.state import Row, State
from benchloom.worlds.suites.api_bank.databases import Agenda
from benchloom.worlds.suites.api_bank.part import (
    SUCCESS,
    Criterion,
    Part,
    as_moment,
    fill_from,
    first_match,
    need,
    user_of,
)
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = """
CREATE TABLE agendas (
    agenda_id TEXT PRIMARY KEY, content TEXT NOT NULL, time TEXT NOT NULL, location TEXT NOT NULL,
    username TEXT NOT NULL
) STRICT;
"""


@tool()
def AddAgenda(state: State, *, token: str, content: str, time: str, location: str) -> str:
    """Add an event to the user's agenda."""
    username = user_of(state, token)
    need(state, content, ("AddAgenda", 0), "content is empty")
    values = {"content": content, "time": as_moment(time), "location": location}
    key = state.new_id("agendas", username, *values.values())
    state.add("agendas", agenda_id=key, username=username, **values)
    return SUCCESS


@tool(time="the time, if several events have the content.")
def DeleteAgenda(
    state: State, *, token: str, content: str = "", time: str = "", location: str = ""
) -> str:
    """Delete an event from the user's agenda."""
    del location
    agenda = _matching_row(state, "DeleteAgenda", token, content, time)
    state.remove("agendas", agenda_id=agenda["agenda_id"])
    return SUCCESS


@tool()
def ModifyAgenda(
    state: State, *, token: str, content: str = "", time: str = "", location: str = ""
) -> str:
    """Change an event, selected by content or else by time; the arguments are its new values."""
    agenda = _matching_row(state, "ModifyAgenda", token, content, time)
    new_values = {"content": content, "time": as_moment(time), "location": location}
    values = {name: value for name, value in new_values.items() if value}
    state.change("agendas", {"agenda_id": agenda["agenda_id"]}, **values)
    return SUCCESS


@read_tool(time="the time, if several events have the content.")
def QueryAgenda(
    state: State, *, token: str, content: str = "", time: str = "", location: str = ""
) -> Agenda:
    """Find an event in the user's agenda."""
    del location
    return msgspec.convert(_matching_row(state, "GetAgenda", token, content, time), Agenda)


def _matching_row(state: State, tool_name: str, token: str, content: str, time: str) -> Row:
    return first_match(
        state,
        "agendas",
        user_of(state, token),
        (
            Criterion(
                "content", content, (tool_name, 0), "there is no event with the content {content}"
            ),
            Criterion("time", as_moment(time), (tool_name, 1), "there is no event at {time}"),
        ),
        neither=(tool_name, 2),
    )


PART = Part(
    schema=_SCHEMA,
    fill=fill_from("agendas", "agenda_id", lambda databases: databases.agenda),
    tools=globals(),
    descriptions={
        "token": "the user's token.",
        "content": "the content of the event.",
        "time": "the time, like 2023-01-31 18:30:00.",
        "location": "where.",
    },
    goals={
        "AddAgenda": "add something to my agenda",
        "ModifyAgenda": "change something in my agenda",
        "QueryAgenda": "look something up in my agenda",
    },
)
