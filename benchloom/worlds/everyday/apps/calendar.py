"""The app for the user's calendars, whose events have guests; busy events cannot overlap."""

from datetime import datetime, timedelta
from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.everyday.apps import mail
from benchloom.worlds.everyday.rules import (
    COUNT,
    USER,
    Date,
    Id,
    Limit,
    Moment,
    Query,
    Title,
    changes,
    choice,
    day,
    drawn,
    email_of,
    exists,
    future,
    iso_minute,
    moment,
    now,
    person_id,
    record,
    refuse_if_any,
    today,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

_OWN_CALENDARS = (
    ("home", "Home", 1),
    ("work", "Work", 1),
    ("club", "Garden club", 1),
    ("school", "School holidays", 0),
)
DAYS = range(-14, 36)
_SLOTS = ((8, 30), (10, 0), (11, 30), (14, 0), (16, 0), (19, 0))
_TITLES = {
    "home": ("Dentist", "Piano lesson", "Dinner", "Haircut", "Swimming", "Visit"),
    "work": ("Plan of the week", "Proof-reading", "Review", "Interview", "Training"),
    "club": ("Seed exchange", "Compost day", "Pruning", "Greenhouse duty"),
}
_PLACES = ("Brisk Hall", "Quay 4", "Room Alder", "Room Birch", "Skerry House", "Station Cafe")


Answer: TypeAlias = Literal["yes", "no", "open"]
Minutes: TypeAlias = Annotated[int, msgspec.Meta(ge=15, le=480)]
Place: TypeAlias = Annotated[
    str, msgspec.Meta(max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")
]
OPENS, CLOSES = 8, 20
"""The hours of the day between which free time is searched."""
MAX_HOURS = 24
_SCHEMA = """
CREATE TABLE calendars (
    calendar_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    writable INTEGER NOT NULL CHECK (writable IN (0, 1))
) STRICT;
CREATE TABLE events (
    event_id TEXT PRIMARY KEY,
    calendar_id TEXT NOT NULL REFERENCES calendars (calendar_id),
    title TEXT NOT NULL,
    start TEXT NOT NULL,
    end TEXT NOT NULL,
    location TEXT NOT NULL,
    organiser_id TEXT NOT NULL REFERENCES people (person_id),
    busy INTEGER NOT NULL CHECK (busy IN (0, 1)),
    CHECK (end > start)
) STRICT;
CREATE INDEX events_by_start ON events (start);
CREATE TABLE event_guests (
    event_id TEXT NOT NULL REFERENCES events (event_id) ON DELETE CASCADE,
    person_id TEXT NOT NULL REFERENCES people (person_id),
    answer TEXT NOT NULL CHECK (answer IN ('yes', 'no', 'open')),
    PRIMARY KEY (event_id, person_id)
) STRICT;
CREATE VIEW named_guests AS SELECT * FROM event_guests JOIN people USING (person_id);
CREATE TABLE absences (
    person_id TEXT PRIMARY KEY REFERENCES people (person_id),
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL
) STRICT;
"""


class Calendar(msgspec.Struct, frozen=True):
    """A calendar; the user can change its events only if it is `writable`."""

    calendar_id: str
    name: str
    writable: bool


class Guest(msgspec.Struct, frozen=True):
    """A person who is invited to an event, and the reply."""

    event_id: str
    person_id: str
    name: str
    answer: Answer


class Event(msgspec.Struct, frozen=True):
    """An event from `start` to `end`; two `busy` events cannot overlap."""

    event_id: str
    calendar_id: str
    title: str
    start: str
    end: str
    location: str
    organiser_id: str
    busy: bool


class Slot(msgspec.Struct, frozen=True):
    """A free slot in the calendar."""

    start: str
    end: str


CALENDARS = Table("calendars", Calendar)
GUESTS = Table("named_guests", Guest, order="person_id")
_PEOPLE_HAVE = (
    "? IN (SELECT organiser_id UNION SELECT person_id FROM event_guests AS of"
    " WHERE of.event_id = events.event_id)"
)
EVENTS = Table(
    "events",
    Event,
    id_of=("calendar_id", "title", "start"),
    order="start, event_id",
    searched=("title", "location"),
)


@read_tool(query="a part of the name; all calendars if it is empty.")
def search_calendars(state: State, *, query: Query = "") -> list[Calendar]:
    """Find calendars, by name."""
    return CALENDARS.search(state, query)


@read_tool(
    query="a part of the title or the place.",
    calendar_id="only events of this calendar.",
    person_id="only events that this person organises or is invited to.",
    since="only events that begin on this day or later; without since and until, today.",
    until="only events that begin on this day or earlier.",
)
def search_events(
    state: State,
    *,
    query: Query = "",
    calendar_id: Id | None = None,
    person_id: Id | None = None,
    since: Date | None = None,
    until: Date | None = None,
    limit: Limit = 20,
) -> list[Event]:
    """Find events, earliest first."""
    if calendar_id is not None:
        state.row("calendars", calendar_id=calendar_id)
    if since is None and until is None:
        since = today(state)
    where = {
        _PEOPLE_HAVE: person_id,
        "start >= ?": day(since).isoformat() if since else None,
        # Times are texts with a T after the day, and U is the next letter.
        "start < ?": f"{day(until).isoformat()}U" if until else None,
    }
    return EVENTS.search(state, query, limit, where, calendar_id=calendar_id)


get_event = EVENTS.get_tool("calendar.get_event", "Look at one event.")


@read_tool(answer="only guests with this reply.")
def search_guests(state: State, *, event_id: Id, answer: Answer | None = None) -> list[Guest]:
    """Find the guests of an event and their replies."""
    state.row("events", event_id=event_id)
    return GUESTS.search(state, event_id=event_id, answer=answer)


@read_tool(date="the day.", minutes="the minimum length of the free time, in minutes.")
def find_free_time(state: State, *, date: Date, minutes: Minutes = 60) -> list[Slot]:
    """Find the user's free times on a day, between 8:00 and 20:00."""
    start = datetime.combine(day(date), datetime.min.time()) + timedelta(hours=OPENS)
    close = start + timedelta(hours=CLOSES - OPENS)
    start = max(start, moment(now(state)))
    query = "SELECT start, end FROM events WHERE busy = 1 AND end > ? AND start < ? ORDER BY start"
    events = [
        (moment(str(row["start"])), moment(str(row["end"])))
        for row in state.rows(query, iso_minute(start), iso_minute(close))
    ]
    slots = []
    for begins, ends in [*events, (close, close)]:
        if begins - start >= timedelta(minutes=minutes):
            slots.append(Slot(iso_minute(start), iso_minute(begins)))
        start = max(start, ends)
    return slots


@tool(
    title="the title.",
    start="the start, like 2027-03-20T18:30.",
    end="the end, at most a day later.",
    calendar_id="the calendar; the default is Home.",
    location="the place.",
)
def create_event(
    state: State,
    *,
    title: Title,
    start: Moment,
    end: Moment,
    calendar_id: Id = "home",
    location: Place = "",
) -> Event:
    """Create an event in the future, at a time without another event."""
    _refuse_read_only(state, calendar_id)
    _refuse_overlap(state, start, end)
    return EVENTS.add(
        state,
        calendar_id=calendar_id,
        title=title,
        start=start,
        end=end,
        location=location,
        organiser_id=USER,
        busy=1,
    )


@tool(
    event_id="its id.",
    title="the new title.",
    start="the new start; without an end, the length stays the same.",
    end="the new end.",
    location="the new place.",
)
def update_event(
    state: State,
    *,
    event_id: Id,
    title: Title | None = None,
    start: Moment | None = None,
    end: Moment | None = None,
    location: Place | None = None,
) -> Event:
    """Change an event of the user that is not over."""
    before = _own_event(state, event_id)
    if start is not None and end is None:
        end = iso_minute(moment(start) + (moment(before.end) - moment(before.start)))
    updates = changes(title=title, start=start, end=end, location=location)
    if end is not None:
        _refuse_overlap(state, start or before.start, end, event_id)
    return EVENTS.change(state, event_id, **updates)


@tool(event_id="its id.")
def delete_event(state: State, *, event_id: Id) -> Event:
    """Cancel an event of the user and return it."""
    _own_event(state, event_id)
    return EVENTS.remove(state, event_id)


@tool(person_id="the person to invite.")
def invite(state: State, *, event_id: Id, person_id: Id) -> Guest:
    """Invite a person to an event of the user, by mail."""
    event = _own_event(state, event_id)
    person = state.row("people", person_id=person_id)
    if person_id == USER:
        raise RefusedError("invalid_argument", "person_id is the user, who cannot be invited")
    invited = f"{person['name']} is already invited"
    refuse_if_any(state, invited, "event_guests", event_id=event_id, person_id=person_id)
    on = {"? BETWEEN first_day AND last_day": event.start[:10]}
    if exists(state, "absences", on, person_id=person_id):
        raise RefusedError("unavailable", f"{person['name']} is away on {event.start[:10]}")
    state.add("event_guests", event_id=event_id, person_id=person_id, answer="open")
    where = f", {event.location}" if event.location else ""
    text = f"You are invited: {event.title}, {event.start} to {event.end}{where}."
    mail.send(state, [str(person["email"])], f"Invitation: {event.title}", text)
    return _guest(state, event_id, person_id)


@tool(person_id="the guest to remove.")
def uninvite(state: State, *, event_id: Id, person_id: Id) -> Guest:
    """Remove a guest from one of the user's events."""
    _own_event(state, event_id)
    guest = _guest(state, event_id, person_id)
    state.remove("event_guests", event_id=event_id, person_id=person_id)
    return guest


@tool(answer="the user's reply.")
def answer_event(state: State, *, event_id: Id, answer: Literal["yes", "no"]) -> Guest:
    """Reply for the user to an invitation; the organiser gets a mail.

    A declined event no longer counts as busy.
    """
    event = EVENTS.get(state, event_id)
    before = _guest(state, event_id, USER)
    if event.end <= now(state):
        raise RefusedError("unavailable", "the event is over")
    if before.answer == answer:
        raise RefusedError("conflict", f"the reply is already {answer}")
    comes = answer == "yes"
    if comes and not event.busy:
        _refuse_overlap(state, event.start, event.end)
    state.change("events", {"event_id": event_id}, busy=int(comes))
    state.change("event_guests", {"event_id": event_id, "person_id": USER}, answer=answer)
    email = email_of(state, event.organiser_id)
    subject = f"{'Accepted' if comes else 'Declined'}: {event.title}"
    mail.send(state, [email], subject, f"{event.title}, {event.start}: {answer}.")
    return _guest(state, event_id, USER)


def _guest(state: State, event_id: str, person_id: str) -> Guest:
    return record(Guest, state.row("named_guests", event_id=event_id, person_id=person_id))


def _refuse_read_only(state: State, calendar_id: str) -> None:
    row = state.row("calendars", calendar_id=calendar_id)
    if not row["writable"]:
        raise RefusedError("permission", f"the calendar {row['name']} is read-only")


def _own_event(state: State, event_id: str) -> Event:
    event = EVENTS.get(state, event_id)
    _refuse_read_only(state, event.calendar_id)
    if event.organiser_id != USER:
        raise RefusedError("permission", "another person organises the event")
    if event.end <= now(state):
        raise RefusedError("unavailable", "the event is over")
    return event


def _refuse_overlap(state: State, start: str, end: str, but: str = "") -> None:
    long = moment(end) - future(state, start)
    if not timedelta(0) < long <= timedelta(hours=MAX_HOURS):
        raise RefusedError("invalid_argument", f"{end} is not within a day after {start}")
    query = (
        "SELECT title FROM events "
        "WHERE busy = 1 AND start < ? AND end > ? AND event_id <> ? ORDER BY start"
    )
    overlaps = state.rows(query, end, start, but)
    if overlaps:
        raise RefusedError("conflict", f"the time overlaps with {overlaps[0]['title']}")


def _fill(state: State) -> None:
    for row_id, name, writable in _OWN_CALENDARS:
        state.add("calendars", calendar_id=row_id, name=name, writable=writable)
    midnight = moment(today(state))
    for number in DAYS:
        for slot_index, (hour, minute) in enumerate(_SLOTS):
            key = f"{number}/{slot_index}"
            if drawn(5, "event", key) < 2:
                _fill_slot(
                    state, key, midnight + timedelta(days=number, hours=hour, minutes=minute)
                )
        if number % 25 == 10:
            start = midnight + timedelta(days=number)
            EVENTS.add(
                state,
                calendar_id="school",
                title="No school",
                start=iso_minute(start),
                end=iso_minute(start + timedelta(hours=24)),
                location="",
                organiser_id=person_id(2),
                busy=0,
            )
    for number in range(2, COUNT + 1, 9):
        first = midnight + timedelta(days=drawn(20, "away", str(number)))
        last = first + timedelta(days=drawn(10, "long", str(number)))
        state.add(
            "absences",
            person_id=person_id(number),
            first_day=first.date().isoformat(),
            last_day=last.date().isoformat(),
        )


def _fill_slot(state: State, key: str, start: datetime) -> None:
    weekend = start.weekday() > 4
    kind = choice(("home", "club") if weekend else ("home", "work", "work", "club"), "kind", key)
    other = person_id(2 + drawn(COUNT - 1, "other", key))
    title = choice(_TITLES[kind], "title", key)
    if drawn(3, "named", key):
        title = f"{title} with {state.row('people', person_id=other)['name']}"
    organiser = other if drawn(4, "organiser", key) == 0 else USER
    event = EVENTS.add(
        state,
        calendar_id=kind,
        title=title,
        start=iso_minute(start),
        end=iso_minute(start + timedelta(minutes=choice((30, 45, 60, 90), "long", key))),
        location=choice(_PLACES, "where", key),
        organiser_id=organiser,
        busy=1,
    )
    guests = {other}
    if drawn(3, "guests", key):
        guests |= {person_id(2 + drawn(COUNT - 1, "guest", key, str(n))) for n in range(2)}
    answers = {
        guest: choice(("yes", "no", "open"), "answer", key, guest)
        for guest in sorted(guests - {organiser})
    }
    if organiser != USER:
        answers[USER] = choice(("yes", "open"), "own", key)
    for guest, answer in answers.items():
        state.add("event_guests", event_id=event.event_id, person_id=guest, answer=answer)


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("calendar", globals()),
    needs=("people", "mail"),
    frozen=("absences", "calendars"),
    goals={
        "create_event": "put an event into my calendar",
        "invite": "invite somebody to one of my events",
    },
)
