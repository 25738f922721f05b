"""Check that a label (a shortcut's name and description) states a purpose and is unique."""

from prompts.checks import Check, Examine, Finding, dropped, passing
from prompts.language.words import STOPWORDS, plain, word_set
from prompts.subject import Subject

EMPTY = STOPWORDS | word_set(
    "shortcut shortcuts automation automations app application tool utility helper script workflow "
    "action actions name title description untitled unnamed unknown none null na placeholder "
    "example sample test tbd todo lorem ipsum string value text category various several number "
    "different general generic useful helpful handy simple practical nice great perform performs "
    "performing do does doing something thing things stuff task tasks daily everyday user users "
    "person people help helps helping allow allows lets available one it's moment phone device "
    "automate automates set of series many variety run runs work works life easier make makes "
    "every day easy step steps have don don't"
)
_NO_NAMES = word_set("shortcut automation workflow untitled unnamed app utility")
LEAST = 2
"""Minimum number of words in a description that are not placeholders or stop words."""


def examine(subject: Subject) -> Finding:
    """Drops labels whose words would fit any shortcut, and labels that another shortcut has.

    A label is the name and description that a model gives a shortcut.
    """
    # A run uses `comparison`; a single label has no earlier label that it could repeat.
    return _comparison()(subject)


def _comparison() -> Examine:
    """Return a function that examines labels in order and drops those that occurred before."""
    seen: dict[str, str] = {}

    def examine_next(subject: Subject) -> Finding:
        label = plain(subject.text)
        name, _, description = subject.text.partition(": ")
        if description and name.lower() in _NO_NAMES:
            return dropped("placeholder_label", f"the name is {name!r}")
        telling = set(plain(description or subject.text).split()) - EMPTY
        if len(telling) < LEAST:
            return dropped("placeholder_label", f"says nothing but {sorted(telling)}")
        earlier = seen.setdefault(label, subject.query_id)
        if earlier != subject.query_id:
            return dropped("equal_label", f"the label of {earlier}")
        return passing(f"{len(telling)} telling words")

    return examine_next


CHECK = Check(
    name="placeholder_label",
    kinds=frozenset({"category"}),
    explains={
        "equal_label": "Another shortcut has the same label.",
        "placeholder_label": "The label says nothing about the shortcut.",
    },
    examine=examine,
    comparison=_comparison,
)
