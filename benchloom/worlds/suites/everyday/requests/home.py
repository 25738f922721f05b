"""The requests that users can make about the devices of the home, with their wording."""

from benchloom.worlds.requests.draws import clock, day, no, number, quoted, words, yes
from benchloom.worlds.requests.wants import Named, Policy, Question, Want, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed, hours, until_day
from benchloom.worlds.suites.everyday.requests._objects import (
    ALARM,
    DEVICE,
    NAMED_OBJECTS,
    PERSON,
    SCENE,
)

_ROOMS = words("bedroom", "garden", "hall", "kitchen", "living room", "study")
_NAMES = quoted("Breakfast", "Guests", "Holiday", "Quiet hours", "Reading", "Winter morning")
_SWITCHED = DEVICE.among(kind=("light", "heater", "speaker", "plug"))
_DIMMED = DEVICE.among(kind=("light", "heater", "speaker", "blind"))
_OF_SCENES = DEVICE.among(kind=("light", "heater", "speaker"))
_PORTABLE = DEVICE.among(name=("Bedside lamp", "Desk lamp", "Floor lamp", "Kitchen speaker"))
_MORNING = SCENE.among(name="Good morning")
_WAKING = ALARM.among(label=("Swim", "Work")).among(enabled=True)
_FILLED = SCENE.among(name=("Away", "Film evening", "Good morning"))
_TIMED = Named(
    "home.search_timed_switches", "timed_switch_id", "{device_id}", by={"device_id": DEVICE}
)
REQUESTS = requests(
    usual={
        **NAMED_OBJECTS,
        "is_on": yes("on"),
        "level": number(5, 95),
        "room": _ROOMS,
        "name": _NAMES,
    },
    wants=(
        Want(
            "home.update_device",
            "{is_on} {device_id}",
            {"device_id": _SWITCHED.among(is_on=False), "is_on": yes("switch on", "turn on")},
        ),
        Want(
            "home.update_device",
            "{is_on} {device_id}",
            {"device_id": _SWITCHED.among(is_on=True), "is_on": no("switch off", "turn off")},
        ),
        Want("home.update_device", "set {device_id} to level {level}", {"device_id": _DIMMED}),
        Want(
            "home.update_device",
            "note that {device_id} is in the {room} now",
            {"device_id": _PORTABLE},
        ),
        Want(
            "home.update_device",
            "set {device_id} to level {level}",
            {"device_id": _DIMMED, "level": number(90, 100)},
            first={"level": number(105, 130)},
            otherwise="if it does not go that high, make it {level}",
        ),
        Want(
            "home.create_device",
            "add a {kind} called {name} in the {room}",
            {
                "kind": words("light", "plug", "speaker"),
                "name": quoted("Corner", "Desk", "Fern", "Piano", "Shelf", "Workbench"),
            },
            makes=("device_id", "the new device"),
        ),
        Want("home.delete_device", "remove {device_id}", {"device_id": _SWITCHED}),
        Want("home.create_scene", "make a scene called {name}", makes=("scene_id", "that scene")),
        Want(
            "home.update_scene",
            "rename {scene_id} to {name}",
            {
                "scene_id": SCENE.among(name="Film evening"),
                "name": quoted("Cinema", "Film night"),
            },
        ),
        Want("home.delete_scene", "delete {scene_id}"),
        Want(
            "home.add_to_scene",
            "make {scene_id} turn {device_id} {is_on}",
            {"scene_id": SCENE, "device_id": _OF_SCENES},
        ),
        Want(
            "home.add_to_scene",
            "make {scene_id} turn {device_id} {is_on}",
            {"scene_id": SCENE, "device_id": _OF_SCENES, "is_on": no("off")},
        ),
        Want("home.remove_from_scene", "take {device_id} out of {scene_id}", {"scene_id": SCENE}),
        Want("home.run_scene", "run {scene_id}", {"scene_id": _FILLED}),
        Want(
            "home.run_scene_at_alarm",
            "let {alarm_id} start {scene_id}",
            {"alarm_id": _WAKING, "scene_id": _MORNING},
        ),
        Want(
            "home.create_timed_switch",
            "turn {device_id} {is_on} every day at {time}",
            {"device_id": _SWITCHED, "time": clock()},
        ),
        Want(
            "home.create_timed_switch",
            "turn {device_id} {is_on} every day at {time}",
            {"device_id": _SWITCHED, "time": clock(), "is_on": no("off")},
        ),
        Want(
            "home.delete_timed_switch",
            "cancel the timed switch of {timed_switch_id}",
            {"timed_switch_id": _TIMED},
        ),
        Want(
            "home.add_guest",
            "let {person_id} open the front door until {until}",
            {"person_id": PERSON, "until": day(2, 30)},
        ),
        Want("home.remove_guest", "stop letting {person_id} open the front door"),
    ),
    questions=(
        Question("tell me the level of {it}", _DIMMED.for_field("level")),
        Question("tell me the room of {it}", DEVICE.for_field("room")),
    ),
    policies=(
        Policy(
            "Never set a device to a level above {limit}.",
            "home.update_device",
            "level",
            "at_most",
            ((30, "30"), (50, "50"), (75, "75"), (90, "90")),
        ),
        Policy(
            "Timed switches may be set only for times between {limit}.",
            "home.create_timed_switch",
            "time",
            "between",
            hours("07:00-12:00", "12:00-22:00", "06:00-21:00"),
        ),
        Policy(
            "Let nobody open the front door beyond {limit}.",
            "home.add_guest",
            "until",
            "at_most",
            until_day("2027-03-20", "2027-03-28", "2027-04-10"),
        ),
        confirmed("home.delete_device", "Remove a device"),
    ),
)
