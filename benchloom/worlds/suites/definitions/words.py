"""Split the names in definitions into words, and find the nouns of an app's entities."""

import re
from functools import lru_cache

from benchloom.core.records import ApiDefinition

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PREFIXES = frozenset({"wf", "ttr", "in", "fi", "doc", "mp", "sp", "sj", "mk", "ek", "nprf"})
"""Prefixes in the type names of certain apps."""
_SUFFIXES = (
    ("app", "entity"),
    ("content", "item"),
    ("substitutable", "state"),
    ("parameter", "state"),
    ("picker", "parameter"),
    ("entity",),
    ("reference",),
    ("intent",),
)
_VERSION = re.compile(r"[_-]v?[0-9]+$")
_PREPOSITION = re.compile(
    r" (?:in|on|to|via|with|from|for|using|as|of|at|over|and) .*", re.DOTALL | re.IGNORECASE
)
_PLURAL = re.compile(r"(?<=[a-z])(?<![isu])s$|(?<=ss)es$|(?<=x)es$|(?<=ch)es$")


@lru_cache(maxsize=20_000)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, equal for `isPinned` and `Is Pinned`."""
    return tuple(word.lower() for word in _WORD.findall(name))


def own_name(definition: ApiDefinition) -> str:
    """Return the name of an API without the name of its app."""
    return definition.api.removeprefix(f"{definition.app}.") if definition.app else definition.api


@lru_cache(maxsize=20_000)
def noun_of_type(kind: str) -> str:
    """Return the noun of an entity's type, such as reminder for `TTRReminderAppEntity`."""
    bare = _VERSION.sub("", kind.rpartition(".")[2])
    words = list(words_of(bare))
    while len(words) > 1 and words[0] in _PREFIXES:
        del words[0]
    for suffix in _SUFFIXES:
        if len(words) > len(suffix) and tuple(words[-len(suffix) :]) == suffix:
            del words[-len(suffix) :]
    return singular(" ".join(words) or kind)


def singular(phrase: str) -> str:
    """Return a phrase whose last word is in the singular."""
    if phrase.endswith("ies"):
        return f"{phrase[:-3]}y"
    return _PLURAL.sub("", phrase)


def subject_of(title: str) -> str:
    """Return the title of an API without its first word, the verb."""
    return title.partition(" ")[2].strip()


def noun_of_title(title: str) -> str:
    """Return the object of a title's verb, such as reminder for `Add Reminder via Post`."""
    phrase = _PREPOSITION.sub("", f" {subject_of(title)}").strip().lower()
    return singular(phrase.removeprefix("a ").removeprefix("new "))
