"""Texts that are counted and changed."""

from benchloom.core.records.values import Plain
from benchloom.worlds.suites.everyday.asking.dice import Dice
from benchloom.worlds.suites.everyday.asking.draws import quoted, said
from benchloom.worlds.suites.everyday.asking.wants import (
    After,
    Drawn,
    Named,
    Question,
    Requests,
    Want,
)
from benchloom.worlds.suites.everyday.requests._things import MAIL, THREAD

_LINES = quoted(
    "The barge leaves at nine and comes back before it is dark",
    "We have apples, two loaves and a little cheese left",
    "Bring a rope, a lamp and dry socks for the crossing",
    "The committee meets in the loft above the old bakery",
    "Nobody knows who painted the door of the boathouse green",
)
_WORDS = ("copper", "harbour", "Monday", "seventeen", "silver", "willow")


def _word_of(dice: Dice, text: Plain) -> Drawn:
    chosen_word = dice.one_of([word for word in str(text).split() if len(word) > 4])
    return Drawn(chosen_word, f'"{chosen_word}"')


_CHANGED = Named(
    tool="texts.replace_text",
    by={"text": _LINES, "old": After("text", _word_of), "new": quoted(*_WORDS)},
    field="text",
    text="{text} with {new} for {old}",
    one=True,
)
_LOUD = Named(
    tool="texts.change_case",
    by={
        "text": Named(
            tool="mail.get_mail",
            by={"mail_id": MAIL},
            field="text",
            text="the text of {mail_id}",
            one=True,
        ),
        "form": said("upper", "in capital letters"),
    },
    field="text",
    text="{text} {form}",
    one=True,
)
REQUESTS = Requests(
    wants=(
        Want(
            tool="messages.send_message",
            text="post {text} in {thread_id}",
            take={"text": _CHANGED, "thread_id": THREAD},
        ),
        Want(
            tool="notes.create_note",
            text="make a note called {title} of {text}",
            take={"title": quoted("Draft", "Headline", "Notice board"), "text": _LOUD},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(
        Question(text="give me {it}", about=_LOUD),
        Question(text="give me {it}", about=_CHANGED),
    ),
)
