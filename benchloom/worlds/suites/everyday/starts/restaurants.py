"""Restaurants, and the reservations of other people."""

from collections.abc import Iterator

from benchloom.worlds.suites.everyday.arguments import CITIES
from benchloom.worlds.suites.everyday.rules import drawn, person_id

_CUISINES = ("seafood", "noodles", "vegetarian", "grill", "bakery", "curry")
_WORDS = ("Copper", "Green", "Little", "Long", "Quiet", "Round")
_LAST_NAMES = ("Table", "Spoon", "Garden", "Harbour", "Lantern", "Oven")
_BOOKED = 60


def restaurants() -> Iterator[tuple[str, str, str, int, str, str, int, int, int]]:
    """Name, city, cuisine, price level, hours, weekday it is closed, tables, deposit a person."""
    for city_index, city in enumerate(CITIES):
        for number, cuisine in enumerate(_CUISINES):
            word = _WORDS[(number + city_index) % len(_WORDS)]
            name = f"{word} {_LAST_NAMES[(number + 2 * city_index) % len(_LAST_NAMES)]} {city}"
            level = 1 + drawn(3, "level", name)
            opens, closes = ("08:00", "15:00") if cuisine == "bakery" else ("12:00", "22:30")
            deposit = 500 * level if level > 1 else 0
            closed = drawn(7, "closed", name)
            yield (
                name,
                city,
                cuisine,
                level,
                opens,
                closes,
                closed,
                1 + drawn(3, "room", name),
                deposit,
            )


def booked() -> Iterator[tuple[int, str, str, str, int]]:
    """Yield others' reservations: number of the restaurant, person id, day, time, party size."""
    for number in range(_BOOKED):
        said = str(number)
        whose = person_id(2 + drawn(119, "eats", said))
        day = f"2027-03-{16 + drawn(7, 'day', said)}"
        time = ("12:30", "18:00", "18:30", "19:00", "20:00")[drawn(5, "time", said)]
        yield drawn(30, "where", said), whose, day, time, 2 + drawn(5, "party", said)
