"""Reminders of users, each with a time."""

import msgspec

from benchloom.worlds.state import Row, State
from benchloom.worlds.suites.api_bank.databases import Reminder
from benchloom.worlds.suites.api_bank.part import (
    SUCCESS,
    Criterion,
    Part,
    as_moment,
    fill_from,
    first_match,
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


@tool()
def AddReminder(state: State, *, token: str, content: str, time: str) -> str:
    """Set a reminder."""
    username = user_of(state, token)
    need(state, content, ("AddReminder", 0), "content is empty")
    values = {"content": content, "time": moment(time)}
    key = state.new_id("reminders", username, *values.values())
    state.add("reminders", reminder_id=key, username=username, **values)
    return SUCCESS


@tool(time="the time, if several reminders have the content.")
def DeleteReminder(state: State, *, token: str, content: str = "", time: str = "") -> str:
    """Delete a reminder."""
    reminder = _matching_row(state, "DeleteReminder", token, content, time)
    state.remove("reminders", reminder_id=reminder["reminder_id"])
    return SUCCESS


@tool()
def ModifyReminder(state: State, *, token: str, content: str = "", time: str = "") -> str:
    """Change a reminder, selected by content or else by time; the arguments are its new values."""
    reminder = _matching_row(state, "ModifyReminder", token, content, time)
    values = {"content": content} if content else {}
    values |= {"time": moment(time)} if time else {}
    state.change("reminders", {"reminder_id": reminder["reminder_id"]}, **values)
    return SUCCESS


@read_tool(time="the time, if several reminders have the content.")
def QueryReminder(state: State, *, token: str, content: str = "", time: str = "") -> Reminder:
    """Find a reminder."""
    return msgspec.convert(_matching_row(state, "GetReminder", token, content, time), Reminder)


def _matching_row(state: State, tool_name: str, token: str, content: str, time: str) -> Row:
    username = user_of(state, token)
    ours = "there is no reminder with the content {content} or the time {time}"
    ours = ours.replace("{content}", content or "that").replace("{time}", time or "that time")
    return first_match(
        state,
        "reminders",
        username,
        (
            Criterion("content", content, (tool_name, 1), ours),
            Criterion("time", as_moment(time), (tool_name, 1), ours),
        ),
        neither=(tool_name, 0),
    )


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
