"""Calendar."""

from benchloom.worlds.suites.everyday.asking.draws import (
    day,
    days_on,
    from_then,
    moment,
    number,
    quoted,
    said,
    today,
)
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import CALENDAR, EVENT, PERSON

_TITLES = quoted(
    "Bicycle repair", "Book circle", "Chess evening", "Cleaning the boat", "Coffee with the team",
    "Eye test", "Flat inspection", "Parents' evening", "Quiz night", "Singing lesson", "Tax talk",
)  # fmt: skip
_PLACES = quoted("Mill", "Back room", "Lock 3", "Reading room", "Town library")
_AWAY = Named(
    tool="contacts.search_contacts",
    query="query",
    name="name",
    field="person_id",
    text="{name}",
    listing={"limit": 50},
)
_OTHERS = Named(
    tool="calendar.search_events",
    by={"person_id": PERSON, "since": today(), "until": day(14, 34)},
    field="event_id",
    text="the event with {person_id} between {since} and {until}",
)


def _about(field: str) -> Named:
    return Named(
        tool="calendar.search_events",
        query="query",
        name="title",
        field=field,
        text='"{name}"',
        listing={"limit": 50},
    )


REQUESTS = Requests(
    wants=(
        Want(
            tool="calendar.create_event",
            text="put {title} into my calendar, from {start} to {end}",
            take={"title": _TITLES, "start": moment(), "end": from_then("start", 30, 180)},
            makes=("event_id", "that event"),
        ),
        Want(
            tool="calendar.create_event",
            text="plan {title} from {start} until {end} in {calendar_id}, location {location}",
            take={
                "title": _TITLES,
                "start": moment(),
                "end": from_then("start", 30, 180),
                "calendar_id": CALENDAR,
                "location": _PLACES,
            },
            makes=("event_id", "that appointment"),
        ),
        Want(
            tool="calendar.create_event",
            text="plan {title} from {start} to {end} in {calendar_id}",
            take={
                "title": _TITLES,
                "start": moment(),
                "end": from_then("start", 45, 120),
                "calendar_id": CALENDAR,
            },
            first={"calendar_id": CALENDAR},
            otherwise="if I may not write there, use {calendar_id}",
            makes=("event_id", "that event"),
        ),
        Want(
            tool="calendar.update_event",
            text="move {event_id} to {start}",
            take={"event_id": EVENT, "start": moment()},
        ),
        Want(
            tool="calendar.update_event",
            text="change the place of {event_id} to {location}",
            take={"event_id": EVENT, "location": _PLACES},
        ),
        Want(
            tool="calendar.update_event",
            text="rename {event_id} to {title}",
            take={"event_id": EVENT, "title": _TITLES},
        ),
        Want(tool="calendar.delete_event", text="cancel {event_id}", take={"event_id": EVENT}),
        Want(
            tool="calendar.invite",
            text="invite {person_id} to {event_id}",
            take={"event_id": EVENT, "person_id": PERSON},
        ),
        Want(
            tool="calendar.invite",
            text="invite {person_id} to {event_id}",
            take={"event_id": EVENT, "person_id": PERSON},
            first={"person_id": _AWAY},
            otherwise="if that is not possible, invite {person_id}",
        ),
        Want(
            tool="calendar.answer_event",
            text="{answer} {event_id}",
            take={"event_id": _OTHERS, "answer": said("yes", "accept")},
        ),
        Want(
            tool="calendar.answer_event",
            text="{answer} {event_id}",
            take={"event_id": _OTHERS, "answer": said("no", "decline", "turn down")},
        ),
    ),
    questions=(
        Question(text="tell me when {it} begins", about=_about("start")),
        Question(text="tell me when {it} is over", about=_about("end")),
        Question(text="look up where {it} takes place", about=_about("location")),
        Question(
            text="tell me who comes with me to {it}",
            about=Named(
                tool="calendar.search_guests",
                by={"event_id": EVENT},
                field="name",
                text="{event_id}",
            ),
        ),
        Question(
            text="find out from when on {it}",
            about=Named(
                tool="calendar.find_free_time",
                by={"date": day(1, 20), "minutes": number(200, 420)},
                field="start",
                text="I have {minutes} minutes free in a row on {date}",
            ),
        ),
        Question(
            text="tell me what I do {it}",
            about=Named(
                tool="calendar.search_events",
                query="query",
                name="location",
                field="title",
                by={"since": day(1, 25), "until": days_on("since", 1, 3)},
                text='at "{name}" between {since} and {until}',
            ),
        ),
    ),
)
