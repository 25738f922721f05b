"""Split the names in definitions into words, and find the nouns and names of an app's entities."""

import re
from collections.abc import Sequence
from functools import lru_cache

from benchloom.core.records import ApiDefinition, Parameter

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PREFIXES = frozenset({"wf", "ttr", "in", "fi", "doc", "mp", "sp", "sj", "mk", "ek", "nprf"})
"""Prefixes that certain apps use in the names of their types."""
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
_NAMES = frozenset({"name", "title"})
"""Last words in the title of a parameter that contains the name of an entity."""
_THINGS = frozenset({"event", "item", "label", "note", "reminder", "task"})
"""Titles of a first parameter that contains the name of a new entity."""
_SPOKEN_TITLES = frozenset({"", "content", "message", "note", "text"})
_GENERAL_TITLES = frozenset({"", "item", "text", "value"})
_PARTS_OF_NAMES = frozenset(["family", "first", "given", "last", "middle", "prefix", "suffix"])
_TEXTS = frozenset({"String", "AttributedString"})


@lru_cache(maxsize=20_000)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case; `isPinned` and `Is Pinned` have the same words."""
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


def naming_of_new(properties: Sequence[Parameter], noun: str) -> str:
    """Return the name of the parameter that contains the name of a new entity, or "".

    If neither the titles nor the names of the parameters show which parameter this is, it is the
    first parameter if its title is general, such as Note, or else the only parameter that takes a
    text.
    """
    return naming_of(properties, noun) or _entity_parameter(properties) or _only_text(properties)


def naming_of(properties: Sequence[Parameter], noun: str) -> str:
    """Return the name of the parameter that contains an entity's name, or "".

    The title of the parameter ends in name, title, or the noun of the entity. If there are several,
    required parameters come first, then parameters with short names.
    """
    texts = [p for p in properties if is_text(p) and _names(p, noun)]
    texts.sort(key=lambda p: (p.optional is not False, len(words_of(p.name))))
    return texts[0].name if texts else ""


def _names(parameter: Parameter, noun: str) -> bool:
    title = (parameter.title or "").lower()
    words = words_of(parameter.name if title in _GENERAL_TITLES else title)
    if not _PARTS_OF_NAMES.isdisjoint(words_of(parameter.name)):
        return False
    return words[-1:] == words_of(noun)[-1:] or not _NAMES.isdisjoint(words[-1:])


def _entity_parameter(properties: Sequence[Parameter]) -> str:
    first = next(iter(properties), None)
    if first is None or not is_text(first):
        return ""
    return first.name if (first.title or "").lower() in _THINGS else ""


def _only_text(properties: Sequence[Parameter]) -> str:
    texts = [p for p in properties if is_text(p)]
    is_only = len(texts) == 1 and (texts[0].title or "").lower() in _SPOKEN_TITLES
    return texts[0].name if is_only else ""


def is_text(parameter: Parameter) -> bool:
    """Whether a parameter takes a single text."""
    return parameter.type in _TEXTS and not parameter.multiple
