"""Calendar: events that do not overlap, who comes to them, and when there is time."""

from datetime import datetime, timedelta
from typing import Annotated, Literal, TypeAlias

import msgspec

from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.everyday.apps import mail
from benchloom.worlds.suites.everyday.arguments import Date, Id, Limit, Moment, Query, Title
from benchloom.worlds.suites.everyday.rules import (
    USER,
    changes,
    day,
    future,
    moment,
    now,
    record,
    refuse_if_any,
)
from benchloom.worlds.suites.everyday.rules import (
    minutes as told,
)
from benchloom.worlds.suites.everyday.starts.calendar import fill
from benchloom.worlds.suites.everyday.tables import Table
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Answer: TypeAlias = Literal["yes", "no", "open"]
Minutes: TypeAlias = Annotated[int, msgspec.Meta(ge=15, le=480)]
Place: TypeAlias = Annotated[
    str, msgspec.Meta(max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")
]
OPENS, CLOSES = 8, 20
"""Between these hours of a day the user meets people."""
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
CREATE TABLE absences (
    person_id TEXT PRIMARY KEY REFERENCES people (person_id),
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL
) STRICT;
"""


class Calendar(msgspec.Struct, frozen=True):
    """One calendar; in one that is not `writable` others keep the events."""

    calendar_id: str
    name: str
    writable: bool


class Guest(msgspec.Struct, frozen=True):
    """Somebody who is asked to an event, and what was answered."""

    event_id: str
    person_id: str
    name: str
    answer: Answer


class Event(msgspec.Struct, frozen=True):
    """One event, from `start` up to `end`; while it is `busy` the user can do nothing else."""

    event_id: str
    calendar_id: str
    title: str
    start: str
    end: str
    location: str
    organiser_id: str
    busy: bool


class Slot(msgspec.Struct, frozen=True):
    """A time in which nothing is planned."""

    start: str
    end: str


CALENDARS = Table("calendars", Calendar)
GUESTS = Table("event_guests JOIN people USING (person_id)", Guest, order="person_id")
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
    calendar_id="only those of this calendar.",
    person_id="only those that this person comes to, was asked to or made.",
    since="only those that begin on this day or later; today if neither day is said.",
    until="only those that begin on this day or earlier.",
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
        since = now(state)[:10]
    where = {
        _PEOPLE_HAVE: person_id,
        "start >= ?": day(since).isoformat() if since else None,
        "start < ?": f"{day(until).isoformat()}U" if until else None,
    }
    return EVENTS.search(state, query, limit, where, calendar_id=calendar_id)


get_event = EVENTS.get_tool("calendar.get_event", "Look at one event.")


@read_tool(answer="only those who answered this.")
def search_guests(state: State, *, event_id: Id, answer: Answer | None = None) -> list[Guest]:
    """Find who is asked to an event, and what they answered."""
    state.row("events", event_id=event_id)
    return GUESTS.search(state, event_id=event_id, answer=answer)


@read_tool(date="the day.", minutes="how long it has to be free.")
def find_free_time(state: State, *, date: Date, minutes: Minutes = 60) -> list[Slot]:
    """Find when on a day the user has time, between 8 in the morning and 8 in the evening."""
    start = datetime.combine(day(date), datetime.min.time()) + timedelta(hours=OPENS)
    close = start + timedelta(hours=CLOSES - OPENS)
    start = max(start, moment(now(state)))
    query = "SELECT start, end FROM events WHERE busy = 1 AND end > ? AND start < ? ORDER BY start"
    taken = [
        (moment(str(row["start"])), moment(str(row["end"])))
        for row in state.rows(query, told(start), told(close))
    ]
    slots = []
    for begins, ends in [*taken, (close, close)]:
        if begins - start >= timedelta(minutes=minutes):
            slots.append(Slot(told(start), told(begins)))
        start = max(start, ends)
    return slots


@tool(
    title="what to call it.",
    start="when it begins, like 2027-03-20T18:30.",
    end="when it ends, within a day.",
    calendar_id="the calendar; Home if none is said.",
    location="where it is.",
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
    """Plan an event, at a time to come in which nothing else is planned."""
    _writable(state, calendar_id)
    _free(state, start, end)
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
    start="when it begins now; it stays as long as it was if no end is said.",
    end="when it ends now.",
    location="where it is now.",
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
    """Change an event that the user made; one that is over stays as it is."""
    before = _own(state, event_id)
    if start is not None and end is None:
        end = told(moment(start) + (moment(before.end) - moment(before.start)))
    updates = changes(title=title, start=start, end=end, location=location)
    if end is not None:
        _free(state, start or before.start, end, event_id)
    return EVENTS.change(state, event_id, **updates)


@tool(event_id="its id.")
def delete_event(state: State, *, event_id: Id) -> Event:
    """Cancel an event that the user made; gives back what it was."""
    _own(state, event_id)
    return EVENTS.remove(state, event_id)


@tool(person_id="who is asked.")
def invite(state: State, *, event_id: Id, person_id: Id) -> Guest:
    """Ask somebody to an event of the user's; an invitation goes out by mail."""
    event = _own(state, event_id)
    person = state.row("people", person_id=person_id)
    if person_id == USER:
        raise RefusedError("invalid_argument", "that is the user")
    guest_query = "SELECT 1 FROM event_guests WHERE event_id = ? AND person_id = ?"
    refuse_if_any(state, f"{person['name']} is asked already", guest_query, event_id, person_id)
    away = "SELECT 1 FROM absences WHERE person_id = ? AND ? BETWEEN first_day AND last_day"
    if state.rows(away, person_id, event.start[:10]):
        raise RefusedError("unavailable", f"{person['name']} is away on {event.start[:10]}")
    state.add("event_guests", event_id=event_id, person_id=person_id, answer="open")
    where = f", {event.location}" if event.location else ""
    text = f"You are invited: {event.title}, {event.start} to {event.end}{where}."
    mail.send(state, [str(person["email"])], f"Invitation: {event.title}", text)
    return _guest(state, event_id, person_id)


@tool(person_id="who comes no more.")
def uninvite(state: State, *, event_id: Id, person_id: Id) -> Guest:
    """Take somebody off the guests of an event of the user's."""
    _own(state, event_id)
    gone = _guest(state, event_id, person_id)
    state.remove("event_guests", event_id=event_id, person_id=person_id)
    return gone


@tool(answer="whether the user comes.")
def answer_event(state: State, *, event_id: Id, answer: Literal["yes", "no"]) -> Guest:
    """Answer for the user whether to come to an event of somebody else, who gets a mail.

    The user has time again when an event is declined.
    """
    event = EVENTS.get(state, event_id)
    before = _guest(state, event_id, USER)
    if event.end <= now(state):
        raise RefusedError("unavailable", "the event is over")
    if before.answer == answer:
        raise RefusedError("conflict", f"the user has answered {answer} already")
    comes = answer == "yes"
    if comes and not event.busy:
        _free(state, event.start, event.end)
    state.change("events", {"event_id": event_id}, busy=int(comes))
    state.change("event_guests", {"event_id": event_id, "person_id": USER}, answer=answer)
    email = str(state.row("people", person_id=event.organiser_id)["email"])
    subject = f"{'Accepted' if comes else 'Declined'}: {event.title}"
    mail.send(state, [email], subject, f"{event.title}, {event.start}: {answer}.")
    return _guest(state, event_id, USER)


def _guest(state: State, event_id: str, person_id: str) -> Guest:
    row = state.row("event_guests", event_id=event_id, person_id=person_id)
    name = state.row("people", person_id=person_id)["name"]
    return record(Guest, row, name=name)


def _writable(state: State, calendar_id: str) -> None:
    row = state.row("calendars", calendar_id=calendar_id)
    if not row["writable"]:
        raise RefusedError("permission", f"others keep the calendar {row['name']}")


def _own(state: State, event_id: str) -> Event:
    """An event that the user can change."""
    event = EVENTS.get(state, event_id)
    _writable(state, event.calendar_id)
    if event.organiser_id != USER:
        raise RefusedError("permission", "somebody else made that event")
    if event.end <= now(state):
        raise RefusedError("unavailable", "the event is over")
    return event


def _free(state: State, start: str, end: str, but: str = "") -> None:
    """Refuse times that have passed, are in the wrong order, too long, or taken."""
    long = moment(end) - future(state, start)
    if not timedelta(0) < long <= timedelta(hours=MAX_HOURS):
        raise RefusedError("invalid_argument", f"{start} to {end} is no time within a day")
    query = (
        "SELECT title FROM events "
        "WHERE busy = 1 AND start < ? AND end > ? AND event_id <> ? ORDER BY start"
    )
    taken = state.rows(query, end, start, but)
    if taken:
        raise RefusedError("conflict", f"at that time there is {taken[0]['title']}")


APP = App(
    schema=_SCHEMA,
    fill=fill,
    tools=tools_of("calendar", globals()),
    needs=("people", "mail"),
    frozen=("absences", "calendars"),
    goals={
        "create_event": "put an event into my calendar",
        "invite": "invite somebody to one of my events",
    },
)
