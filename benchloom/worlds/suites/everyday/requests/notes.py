"""Notes."""

from benchloom.worlds.suites.everyday.asking.draws import no, quoted, yes
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import MAIL, THREAD

_TITLES = quoted(
    "Bees", "Cheap curtains", "Damson jam", "Dog names", "Garden plan", "Kites", "Loft bed",
    "Map of the cellar", "Presents for June", "Roof repair", "Sailing knots",
)  # fmt: skip
_TEXTS = quoted(
    "Ask Grandmother how she did it.",
    "Buy twice as much as last year.",
    "First measure, then saw.",
    "It worked with half the sugar.",
    "Look at the second shop as well.",
    "Only on dry mornings.",
    "The neighbours want one too.",
)
_NOTEBOOK = Named(
    tool="notes.search_notebooks",
    query="query",
    name="name",
    field="notebook_id",
    text="the notebook {name}",
)
_NOTE = Named(
    tool="notes.search_notes",
    query="query",
    name="title",
    field="note_id",
    text='the note "{name}"',
    listing={"limit": 50},
)
_MESSAGE = Named(
    tool="messages.search_messages",
    query="query",
    name="text",
    field="message_id",
    by={"thread_id": THREAD},
    text='the message "{name}" in {thread_id}',
    listing={"limit": 50},
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="notes.create_note",
            text="make a note called {title} that says {text}",
            take={"title": _TITLES, "text": _TEXTS},
            makes=("note_id", "that note"),
        ),
        Want(
            tool="notes.create_note",
            text="write {text} into a new note {title} in {notebook_id}",
            take={"text": _TEXTS, "title": _TITLES, "notebook_id": _NOTEBOOK},
            makes=("note_id", "the new note"),
        ),
        Want(
            tool="notes.create_notebook",
            text="start a notebook called {name}",
            take={"name": quoted("Allotment", "Choir", "Languages", "Letters", "Sewing")},
            makes=("notebook_id", "that notebook"),
        ),
        Want(
            tool="notes.append_to_note",
            text="add {text} at the end of {note_id}",
            take={"text": _TEXTS, "note_id": _NOTE},
        ),
        Want(
            tool="notes.append_to_note",
            text="add {text} to {note_id}",
            take={"text": _TEXTS, "note_id": _NOTE},
            first={"note_id": _NOTE},
            otherwise="if that one is locked, add it to {note_id}",
        ),
        Want(
            tool="notes.update_note",
            text="rename {note_id} to {title}",
            take={"note_id": _NOTE, "title": _TITLES},
        ),
        Want(
            tool="notes.update_note",
            text="move {note_id} to {notebook_id}",
            take={"note_id": _NOTE, "notebook_id": _NOTEBOOK},
        ),
        Want(
            tool="notes.update_note",
            text="{pinned} {note_id}",
            take={"note_id": _NOTE, "pinned": yes("pin")},
        ),
        Want(
            tool="notes.update_note",
            text="{pinned} {note_id}",
            take={"note_id": _NOTE, "pinned": no("unpin", "take the pin off")},
        ),
        Want(tool="notes.lock_note", text="lock {note_id}", take={"note_id": _NOTE}),
        Want(tool="notes.delete_note", text="delete {note_id}", take={"note_id": _NOTE}),
        Want(
            tool="notes.share_note",
            text="share {note_id} in {thread_id}",
            take={"note_id": _NOTE, "thread_id": THREAD},
        ),
        Want(
            tool="notes.note_from_mail",
            text="keep {mail_id} as a note in {notebook_id}",
            take={"mail_id": MAIL, "notebook_id": _NOTEBOOK},
            makes=("note_id", "that note"),
        ),
        Want(
            tool="notes.note_from_message",
            text="keep {message_id} as a note called {title}",
            take={"message_id": _MESSAGE, "title": _TITLES},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question(
            text="tell me what {it} says",
            about=Named(
                tool="notes.get_note",
                by={"note_id": _NOTE},
                field="text",
                text="{note_id}",
                one=True,
            ),
        ),
        Question(
            text="tell me when I last changed {it}",
            about=Named(
                tool="notes.search_notes",
                query="query",
                name="title",
                field="changed_at",
                text='the note "{name}"',
                listing={"limit": 50},
            ),
        ),
        Question(
            text="tell me how many notes are in {it}",
            about=Named(
                tool="notes.search_notebooks",
                query="query",
                name="name",
                field="notes",
                text="the notebook {name}",
            ),
        ),
    ),
)
