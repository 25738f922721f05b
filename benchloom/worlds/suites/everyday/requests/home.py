"""Home."""

from benchloom.worlds.suites.everyday.asking.draws import clock, day, no, number, quoted, words, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import ALARM, DEVICE, PERSON, SCENE

_ROOMS = words("bedroom", "garden", "hall", "kitchen", "living room", "study")
_NAMES = quoted("Breakfast", "Film night", "Guests", "Holiday", "Rainy day", "Reading", "Sunset")
_TIMED = Named(
    tool="home.search_timed_switches",
    by={"device_id": DEVICE},
    field="timed_switch_id",
    text="{device_id}",
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="home.update_device",
            text="{is_on} {device_id}",
            take={"device_id": DEVICE, "is_on": yes("switch on", "turn on")},
        ),
        Want(
            tool="home.update_device",
            text="{is_on} {device_id}",
            take={"device_id": DEVICE, "is_on": no("switch off", "turn off")},
        ),
        Want(
            tool="home.update_device",
            text="set {device_id} to level {level}",
            take={"device_id": DEVICE, "level": number(5, 95)},
        ),
        Want(
            tool="home.update_device",
            text="note that {device_id} is in the {room} now",
            take={"device_id": DEVICE, "room": _ROOMS},
        ),
        Want(
            tool="home.update_device",
            text="set {device_id} to level {level}",
            take={"device_id": DEVICE, "level": number(5, 95)},
            first={"level": number(110, 160)},
            otherwise="if it does not go that high, make it {level}",
        ),
        Want(
            tool="home.create_device",
            text="add a {kind} called {name} in the {room}",
            take={
                "kind": words("light", "plug", "speaker"),
                "name": quoted("Corner", "Desk", "Fern", "Piano", "Shelf", "Workbench"),
                "room": _ROOMS,
            },
            makes=("device_id", "the new device"),
        ),
        Want(tool="home.delete_device", text="remove {device_id}", take={"device_id": DEVICE}),
        Want(
            tool="home.create_scene",
            text="make a scene called {name}",
            take={"name": _NAMES},
            makes=("scene_id", "that scene"),
        ),
        Want(
            tool="home.update_scene",
            text="rename {scene_id} to {name}",
            take={"scene_id": SCENE, "name": _NAMES},
        ),
        Want(tool="home.delete_scene", text="delete {scene_id}", take={"scene_id": SCENE}),
        Want(
            tool="home.add_to_scene",
            text="make {scene_id} turn {device_id} {is_on}",
            take={"scene_id": SCENE, "device_id": DEVICE, "is_on": yes("on")},
        ),
        Want(
            tool="home.add_to_scene",
            text="make {scene_id} turn {device_id} {is_on}",
            take={"scene_id": SCENE, "device_id": DEVICE, "is_on": no("off")},
        ),
        Want(
            tool="home.remove_from_scene",
            text="take {device_id} out of {scene_id}",
            take={"scene_id": SCENE, "device_id": DEVICE},
        ),
        Want(tool="home.run_scene", text="run {scene_id}", take={"scene_id": SCENE}),
        Want(
            tool="home.run_scene_at_alarm",
            text="let {alarm_id} start {scene_id}",
            take={"scene_id": SCENE, "alarm_id": ALARM},
        ),
        Want(
            tool="home.create_timed_switch",
            text="turn {device_id} {is_on} every day at {time}",
            take={"device_id": DEVICE, "time": clock(), "is_on": yes("on")},
        ),
        Want(
            tool="home.create_timed_switch",
            text="turn {device_id} {is_on} every day at {time}",
            take={"device_id": DEVICE, "time": clock(), "is_on": no("off")},
        ),
        Want(
            tool="home.delete_timed_switch",
            text="cancel the timed switch of {timed_switch_id}",
            take={"timed_switch_id": _TIMED},
        ),
        Want(
            tool="home.add_guest",
            text="let {person_id} open the front door until {until}",
            take={"person_id": PERSON, "until": day(2, 30)},
        ),
        Want(
            tool="home.remove_guest",
            text="stop letting {person_id} open the front door",
            take={"person_id": PERSON},
        ),
    ),
    questions=(
        Question(
            text="tell me the level of {it}",
            about=Named(
                tool="home.search_devices",
                query="query",
                name="name",
                field="level",
                text="the {name}",
            ),
        ),
        Question(
            text="tell me the room of {it}",
            about=Named(
                tool="home.search_devices",
                query="query",
                name="name",
                field="room",
                text="the {name}",
            ),
        ),
    ),
)
