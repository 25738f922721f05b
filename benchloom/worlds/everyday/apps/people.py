"""The people who occur in all apps, among them the user; this app has tables but no tools."""

from benchloom.worlds.everyday.rules import CITIES, COUNT, choice, drawn, person_id
from benchloom.worlds.state import State
from benchloom.worlds.tool import App

_FIRST_NAMES_TEXT = (
    "Ada Bo Cleo Dima Enid Farah Goran Hana Ivo Jorun Kofi Lena Mato Nuria Oskar Pilar Quinn Rafi "
    "Senna Tove Umar Vera Wim Xenia Yann Zora"
)
_FAMILY_TEXT = "Abara Brandt Cole Dahl Eskola Fonseca Grove Hale Ilves Jonker"
_FIRST_NAMES = _FIRST_NAMES_TEXT.split()
_FAMILY = _FAMILY_TEXT.split()
_SCHEMA = """
CREATE TABLE people (
    person_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    city TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL UNIQUE,
    birthday TEXT NOT NULL,
    company TEXT NOT NULL
) STRICT;
CREATE TABLE relations (
    person_id TEXT NOT NULL REFERENCES people (person_id),
    other_id TEXT NOT NULL REFERENCES people (person_id),
    relation TEXT NOT NULL,
    PRIMARY KEY (person_id, other_id)
) STRICT;
"""
_COMPANIES = ("Harrow Mill", "Lantern Works", "Kettle Tiles", "Quill Press", "Saltmarsh School")
_TO_USER = ("friend", "colleague", "neighbour", "family", "friend", "colleague", "acquaintance")
_AMONG_OTHERS = ("partner", "sibling", "colleague")


def _fill(state: State) -> None:
    for number in range(1, COUNT + 1):
        _add(state, number)
    for number in range(2, COUNT + 1):
        _relate(state, 1, number, choice(_TO_USER, "relation", str(number)))
    for number in range(2, COUNT, 2):
        _relate(state, number, number + 1, _AMONG_OTHERS[number // 2 % len(_AMONG_OTHERS)])


def _add(state: State, number: int) -> None:
    first_name = _FIRST_NAMES[(number - 1) % len(_FIRST_NAMES)]
    family = _FAMILY[((number - 1) // len(_FIRST_NAMES) + number) % len(_FAMILY)]
    company = choice(_COMPANIES, "company", str(number))
    month, date = drawn(12, "month", str(number)) + 1, drawn(28, "date", str(number)) + 1
    state.add(
        "people",
        person_id=person_id(number),
        name=f"{first_name} {family}",
        city=choice(CITIES, "city", str(number)),
        email=f"{first_name}.{family}@{company.replace(' ', '-')}.example".lower(),
        phone=f"+99955{drawn(1000, 'phone', str(number)):03d}{number:03d}",
        birthday=f"{1950 + drawn(55, 'year', str(number))}-{month:02d}-{date:02d}",
        company=company,
    )


def _relate(state: State, person_number: int, other: int, relation: str) -> None:
    for first, second in ((person_number, other), (other, person_number)):
        state.add(
            "relations", person_id=person_id(first), other_id=person_id(second), relation=relation
        )


APP = App(schema=_SCHEMA, fill=_fill, tools=(), frozen=("people", "relations"))
