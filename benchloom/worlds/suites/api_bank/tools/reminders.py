"""Tools for reminders, which each have a user and a time."""

import msgspec

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Reminder
from benchloom.worlds.suites.api_bank.part import (
    Part,
    UserTable,
    as_moment,
    fill_from,
    moment,
    need,
    user_of,
)
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = """
CREATE TABLE reminders (
    reminder_id TEXT PRIMARY KEY, content TEXT NOT NULL, time TEXT NOT NULL, username TEXT NOT NULL
) STRICT;
"""


REMINDERS = UserTable(
    "reminders",
    "reminder_id",
    {
        "content": (1, "there is no reminder with the content {content}"),
        "time": (1, "there is no reminder at {time}"),
    },
    blank=0,
)


@tool()
def AddReminder(state: State, *, token: str, content: str, time: str) -> str:
    """Set a reminder."""
    username = user_of(state, token)
    need(state, content, ("AddReminder", 0), "content is empty")
    return REMINDERS.add(state, username, content=content, time=moment(time))


@tool(time="the time; used only if no reminder has the content.")
def DeleteReminder(state: State, *, token: str, content: str = "", time: str = "") -> str:
    """Delete a reminder."""
    return REMINDERS.remove(state, "DeleteReminder", token, content=content, time=as_moment(time))


@tool()
def ModifyReminder(state: State, *, token: str, content: str = "", time: str = "") -> str:
    """Change a reminder, selected by content or else by time; the arguments are its new values."""
    values = {"content": content, "time": as_moment(time)}
    row = REMINDERS.find(state, "ModifyReminder", token, **values)
    return REMINDERS.change(state, row, {"content": content, "time": time and moment(time)})


@read_tool(time="the time; used only if no reminder has the content.")
def QueryReminder(state: State, *, token: str, content: str = "", time: str = "") -> Reminder:
    """Find a reminder."""
    row = REMINDERS.find(state, "GetReminder", token, content=content, time=as_moment(time))
    return msgspec.convert(row, Reminder)


PART = Part(
    schema=_SCHEMA,
    fill=fill_from("reminders", "reminder_id", lambda databases: databases.reminder),
    tools=globals(),
    descriptions={
        "token": "the user's token.",
        "content": "the content.",
        "time": "the time, like 2023-01-31 18:30:00.",
    },
)
