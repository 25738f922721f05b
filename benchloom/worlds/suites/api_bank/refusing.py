"""What a tool answers where it cannot: in API-Bank's words where the user's copy has them.

The copy's table of errors has the texts of every tool in order. Tools name a text by its tool and
number; a copy without the table is answered in our words.
"""

from benchloom.worlds.refusals import RefusalKind, RefusedError
from benchloom.worlds.state import State

SCHEMA = """
CREATE TABLE texts (
    tool TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (tool, number)
) STRICT;
"""
TABLE = "texts"
Told = tuple[str, int]
"""A text of the copy's table: the name of a tool there, and which of its texts."""


def refused(
    state: State, kind: RefusalKind, text_key: Told, ours: str, **values: str
) -> RefusedError:
    """The refusal, to be raised; `values` are put where the copy's text names them."""
    text = text_of(state, text_key, ours)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return RefusedError(kind, text)


def text_of(state: State, text_key: Told, ours: str) -> str:
    """The copy's text, or ours where it has none."""
    rows = state.rows("SELECT text FROM texts WHERE tool = ? AND number = ?", *text_key)
    return str(rows[0]["text"]) if rows else ours
