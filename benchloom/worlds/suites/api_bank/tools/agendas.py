"""Tools for agendas, which contain the planned events of users."""

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Agenda
from benchloom.worlds.suites.api_bank.part import (
    Part,
    UserTable,
    as_moment,
    fill_from,
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


AGENDAS = UserTable(
    "agendas",
    "agenda_id",
    {
        "content": (0, "there is no event with the content {content}"),
        "time": (1, "there is no event at {time}"),
    },
    blank=2,
)


@tool()
def AddAgenda(state: State, *, token: str, content: str, time: str, location: str) -> str:
    """Add an event to the user's agenda."""
    username = user_of(state, token)
    need(state, content, ("AddAgenda", 0), "content is empty")
    return AGENDAS.add(state, username, content=content, time=as_moment(time), location=location)


@tool(time="the time; used only if no event has the content.")
def DeleteAgenda(
    state: State, *, token: str, content: str = "", time: str = "", location: str = ""
) -> str:
    """Delete an event from the user's agenda."""
    del location
    return AGENDAS.remove(state, "DeleteAgenda", token, content=content, time=as_moment(time))


@tool()
def ModifyAgenda(
    state: State, *, token: str, content: str = "", time: str = "", location: str = ""
) -> str:
    """Change an event, selected by content or else by time; the arguments are its new values."""
    values = {"content": content, "time": as_moment(time), "location": location}
    row = AGENDAS.find(state, "ModifyAgenda", token, **values)
    return AGENDAS.change(state, row, values)


@read_tool(time="the time; used only if no event has the content.")
def QueryAgenda(
    state: State, *, token: str, content: str = "", time: str = "", location: str = ""
) -> Agenda:
    """Find an event in the user's agenda."""
    del location
    row = AGENDAS.find(state, "GetAgenda", token, content=content, time=as_moment(time))
    return msgspec.convert(row, Agenda)


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
