"""The requests that users can make about alarms, with their wording."""

from benchloom.worlds.requests.draws import clock, no, words, yes
from benchloom.worlds.requests.wants import Policy, Question, Want, ask, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed, hours
from benchloom.worlds.suites.everyday.requests._objects import ALARM, NAMED_OBJECTS

_LABELS = words("Bakery", "Bins", "Choir", "Ferry", "Kiln", "Tea", "Yoga")
_MOVABLE = ALARM.among(label=("Bread", "Market", "Swim", "Weekend", "Work"))
REQUESTS = requests(
    usual={**NAMED_OBJECTS, "time": clock(), "label": _LABELS},
    wants=(
        Want(
            "alarms.create_alarm",
            "set an alarm for {time} called {label}",
            makes=("alarm_id", "that new alarm"),
        ),
        Want(
            "alarms.create_alarm",
            "wake me every day at {time}, with the label {label}",
            {"time": clock(5, 9), "label": words("Bakery", "Ferry", "Run", "Yoga")},
            makes=("alarm_id", "that alarm"),
        ),
        Want(
            "alarms.update_alarm",
            "move {alarm_id} to {time}",
            {"alarm_id": _MOVABLE, "time": clock(6, 10)},
        ),
        Want(
            "alarms.update_alarm",
            "{enabled} {alarm_id}",
            {"alarm_id": ALARM.among(enabled=True), "enabled": no("switch off", "turn off")},
        ),
        Want(
            "alarms.update_alarm",
            "{enabled} {alarm_id} again",
            {"alarm_id": ALARM.among(enabled=False), "enabled": yes("switch on", "turn on")},
        ),
        Want("alarms.update_alarm", "rename {alarm_id} to {label}"),
        Want("alarms.delete_alarm", "delete {alarm_id}"),
    ),
    questions=(
        Question("tell me when {it} rings", ALARM.for_field("time")),
        ask("tell me what the next alarm is for", "alarms.next_alarm", "label"),
        ask("tell me when my next alarm rings", "alarms.next_alarm", "time"),
    ),
    policies=(
        Policy(
            "Alarms that you set may ring only between {limit}.",
            "alarms.create_alarm",
            "time",
            "between",
            hours("06:00-09:00", "07:00-20:00", "05:00-21:30", "10:00-18:00"),
        ),
        confirmed("alarms.delete_alarm", "Delete an alarm"),
    ),
)
