"""The app for reservations at restaurants; a reservation may need a deposit by card."""

from itertools import product
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec

from benchloom.worlds.everyday.apps import calendar, messages, wallet
from benchloom.worlds.everyday.rules import (
    CITIES,
    USER,
    WEEKDAYS,
    City,
    Date,
    Id,
    Limit,
    Note,
    Query,
    Time,
    Weekday,
    changes,
    choice,
    day,
    drawn,
    from_today,
    now,
    person_id,
    refuse_if_any,
    today,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import Cell, RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Cuisine: TypeAlias = Literal["seafood", "noodles", "vegetarian", "grill", "bakery", "curry"]
_CUISINES: tuple[Cuisine, ...] = get_args(Cuisine)
_WORDS = ("Copper", "Green", "Little", "Long", "Quiet", "Round")
_LAST_NAMES = ("Table", "Spoon", "Garden", "Harbour", "Lantern", "Oven")
_BOOKED = 60
Party: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=8)]
Level: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=3)]
LASTS = 120
"""The length of a reservation, in minutes."""
_EVERY = 30
_HOUR = 60
_SCHEMA = """
CREATE TABLE restaurants (
    restaurant_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    city TEXT NOT NULL,
    cuisine TEXT NOT NULL,
    price_level INTEGER NOT NULL CHECK (price_level BETWEEN 1 AND 3),
    opens TEXT NOT NULL,
    closes TEXT NOT NULL CHECK (closes > opens),
    closed_on TEXT NOT NULL,
    tables INTEGER NOT NULL CHECK (tables > 0),
    deposit_cents INTEGER NOT NULL CHECK (deposit_cents >= 0)
) STRICT;
CREATE TABLE reservations (
    reservation_id TEXT PRIMARY KEY,
    restaurant_id TEXT NOT NULL REFERENCES restaurants (restaurant_id),
    person_id TEXT NOT NULL REFERENCES people (person_id),
    date TEXT NOT NULL,
    time TEXT NOT NULL,
    party_size INTEGER NOT NULL CHECK (party_size > 0),
    payment_id TEXT REFERENCES payments (payment_id),
    note TEXT NOT NULL
) STRICT;
CREATE INDEX reservations_of ON reservations (restaurant_id, date);
CREATE TABLE companions (
    reservation_id TEXT NOT NULL REFERENCES reservations (reservation_id) ON DELETE CASCADE,
    person_id TEXT NOT NULL REFERENCES people (person_id),
    PRIMARY KEY (reservation_id, person_id)
) STRICT;
"""


class Restaurant(msgspec.Struct, frozen=True):
    """A restaurant; `deposit_cents` is the deposit for each person."""

    restaurant_id: str
    name: str
    city: City
    cuisine: Cuisine
    price_level: int
    opens: str
    closes: str
    closed_on: Weekday
    tables: int
    deposit_cents: int


class FreeTable(msgspec.Struct, frozen=True):
    """A free table of a restaurant."""

    restaurant_id: str
    date: str
    time: str


class Reservation(msgspec.Struct, frozen=True):
    """A table for two hours; `payment_id` is the payment of the deposit, if any."""

    reservation_id: str
    restaurant_id: str
    person_id: str
    date: str
    time: str
    party_size: int
    payment_id: str | None
    note: str


class Companion(msgspec.Struct, frozen=True):
    """A person who comes along."""

    reservation_id: str
    person_id: str


RESTAURANTS = Table("restaurants", Restaurant)
COMPANIONS = Table("companions", Companion, order="person_id")
RESERVATIONS = Table(
    "reservations",
    Reservation,
    id_of=("person_id", "restaurant_id", "date", "time"),
    order="date, time, reservation_id",
    owned="reservation",
)


@read_tool(
    query="a part of the name.",
    city="only restaurants in this city.",
    cuisine="only restaurants of this cuisine.",
    max_price_level="the highest price level, from 1 (cheap) to 3 (expensive).",
)
def search_restaurants(
    state: State,
    *,
    query: Query = "",
    city: City | None = None,
    cuisine: Cuisine | None = None,
    max_price_level: Level = 3,
) -> list[Restaurant]:
    """Find restaurants, by name."""
    where = {"price_level <= ?": max_price_level}
    return RESTAURANTS.search(state, query, where=where, city=city, cuisine=cuisine)


get_restaurant = RESTAURANTS.get_tool("restaurants.get_restaurant", "Look at one restaurant.")


@read_tool()
def search_free_tables(state: State, *, restaurant_id: Id, date: Date) -> list[FreeTable]:
    """Find the free tables of a restaurant on a day, earliest first."""
    restaurant = RESTAURANTS.get(state, restaurant_id)
    if WEEKDAYS[from_today(state, date).weekday()] == restaurant.closed_on:
        return []
    times = _reserved_times(state, restaurant_id, date, "")
    return [
        FreeTable(restaurant_id, date, _clock(start))
        for start in range(
            _minutes(restaurant.opens), _minutes(restaurant.closes) - LASTS + 1, _EVERY
        )
        if _busy(times, start) < restaurant.tables and f"{date}T{_clock(start)}" > now(state)
    ]


@tool(
    time="the time, in 24-hour format, like 19:30.",
    party_size="the number of people, including the user.",
    card_id="the card for the deposit.",
)
def create_reservation(
    state: State,
    *,
    restaurant_id: Id,
    date: Date,
    time: Time,
    party_size: Party,
    card_id: Id | None = None,
    note: Note = "",
) -> Reservation:
    """Reserve a table for two hours; if the restaurant takes a deposit, card_id is required."""
    restaurant = RESTAURANTS.get(state, restaurant_id)
    _check(state, restaurant, date, time, "")
    payment_id = None
    if restaurant.deposit_cents:
        if card_id is None:
            raise RefusedError("invalid_argument", "card_id is required for the deposit")
        total = restaurant.deposit_cents * party_size
        deposit = f"Deposit, {date} {time}"
        payment_id = wallet.charge(state, card_id, total, restaurant.name, deposit).payment_id
    return RESERVATIONS.add(
        state,
        restaurant_id=restaurant_id,
        person_id=USER,
        date=date,
        time=time,
        party_size=party_size,
        payment_id=payment_id,
        note=note,
    )


@read_tool(
    restaurant_id="only reservations at this restaurant.", date="only reservations on this day."
)
def search_reservations(
    state: State, *, restaurant_id: Id | None = None, date: Date | None = None, limit: Limit = 20
) -> list[Reservation]:
    """Find the user's reservations, earliest first."""
    requested_date = None if date is None else day(date).isoformat()
    return RESERVATIONS.search(
        state, limit=limit, person_id=USER, restaurant_id=restaurant_id, date=requested_date
    )


get_reservation = RESERVATIONS.get_tool(
    "restaurants.get_reservation", "Look at one of the user's reservations."
)


@tool(date="the new day.", time="the new time, in 24-hour format.")
def update_reservation(
    state: State,
    *,
    reservation_id: Id,
    date: Date | None = None,
    time: Time | None = None,
    note: Note | None = None,
) -> Reservation:
    """Move a reservation of the user to another time, or change its note for the restaurant."""
    old = RESERVATIONS.get(state, reservation_id)
    changed = changes(date=date, time=time, note=note)
    if date is not None or time is not None:
        restaurant = RESTAURANTS.get(state, old.restaurant_id)
        _check(state, restaurant, date or old.date, time or old.time, reservation_id)
    return RESERVATIONS.change(state, reservation_id, **changed)


@tool()
def delete_reservation(state: State, *, reservation_id: Id) -> Reservation:
    """Cancel a reservation of the user; the deposit is refunded up to the day before."""
    reservation = RESERVATIONS.get(state, reservation_id)
    if reservation.payment_id is not None and reservation.date > today(state):
        restaurant = RESTAURANTS.get(state, reservation.restaurant_id)
        wallet.refund(
            state, reservation.payment_id, restaurant.deposit_cents * reservation.party_size
        )
    return RESERVATIONS.remove(state, reservation_id)


@read_tool()
def search_companions(state: State, *, reservation_id: Id) -> list[Companion]:
    """Find the people who come along to one of the user's reservations."""
    RESERVATIONS.get(state, reservation_id)
    return COMPANIONS.search(state, reservation_id=reservation_id)


@tool()
def add_companion(state: State, *, reservation_id: Id, person_id: Id) -> Companion:
    """Add a person who comes along to a reservation, up to the size of the party."""
    reservation = RESERVATIONS.get(state, reservation_id)
    state.row("people", person_id=person_id)
    others = {
        companion.person_id for companion in search_companions(state, reservation_id=reservation_id)
    }
    if person_id in {USER, *others}:
        raise RefusedError("conflict", "the person already comes along")
    if len(others) + 1 >= reservation.party_size:
        raise RefusedError("unavailable", f"the table is for {reservation.party_size} people")
    state.add("companions", reservation_id=reservation_id, person_id=person_id)
    return Companion(reservation_id, person_id)


@tool()
def remove_companion(state: State, *, reservation_id: Id, person_id: Id) -> Companion:
    """Remove a person who no longer comes along to a reservation."""
    RESERVATIONS.get(state, reservation_id)
    state.remove("companions", reservation_id=reservation_id, person_id=person_id)
    return Companion(reservation_id, person_id)


@tool(calendar_id="the calendar; the default is Home.")
def add_reservation_to_calendar(
    state: State, *, reservation_id: Id, calendar_id: Id = "home"
) -> calendar.Event:
    """Create an event for a reservation in a calendar."""
    reservation = RESERVATIONS.get(state, reservation_id)
    where = RESTAURANTS.get(state, reservation.restaurant_id)
    return calendar.create_event(
        state,
        title=f"At {where.name}",
        start=f"{reservation.date}T{reservation.time}",
        end=f"{reservation.date}T{_clock(_minutes(reservation.time) + LASTS)}",
        calendar_id=calendar_id,
        location=where.city,
    )


@tool()
def share_reservation(state: State, *, reservation_id: Id, thread_id: Id) -> messages.Message:
    """Send the place and time of a reservation to a thread."""
    reservation = RESERVATIONS.get(state, reservation_id)
    where = RESTAURANTS.get(state, reservation.restaurant_id)
    when = f"{reservation.date} at {reservation.time}"
    text = f"Table for {reservation.party_size} at {where.name}, {when}"
    return messages.write(state, thread_id, text)


def _minutes(time: str) -> int:
    return _HOUR * int(time[:2]) + int(time[3:])


def _clock(minutes: int) -> str:
    return f"{minutes // _HOUR:02d}:{minutes % _HOUR:02d}"


def _reserved_times(state: State, restaurant_id: str, date: str, but: str) -> list[int]:
    rows = state.rows(
        "SELECT time FROM reservations WHERE restaurant_id = ? AND date = ?"
        " AND reservation_id <> ?",
        restaurant_id,
        date,
        but,
    )
    return [_minutes(str(row["time"])) for row in rows]


def _has_table(state: State, restaurant: Restaurant, date: str, time: str, but: str = "") -> bool:
    times = _reserved_times(state, restaurant.restaurant_id, date, but)
    return _busy(times, _minutes(time)) < restaurant.tables


def _busy(times: list[int], start: int) -> int:
    """Return the largest number of reserved tables during a reservation that starts at `start`."""
    during = [taken_start for taken_start in times if abs(taken_start - start) < LASTS]
    # The number of reserved tables rises only when a reservation starts.
    moments = [start, *(taken_start for taken_start in during if taken_start >= start)]
    return max(
        sum(taken_start <= at < taken_start + LASTS for taken_start in during) for at in moments
    )


def _check(state: State, restaurant: Restaurant, date: str, time: str, but: str) -> None:
    weekday = WEEKDAYS[from_today(state, date).weekday()]
    start = _minutes(time)
    if f"{date}T{time}" <= now(state):
        raise RefusedError("invalid_argument", f"{date} {time} is in the past")
    if weekday == restaurant.closed_on:
        raise RefusedError("unavailable", f"{restaurant.name} is closed on {weekday}")
    latest = _minutes(restaurant.closes) - LASTS
    if not _minutes(restaurant.opens) <= start <= latest:
        raise RefusedError(
            "unavailable",
            f"{restaurant.name} has tables from {restaurant.opens}, the last at {_clock(latest)}",
        )
    overlapping: dict[str, Cell] = {
        "reservation_id <> ?": but,
        "time > ?": _clock(max(0, start - LASTS)),
        "time < ?": _clock(start + LASTS),
    }
    message = "the user has another reservation at this time"
    refuse_if_any(state, message, "reservations", overlapping, person_id=USER, date=date)
    if not _has_table(state, restaurant, date, time, but):
        raise RefusedError("unavailable", f"{restaurant.name} has no free table at this time")


def _fill(state: State) -> None:
    everywhere: list[Restaurant] = []
    for (rank, city), (number, cuisine) in product(enumerate(CITIES), enumerate(_CUISINES)):
        word = _WORDS[(number + rank) % len(_WORDS)]
        name = f"{word} {_LAST_NAMES[(number + 2 * rank) % len(_LAST_NAMES)]} {city}"
        level = 1 + drawn(3, "level", name)
        opens, closes = ("08:00", "15:00") if cuisine == "bakery" else ("12:00", "22:30")
        restaurant = RESTAURANTS.add(
            state,
            name=name,
            city=city,
            cuisine=cuisine,
            price_level=level,
            opens=opens,
            closes=closes,
            closed_on=choice(WEEKDAYS, "closed", name),
            tables=1 + drawn(3, "room", name),
            deposit_cents=500 * level if level > 1 else 0,
        )
        everywhere.append(restaurant)
    for number in range(_BOOKED):
        key = str(number)
        restaurant = choice(everywhere, "where", key)
        date = f"2027-03-{16 + drawn(7, 'day', key)}"
        time = choice(("12:30", "18:00", "18:30", "19:00", "20:00"), "time", key)
        latest = _minutes(restaurant.closes) - LASTS
        if _minutes(time) <= latest and _has_table(state, restaurant, date, time):
            RESERVATIONS.add(
                state,
                restaurant_id=restaurant.restaurant_id,
                person_id=person_id(2 + drawn(119, "eats", key)),
                date=date,
                time=time,
                party_size=2 + drawn(5, "party", key),
                note="",
            )
    _fill_own(state, everywhere)


def _fill_own(state: State, everywhere: list[Restaurant]) -> None:
    for date, time in (("2027-03-17", "19:30"), ("2027-03-24", "13:00")):
        weekday = WEEKDAYS[day(date).weekday()]
        restaurant = next(
            candidate
            for candidate in everywhere
            if not candidate.deposit_cents
            and weekday != candidate.closed_on
            and candidate.cuisine != "bakery"
            and _has_table(state, candidate, date, time)
        )
        reservation = RESERVATIONS.add(
            state,
            restaurant_id=restaurant.restaurant_id,
            person_id=USER,
            date=date,
            time=time,
            party_size=3,
            note="By the window",
        )
        add_companion(state, reservation_id=reservation.reservation_id, person_id="p010")


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of(
        "restaurants",
        globals(),
        descriptions={
            "date": "the day.",
            "note": "a note for the restaurant.",
            "person_id": "who.",
        },
    ),
    needs=("people", "wallet", "calendar", "messages"),
    frozen=("restaurants",),
    goals={
        "add_companion": "bring somebody along to a reservation",
        "add_reservation_to_calendar": "put a reservation into my calendar",
        "create_reservation": "book a table",
        "delete_reservation": "cancel a reservation",
    },
)
