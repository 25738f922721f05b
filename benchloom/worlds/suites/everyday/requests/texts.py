"""Texts that are counted and changed."""

from benchloom.worlds.suites.everyday.asking.draws import number, quoted, said
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._things import MAIL, THREAD

_LINES = quoted(
    "The barge leaves at nine and comes back before it is dark",
    "We have apples, two loaves and a little cheese left",
    "Bring a rope, a lamp and dry socks for the crossing",
    "The committee meets in the loft above the old bakery",
    "Nobody knows who painted the door of the boathouse green",
)
_MAIL = Named(tool="mail.get_mail", by={"mail_id": MAIL}, field="text", text="{mail_id}", one=True)
_LOUD = Named(
    tool="texts.change_case",
    by={"text": _LINES, "form": said("upper", "in capital letters")},
    field="text",
    text="{text} {form}",
    one=True,
)
_SHORT = Named(
    tool="texts.shorten_text",
    by={"text": _LINES, "length": number(15, 40)},
    field="text",
    text="{text}, cut to {length} signs",
    one=True,
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="messages.send_message",
            text="post {text} in {thread_id}",
            take={"text": _LOUD, "thread_id": THREAD},
        ),
        Want(
            tool="notes.create_note",
            text="make a note called {title} of {text}",
            take={"title": quoted("Draft", "Headline", "Notice board"), "text": _SHORT},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question(text="give me {it}", about=_LOUD),
        Question(text="give me {it}", about=_SHORT),
        *(
            Question(
                text="count {it}",
                about=Named(
                    tool="texts.count_text",
                    by={"text": source},
                    field=field,
                    text=f"the {field} in {{text}}",
                    one=True,
                ),
            )
            for source in (_LINES, _MAIL)
            for field in ("words", "characters")
        ),
    ),
)
