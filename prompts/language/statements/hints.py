"""Derive what values to expect for a parameter from its name, label and description."""

import re
from functools import lru_cache

import msgspec

from prompts.language.statements.items import folded
from prompts.language.statements.units import Unit, takes_any_unit, units_expected
from prompts.language.words import plain, title_words
from prompts.subject import Value

_COUNTED = re.compile(
    r"\b(?:number|num|no|count) of\b|^(?:number|num|count)\b.|\bcount$|\bhow many\b|\bsize\b"
)
_GROUPS = {
    "people": (
        "people person guest adult passenger traveler traveller rider us friend kid child "
        "children man woman men women colleague member ticket seat spot pax attendee party "
        "group family folk individual chair buddy student senior visitor"
    ),
    "rooms": "room",
    "beds": "bedroom bed br",
    "baths": "bath bathroom",
    "bags": "bag luggage suitcase baggage",
    "stops": "stop layover stopover transfers connection",
    "stars": "star",
    "tables": "table",
    "ways": "way",
    "rows": "row",
    "pages": "page sheet",
    "times": "times repetition rep repeat",
}
_GROUP_OF = {word: group for group, words in _GROUPS.items() for word in words.split()}
_EMPTY = {
    "number", "num", "of", "the", "count", "total", "to", "for", "in", "a", "an", "how", "many",
    "and", "or", "is", "this", "that", "with", "by", "no", "on", "at", "wf",
}  # fmt: skip

_BARE = {"number", "value"}
_HOLDING = {*_BARE, "wf", "action", "field", "input", "result"}


class Hints(msgspec.Struct, frozen=True):
    """The values to expect for a parameter.

    `words` are the words about the parameter, and `groups` name the kinds of things that it counts.
    `counts` is True if the value is a number of things, and `year` if it is a year. `units` are the
    units in which it may be measured. `anything` is True if any unit is possible, because the
    parameter is only described as a number.
    """

    words: frozenset[str]
    groups: frozenset[str]
    units: tuple[Unit, ...]
    counts: bool
    anything: bool
    year: bool

    def of(self, group: str) -> bool:
        """Whether the parameter counts things of a group, such as people, rooms or stops."""
        return group in self.groups

    def names(self, word: str) -> bool:
        """Whether a word names the things that the parameter counts."""
        single = singular(word)
        if single in _EMPTY:
            return False
        return single in self.words or _GROUP_OF.get(single, "-") in self.groups

    def contradicts(self, noun: str) -> bool:
        """Whether the noun after a number belongs to another group than the parameter counts."""
        groups = groups_of(noun.split())
        return bool(groups) and not (groups & self.groups)

    def is_unrelated(self, noun: str) -> bool:
        """Whether the noun after a number contains no word about the parameter.

        If so, a number without a unit counts something else.
        """
        return bool(noun) and not any(singular(word) in self.words for word in noun.split())


def singular(word: str) -> str:
    """Return an English word without its plural ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def groups_of(words: list[str]) -> frozenset[str]:
    """Return the groups of things that the words name, such as people, rooms or stops."""
    # "Transfers" are changes of trains, a "transfer" is money sent.
    groups = {_GROUP_OF.get(word) or _GROUP_OF.get(singular(word), "") for word in words} - {""}
    # "bed rooms" are bedrooms, a "double room" is a room.
    return frozenset(groups)


@lru_cache(maxsize=4096)
def hints_of(entry: Value) -> Hints:
    """Derive what values to expect for a parameter from its name and label.

    The parameter's description is used for units and groups only if name and label reveal none.
    """
    name, label = entry.name, entry.label
    name_text = " ".join((plain(label), title_words(name))).strip()
    words = folded(name_text).split()
    units, groups = units_expected(words), groups_of(words)
    about_words = folded(plain(entry.about)).split()
    if not units and not groups:
        units, groups = units_expected(about_words), groups_of(about_words)
        words = [*words, *about_words]
    kinds = {unit.measures for unit in units if not unit.size}
    exact = [unit for unit in units_expected(about_words) if unit.size and unit.measures in kinds]
    # A `stay_length` is a time; only its description says that the unit is days.
    exact_measures = {unit.measures for unit in exact}
    units = (*exact, *(unit for unit in units if unit.size or unit.measures not in exact_measures))
    # A value that is only called "number" is no count of things.
    bare = plain(label) in _BARE and set(words) <= _HOLDING
    counted = title_words(name) if plain(label) == "number" else name_text
    counts = bool(_COUNTED.search(counted) or (not units and groups)
                  or (not name_text and _COUNTED.search(" ".join(about_words))))  # fmt: skip
    rest = [word for word in words if word not in _EMPTY]
    if counts and units and not groups and all(unit.size == 0 for unit in units):
        units = ()
    return Hints(
        frozenset(singular(word) for word in words),
        groups if counts else frozenset(),
        units,
        counts and bool(rest) and not units,
        not units and not groups and (bare or takes_any_unit(rest)),
        "year" in words,
    )
