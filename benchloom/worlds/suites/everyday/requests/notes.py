"""The requests that users can make about notes, with their wording."""

from benchloom.worlds.requests.draws import no, quoted, yes
from benchloom.worlds.requests.wants import Named, Question, Want, ask, requests
from benchloom.worlds.suites.everyday.requests._objects import ALL, NAMED_OBJECTS, THREAD

_TITLES = quoted(
    "Bees", "Cheap curtains", "Damson jam", "Dog names", "Garden plan", "Kites", "Loft bed",
    "Map of the cellar", "Presents for June", "Roof repair", "Sailing knots",
)  # fmt: skip
_TEXTS = quoted(
    "Ask Grandmother about this.",
    "Bring this up on Sunday.",
    "Check this again in June.",
    "More on this soon.",
    "Still to be finished.",
    "Talk to the neighbours about it first.",
)
_LABELS = quoted("Do not forget", "For later", "Read again", "To keep")
"""Titles that fit notes with any content."""
_NOTEBOOK = Named("notes.search_notebooks", "notebook_id", "the notebook {name}", name="name")
_NOTE = Named("notes.search_notes", "note_id", 'the note "{name}"', name="title", listing=ALL)
_MESSAGE = Named(
    "messages.search_messages",
    "message_id",
    'the message "{name}" in {thread_id}',
    name="text",
    by={"thread_id": THREAD},
    listing=ALL,
)
REQUESTS = requests(
    usual={
        **NAMED_OBJECTS,
        "title": _TITLES,
        "text": _TEXTS,
        "notebook_id": _NOTEBOOK.among(name=("Ideas", "Work")),
        "note_id": _NOTE,
    },
    wants=(
        Want(
            "notes.create_note",
            "make a note called {title} that says {text}",
            makes=("note_id", "that note"),
        ),
        Want(
            "notes.create_note",
            "write {text} into a new note {title} in {notebook_id}",
            makes=("note_id", "the new note"),
        ),
        Want(
            "notes.create_notebook",
            "start a notebook called {name}",
            {"name": quoted("Allotment", "Choir", "Languages", "Letters", "Sewing")},
            makes=("notebook_id", "that notebook"),
        ),
        Want("notes.append_to_note", "add {text} at the end of {note_id}"),
        Want(
            "notes.append_to_note",
            "add {text} to {note_id}",
            first={"note_id": _NOTE},
            otherwise="if that one is locked, add it to {note_id}",
        ),
        Want(
            "notes.update_note",
            "rename {note_id} to {title}",
            {"note_id": _NOTE, "title": _LABELS},
        ),
        Want("notes.update_note", "move {note_id} to {notebook_id}"),
        Want(
            "notes.update_note",
            "{pinned} {note_id}",
            {"note_id": _NOTE.among(pinned=False), "pinned": yes("pin")},
        ),
        Want(
            "notes.update_note",
            "{pinned} {note_id}",
            {"note_id": _NOTE.among(pinned=True), "pinned": no("unpin", "take the pin off")},
        ),
        Want("notes.lock_note", "lock {note_id}"),
        Want("notes.delete_note", "delete {note_id}"),
        Want("notes.share_note", "share {note_id} in {thread_id}"),
        Want(
            "notes.note_from_mail",
            "keep {mail_id} as a note in {notebook_id}",
            makes=("note_id", "that note"),
        ),
        Want(
            "notes.note_from_message",
            "keep {message_id} as a note called {title}",
            {"message_id": _MESSAGE, "title": _LABELS},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        ask("tell me what {note_id} says", "notes.get_note", "text", {"note_id": _NOTE}),
        Question("tell me when I last changed {it}", _NOTE.for_field("changed_at")),
        Question("tell me how many notes are in {it}", _NOTEBOOK.for_field("notes")),
    ),
)
