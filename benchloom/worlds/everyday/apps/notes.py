"""The app for the user's notes, which are in notebooks; some notes are locked with a code."""

from typing import Annotated, TypeAlias

import msgspec

from benchloom.worlds.everyday.apps import messages
from benchloom.worlds.everyday.rules import (
    Id,
    Limit,
    Name,
    Query,
    Text,
    Title,
    ago,
    changes,
    choice,
    drawn,
    now,
    record,
    refuse_if_any,
)
from benchloom.worlds.everyday.tables import Table
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tool, tools_of

NOTEBOOKS = (("ideas", "Ideas"), ("kitchen", "Kitchen"), ("trips", "Trips"), ("work", "Work"))
_TOPICS = {
    "ideas": ("Birdhouse", "Book about lamps", "Rain barrel", "Shed as a studio", "Swap day"),
    "kitchen": ("Barley soup", "Dark bread", "Leek tart", "Pickled beans", "Plum cake", "Stock"),
    "trips": ("Coast by bicycle", "Lighthouse", "Night train", "Port Selda", "Skerry in May"),
    "work": ("Layout of the leaflet", "Names for the series", "New shelves", "Paper prices"),
}
_LINES = (
    "Ask around first, then begin with the small one.",
    "Costs about {} if nothing goes wrong.",
    "Takes {} hours, better on a dry day.",
    "Best with two people; the rest can wait.",
    "See the drawing in the blue folder, page {}.",
)
_KINDS = ("", " (first try)", " (what is missing)")


Pin: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}$(?!\n)")]
PIN = "2718"
"""The code of the locked notes, which the user knows."""
MAX_TEXT = 8000
_SCHEMA = """
CREATE TABLE notebooks (notebook_id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE notes (
    note_id TEXT PRIMARY KEY,
    notebook_id TEXT NOT NULL REFERENCES notebooks (notebook_id),
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    locked INTEGER NOT NULL CHECK (locked IN (0, 1)),
    UNIQUE (notebook_id, title)
) STRICT;
CREATE VIEW searchable_notes AS
    SELECT *, CASE WHEN locked THEN '' ELSE text END AS searchable_text FROM notes;
CREATE VIEW notebook_sizes AS SELECT *, (
    SELECT count(*) FROM notes WHERE notes.notebook_id = notebooks.notebook_id
) AS notes FROM notebooks;
"""


class Notebook(msgspec.Struct, frozen=True):
    """A notebook and the number of its notes."""

    notebook_id: str
    name: str
    notes: int


class NoteHead(msgspec.Struct, frozen=True):
    """A note without its text."""

    note_id: str
    notebook_id: str
    title: str
    changed_at: str
    pinned: bool
    locked: bool


class Note(NoteHead, frozen=True):
    """A note with its text."""

    text: str


_NOTEBOOKS = Table("notebook_sizes", Notebook)
_HEADS = Table(
    "searchable_notes",
    NoteHead,
    order="changed_at DESC, note_id",
    searched=("title", "searchable_text"),
)
NOTES = Table("notes", Note, id_of=("notebook_id", "title"))


@read_tool(query="a part of the name; all notebooks if it is empty.")
def search_notebooks(state: State, *, query: Query = "") -> list[Notebook]:
    """Find notebooks, by name."""
    return _NOTEBOOKS.search(state, query)


@tool(name="a name that no other notebook has.")
def create_notebook(state: State, *, name: Name) -> Notebook:
    """Create a notebook."""
    new_notebook_id = state.new_id("notebooks", name)
    state.add("notebooks", notebook_id=new_notebook_id, name=name)
    return Notebook(new_notebook_id, name, 0)


@read_tool(
    query="a part of the title, or of the text of a note that is not locked.",
    notebook_id="only notes in this notebook.",
    pinned="only notes that are pinned (true) or not (false).",
)
def search_notes(
    state: State,
    *,
    query: Query = "",
    notebook_id: Id | None = None,
    pinned: bool | None = None,
    limit: Limit = 20,
) -> list[NoteHead]:
    """Find notes, last changed first."""
    if notebook_id is not None:
        state.row("notebooks", notebook_id=notebook_id)
    return _HEADS.search(state, query, limit, notebook_id=notebook_id, pinned=pinned)


@read_tool()
def get_note(state: State, *, note_id: Id) -> Note:
    """Return a note with its text; a locked note must be unlocked first."""
    return _unlocked(state, note_id)


@tool(title="the title.", text="the text.")
def create_note(state: State, *, title: Title, text: Text, notebook_id: Id = "ideas") -> Note:
    """Create a note; its title must be unique in the notebook."""
    return _add(state, title, text, notebook_id)


@tool(title="the title of the note.")
def note_from_message(
    state: State, *, message_id: Id, title: Title, notebook_id: Id = "ideas"
) -> Note:
    """Create a note with the text of a message."""
    return _add(
        state, title, str(state.row("messages", message_id=message_id)["text"]), notebook_id
    )


@tool()
def note_from_mail(state: State, *, mail_id: Id, notebook_id: Id = "ideas") -> Note:
    """Create a note with the text of a mail; its title is the subject."""
    row = state.row("mails", mail_id=mail_id)
    if row["code"] is not None:
        raise RefusedError("permission", "a mail with a code cannot be saved as a note")
    return _add(state, str(row["subject"]), str(row["text"]), notebook_id)


@tool(
    title="the new title.",
    text="the new text, which replaces the old text.",
    notebook_id="the new notebook.",
    pinned="whether the note is pinned.",
)
def update_note(
    state: State,
    *,
    note_id: Id,
    title: Title | None = None,
    text: Text | None = None,
    notebook_id: Id | None = None,
    pinned: bool | None = None,
) -> Note:
    """Change a note that is not locked."""
    updates = changes(title=title, text=text, notebook_id=notebook_id, pinned=pinned)
    _unlocked(state, note_id)
    if notebook_id is not None:
        state.row("notebooks", notebook_id=notebook_id)
    return NOTES.change(state, note_id, changed_at=now(state), **updates)


@tool(text="the text to append.")
def append_to_note(state: State, *, note_id: Id, text: Text) -> Note:
    """Append a line to a note that is not locked."""
    longer = f"{_unlocked(state, note_id).text}\n{text}"
    if len(longer) > MAX_TEXT:
        raise RefusedError("unavailable", f"the note would have more than {MAX_TEXT} characters")
    return NOTES.change(state, note_id, changed_at=now(state), text=longer)


@tool()
def delete_note(state: State, *, note_id: Id) -> Note:
    """Delete a note that is neither locked nor pinned, and return it."""
    if _unlocked(state, note_id).pinned:
        raise RefusedError("conflict", "the note is pinned; unpin it first")
    return NOTES.remove(state, note_id)


@tool()
def lock_note(state: State, *, note_id: Id) -> NoteHead:
    """Lock a note; the user's code unlocks it."""
    if state.row("notes", note_id=note_id)["locked"]:
        raise RefusedError("conflict", "the note is already locked")
    state.change("notes", {"note_id": note_id}, locked=1)
    return record(NoteHead, state.row("notes", note_id=note_id))


@tool(pin="the user's four-digit code.")
def unlock_note(state: State, *, note_id: Id, pin: Pin) -> Note:
    """Unlock a note with the user's code."""
    if not state.row("notes", note_id=note_id)["locked"]:
        raise RefusedError("conflict", "the note is not locked")
    if pin != PIN:
        raise RefusedError("permission", "the code is wrong")
    return NOTES.change(state, note_id, locked=0)


@tool(note_id="a note that is not locked.")
def share_note(state: State, *, note_id: Id, thread_id: Id) -> messages.Message:
    """Send the text of a note to a thread of messages."""
    note = _unlocked(state, note_id)
    return messages.write(state, thread_id, f"{note.title}\n{note.text}")


def _add(state: State, title: str, text: str, notebook_id: str) -> Note:
    state.row("notebooks", notebook_id=notebook_id)
    message = f"the notebook already has a note with the title {title!r}"
    refuse_if_any(state, message, "notes", notebook_id=notebook_id, title=title)
    return NOTES.add(
        state,
        notebook_id=notebook_id,
        title=title,
        text=text,
        changed_at=now(state),
        pinned=0,
        locked=0,
    )


def _unlocked(state: State, note_id: str) -> Note:
    row = state.row("notes", note_id=note_id)
    if row["locked"]:
        raise RefusedError("permission", f"the note {row['title']!r} is locked; unlock it first")
    return record(Note, row)


def _fill(state: State) -> None:
    for row_id, name in NOTEBOOKS:
        state.add("notebooks", notebook_id=row_id, name=name)
    for notebook_id, topics in _TOPICS.items():
        for topic in topics:
            for kind in _KINDS[: 1 + drawn(3, "kinds", topic)]:
                _fill_note(state, notebook_id, f"{topic}{kind}")


def _fill_note(state: State, notebook_id: str, title: str) -> None:
    lines = [choice(_LINES, "line", title, str(number)) for number in range(3)]
    NOTES.add(
        state,
        notebook_id=notebook_id,
        title=title,
        text="\n".join(dict.fromkeys(lines)).format(*[drawn(40, "cost", title) + 5] * 3),
        changed_at=ago(state, drawn(100_000, "changed", title) + 1),
        pinned=int(drawn(7, "pinned", title) == 0),
        locked=int(drawn(9, "locked", title) == 0),
    )


APP = App(
    schema=_SCHEMA,
    fill=_fill,
    tools=tools_of(
        "notes",
        globals(),
        descriptions={"note_id": "its id.", "notebook_id": "the notebook; the default is Ideas."},
    ),
    needs=("mail", "messages"),
    goals={
        "append_to_note": "add a line to a note",
        "get_note": "find out what one of my notes says",
        "note_from_mail": "save a mail as a note",
        "note_from_message": "save a message as a note",
        "update_note notebook_id": "move a note to another notebook",
    },
)
