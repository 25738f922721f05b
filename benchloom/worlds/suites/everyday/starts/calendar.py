"""Calendars: events of some weeks around the clock, of which the user's do not overlap."""

from datetime import datetime, timedelta

from benchloom.worlds.state import State
from benchloom.worlds.suites.everyday.rules import COUNT, USER, drawn, minutes, now, person_id

CALENDARS = (
    ("home", "Home", 1),
    ("work", "Work", 1),
    ("club", "Garden club", 1),
    ("school", "School holidays", 0),
)
DAYS = range(-14, 36)
_SLOTS = ((8, 30), (10, 0), (11, 30), (14, 0), (16, 0), (19, 0))
_TITLES = {
    "home": ("Dentist", "Piano lesson", "Dinner", "Haircut", "Swimming", "Visit"),
    "work": ("Plan of the week", "Talk with the printers", "Review", "Interview", "Training"),
    "club": ("Seed exchange", "Compost day", "Pruning", "Greenhouse duty"),
}
_PLACES = ("Brisk Hall", "Quay 4", "Room Alder", "Room Birch", "Skerry House", "Station Cafe")


def fill(state: State) -> None:
    """Calendars, events, guests, and days on which people are away."""
    for row_id, name, writable in CALENDARS:
        state.add("calendars", calendar_id=row_id, name=name, writable=writable)
    today = datetime.fromisoformat(now(state)[:10])
    for number in DAYS:
        for slot_index, (hour, minute) in enumerate(_SLOTS):
            key = f"{number}/{slot_index}"
            if drawn(5, "event", key) < 2:
                _add(state, key, today + timedelta(days=number, hours=hour, minutes=minute))
        if number % 25 == 10:
            start = today + timedelta(days=number)
            end = start + timedelta(hours=24)
            free = ("school", "No school", "", 0)
            _keep(state, free, start, end, person_id(2))
    for number in range(2, COUNT + 1, 9):
        first = today + timedelta(days=drawn(20, "away", str(number)))
        last = first + timedelta(days=drawn(10, "long", str(number)))
        state.add(
            "absences",
            person_id=person_id(number),
            first_day=first.date().isoformat(),
            last_day=last.date().isoformat(),
        )


def _add(state: State, key: str, start: datetime) -> None:
    weekend = start.weekday() > 4
    kinds = ("home", "club") if weekend else ("home", "work", "work", "club")
    kind = kinds[drawn(len(kinds), "kind", key)]
    titles = _TITLES[kind]
    other = person_id(2 + drawn(COUNT - 1, "other", key))
    name = state.row("people", person_id=other)["name"]
    title = titles[drawn(len(titles), "title", key)]
    if drawn(3, "named", key):
        title = f"{title} with {name}"
    end = start + timedelta(minutes=(30, 45, 60, 90)[drawn(4, "long", key)])
    where = _PLACES[drawn(len(_PLACES), "where", key)]
    organiser = other if drawn(4, "organiser", key) == 0 else USER
    new_event_id = _keep(state, (kind, title, where, 1), start, end, organiser)
    guests = {other} | {person_id(2 + drawn(COUNT - 1, "guest", key, str(n))) for n in range(2)}
    for guest_id in sorted(
        guests - {organiser} if drawn(3, "guests", key) else {other} - {organiser}
    ):
        answer = ("yes", "no", "open")[drawn(3, "answer", key, guest_id)]
        state.add("event_guests", event_id=new_event_id, person_id=guest_id, answer=answer)
    if organiser != USER:
        answer = ("yes", "open")[drawn(2, "own", key)]
        state.add("event_guests", event_id=new_event_id, person_id=USER, answer=answer)


def _keep(
    state: State,
    what: tuple[str, str, str, int],
    start: datetime,
    end: datetime,
    organiser_id: str,
) -> str:
    calendar_id, title, location, busy = what
    new_event_id = state.new_id("events", calendar_id, title, minutes(start))
    state.add(
        "events",
        event_id=new_event_id,
        calendar_id=calendar_id,
        title=title,
        start=minutes(start),
        end=minutes(end),
        location=location,
        organiser_id=organiser_id,
        busy=busy,
    )
    return new_event_id
