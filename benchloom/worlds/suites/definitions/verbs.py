"""Classify APIs by a verb: create, find, update, delete, toggle or run.

The structure of a definition decides first. An API with a query of entities has the verb find;
an API whose name ends in `-UpdatableEntity` has the verb update or toggle. Otherwise the first word
of the title decides, or else a word in the name of the API.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from benchloom.core.records import ApiDefinition, Parameter
from benchloom.worlds.suites.definitions.words import own_name, words_of

Verb: TypeAlias = Literal["create", "find", "update", "delete", "toggle", "run"]
QUERY = "Query<"
"""The prefix in the types of parameters that select entities by a part of their name."""
_UPDATES_ENTITY = "-UpdatableEntity"
_WORDS: Mapping[Verb, str] = {
    "create": "add create new save compose",
    "find": "find get list fetch filter",
    "update": "update set edit change rename move append modify",
    "delete": "delete remove erase clear trash",
    "toggle": "toggle turn enable disable mute unmute",
    "run": (
        "activate begin buy call close connect dial dictate disconnect email end go join launch "
        "open pause pay ping play post print quick record request resume reveal run say scan see "
        "search seek send share show skip speak start stop transfer tweet upload vibrate view visit"
    ),
}
VERBS: Mapping[str, Verb] = {
    word: verb for verb, listed in _WORDS.items() for word in listed.split()
}
_SYSTEM = frozenset({"IntentAppDefinition", "OpenInApp", "IntentAppIdentifier"})
_SYNTHESISED = "WhenRun"
_OPERATION = frozenset({"operation", "mode"})
_SWITCHED = frozenset({'"on"', '"off"'})
_PUT_ASIDE = re.compile(r" from |^remove .* in ")
"""Titles of APIs that remove something from a thing, but do not delete the thing."""
_CONTENT_KINDS = frozenset({"enum", "object", "primitive"})
_CONTENT = frozenset({"input", "image", "html", "gif", "media"})


def is_system(parameter: Parameter) -> bool:
    """Whether the system adds a parameter to an API, to control how the result is shown."""
    return (
        parameter.name in _SYSTEM
        or parameter.name.endswith(_SYNTHESISED)
        or parameter.name.startswith(("WFContentItem", "WFCompound"))
    )


def own_parameters(definition: ApiDefinition) -> tuple[Parameter, ...]:
    """Return the visible parameters that the app itself declares."""
    return tuple(p for p in definition.parameters if not is_system(p) and not p.hidden)


def is_switch(parameter: Parameter) -> bool:
    """Whether a parameter can only be on or off."""
    if parameter.multiple:
        return False
    return parameter.type == "Boolean" or (
        parameter.type_kind == "enum" and parameter.default in _SWITCHED
    )


def is_operation(parameter: Parameter) -> bool:
    """Whether a parameter chooses between setting a value and toggling it."""
    return parameter.type_kind == "enum" and parameter.name.casefold() in _OPERATION


def verb_of(definition: ApiDefinition) -> Verb | None:
    """Return the verb of an API, or None if the definition does not show what the API does."""
    if any(parameter.type.startswith(QUERY) for parameter in definition.parameters):
        return "find"
    if own_name(definition).endswith(_UPDATES_ENTITY):
        return _setting(definition)
    title = (definition.title or "").casefold()
    if "widget" in title:
        return None
    if title.startswith("show/hide"):
        return "toggle"
    verb = next(_verbs_in(definition), None)
    match verb:
        case "update":
            return _setting(definition)
        case "create":
            return _creation(definition)
        case "delete":
            return "update" if _PUT_ASIDE.search(title) else "delete"
        case "find":
            return None if takes_content(definition) else "find"
        case _:
            return verb


def _verbs_in(definition: ApiDefinition) -> Iterator[Verb]:
    """Yield the verbs that the first word of the title and the words of the name stand for."""
    for word in (*words_of(definition.title or "")[:1], *words_of(own_name(definition))):
        if word in VERBS:
            yield VERBS[word]


def _setting(definition: ApiDefinition) -> Verb:
    """Return `toggle` for an API whose only value is on or off, else `update`."""
    values = [
        parameter
        for parameter in own_parameters(definition)
        if parameter.type_kind != "entity" and not is_operation(parameter)
    ]
    return "toggle" if len(values) == 1 and is_switch(values[0]) else "update"


def _creation(definition: ApiDefinition) -> Verb:
    """Return `update` for an API that only puts entities into other entities, else `create`."""
    parameters = own_parameters(definition)
    are_entities = [parameter.type_kind == "entity" for parameter in parameters]
    return "update" if len(parameters) > 1 and all(are_entities) else "create"


def takes_content(definition: ApiDefinition) -> bool:
    """Whether an API takes content from another action, such as an image or a file."""
    return any(
        parameter.type_kind == "file"
        or (
            not _CONTENT.isdisjoint(words_of(parameter.name))
            and parameter.type_kind in _CONTENT_KINDS
        )
        for parameter in own_parameters(definition)
    )
