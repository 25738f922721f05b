"""Names that a text mentions: quotations and runs of capitalised words."""

import re

import msgspec

WORD = re.compile(r"[^\W\d_][\w'-]*")
_NAMES = re.compile(
    r"\"(?P<quoted>[^\"\n]{1,80})\""
    r"|(?<![\w'])[^\W\d_a-z][\w'-]*(?: (?:[^\W\d_a-z][\w'-]*|of(?= [A-Z])))*"
)
_OPENING = re.compile(r"(?:^|[.!?\n])[^\w.!?:\n]{0,3}$")
_NO_NAMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december mon tue wed thu fri sat sun celsius
    fahrenheit kelvin i i'm i've i'll pm am ok the a an it he she they you your his her their there
    this that these in on at for from to of by with and or but so no yes as what when where""".split()
)


class Name(msgspec.Struct, frozen=True):
    """A name from `start` to `end`, its words in small letters.

    `opens` where it begins a sentence without quotes, so its first word may be a plain one.
    """

    start: int
    end: int
    said: tuple[str, ...]
    opens: bool = False

    @property
    def words(self) -> frozenset[str]:
        """The set of its words."""
        return frozenset(self.said)

    def names(self, other: "Name") -> bool:
        """Whether this may name the same as another one: in full, shortened or lengthened."""
        if self.words <= other.words or other.words <= self.words:
            return True
        rest = frozenset(self.said[1:])
        return self.opens and other.said[0] in rest and rest <= other.words


def names_in(text: str) -> list[Name]:
    """The names of a text, in order."""
    found = []
    for match in _NAMES.finditer(text):
        quoted = match["quoted"]
        words = [word.lower().removesuffix("'s") for word in WORD.findall(quoted or match[0])]
        if quoted is None:
            words = [word for word in words if word not in _NO_NAMES]
        if words:
            opens = quoted is None and _OPENING.search(text, 0, match.start()) is not None
            found.append(Name(match.start(), match.end(), tuple(words), opens))
    return found
