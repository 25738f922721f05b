"""Tools for timed switches, which switch a device on or off at a time."""

from benchloom.worlds.state import State
from benchloom.worlds.suites.api_bank.databases import Databases
from benchloom.worlds.suites.api_bank.part import SUCCESS, Part, as_moment, moment, need, refused
from benchloom.worlds.tool import tool

_SCHEMA = """
CREATE TABLE switches (
    name TEXT NOT NULL, time TEXT NOT NULL, is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
    PRIMARY KEY (name, time)
) STRICT;
"""


@tool(name="which device.", time="when, like 2023-01-31 18:30:00.", on="true: on, false: off.")
def TimedSwitch(state: State, *, name: str, time: str, on: bool) -> str:
    """Switch a device on or off at a time."""
    need(state, name, ("TimedSwitch", 0), "name is empty")
    _set(state, name, moment(time), is_on=on)
    return SUCCESS


@tool(name="which device.", time="the time of the switch.")
def CancelTimedSwitch(state: State, *, name: str, time: str) -> str:
    """Cancel a timed switch of a device."""
    need(state, name, ("CancelTimedSwitch", 0), "name is empty")
    at = as_moment(time)
    rows = state.rows("SELECT time FROM switches WHERE name = ?", name)
    if not rows:
        raise refused(state, "not_found", ("CancelTimedSwitch", 1), "there is no such device")
    if all(row["time"] != at for row in rows):
        exception_key = ("CancelTimedSwitch", 2)
        raise refused(state, "not_found", exception_key, "the device has no switch at this time")
    state.remove("switches", name=name, time=at)
    return SUCCESS


def _set(state: State, name: str, time: str, *, is_on: bool) -> None:
    if state.rows("SELECT 1 FROM switches WHERE name = ? AND time = ?", name, time):
        state.change("switches", {"name": name, "time": time}, is_on=int(is_on))
    else:
        state.add("switches", name=name, time=time, is_on=int(is_on))


def _fill(state: State, databases: Databases) -> None:
    for name, switchings in databases.time_switch.items():
        for switching in switchings:
            _set(state, name, switching.time, is_on=switching.on)


PART = Part(
    schema=_SCHEMA,
    fill=_fill,
    tools=globals(),
    renamed={name: {"device_id": "name"} for name in ("TimedSwitch", "CancelTimedSwitch")},
)
