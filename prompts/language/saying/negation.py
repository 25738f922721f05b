"""Decides whether a text rejects what it mentions: "not on Monday", "anything but Thai"."""

from collections.abc import Sequence

from prompts.language.saying.items import Item
from prompts.language.words import word_set

NEGATORS = word_set(
    "not no never without except excluding isn't aren't don't doesn't won't can't cannot needn't "
    "wouldn't shouldn't dont avoid nor didn't wasn't neither minus skip mustn't"
)
_PAIRS = {
    ("rather", "than"), ("instead", "of"), ("other", "than"), ("anything", "but"),
    ("everything", "but"), ("anywhere", "but"), ("except", "for"), ("any", "but"),
    ("opposed", "to"), ("anybody", "but"), ("day", "but"),
}  # fmt: skip
_FILLERS = word_set(
    "the a an on in at for to any want be it my of from need like have by go book take prefer "
    "necessarily really with another some this that use very too so"
)
_BEFORE_NOT = {"why", "if", "whether", "or", "only"}
_REACH = 4


def not_yet(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether the text says that the time in these items has not come yet.

    "not seven in the morning yet" means that it is before seven.
    """
    around = [*items[max(0, start - 1) : start], *items[end : end + _REACH]]
    return any(item.word == "yet" for item in around)


def negated(items: Sequence[Item], start: int) -> bool:
    """Whether the text negates or rejects the phrase that begins at item `start`."""
    j = start - 1
    while j >= max(0, start - _REACH):
        word = items[j].word
        if j and (items[j - 1].word, word) in _PAIRS:
            return True
        if word in NEGATORS:
            return not (j and items[j - 1].word in _BEFORE_NOT)
        if word not in _FILLERS:
            return False
        j -= 1
    return False
