"""Tools for the scenes of a smart home; a scene describes the states of several devices."""

from typing import Any

import msgspec

from benchloom.worlds.state import Cell, State
from benchloom.worlds.suites.api_bank.databases import Databases, Device
from benchloom.worlds.suites.api_bank.part import SUCCESS, Part, need, refused
from benchloom.worlds.tool import read_tool, tool

_SCHEMA = "CREATE TABLE scenes (name TEXT PRIMARY KEY, devices TEXT NOT NULL) STRICT;"


@tool()
def AddScene(state: State, *, name: str, devices: list[Any]) -> str:
    """Add a scene."""
    need(state, name, ("AddScene", 0), "name is empty")
    devices_json = _devices(state, "AddScene", devices)
    if _rows(state, name):
        raise refused(state, "conflict", ("AddScene", 3), "there is a scene of this name")
    state.add("scenes", name=_key(name), devices=devices_json)
    return SUCCESS


@tool()
def DeleteScene(state: State, *, name: str) -> str:
    """Delete a scene."""
    need(state, name, ("DeleteScene", 0), "name is empty")
    if not _rows(state, name):
        raise refused(state, "not_found", ("DeleteScene", 1), "there is no scene of this name")
    state.remove("scenes", name=_key(name))
    return SUCCESS


@tool()
def ModifyScene(state: State, *, name: str, devices: list[Any]) -> str:
    """Replace the devices of a scene."""
    need(state, name, ("ModifyScene", 0), "name is empty")
    devices_json = _devices(state, "ModifyScene", devices)
    if not _rows(state, name):
        raise refused(state, "not_found", ("ModifyScene", 3), "there is no scene of this name")
    state.change("scenes", {"name": _key(name)}, devices=devices_json)
    return SUCCESS


@read_tool()
def QueryScene(state: State, *, name: str) -> list[Device]:
    """Return the devices of a scene."""
    need(state, name, ("QueryScene", 0), "name is empty")
    rows = _rows(state, name)
    if not rows:
        raise refused(state, "not_found", ("QueryScene", 1), "there is no scene of this name")
    return msgspec.json.decode(str(rows[0]["devices"]), type=list[Device])


def _key(name: str) -> str:
    return name.strip().lower()


def _rows(state: State, name: str) -> list[dict[str, Cell]]:
    return state.rows("SELECT * FROM scenes WHERE name = ?", _key(name))


def _devices(state: State, tool_name: str, devices: list[Any]) -> str:
    try:
        parsed_devices = msgspec.convert(devices, list[Device])
    except msgspec.ValidationError as error:
        ours = "a device needs a name and a description"
        raise refused(state, "invalid_argument", (tool_name, 1), ours) from error
    if len({device.name for device in parsed_devices}) < len(parsed_devices):
        raise refused(state, "invalid_argument", (tool_name, 2), "a device occurs twice")
    return msgspec.json.encode(parsed_devices).decode()


def _fill(state: State, databases: Databases) -> None:
    for name, devices in databases.scenes.items():
        state.add("scenes", name=_key(name), devices=msgspec.json.encode(devices).decode())


PART = Part(
    schema=_SCHEMA,
    fill=_fill,
    tools=globals(),
    descriptions={
        "name": "the name, in any letter case.",
        "devices": "its devices, with a name and a description each.",
    },
)
