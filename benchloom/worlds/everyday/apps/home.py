"""The app for a smart home, with devices, scenes, timed switches, and guests who may enter."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.apps import alarms
from benchloom.worlds.everyday.rules import (
    USER,
    Date,
    Id,
    Limit,
    Name,
    Query,
    Time,
    changes,
    from_today,
    person_id,
    refuse_if_any,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import Cell, RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Room: TypeAlias = Literal["kitchen", "living room", "bedroom", "study", "hall", "garden"]
DeviceKind: TypeAlias = Literal["light", "heater", "blind", "plug", "speaker", "lock"]
Level: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=100)]
LEVELLED = frozenset({"light", "heater", "blind", "speaker"})
"""Kinds of devices that have a level."""
_SCHEMA = """
CREATE TABLE devices (
    device_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    room TEXT NOT NULL,
    kind TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (person_id),
    is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
    level INTEGER CHECK (level BETWEEN 0 AND 100)
) STRICT;
CREATE TABLE scenes (
    scene_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    alarm_id TEXT REFERENCES alarms (alarm_id) ON DELETE SET NULL
) STRICT;
CREATE TABLE scene_settings (
    scene_id TEXT NOT NULL REFERENCES scenes (scene_id) ON DELETE CASCADE,
    device_id TEXT NOT NULL REFERENCES devices (device_id) ON DELETE CASCADE,
    is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
    level INTEGER CHECK (level BETWEEN 0 AND 100),
    PRIMARY KEY (scene_id, device_id)
) STRICT;
CREATE VIEW named_settings AS
    SELECT scene_settings.*, name FROM scene_settings JOIN devices USING (device_id);
CREATE TABLE timed_switches (
    timed_switch_id TEXT PRIMARY KEY,
    device_id TEXT NOT NULL REFERENCES devices (device_id) ON DELETE CASCADE,
    time TEXT NOT NULL,
    is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
    UNIQUE (device_id, time)
) STRICT;
CREATE TABLE home_guests (
    person_id TEXT PRIMARY KEY REFERENCES people (person_id),
    until TEXT NOT NULL
) STRICT;
"""
_HOUSEMATE = person_id(2)
_DEVICES: tuple[tuple[str, Room, DeviceKind, str, bool, int | None], ...] = (
    ("Ceiling lamp", "kitchen", "light", USER, True, 80),
    ("Coffee plug", "kitchen", "plug", USER, False, None),
    ("Kitchen speaker", "kitchen", "speaker", USER, False, 30),
    ("Floor lamp", "living room", "light", USER, False, 60),
    ("Window blind", "living room", "blind", USER, True, 100),
    ("Stove heater", "living room", "heater", USER, True, 45),
    ("Record player", "living room", "plug", _HOUSEMATE, False, None),
    ("Bedside lamp", "bedroom", "light", USER, False, 20),
    ("Bedroom heater", "bedroom", "heater", USER, False, 30),
    ("Bedroom blind", "bedroom", "blind", USER, False, 0),
    ("Desk lamp", "study", "light", _HOUSEMATE, True, 90),
    ("Printer plug", "study", "plug", _HOUSEMATE, True, None),
    ("Front door", "hall", "lock", USER, True, None),
    ("Hall lamp", "hall", "light", USER, True, 50),
    ("Path lights", "garden", "light", USER, False, 70),
    ("Pond pump", "garden", "plug", USER, True, None),
)
_SCENES: dict[str, tuple[tuple[str, int, int | None], ...]] = {
    "Good morning": (("Bedroom blind", 1, 100), ("Coffee plug", 1, None), ("Ceiling lamp", 1, 70)),
    "Film evening": (("Floor lamp", 1, 10), ("Window blind", 0, 0), ("Stove heater", 1, 60)),
    "Away": (("Hall lamp", 0, 0), ("Stove heater", 0, 0), ("Front door", 1, None)),
    "Empty stage": (),
}
_SWITCHES = (("Path lights", "19:00", 1), ("Path lights", "23:30", 0), ("Pond pump", "22:00", 0))
_GUESTS = ((6, "2027-03-20"), (15, "2027-04-02"))


class Device(msgspec.Struct, frozen=True):
    """A device; a lock is locked when it is on. `level` is in percent, or None."""

    device_id: str
    name: str
    room: Room
    kind: DeviceKind
    person_id: str
    is_on: bool
    level: int | None


class Setting(msgspec.Struct, frozen=True):
    """The state that a scene gives a device."""

    scene_id: str
    device_id: str
    is_on: bool
    level: int | None


class Scene(msgspec.Struct, frozen=True):
    """Settings of several devices; `alarm_id` is the alarm that applies them."""

    scene_id: str
    name: str
    alarm_id: str | None
    settings: list[Setting]


class TimedSwitch(msgspec.Struct, frozen=True):
    """A time of day at which a device is switched on or off."""

    timed_switch_id: str
    device_id: str
    time: str
    is_on: bool


class Guest(msgspec.Struct, frozen=True):
    """A person who may open the front door until a day."""

    person_id: str
    until: str


DEVICES = Table("devices", Device, order="room, name")
SWITCHES = Table(
    "timed_switches", TimedSwitch, id_of=("device_id", "time"), order="time, timed_switch_id"
)
SETTINGS = Table("named_settings", Setting)
SCENES = Table("scenes", Scene, parts={"settings": SETTINGS})
GUESTS = Table("home_guests", Guest, order="until, person_id")


@read_tool(
    query="a part of the name.",
    room="only devices in this room.",
    kind="only devices of this kind.",
    is_on="only devices that are on (true) or off (false).",
)
def search_devices(
    state: State,
    *,
    query: Query = "",
    room: Room | None = None,
    kind: DeviceKind | None = None,
    is_on: bool | None = None,
    limit: Limit = 20,
) -> list[Device]:
    """Find devices, by room and name."""
    return DEVICES.search(state, query, limit, room=room, kind=kind, is_on=is_on)


get_device = DEVICES.get_tool("home.get_device", "Look at one device.")


@tool(name="a name that no other device has.", room="the room.", kind="the kind of device.")
def create_device(state: State, *, name: Name, room: Room, kind: DeviceKind) -> Device:
    """Add a device of the user; it is off at first."""
    level = 0 if kind in LEVELLED else None
    return DEVICES.add(state, name=name, room=room, kind=kind, person_id=USER, is_on=0, level=level)


@tool(
    is_on="whether the device is on; a lock that is on is locked.",
    level="the level in percent, for lights, heaters, blinds and speakers.",
    room="the new room.",
)
def update_device(
    state: State,
    *,
    device_id: Id,
    is_on: bool | None = None,
    level: Level | None = None,
    room: Room | None = None,
) -> Device:
    """Switch a device of the user on or off, or change its level or its room."""
    _own_device(state, device_id, level)
    changed = changes(is_on=is_on, level=level, room=room)
    return DEVICES.change(state, device_id, **changed)


@tool()
def delete_device(state: State, *, device_id: Id) -> Device:
    """Delete a device of the user, its scene settings and its timed switches; return the device."""
    _own_device(state, device_id, None)
    return DEVICES.remove(state, device_id)


@read_tool(query="a part of the name; all scenes if it is empty.")
def search_scenes(state: State, *, query: Query = "", limit: Limit = 20) -> list[Scene]:
    """Find scenes, by name."""
    return SCENES.search(state, query, limit)


get_scene = SCENES.get_tool("home.get_scene", "Look at one scene.")


@tool(name="a name that no other scene has.")
def create_scene(state: State, *, name: Name) -> Scene:
    """Create a scene without settings."""
    return SCENES.add(state, name=name)


@tool(name="the new name.")
def update_scene(state: State, *, scene_id: Id, name: Name) -> Scene:
    """Rename a scene."""
    return SCENES.change(state, scene_id, name=name)


delete_scene = SCENES.remove_tool(
    "home.delete_scene", "Delete a scene and return it.", "the scene."
)


@tool(
    is_on="whether the scene switches it on or off.",
    level="the level in percent, for lights, heaters, blinds and speakers.",
)
def add_to_scene(
    state: State, *, scene_id: Id, device_id: Id, is_on: bool, level: Level | None = None
) -> Scene:
    """Add a setting of a device of the user to a scene."""
    SCENES.get(state, scene_id)
    _own_device(state, device_id, level)
    message = "the scene already has a setting for the device"
    refuse_if_any(state, message, "scene_settings", scene_id=scene_id, device_id=device_id)
    state.add(
        "scene_settings", scene_id=scene_id, device_id=device_id, is_on=int(is_on), level=level
    )
    return SCENES.get(state, scene_id)


@tool()
def remove_from_scene(state: State, *, scene_id: Id, device_id: Id) -> Scene:
    """Remove the setting of a device from a scene."""
    state.remove("scene_settings", scene_id=scene_id, device_id=device_id)
    return SCENES.get(state, scene_id)


@tool()
def run_scene(state: State, *, scene_id: Id) -> list[Device]:
    """Apply the settings of a scene to its devices; return the devices."""
    scene = SCENES.get(state, scene_id)
    if not scene.settings:
        raise RefusedError("unavailable", f"the scene {scene.name!r} has no settings")
    for setting in scene.settings:
        device_state: dict[str, Cell] = {"is_on": int(setting.is_on)}
        if setting.level is not None:
            device_state["level"] = setting.level
        state.change("devices", {"device_id": setting.device_id}, **device_state)
    return [DEVICES.get(state, setting.device_id) for setting in scene.settings]


@tool()
def run_scene_at_alarm(state: State, *, scene_id: Id, alarm_id: Id) -> Scene:
    """Run a scene whenever an alarm rings; an alarm can run one scene."""
    SCENES.get(state, scene_id)
    alarms.ALARMS.get(state, alarm_id)
    refuse_if_any(state, "the alarm already runs a scene", "scenes", alarm_id=alarm_id)
    return SCENES.change(state, scene_id, alarm_id=alarm_id)


@read_tool(device_id="only switches of this device.")
def search_timed_switches(
    state: State, *, device_id: Id | None = None, limit: Limit = 20
) -> list[TimedSwitch]:
    """Find timed switches, earliest first."""
    return SWITCHES.search(state, limit=limit, device_id=device_id)


@tool(
    time="the time, in 24-hour format, like 07:05.",
    is_on="whether the device is switched on or off.",
)
def create_timed_switch(state: State, *, device_id: Id, time: Time, is_on: bool) -> TimedSwitch:
    """Switch a device of the user on or off every day at a time."""
    if _own_device(state, device_id, None).kind == "lock" and not is_on:
        raise RefusedError("permission", "a timed switch cannot open a lock")
    return SWITCHES.add(state, device_id=device_id, time=time, is_on=int(is_on))


delete_timed_switch = SWITCHES.remove_tool(
    "home.delete_timed_switch", "Delete a timed switch and return it."
)


@read_tool()
def search_guests(state: State) -> list[Guest]:
    """Find the people who may open the front door, sorted by their last day."""
    return GUESTS.search(state)


@tool(person_id="who.", until="the last day.")
def add_guest(state: State, *, person_id: Id, until: Date) -> Guest:
    """Allow a person to open the front door until a day."""
    from_today(state, until)
    state.row("people", person_id=person_id)
    if person_id in {USER, _HOUSEMATE}:
        raise RefusedError("conflict", "the person lives here and cannot be a guest")
    refuse_if_any(state, "the person is already a guest", "home_guests", person_id=person_id)
    state.add("home_guests", person_id=person_id, until=until)
    return Guest(person_id, until)


remove_guest = GUESTS.remove_tool(
    "home.remove_guest", "Revoke a person's permission to open the front door.", "who."
)


def _own_device(state: State, device_id: str, level: int | None) -> Device:
    device = DEVICES.get(state, device_id)
    if device.person_id != USER:
        raise RefusedError("permission", "the device belongs to another person")
    if level is not None and device.kind not in LEVELLED:
        raise RefusedError("invalid_argument", f"a {device.kind} has no level")
    return device


def _fill(state: State) -> None:
    devices: dict[str, str] = {}
    for name, room, kind, person, on, level in _DEVICES:
        device = DEVICES.add(
            state, name=name, room=room, kind=kind, person_id=person, is_on=on, level=level
        )
        devices[name] = device.device_id
    for name, settings in _SCENES.items():
        scene = create_scene(state, name=name).scene_id
        for device_name, is_on, level in settings:
            state.add(
                "scene_settings",
                scene_id=scene,
                device_id=devices[device_name],
                is_on=is_on,
                level=level,
            )
    for device_name, time, is_on in _SWITCHES:
        SWITCHES.add(state, device_id=devices[device_name], time=time, is_on=is_on)
    for guest, until in _GUESTS:
        state.add("home_guests", person_id=person_id(guest), until=until)


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("home", globals()),
    needs=("people", "alarms"),
    goals={
        "add_guest": "let somebody open the front door for some time",
        "remove_guest": "stop letting somebody open the front door",
        "add_to_scene": "put a device into a scene",
        "create_device": "add a device to my home",
        "create_timed_switch": "have a device switched every day at a certain time",
        "delete_timed_switch": "remove a timed switch",
        "delete_device": "remove a device",
        "run_scene": "run a scene",
        "run_scene_at_alarm": "have an alarm start a scene",
    },
)
