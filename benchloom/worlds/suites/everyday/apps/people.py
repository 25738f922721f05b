"""Everybody whom the apps know: first the user, then those the user knows; no app of its own."""

import hashlib

from benchloom.worlds.app import App
from benchloom.worlds.state import State

_GIVEN_TEXT = (
    "Ada Bo Cleo Dima Enid Farah Goran Hana Ivo Jorun Kofi Lena Mato Nuria Oskar Pilar Quinn Rafi "
    "Senna Tove Umar Vera Wim Xenia Yann Zora"
)
_FAMILY_TEXT = "Abara Brandt Cole Dahl Eskola Fonseca Grove Hale Ilves Jonker"
_GIVEN = _GIVEN_TEXT.split()
_FAMILY = _FAMILY_TEXT.split()
COUNT = 120
USER = "p001"
_SCHEMA = """
CREATE TABLE people (
    person_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    city TEXT NOT NULL
) STRICT;
"""
_CITIES = ("Brisk", "Lomm", "Osterby", "Port Selda", "Skerry")


def drawn(size: int, *parts: str) -> int:
    """A number below `size` that follows from texts, the same on every machine."""
    digest = hashlib.sha256("/".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") % size


def person_id(number: int) -> str:
    """The id of a person; the user is number 1."""
    return f"p{number:03d}"


def _fill(state: State) -> None:
    for number in range(1, COUNT + 1):
        given = _GIVEN[(number - 1) % len(_GIVEN)]
        family = _FAMILY[((number - 1) // len(_GIVEN) + number) % len(_FAMILY)]
        city = _CITIES[drawn(len(_CITIES), "city", str(number))]
        state.add("people", person_id=person_id(number), name=f"{given} {family}", city=city)


APP = App(schema=_SCHEMA, fill=_fill, tools=(), frozen=("people",))
