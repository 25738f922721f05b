"""Alarms."""

from benchloom.worlds.suites.everyday.asking.draws import clock, no, words, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import ALARM

_LABELS = words("Bakery", "Bins", "Choir", "Ferry", "Kiln", "Lecture", "School run", "Tea", "Yoga")
REQUESTS = Requests(
    wants=(
        Want(
            tool="alarms.create_alarm",
            text="set an alarm for {time} called {label}",
            take={"time": clock(), "label": _LABELS},
            makes=("alarm_id", "that new alarm"),
        ),
        Want(
            tool="alarms.create_alarm",
            text="wake me every day at {time}, with the label {label}",
            take={"time": clock(5, 9), "label": _LABELS},
            makes=("alarm_id", "that alarm"),
        ),
        Want(
            tool="alarms.update_alarm",
            text="move {alarm_id} to {time}",
            take={"alarm_id": ALARM, "time": clock()},
        ),
        Want(
            tool="alarms.update_alarm",
            text="{enabled} {alarm_id}",
            take={"alarm_id": ALARM, "enabled": no("switch off", "turn off")},
        ),
        Want(
            tool="alarms.update_alarm",
            text="{enabled} {alarm_id} again",
            take={"alarm_id": ALARM, "enabled": yes("switch on", "turn on")},
        ),
        Want(
            tool="alarms.update_alarm",
            text="rename {alarm_id} to {label}",
            take={"alarm_id": ALARM, "label": _LABELS},
        ),
        Want(tool="alarms.delete_alarm", text="delete {alarm_id}", take={"alarm_id": ALARM}),
        Want(
            tool="alarms.create_alarm",
            text="set a {label} alarm for {time}",
            take={"time": clock(6, 20), "label": words("Work", "Swim", "Market", "Pills")},
            first={"time": words("06:45", "07:30", "09:00", "21:15")},
            otherwise="if there is one like that already, make it {time}",
        ),
    ),
    questions=(
        Question(
            text="tell me when {it} rings",
            about=Named(
                tool="alarms.search_alarms",
                query="label",
                name="label",
                field="time",
                text="the {name} alarm",
            ),
        ),
        Question(
            text="tell me what the next alarm is for",
            about=Named(tool="alarms.next_alarm", field="label", text="", one=True),
        ),
        Question(
            text="tell me when my next alarm rings",
            about=Named(tool="alarms.next_alarm", field="time", text="", one=True),
        ),
    ),
)
