"""Find names in a text and the words beside them, and compare who gives and who receives."""

import re

import msgspec

WORD = re.compile(r"[^\W\d_][\w'-]*")
QUOTED = re.compile(r'"([^"\n]*)"')
HEAD = re.compile(r"\b([a-z]+)(?: (?:of|is)(?: the)?)? $")
"""Matches the word before a name, as `bill` in `the bill of Ada`."""
FOLLOWERS = re.compile(r"(?:'s)?\"? ([^\W\d_][\w'-]*)(?: ([^\W\d_][\w'-]*))?")
"""Matches one or two words after a name."""
_PREPOSITION = r"(?:from|to|at|in|on|under|of|with|for|by)\b"
_PLACE = re.compile(
    rf"\b(from|to|at|in|on|under) (?:the (?:(?!{_PREPOSITION})[a-z]+ ){{0,2}})?\"?$"
)
_LEAVES = re.compile(r"\b(?:leav(?:es?|ing)|departs?|departing) (?:the )?$")
_REACHES = re.compile(
    r"\b(?:(?:arriv(?:es?|ing)|lands?|landing|pulls?) (?:in|at|to)"
    r"|reach(?:es|ing)?) (?:the )?$"
)
WINDOW = 40
"""The number of characters before a name that are searched for its neighbouring word."""
_NAMES = re.compile(
    r"\"(?P<quoted>[^\"\n]{1,80})\""
    r"|(?<![\w'])[^\W\d_a-z][\w'-]*(?: (?:[^\W\d_a-z][\w'-]*|of(?= [A-Z])))*"
)
_PART = re.compile(r"[^\W\d_][\w']*")
_OPENING = re.compile(r"(?:^|[.!?\n])[^\w.!?:\n]{0,3}$")
_NO_NAMES_TEXT = """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december mon tue wed thu fri sat sun jan feb mar apr jun
    jul aug sept sep oct nov dec celsius fahrenheit kelvin i id pm am ok the a an it he
    she they you your his her their there this that these in on at for from to of by with and or but
    so no yes as what when where dr mr mrs ms"""
CLOSED = (
    frozenset({"low", "normal", "medium", "high", "urgent"}),
    frozenset({"savings", "checking"}),
    frozenset({"kitchen", "bedroom", "living room", "bathroom", "hall", "garden", "study"}),
    frozenset({"english", "german", "french", "spanish", "dutch", "italian", "danish"}),
)
"""Sets of words that exclude each other, such as low and high."""
NO_NAMES = frozenset(_NO_NAMES_TEXT.split())
"""Words that are often capitalised without being names."""


class Name(msgspec.Struct, frozen=True):
    """A name in a text, from `start` to `end`; `sequence` contains its words in lower case.

    `opens` is true if the name begins a sentence and is not in quotation marks. Its first word may
    then be an ordinary word that is capitalised only because it begins the sentence.
    """

    start: int
    end: int
    sequence: tuple[str, ...]
    opens: bool = False

    @property
    def words(self) -> frozenset[str]:
        """The words of the name, without their order."""
        return frozenset(self.sequence)

    def names(self, other: "Name") -> bool:
        """Whether this name may mean the same as another: one contains all words of the other."""
        return self.words <= other.words or other.words <= self.words


def unquoted(text: str) -> str:
    """Return a text of the same length in which quotations are blanked out."""
    return QUOTED.sub(lambda quoted: " " * len(quoted[0]), text)


def preposition_before(lower: str, start: int, end: int) -> str:
    """Return the preposition before a name, or "".

    The verb `leaves` counts as "from", and `arrives in` counts as "to".
    """
    start = max(start, end - WINDOW)
    if _LEAVES.search(lower, start, end):
        return "from"
    if _REACHES.search(lower, start, end):
        return "to"
    match = _PLACE.search(lower, start, end)
    return "" if match is None else match[1]


def names_in(text: str) -> list[Name]:
    """Return the names in a text, in order."""
    names = []
    for match in _NAMES.finditer(text):
        quoted = match["quoted"] is not None
        words = [
            (word.start(), word[0].lower().removesuffix("'s").rstrip("'"))
            for word in _PART.finditer(text, match.start(), match.end())
            if quoted or word[0].lower().partition("'")[0] not in NO_NAMES
        ]
        if words:
            start = match.start() if quoted else words[0][0]
            opens = not quoted and _OPENING.search(text, max(0, start - WINDOW), start) is not None
            names.append(Name(start, match.end(), tuple(word for _, word in words), opens))
    return names


_TAKES = "ask|want|request|charg|claim|demand|expect|receiv|got|collect"
_GIVES = "pay|paid|ow|send|sent|lend|lent|transfer|giv|gave"
_DEAL = re.compile(
    r"\b(?P<passive>(?:am|is|are|was|were|been|being|get|'re|'m) )?(?:last )?"
    rf"(?P<verb>(?:{_TAKES}|(?P<gives>{_GIVES}))(?:s|e|es|ed|ing|ting)?)\b"
)
_PARTICIPLE = re.compile(r"\w*(?:ed|paid|sent|lent)")


def swaps_giver(question: str, reply: str) -> bool:
    """Whether a reply swaps the question's giver and receiver: `you ask Ada` for `Ada asks me`."""
    gives = _user_gives(question, "i", "me"), _user_gives(reply, "you", "you")
    return None not in gives and gives[0] is not gives[1]


def _user_gives(clause: str, subject: str, target: str) -> bool | None:
    """Whether the user gives something in a clause, or None if nobody gives or receives.

    `subject` and `target` are the pronouns for the user as subject and as object.
    """
    for match in _DEAL.finditer(clause):
        before = re.search(rf"\b{subject}\b", clause[: match.start()])
        after = re.search(rf"\b{target}\b", clause[match.end() :])
        if before is not None or after is not None:
            passive = match["passive"] is not None and _PARTICIPLE.fullmatch(match["verb"])
            user_acts = (before is not None) is not bool(passive)
            return user_acts is (match["gives"] is not None)
    return None
