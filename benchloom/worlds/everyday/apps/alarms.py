"""The app for the user's alarms, which each have a time and a label."""

from typing import Annotated

import msgspec

from benchloom.worlds.everyday.rules import Id, Query, Time, changes
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Label = Annotated[str, msgspec.Meta(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")]
_SCHEMA = """
CREATE TABLE alarms (
    alarm_id TEXT PRIMARY KEY,
    time TEXT NOT NULL,
    label TEXT NOT NULL,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    UNIQUE (time, label)
) STRICT;
"""
_START = (
    ("05:50", "Early boat", 0),
    ("06:15", "Bread", 0),
    ("06:45", "Swim", 1),
    ("07:30", "Work", 1),
    ("08:20", "Weekend", 0),
    ("09:00", "Market", 0),
    ("12:30", "Lunch walk", 1),
    ("15:10", "School gate", 1),
    ("16:45", "Piano", 1),
    ("18:00", "Water the beds", 0),
    ("21:15", "Pills", 1),
    ("22:30", "Bedtime", 1),
)


class Alarm(msgspec.Struct, frozen=True):
    """An alarm, which rings every day."""

    alarm_id: str
    time: str
    label: str
    enabled: bool


ALARMS = Table(
    "alarms",
    Alarm,
    id_of=("time", "label"),
    order="time, alarm_id",
    searched=("label",),
)


@read_tool(
    label="a part of the label; all alarms if it is empty.",
    enabled="only alarms that are on (true) or off (false).",
)
def search_alarms(state: State, *, label: Query = "", enabled: bool | None = None) -> list[Alarm]:
    """Find alarms, earliest first."""
    return ALARMS.search(state, label, enabled=enabled)


get_alarm = ALARMS.get_tool("alarms.get_alarm", "Look at one alarm.")


@tool(time="the time, in 24-hour format, like 07:05.", label="what for.")
def create_alarm(state: State, *, time: Time, label: Label = "") -> Alarm:
    """Set an alarm for every day."""
    return ALARMS.add(state, time=time, label=label, enabled=1)


@tool(
    alarm_id="its id.",
    time="the new time, in 24-hour format.",
    label="the new label.",
    enabled="whether the alarm is on.",
)
def update_alarm(
    state: State,
    *,
    alarm_id: Id,
    time: Time | None = None,
    label: Label | None = None,
    enabled: bool | None = None,
) -> Alarm:
    """Change an alarm, or switch it on or off."""
    return ALARMS.change(state, alarm_id, **changes(time=time, label=label, enabled=enabled))


delete_alarm = ALARMS.remove_tool("alarms.delete_alarm", "Delete an alarm and return it.")


@read_tool()
def next_alarm(state: State) -> Alarm:
    """Return the alarm that rings next."""
    on = ALARMS.search(state, enabled=True)
    if not on:
        raise RefusedError("not_found", "no alarm is switched on")
    now = state.now[11:16]
    # Alarms that rang today come after all others, because they ring next tomorrow.
    return min(on, key=lambda alarm: (alarm.time <= now, alarm.time, alarm.label))


def _fill(state: State) -> None:
    for time, label, enabled in _START:
        ALARMS.add(state, time=time, label=label, enabled=enabled)


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("alarms", globals()),
    goals={"next_alarm": "find out {} of the alarm that rings next"},
)
