"""Departures between the cities, and hotels."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import TypeAlias

from benchloom.worlds.suites.everyday.arguments import CITIES
from benchloom.worlds.suites.everyday.rules import drawn

_MODES = ("train", "ferry", "bus", "flight")
_MINUTES = {"train": 95, "ferry": 170, "bus": 140, "flight": 50}
_CENTS = {"train": 3_400, "ferry": 2_600, "bus": 1_500, "flight": 9_800}
_FIRST = date(2027, 3, 15)
_DAYS = 8
_SEATS = (0, 1, 2, 4, 9, 30, 30, 60)
_HOUSES = ("Anchor", "Linden", "Old Mill")


Row: TypeAlias = tuple[str, str, str, str, str, int, int]


def departures() -> Iterator[Row]:
    """Mode, from, to, when it leaves and comes in, price in cents, free seats."""
    for source in CITIES:
        for target in CITIES:
            for number in range(2 if source != target else 0):
                first = drawn(len(_MODES), "mode", *sorted((source, target)))
                mode = _MODES[(first + number) % len(_MODES)]
                for past in range(_DAYS):
                    yield _departure(mode, source, target, past)


def _departure(
    mode: str, source: str, target: str, past: int
) -> tuple[str, str, str, str, str, int, int]:
    day = _FIRST + timedelta(days=past)
    said = (mode, source, target, str(past))
    leaves = 6 * 60 + 15 * drawn(48, "leaves", *said)
    length = _MINUTES[mode] + 5 * drawn(9, "length", *sorted((source, target)))
    price = _CENTS[mode] + 50 * drawn(20, "price", *said)
    seats = _SEATS[drawn(len(_SEATS), "seats", *said)]
    return mode, source, target, _moment(day, leaves), _moment(day, leaves + length), price, seats


def _moment(day: date, minutes: int) -> str:
    return f"{day.isoformat()}T{minutes // 60:02d}:{minutes % 60:02d}"


def hotels() -> Iterator[tuple[str, str, int, int, int]]:
    """Name, city, stars, price of a night in cents, rooms."""
    for city in CITIES:
        for number, house in enumerate(_HOUSES):
            stars = 2 + (number + drawn(3, "stars", city)) % 3
            night = 2_400 * stars + 100 * drawn(15, "night", city, house)
            yield f"{house} House {city}", city, stars, night, 1 + drawn(3, "rooms", city, house)
