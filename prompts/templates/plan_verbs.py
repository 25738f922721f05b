"""What a call does, as the middle of a request: its description, shortened and said by the user.

Descriptions speak of the parameters ("for a given date") and of "the user"; both go, since the
values are said beside it and the user is the one who speaks.
"""

import re

from prompts.inputs.planning_paths import PlannedCall
from prompts.language.values import plain, title_words

MOST_WORDS = 9
_ALWAYS = ["by", "based", "using", "matching", "according", "depending", "between", "via"]
_SOMETIMES = ["for", "at", "in", "on", "to", "with", "from", "of", "that", "which", "happening"]
_ABOUT_PARAMETERS_TEXT = (
    "given certain particular selected specified chosen specific desired preferred user user's "
    "your choice destination location city date dates place area another one someone optional "
    "which contact friends any set you"
)
_ABOUT_PARAMETERS = frozenset(_ABOUT_PARAMETERS_TEXT.split())
_WINDOW = 4
_LOOSE_ENDS = frozenset({"and", "or", "optionally", "happening"})
_LOOSE = re.compile(
    r" and (?:dates?|times?|locations?|places?)$|"
    r" on (?:the|an?|my|some) (?:[\w-]+ )?(?:device|speaker|player)$"
)
"""What is said with the values, or not at all: "on the device" where none is named."""
_MASS_TEXT = "money weather music payment location balance accommodation information me it out"
_MASS = frozenset(_MASS_TEXT.split())
_DROPPED = frozenset({"selected", "given", "specified", "chosen", "desired"})
_MINE = (
    (re.compile(r"\b(?:the )?user has\b", re.IGNORECASE), "I have"),
    (re.compile(r"\banother user's\b", re.IGNORECASE), "somebody else's"),
    (re.compile(r"\banother user\b", re.IGNORECASE), "somebody else"),
    (re.compile(r"\b(?:the |an? )?user's\b|\b(?:the )?users'|\byour\b", re.IGNORECASE), "my"),
    (re.compile(r"\b(?:the|an?) user\b", re.IGNORECASE), "me"),
)
_WORD = re.compile(r"[\w'\u2019-]+")
_NO_ORDER = frozenset(
    {"a", "an", "the", "this", "these", "it", "api", "returns", "used", "whether"}
)
_SPOKEN_S = re.compile(r"(?:ss|us|is)$")
_FOR_ME = (
    (re.compile(r"^(?:watch|listen to) "), "play "),
    (re.compile(r"^find out (?!how|if|wh|about)"), "find "),
)
"""What the user does and the assistant cannot, and what is found out only of facts."""


def does(call: PlannedCall) -> str:
    """An order without values ("find a hotel"): from the description, else the title or name."""
    for text in (call.description, call.title):
        head = _head(text)
        if head:
            return head
    return _head(title_words(call.api)) or title_words(call.api) or "do this"


def _head(text: str) -> str:
    clause = re.split(r"[,.;:(\n]| - ", text.strip(), maxsplit=1)[0]
    for pattern, mine in _MINE:
        clause = pattern.sub(mine, clause)
    words = clause.split()
    kept: list[str] = []
    for place, word in enumerate(words):
        bare = plain(word)
        after = {one.casefold() for one in words[place + 1 : place + 1 + _WINDOW]}
        if place > 1 and bare in _ALWAYS:
            break
        if (
            place > 1
            and bare in _SOMETIMES
            and (after & _ABOUT_PARAMETERS or place == len(words) - 1)
        ):
            break
        if bare not in _DROPPED:
            kept.append(word)
    while kept and plain(kept[-1]) in _LOOSE_ENDS:
        kept.pop()
    if not 2 <= len(kept) <= MOST_WORDS or plain(kept[0]) in _NO_ORDER:
        return ""
    if not all(_WORD.search(word) for word in kept):
        return ""
    if len(kept) == 2 and not kept[1].endswith("s") and plain(kept[1]) not in _MASS:
        kept.insert(1, "an" if kept[1][:1] in "aeiou" else "a")
    order = " ".join([_order(kept[0]), *kept[1:]])
    for pattern, mine in _FOR_ME:
        order = pattern.sub(mine, order)
    return _LOOSE.sub("", order)


def _order(verb: str) -> str:
    """The order of a verb: "Reserves" is "reserve", "Searches" is "search"."""
    word = verb.casefold()
    if not word.endswith("s") or _SPOKEN_S.search(word):
        return word
    return word[:-2] if word.endswith(("shes", "ches", "sses", "xes")) else word[:-1]
