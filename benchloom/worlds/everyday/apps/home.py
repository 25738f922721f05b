"""Home: devices, scenes that set several of them, timed switches, and guests who may come in."""

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
    matching,
    person_id,
    record,
    refuse_if_any,
)
from benchloom.worlds.everyday.tables import Table, select
from benchloom.worlds.state import Cell, RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Room: TypeAlias = Literal["kitchen", "living room", "bedroom", "study", "hall", "garden"]
DeviceKind: TypeAlias = Literal["light", "heater", "blind", "plug", "speaker", "lock"]
Level: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=100)]
LEVELLED = frozenset({"light", "heater", "blind", "speaker"})
"""Kinds of devices that have more than on and off."""
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
    """A device; a lock is locked when it is on. `level` is in percent, where it has one."""

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
    """Settings of several devices; `alarm_id` is the alarm that sets them."""

    scene_id: str
    name: str
    alarm_id: str | None
    settings: list[Setting]


class TimedSwitch(msgspec.Struct, frozen=True):
    """A device goes on or off at a time, every day."""

    timed_switch_id: str
    device_id: str
    time: str
    is_on: bool


class Guest(msgspec.Struct, frozen=True):
    """Who may open the front door, and the last day of that."""

    person_id: str
    until: str


DEVICES = Table("devices", Device, order="room, name")
SWITCHES = Table(
    "timed_switches", TimedSwitch, id_of=("device_id", "time"), order="time, timed_switch_id"
)
GUESTS = Table("home_guests", Guest, order="until, person_id")


@read_tool(
    query="a part of the name.",
    room="only devices there.",
    kind="only devices of this kind.",
    is_on="only those that are on, or off.",
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


@tool(
    name="what to call it; no two devices have one name.", room="where it is.", kind="what it is."
)
def create_device(state: State, *, name: Name, room: Room, kind: DeviceKind) -> Device:
    """Add a device of the user, which is off at first."""
    level = 0 if kind in LEVELLED else None
    return DEVICES.add(state, name=name, room=room, kind=kind, person_id=USER, is_on=0, level=level)


@tool(
    is_on="whether it is on; a lock is locked when it is.",
    level="in percent, for lights, heaters, blinds and speakers.",
    room="where it is now.",
)
def update_device(
    state: State,
    *,
    device_id: Id,
    is_on: bool | None = None,
    level: Level | None = None,
    room: Room | None = None,
) -> Device:
    """Switch a device of the user on or off, set its level, or say where it is now."""
    _own(state, device_id, level)
    changed = changes(is_on=is_on, level=level, room=room)
    return DEVICES.change(state, device_id, **changed)


@tool()
def delete_device(state: State, *, device_id: Id) -> Device:
    """Remove a device of the user, from scenes and timed switches too; gives back what it was."""
    _own(state, device_id, None)
    return DEVICES.remove(state, device_id)


@read_tool(query="a part of the name; all scenes if it is empty.")
def search_scenes(state: State, *, query: Query = "", limit: Limit = 20) -> list[Scene]:
    """Find scenes, by name."""
    rows = matching(state.rows("SELECT * FROM scenes ORDER BY name"), query, ("name",), limit)
    return [_scene(state, row) for row in rows]


@read_tool(scene_id="its id.")
def get_scene(state: State, *, scene_id: Id) -> Scene:
    """Look at one scene."""
    return _scene(state, state.row("scenes", scene_id=scene_id))


@tool(name="what to call it; no two scenes have one name.")
def create_scene(state: State, *, name: Name) -> Scene:
    """Make a scene, which sets nothing at first."""
    new_scene_id = state.new_id("scenes", name)
    state.add("scenes", scene_id=new_scene_id, name=name, alarm_id=None)
    return get_scene(state, scene_id=new_scene_id)


@tool(name="the new name.")
def update_scene(state: State, *, scene_id: Id, name: Name) -> Scene:
    """Call a scene something else."""
    state.change("scenes", {"scene_id": scene_id}, name=name)
    return get_scene(state, scene_id=scene_id)


@tool()
def delete_scene(state: State, *, scene_id: Id) -> Scene:
    """Remove a scene; gives back what it was."""
    gone = get_scene(state, scene_id=scene_id)
    state.remove("scenes", scene_id=scene_id)
    return gone


@tool(
    is_on="whether the scene switches it on or off.",
    level="in percent, for lights, heaters, blinds and speakers.",
)
def add_to_scene(
    state: State, *, scene_id: Id, device_id: Id, is_on: bool, level: Level | None = None
) -> Scene:
    """Make a scene set a device of the user."""
    get_scene(state, scene_id=scene_id)
    _own(state, device_id, level)
    setting = "SELECT 1 FROM scene_settings WHERE scene_id = ? AND device_id = ?"
    refuse_if_any(state, "the scene sets that device already", setting, scene_id, device_id)
    state.add(
        "scene_settings", scene_id=scene_id, device_id=device_id, is_on=int(is_on), level=level
    )
    return get_scene(state, scene_id=scene_id)


@tool()
def remove_from_scene(state: State, *, scene_id: Id, device_id: Id) -> Scene:
    """Make a scene leave a device as it is."""
    state.remove("scene_settings", scene_id=scene_id, device_id=device_id)
    return get_scene(state, scene_id=scene_id)


@tool()
def run_scene(state: State, *, scene_id: Id) -> list[Device]:
    """Set all devices as a scene says; gives back what they are then."""
    scene = get_scene(state, scene_id=scene_id)
    if not scene.settings:
        raise RefusedError("unavailable", f"the scene {scene.name!r} sets nothing")
    for setting in scene.settings:
        device_state: dict[str, Cell] = {"is_on": int(setting.is_on)}
        if setting.level is not None:
            device_state["level"] = setting.level
        state.change("devices", {"device_id": setting.device_id}, **device_state)
    return [DEVICES.get(state, setting.device_id) for setting in scene.settings]


@tool()
def run_scene_at_alarm(state: State, *, scene_id: Id, alarm_id: Id) -> Scene:
    """Make an alarm set a scene when it rings; an alarm sets one scene at most."""
    get_scene(state, scene_id=scene_id)
    alarms.ALARMS.get(state, alarm_id)
    rung = "SELECT 1 FROM scenes WHERE alarm_id = ?"
    refuse_if_any(state, "the alarm sets a scene already", rung, alarm_id)
    state.change("scenes", {"scene_id": scene_id}, alarm_id=alarm_id)
    return get_scene(state, scene_id=scene_id)


@read_tool(device_id="only switches of this device.")
def search_timed_switches(
    state: State, *, device_id: Id | None = None, limit: Limit = 20
) -> list[TimedSwitch]:
    """Find what goes on or off by itself, earliest first."""
    return SWITCHES.search(state, limit=limit, device_id=device_id)


@tool(time="when, in 24 hours, like 07:05.", is_on="whether it goes on or off.")
def create_timed_switch(state: State, *, device_id: Id, time: Time, is_on: bool) -> TimedSwitch:
    """Make a device of the user go on or off at a time, every day."""
    if _own(state, device_id, None).kind == "lock" and not is_on:
        raise RefusedError("permission", "no lock opens by itself")
    return SWITCHES.add(state, device_id=device_id, time=time, is_on=int(is_on))


delete_timed_switch = SWITCHES.remove_tool(
    "home.delete_timed_switch", "Remove a timed switch; gives back what it was."
)


@read_tool()
def search_guests(state: State) -> list[Guest]:
    """Find who may open the front door, by the last day of that."""
    return GUESTS.search(state)


@tool(person_id="who.", until="the last day.")
def add_guest(state: State, *, person_id: Id, until: Date) -> Guest:
    """Let a person open the front door."""
    from_today(state, until)
    state.row("people", person_id=person_id)
    if person_id in {USER, _HOUSEMATE}:
        raise RefusedError("conflict", "that person lives here")
    invited = "SELECT 1 FROM home_guests WHERE person_id = ?"
    refuse_if_any(state, "that person is a guest already", invited, person_id)
    state.add("home_guests", person_id=person_id, until=until)
    return Guest(person_id, until)


remove_guest = GUESTS.remove_tool(
    "home.remove_guest", "Let a person no longer open the front door.", "who."
)


def _own(state: State, device_id: str, level: int | None) -> Device:
    """Return a device of the user; refuse others, and levels it cannot have."""
    device = DEVICES.get(state, device_id)
    if device.person_id != USER:
        raise RefusedError("permission", "the device is another person's")
    if level is not None and device.kind not in LEVELLED:
        raise RefusedError("invalid_argument", f"a {device.kind} has no level")
    return device


def _scene(state: State, row: dict[str, Cell]) -> Scene:
    query = (
        "SELECT s.* FROM scene_settings AS s JOIN devices USING (device_id)"
        " WHERE scene_id = ? ORDER BY name"
    )
    return record(Scene, row, settings=select(Setting, state.rows(query, row["scene_id"])))


def _fill(state: State) -> None:
    devices: dict[str, str] = {}
    for name, room, kind, person, on, level in _DEVICES:
        device = DEVICES.add(
            state, name=name, room=room, kind=kind, person_id=person, is_on=on, level=level
        )
        devices[name] = device.device_id
    for name, settings in _SCENES.items():
        scene = create_scene(state, name=name).scene_id
        for named, is_on, level in settings:
            state.add(
                "scene_settings",
                scene_id=scene,
                device_id=devices[named],
                is_on=is_on,
                level=level,
            )
    for named, time, is_on in _SWITCHES:
        SWITCHES.add(state, device_id=devices[named], time=time, is_on=is_on)
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
