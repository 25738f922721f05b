"""The app for travel, with departures, trips and stays; seats and rooms are limited."""

from contextlib import suppress
from datetime import date, timedelta
from itertools import permutations
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec

from benchloom.worlds.everyday.apps import calendar, messages, wallet
from benchloom.worlds.everyday.rules import (
    CITIES,
    USER,
    Cents,
    City,
    Date,
    Id,
    Limit,
    Query,
    choice,
    day,
    drawn,
    from_today,
    iso_minute,
    moment,
    now,
    number,
    person_id,
    refuse_if_any,
    today,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import Cell, RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

Mode: TypeAlias = Literal["train", "ferry", "bus", "flight"]
_MODES: tuple[Mode, ...] = get_args(Mode)
_MINUTES = {"train": 95, "ferry": 170, "bus": 140, "flight": 50}
_CENTS = {"train": 3_400, "ferry": 2_600, "bus": 1_500, "flight": 9_800}
_DAYS = 8
_SEATS = (0, 1, 2, 4, 9, 30, 30, 60)
_HOUSES = ("Anchor", "Linden", "Old Mill")
Status: TypeAlias = Literal["booked", "cancelled"]
People: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=8)]
Rooms: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=4)]
Stars: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=5)]
CARRIER = "Skerry Lines"
FULL_REFUND = timedelta(hours=24)
"""The time before departure from which only half the price of a cancelled trip is refunded."""
MAX_NIGHTS = 30
_SCHEMA = """
CREATE TABLE departures (
    departure_id TEXT PRIMARY KEY,
    mode TEXT NOT NULL,
    from_city TEXT NOT NULL,
    to_city TEXT NOT NULL,
    departs TEXT NOT NULL,
    arrives TEXT NOT NULL CHECK (arrives > departs),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0)
) STRICT;
CREATE TABLE seats (
    departure_id TEXT PRIMARY KEY REFERENCES departures (departure_id),
    free_seats INTEGER NOT NULL CHECK (free_seats >= 0)
) STRICT;
CREATE VIEW seated_departures AS SELECT * FROM departures JOIN seats USING (departure_id);
CREATE TABLE trips (
    trip_id TEXT PRIMARY KEY,
    departure_id TEXT NOT NULL REFERENCES departures (departure_id),
    person_id TEXT NOT NULL REFERENCES people (person_id),
    travellers INTEGER NOT NULL CHECK (travellers > 0),
    payment_id TEXT REFERENCES payments (payment_id),
    status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled'))
) STRICT;
CREATE VIEW timed_trips AS SELECT * FROM trips JOIN departures USING (departure_id);
CREATE TABLE hotels (
    hotel_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    city TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    night_cents INTEGER NOT NULL CHECK (night_cents > 0),
    rooms INTEGER NOT NULL CHECK (rooms > 0)
) STRICT;
CREATE TABLE stays (
    stay_id TEXT PRIMARY KEY,
    hotel_id TEXT NOT NULL REFERENCES hotels (hotel_id),
    person_id TEXT NOT NULL REFERENCES people (person_id),
    check_in TEXT NOT NULL,
    check_out TEXT NOT NULL CHECK (check_out > check_in),
    rooms INTEGER NOT NULL CHECK (rooms > 0),
    payment_id TEXT REFERENCES payments (payment_id),
    status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled'))
) STRICT;
CREATE VIEW located_stays AS SELECT stays.*, city FROM stays JOIN hotels USING (hotel_id);
"""
_OTHERS = 20


class Departure(msgspec.Struct, frozen=True):
    """A departure from a city to another city; `price_cents` is the price per person."""

    departure_id: str
    mode: Mode
    from_city: City
    to_city: City
    departs: str
    arrives: str
    price_cents: int
    free_seats: int


class Trip(msgspec.Struct, frozen=True):
    """Seats on a departure; `payment_id` is the payment of the user, if any."""

    trip_id: str
    departure_id: str
    person_id: str
    travellers: int
    payment_id: str | None
    status: Status


class Hotel(msgspec.Struct, frozen=True):
    """A hotel; `night_cents` is the price of a room for a night."""

    hotel_id: str
    name: str
    city: City
    stars: int
    night_cents: int
    rooms: int


class Stay(msgspec.Struct, frozen=True):
    """A stay in a hotel, from the day of `check_in` to the day of `check_out`."""

    stay_id: str
    hotel_id: str
    person_id: str
    check_in: str
    check_out: str
    rooms: int
    payment_id: str | None
    status: Status


DEPARTURES = Table("seated_departures", Departure, order="departs, departure_id")
TRIPS_BY_TIME = Table("timed_trips", Trip, order="departs, trip_id")
TRIPS = Table("trips", Trip, id_of=("person_id", "departure_id", "travellers"), owned="trip")
HOTELS = Table("hotels", Hotel, order="night_cents, name")
STAYS_BY_DAY = Table("located_stays", Stay, order="check_in, stay_id")
STAYS = Table("stays", Stay, id_of=("person_id", "hotel_id", "check_in", "check_out"), owned="stay")


@read_tool(
    from_city="the city of departure.",
    to_city="the city of arrival.",
    date="only departures on this day.",
    mode="only this means of transport.",
    travellers="the required number of free seats.",
)
def search_departures(
    state: State,
    *,
    from_city: City,
    to_city: City,
    date: Date | None = None,
    mode: Mode | None = None,
    travellers: People = 1,
) -> list[Departure]:
    """Find departures between two cities with enough free seats, earliest first."""
    where: dict[str, Cell] = {
        "departs > ?": now(state),
        "free_seats >= ?": travellers,
        "substr(departs, 1, 10) = ?": None if date is None else day(date).isoformat(),
    }
    return DEPARTURES.search(state, where=where, from_city=from_city, to_city=to_city, mode=mode)


get_departure = DEPARTURES.get_tool("travel.get_departure", "Look at one departure.")


@tool(travellers="the number of people.")
def book_trip(state: State, *, departure_id: Id, card_id: Id, travellers: People = 1) -> Trip:
    """Book seats for the user and companions, paid by card."""
    return TRIPS.add(
        state,
        departure_id=departure_id,
        person_id=USER,
        travellers=travellers,
        payment_id=_reserve_seats(state, departure_id, card_id, travellers),
        status="booked",
    )


@read_tool(to_city="only trips to this city.", status="only trips with this status.")
def search_trips(
    state: State, *, to_city: City | None = None, status: Status | None = None, limit: Limit = 20
) -> list[Trip]:
    """Find the user's trips, earliest first."""
    return TRIPS_BY_TIME.search(state, limit=limit, person_id=USER, to_city=to_city, status=status)


get_trip = TRIPS.get_tool("travel.get_trip", "Look at one of the user's trips.")


@tool(departure_id="the new departure.")
def update_trip(state: State, *, trip_id: Id, departure_id: Id, card_id: Id) -> Trip:
    """Change a trip to another departure between the same cities; the old price is refunded."""
    trip = _future_trip(state, trip_id)
    old = DEPARTURES.get(state, trip.departure_id)
    new = DEPARTURES.get(state, departure_id)
    if (old.from_city, old.to_city) != (new.from_city, new.to_city):
        raise RefusedError(
            "invalid_argument",
            f"the new departure goes from {new.from_city} to {new.to_city}, "
            f"not from {old.from_city} to {old.to_city}",
        )
    if old == new:
        raise RefusedError("conflict", "the trip already has this departure")
    # The refund comes first, because the new payment may need it; a refusal undoes both.
    _refund(state, trip, old.price_cents * trip.travellers)
    payment_id = _reserve_seats(state, departure_id, card_id, trip.travellers, but=trip_id)
    return TRIPS.change(state, trip_id, departure_id=departure_id, payment_id=payment_id)


@tool()
def cancel_trip(state: State, *, trip_id: Id) -> Trip:
    """Cancel a trip of the user; the refund is full until a day before departure, then half."""
    trip = _future_trip(state, trip_id)
    departure = DEPARTURES.get(state, trip.departure_id)
    early = moment(departure.departs) - moment(now(state)) >= FULL_REFUND
    total = departure.price_cents * trip.travellers
    _refund(state, trip, total if early else total // 2)
    return TRIPS.change(state, trip_id, status="cancelled")


@tool(calendar_id="the calendar; the default is Home.")
def add_trip_to_calendar(state: State, *, trip_id: Id, calendar_id: Id = "home") -> calendar.Event:
    """Create an event for a trip in a calendar."""
    trip = _future_trip(state, trip_id)
    departure = DEPARTURES.get(state, trip.departure_id)
    return calendar.create_event(
        state,
        title=f"{departure.mode.capitalize()} to {departure.to_city}",
        start=departure.departs,
        end=departure.arrives,
        calendar_id=calendar_id,
        location=departure.from_city,
    )


@tool()
def share_trip(state: State, *, trip_id: Id, thread_id: Id) -> messages.Message:
    """Send the times of a trip to a thread."""
    trip = _future_trip(state, trip_id)
    departure = DEPARTURES.get(state, trip.departure_id)
    text = (
        f"{departure.mode.capitalize()} from {departure.from_city} at {departure.departs},"
        f" in {departure.to_city} at {departure.arrives}"
    )
    return messages.write(state, thread_id, text)


@read_tool(
    city="where.",
    query="a part of the name.",
    min_stars="the minimum number of stars.",
    max_night_cents="the maximum price of a room for a night, in cents.",
)
def search_hotels(
    state: State,
    *,
    city: City,
    query: Query = "",
    min_stars: Stars = 1,
    max_night_cents: Cents | None = None,
) -> list[Hotel]:
    """Find hotels, cheapest first."""
    where = {"stars >= ?": min_stars, "night_cents <= ?": max_night_cents}
    return HOTELS.search(state, query, where=where, city=city)


get_hotel = HOTELS.get_tool("travel.get_hotel", "Look at one hotel.")


@tool(
    check_in="the day of arrival.",
    check_out="the day of departure, at most 30 nights later.",
    rooms="the number of rooms.",
)
def book_stay(
    state: State,
    *,
    hotel_id: Id,
    check_in: Date,
    check_out: Date,
    card_id: Id,
    rooms: Rooms = 1,
) -> Stay:
    """Book hotel rooms for the user and companions, paid by card."""
    hotel = HOTELS.get(state, hotel_id)
    first, last = from_today(state, check_in), day(check_out)
    nights = (last - first).days
    if not 1 <= nights <= MAX_NIGHTS:
        raise RefusedError("invalid_argument", f"{nights} nights; a stay has 1 to {MAX_NIGHTS}")
    overlapping: dict[str, Cell] = {"check_in < ?": check_out, "check_out > ?": check_in}
    message = "the user has another hotel stay at this time"
    refuse_if_any(state, message, "stays", overlapping, person_id=USER, status="booked")
    _refuse_full(state, hotel, first, nights, rooms)
    total = nights * rooms * hotel.night_cents
    payment = wallet.charge(state, card_id, total, hotel.name, f"From {check_in} to {check_out}")
    return STAYS.add(
        state,
        hotel_id=hotel_id,
        person_id=USER,
        check_in=check_in,
        check_out=check_out,
        rooms=rooms,
        payment_id=payment.payment_id,
        status="booked",
    )


@read_tool(city="only stays in this city.", status="only stays with this status.")
def search_stays(
    state: State, *, city: City | None = None, status: Status | None = None, limit: Limit = 20
) -> list[Stay]:
    """Find the user's hotel stays, earliest first."""
    return STAYS_BY_DAY.search(state, limit=limit, person_id=USER, city=city, status=status)


get_stay = STAYS.get_tool("travel.get_stay", "Look at one of the user's stays.")


@tool()
def cancel_stay(state: State, *, stay_id: Id) -> Stay:
    """Cancel a stay of the user before its first day; the price is refunded."""
    stay = STAYS.get(state, stay_id)
    if stay.status == "cancelled":
        raise RefusedError("conflict", "the stay is already cancelled")
    if stay.check_in <= today(state):
        raise RefusedError("unavailable", "the stay has already begun")
    hotel = HOTELS.get(state, stay.hotel_id)
    nights = (day(stay.check_out) - day(stay.check_in)).days
    if stay.payment_id is not None:
        wallet.refund(state, stay.payment_id, nights * stay.rooms * hotel.night_cents)
    return STAYS.change(state, stay_id, status="cancelled")


def _future_trip(state: State, trip_id: str) -> Trip:
    trip = TRIPS.get(state, trip_id)
    if trip.status == "cancelled":
        raise RefusedError("conflict", "the trip is already cancelled")
    if DEPARTURES.get(state, trip.departure_id).departs <= now(state):
        raise RefusedError("unavailable", "the departure is in the past")
    return trip


def _reserve_seats(
    state: State, departure_id: str, card_id: str, travellers: int, *, but: str = ""
) -> str:
    """Reserve seats on a departure, pay for them by card, and return the id of the payment.

    `but` is the id of a trip that is ignored when overlaps with other trips are checked.
    """
    departure = DEPARTURES.get(state, departure_id)
    if departure.departs <= now(state):
        raise RefusedError("unavailable", "the departure is in the past")
    if departure.free_seats < travellers:
        raise RefusedError("unavailable", f"the departure has {departure.free_seats} free seats")
    overlapping: dict[str, Cell] = {
        "trip_id <> ?": but,
        "departs < ?": departure.arrives,
        "arrives > ?": departure.departs,
    }
    message = "the user has another trip at this time"
    refuse_if_any(state, message, "timed_trips", overlapping, person_id=USER, status="booked")
    _take_seats(state, departure_id, travellers)
    note = f"{departure.from_city} to {departure.to_city}, {departure.departs}"
    total = travellers * departure.price_cents
    return wallet.charge(state, card_id, total, CARRIER, note).payment_id


def _take_seats(state: State, departure_id: str, seats: int) -> None:
    had = number(state.row("seats", departure_id=departure_id)["free_seats"])
    state.change("seats", {"departure_id": departure_id}, free_seats=had - seats)


def _refund(state: State, trip: Trip, cents: int) -> None:
    _take_seats(state, trip.departure_id, -trip.travellers)
    if trip.payment_id is not None:
        wallet.refund(state, trip.payment_id, cents)


def _refuse_full(state: State, hotel: Hotel, first: date, nights: int, rooms: int) -> None:
    for offset in range(nights):
        night = (first + timedelta(days=offset)).isoformat()
        if _booked_rooms(state, hotel.hotel_id, night) + rooms > hotel.rooms:
            raise RefusedError("unavailable", f"{hotel.name} has too few free rooms on {night}")


def _booked_rooms(state: State, hotel_id: str, night: str) -> int:
    rows = state.rows(
        "SELECT coalesce(sum(rooms), 0) AS taken FROM stays WHERE hotel_id = ?"
        " AND status = 'booked' AND check_in <= ? AND check_out > ?",
        hotel_id,
        night,
        night,
    )
    return number(rows[0]["taken"])


def _fill(state: State) -> None:
    for source, target in permutations(CITIES, 2):
        route = sorted((source, target))
        first = drawn(len(_MODES), "mode", *route)
        for mode in (_MODES[first], _MODES[(first + 1) % len(_MODES)]):
            for offset in range(_DAYS):
                _fill_departure(state, mode, source, target, offset)
    houses = [
        HOTELS.add(
            state,
            name=f"{house} House {city}",
            city=city,
            stars=(stars := 2 + (index + drawn(3, "stars", city)) % 3),
            night_cents=2_400 * stars + 100 * drawn(15, "night", city, house),
            rooms=1 + drawn(3, "rooms", city, house),
        )
        for city in CITIES
        for index, house in enumerate(_HOUSES)
    ]
    _fill_bookings(state, houses)


def _fill_departure(state: State, mode: Mode, source: str, target: str, offset: int) -> None:
    key, route = (mode, source, target, str(offset)), sorted((source, target))
    leaves = 6 * 60 + 15 * drawn(48, "leaves", *key)
    departs = moment(today(state)) + timedelta(days=offset, minutes=leaves)
    length = timedelta(minutes=_MINUTES[mode] + 5 * drawn(9, "length", *route))
    new_departure_id = state.new_id("departures", mode, source, target, iso_minute(departs))
    state.add(
        "departures",
        departure_id=new_departure_id,
        mode=mode,
        from_city=source,
        to_city=target,
        departs=iso_minute(departs),
        arrives=iso_minute(departs + length),
        price_cents=_CENTS[mode] + 50 * drawn(20, "price", *key),
    )
    state.add("seats", departure_id=new_departure_id, free_seats=choice(_SEATS, "seats", *key))


def _fill_bookings(state: State, houses: list[Hotel]) -> None:
    card = wallet.card_called(state, "Blue card")
    for source, target, on in (("Brisk", "Lomm", "2027-03-18"), ("Lomm", "Brisk", "2027-03-20")):
        first_departure = _first(state, source, target, on)
        book_trip(state, departure_id=first_departure, card_id=card)
    hotel = search_hotels(state, city="Lomm")[0]
    book_stay(
        state,
        hotel_id=hotel.hotel_id,
        check_in="2027-03-18",
        check_out="2027-03-20",
        card_id=card,
    )
    everywhere = sorted(departure.departure_id for departure in DEPARTURES.search(state))
    for traveller in range(_OTHERS):
        whose = person_id(2 + drawn(119, "travels", str(traveller)))
        taken = everywhere[drawn(len(everywhere), "departure", str(traveller))]
        TRIPS.add(
            state,
            departure_id=taken,
            person_id=whose,
            travellers=1 + traveller % 3,
            status="booked",
        )
        first = date(2027, 3, 15 + drawn(8, "from", str(traveller)))
        last = first + timedelta(days=1 + traveller % 3)
        house = houses[drawn(len(houses), "house", str(traveller))]
        with suppress(RefusedError):  # the hotel is full
            _refuse_full(state, house, first, (last - first).days, 1)
            STAYS.add(
                state,
                hotel_id=house.hotel_id,
                person_id=whose,
                check_in=first.isoformat(),
                check_out=last.isoformat(),
                rooms=1,
                status="booked",
            )


def _first(state: State, source: str, target: str, on: str) -> str:
    where: dict[str, Cell] = {"substr(departs, 1, 10) = ?": on, "free_seats > ?": 0}
    return DEPARTURES.search(state, where=where, from_city=source, to_city=target)[0].departure_id


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of("travel", globals()),
    needs=("people", "wallet", "calendar", "messages"),
    frozen=("departures", "hotels"),
    goals={
        "add_trip_to_calendar": "put a trip into my calendar",
        "book_stay": "book a hotel room",
        "book_trip": "book a trip",
        "get_departure": "find out {} of one of my trips",
        "search_departures": "find out {} of a connection",
    },
)
