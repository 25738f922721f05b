"""Level 3: meetings that nobody logs in for, reminders by mail, and reckoning."""

import msgspec

from benchloom.worlds.state import Row, State
from benchloom.worlds.suites.api_bank.part import LEVEL_3, SUCCESS, Part, moment, need
from benchloom.worlds.suites.api_bank.tools import sundries
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = """
CREATE TABLE called (
    meeting_id TEXT PRIMARY KEY, meeting_topic TEXT NOT NULL, start_time TEXT NOT NULL,
    end_time TEXT NOT NULL, location TEXT NOT NULL, attendees TEXT NOT NULL
) STRICT;
CREATE TABLE mail_reminders (
    reminder_id TEXT PRIMARY KEY, content TEXT NOT NULL, time TEXT NOT NULL, location TEXT NOT NULL,
    recipient TEXT NOT NULL
) STRICT;
"""


class Called(msgspec.Struct, frozen=True):
    """A meeting."""

    meeting_topic: str
    start_time: str
    end_time: str
    location: str
    attendees: list[str]


@tool(
    meeting_topic="what it is about.",
    start_time="when it begins, like 2023-01-31 18:30:00.",
    end_time="when it ends.",
    location="where.",
    attendees="who comes.",
)
def AddMeeting(
    state: State,
    *,
    meeting_topic: str,
    start_time: str,
    end_time: str,
    location: str,
    attendees: list[str],
) -> str:
    """Call a meeting."""
    need(state, meeting_topic, ("AddMeeting", 0), "the meeting is about nothing")
    start, end = moment(start_time), moment(end_time)
    people = msgspec.json.encode(attendees).decode()
    state.add(
        "called",
        meeting_id=state.new_id("called", meeting_topic, start, end, location, people),
        meeting_topic=meeting_topic,
        start_time=start,
        end_time=end,
        location=location,
        attendees=people,
    )
    return SUCCESS


@read_tool(user_name="who.")
def QueryMeeting(state: State, *, user_name: str) -> list[Called]:
    """Tell somebody's meetings: those of a user, and those that somebody comes to."""
    need(state, user_name, ("QueryMeeting", 0), "nobody is named")
    own = state.rows("SELECT * FROM meetings WHERE username = ? ORDER BY rowid", user_name)
    meetings = [_called(row) for row in own]
    topics = {meeting.meeting_topic for meeting in meetings}
    for table in ("meetings", "called"):
        rows = state.rows(f"SELECT * FROM {table} ORDER BY rowid")
        others = (_called(row) for row in rows)
        meetings += [
            meeting
            for meeting in others
            if user_name in meeting.attendees
            and (table == "called" or meeting.meeting_topic not in topics)
        ]
    return meetings


@tool(
    content="what of.",
    time="when, like 2023-01-31 18:30:00.",
    location="where.",
    recipient="to which address.",
)
def EmailReminder(state: State, *, content: str, time: str, location: str, recipient: str) -> str:
    """Have somebody reminded by mail."""
    need(state, recipient, ("EmailReminder", 0), "nobody is written to")
    at = moment(time)
    key = state.new_id("mail_reminders", content, at, location, recipient)
    values = {"content": content, "time": at, "location": location, "recipient": recipient}
    state.add("mail_reminders", reminder_id=key, **values)
    return SUCCESS


def _called(row: Row) -> Called:
    people = msgspec.json.decode(str(row["attendees"]), type=list[str])
    return msgspec.convert({**row, "attendees": people}, Called)


PART = Part(
    schema=_SCHEMA,
    tools={**globals(), "Calculator": sundries.Calculator},
    app=LEVEL_3,
    sets=("called.attendees",),
)
