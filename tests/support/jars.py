"""A small world for tests of the code that runs worlds."""

from typing import Annotated

import msgspec

from benchloom.worlds import State, World, tool
from benchloom.worlds.state import RefusedError
from benchloom.worlds.tool import read_tool, tools_of

NOW = "2027-01-01T00:00:00Z"
SCHEMA = """
CREATE TABLE jars (jar_id TEXT PRIMARY KEY, size REAL NOT NULL) STRICT;
CREATE TABLE plums (
    plum_id TEXT PRIMARY KEY, jar_id TEXT NOT NULL REFERENCES jars (jar_id)
) STRICT;
"""
Size = Annotated[float, msgspec.Meta(gt=0, le=100)]


class Jar(msgspec.Struct, frozen=True):
    """A jar."""

    jar_id: str
    size: float


@read_tool()
def list_jars(state: State) -> list[Jar]:
    """List the jars."""
    return [msgspec.convert(row, Jar) for row in state.rows("SELECT * FROM jars ORDER BY jar_id")]


@tool(size="in litres.", like="another jar, whose lid fits.")
def add_jar(state: State, *, size: Size, like: Jar | None = None) -> Jar:
    """Add a jar."""
    del like
    jar_id = state.new_id("jars", size)
    state.add("jars", jar_id=jar_id, size=size)
    return Jar(jar_id, size)


@tool()
def put_plum(state: State, *, plum_id: str, jar_id: str) -> None:
    """Put a plum into a jar."""
    if plum_id == "stone":
        raise RefusedError("unavailable", "a stone is no plum")
    state.add("plums", plum_id=plum_id, jar_id=jar_id)


def _fill(state: State) -> None:
    state.add("jars", jar_id="a", size=2)


JARS = World("jars", NOW, SCHEMA, _fill, tools_of("jars", globals()))
