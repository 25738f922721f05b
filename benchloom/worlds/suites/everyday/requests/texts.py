"""The requests to count and change texts that users can make, with their wording."""

from benchloom.core.records.values import Plain
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.requests.draws import fixed_value, quoted
from benchloom.worlds.requests.wants import After, Drawn, Named, Question, Requests, Want
from benchloom.worlds.suites.everyday.requests._objects import MAIL

_LINES = quoted(
    "The barge leaves at nine and comes back before dark",
    "We have apples, two loaves and a little cheese left",
    "Bring a rope, a lamp and dry socks for the crossing",
    "The committee meets in the loft above the old bakery",
    "Nobody knows who painted the gate of the boathouse green",
)
_CORRECTIONS = {
    "apples": "pears",
    "barge": "ferry",
    "cheese": "butter",
    "committee": "choir",
    "dark": "six",
    "gate": "door",
    "green": "blue",
    "lamp": "torch",
    "loft": "hall",
    "socks": "gloves",
}
"""A mapping from words in the lines to the words that replace them in requests."""


def _word_of(dice: Dice, text: Plain) -> Drawn:
    chosen_word = dice.one_of([word for word in _CORRECTIONS if word in str(text)])
    return Drawn(chosen_word, f'"{chosen_word}"')


def _instead_of(dice: Dice, word: Plain) -> Drawn:
    del dice
    return Drawn(_CORRECTIONS[str(word)], f'"{_CORRECTIONS[str(word)]}"')


_CHANGED = Named(
    "texts.replace_text",
    "text",
    "{text} (with {new} instead of {old})",
    by={"text": _LINES, "old": After("text", _word_of), "new": After("old", _instead_of)},
)
_LOUD = Named(
    "texts.change_case",
    "text",
    "{text} {form}",
    by={
        "text": Named("mail.get_mail", "text", "the text of {mail_id}", by={"mail_id": MAIL}),
        "form": fixed_value("upper", "in capital letters"),
    },
)
REQUESTS = Requests(
    wants=(
        Want(
            "notes.create_note",
            "make a note called {title} of {text}",
            {"title": quoted("In large letters", "Notice", "To print"), "text": _LOUD},
            makes=("note_id", "that note"),
        ),
    ),
    questions=(Question("give me {it}", _LOUD), Question("give me {it}", _CHANGED)),
)
