"""Messages of refusals: API-Bank's own texts if the user's copy contains them, else ours.

The copy's table of errors lists the texts of each tool in order; a tool refers to a text by tool
name and number.
"""

from benchloom.worlds.refusals import RefusalKind, RefusedError
from benchloom.worlds.state import State

SCHEMA = """
CREATE TABLE texts (
    tool TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (tool, number)
) STRICT;
"""
TABLE = "texts"
RefusalKey = tuple[str, int]
"""A text of the copy's table: a tool name, and the number of the text."""


def refused(
    state: State, kind: RefusalKind, text_key: RefusalKey, ours: str, **values: str
) -> RefusedError:
    """Build the error to raise; `values` replace the placeholders in the copy's text."""
    text = text_of(state, text_key, ours)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return RefusedError(kind, text)


def text_of(state: State, text_key: RefusalKey, ours: str) -> str:
    """Return the copy's text, or ours if the copy has none."""
    rows = state.rows("SELECT text FROM texts WHERE tool = ? AND number = ?", *text_key)
    return str(rows[0]["text"]) if rows else ours
