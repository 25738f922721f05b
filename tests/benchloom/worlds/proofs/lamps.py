"""A small world of lamps with a tool for each case that the proofs must detect."""

import itertools

import msgspec

from benchloom.worlds import State, World, tool
from benchloom.worlds.state import RefusedError
from benchloom.worlds.tool import read_tool, tools_of

_SCHEMA = """
CREATE TABLE lamps (
    lamp_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, level INTEGER NOT NULL
) STRICT;
CREATE TABLE notes (note TEXT PRIMARY KEY) STRICT;
"""
_THROWN_NUMBERS = itertools.count()


class Lamp(msgspec.Struct, frozen=True):
    """A lamp with a name and a brightness level."""

    lamp_id: str
    name: str
    level: int


@read_tool(name="a part of the name.", limit="how many at most.")
def find_lamp(state: State, *, name: str, limit: int = 5) -> list[Lamp]:
    """Find lamps by name."""
    rows = state.rows("SELECT * FROM lamps WHERE instr(name, ?) ORDER BY name", name)
    return [msgspec.convert(row, Lamp) for row in rows[:limit]]


@tool(lamp_id="its id.", level="from 0 to 9.")
def dim(state: State, *, lamp_id: str, level: int) -> Lamp:
    """Set how bright a lamp is."""
    if not 0 <= level <= 9:
        raise RefusedError("invalid_argument", "a level is 0 to 9")
    state.change("lamps", {"lamp_id": lamp_id}, level=level)
    return msgspec.convert(state.row("lamps", lamp_id=lamp_id), Lamp)


@tool(lamp_id="its id.")
def double(state: State, *, lamp_id: str) -> Lamp:
    """Make a lamp twice as bright."""
    level = state.row("lamps", lamp_id=lamp_id)["level"]
    assert isinstance(level, int)
    return dim(state, lamp_id=lamp_id, level=min(9, 2 * level))


@tool(name="its whole name.", level="from 0 to 9.")
def dim_by_name(state: State, *, name: str, level: int) -> Lamp:
    """Set the brightness of the lamp that has this name."""
    return dim(state, lamp_id=str(state.row("lamps", name=name)["lamp_id"]), level=level)


@tool(note="what.", urgent="nobody minds.")
def write_note(state: State, *, note: str, urgent: bool = False) -> str:
    """Write something down."""
    del urgent
    state.add("notes", note=note)
    return note


@tool(note="what.")
def write_down(state: State, *, note: str) -> str:
    """Write something down, as write_note does."""
    return write_note(state, note=note)


@tool()
def throw(state: State) -> str:
    """Write down a number that differs on every call."""
    return write_note(state, note=str(next(_THROWN_NUMBERS)))


@read_tool()
def peek(state: State) -> int:
    """Return a number that differs between processes."""
    return hash((state.now, "lamps"))


def _fill(state: State) -> None:
    for name in ("desk", "door", "hall"):
        state.add("lamps", lamp_id=f"l-{name}", name=name, level=2)


def open_lamps(suite: str, start: str) -> World:
    """Return the world of lamps for any suite and start."""
    del suite, start
    return World("lamps", "2027-03-15T09:00:00+00:00", _SCHEMA, _fill, tools_of("lamps", globals()))
