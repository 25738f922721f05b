"""The requests that users can make about events in the calendar, with their wording."""

from benchloom.worlds.requests.draws import (
    day,
    days_on,
    fixed_value,
    from_then,
    moment,
    number,
    quoted,
    today,
)
from benchloom.worlds.requests.wants import Named, Policy, Question, Want, ask, requests
from benchloom.worlds.suites.everyday.requests._limits import confirmed, hours
from benchloom.worlds.suites.everyday.requests._objects import (
    ALL,
    CALENDAR,
    EVENT,
    NAMED_OBJECTS,
    PERSON,
)

_TITLES = quoted(
    "Bicycle repair", "Book circle", "Chess", "Cleaning the boat", "Coffee with the team",
    "Eye test", "Flat inspection", "Parents' meeting", "Quiz", "Singing lesson", "Tax talk",
)  # fmt: skip
_PLACES = quoted("By the mill", "Harbour Street 9", "Market Square 3", "Near the station")
_AWAY = Named("contacts.search_contacts", "person_id", "{name}", name="name", listing=ALL)
_OTHERS = Named(
    "calendar.search_events",
    "event_id",
    "the event with {person_id} between {since} and {until}",
    by={"person_id": PERSON, "since": today(), "until": day(14, 34)},
)


REQUESTS = requests(
    usual={
        **NAMED_OBJECTS,
        "title": _TITLES,
        "start": moment(),
        "end": from_then("start", 30, 180),
        "location": _PLACES,
    },
    wants=(
        Want(
            "calendar.create_event",
            "put {title} into my calendar, from {start} to {end}",
            makes=("event_id", "that event"),
        ),
        Want(
            "calendar.create_event",
            "plan {title} from {start} until {end} in {calendar_id}, location {location}",
            makes=("event_id", "that appointment"),
        ),
        Want(
            "calendar.create_event",
            "plan {title} from {start} to {end} in {calendar_id}",
            {"title": _TITLES, "start": moment(), "end": from_then("start", 45, 120)},
            first={"calendar_id": CALENDAR},
            otherwise="if I may not write there, use {calendar_id}",
            makes=("event_id", "that event"),
        ),
        Want("calendar.update_event", "move {event_id} to {start}"),
        Want("calendar.update_event", "change the place of {event_id} to {location}"),
        Want(
            "calendar.update_event",
            "rename {event_id} to {title}",
            {"event_id": EVENT, "title": quoted("Busy", "Important", "Not certain yet", "Private")},
        ),
        Want("calendar.delete_event", "cancel {event_id}"),
        Want("calendar.invite", "invite {person_id} to {event_id}", {"event_id": EVENT}),
        Want(
            "calendar.invite",
            "invite {person_id} to {event_id}",
            {"event_id": EVENT},
            first={"person_id": _AWAY},
            otherwise="if that is not possible, invite {person_id}",
        ),
        Want(
            "calendar.answer_event",
            "{answer} {event_id}",
            {"event_id": _OTHERS, "answer": fixed_value("yes", "accept")},
        ),
        Want(
            "calendar.answer_event",
            "{answer} {event_id}",
            {"event_id": _OTHERS, "answer": fixed_value("no", "decline", "turn down")},
        ),
    ),
    questions=(
        Question("tell me when {it} begins", EVENT.for_field("start", '"{name}"')),
        Question("tell me when {it} is over", EVENT.for_field("end", '"{name}"')),
        Question("look up where {it} takes place", EVENT.for_field("location", '"{name}"')),
        ask(
            "tell me who comes with me to {event_id}",
            "calendar.search_guests",
            "name",
            {"event_id": EVENT},
        ),
        ask(
            "find out from when on I have {minutes} minutes free in a row on {date}",
            "calendar.find_free_time",
            "start",
            {"date": day(1, 20), "minutes": number(200, 420)},
        ),
        ask(
            'tell me what I do at "{name}" between {since} and {until}',
            "calendar.search_events",
            "title",
            {"since": day(1, 25), "until": days_on("since", 1, 3)},
            name="location",
        ),
    ),
    policies=(
        Policy(
            "Plan no events on {limit}.",
            "calendar.create_event",
            "start",
            "not_weekday",
            (
                (["Saturday", "Sunday"], "Saturdays and Sundays"),
                (["Monday"], "Mondays"),
                (["Wednesday", "Friday"], "Wednesdays and Fridays"),
            ),
        ),
        Policy(
            "Events that you plan must begin between {limit}.",
            "calendar.create_event",
            "start",
            "between",
            hours("08:00-12:00", "09:00-17:00", "13:00-20:00"),
        ),
        confirmed("calendar.delete_event", "Cancel an event"),
    ),
)
