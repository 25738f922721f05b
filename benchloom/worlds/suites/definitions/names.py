"""Find the parameter of an API that names the entity that it creates or changes."""

from collections.abc import Sequence

from benchloom.core.records import Parameter
from benchloom.worlds.suites.definitions.words import words_of

_NAMES = frozenset({"name", "title"})
"""Last words of a parameter that names its entity."""
_THINGS = frozenset({"event", "item", "label", "note", "reminder", "task"})
"""Titles of a first parameter that is the name of a new entity."""
_SPOKEN_TITLES = frozenset({"", "content", "message", "note", "text"})
_GENERAL_TITLES = frozenset({"", "item", "text", "value"})
_PARTS_OF_NAMES = frozenset(["family", "first", "given", "last", "middle", "prefix", "suffix"])
_TEXTS = frozenset({"String", "AttributedString"})


def naming_of_new(properties: Sequence[Parameter], noun: str) -> str:
    """Return the parameter that names a new entity, by default the only text parameter."""
    return naming_of(properties, noun) or _entity_parameter(properties) or _only_text(properties)


def naming_of(properties: Sequence[Parameter], noun: str) -> str:
    """Return the parameter with an entity's name, recognised by its own name or the noun.

    Required parameters come first, then short names.
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
