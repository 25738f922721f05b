"""Derive from the definition of an API how a call reads or changes the tables of the app.

The result is a `Method`. The entities of an app are the types of things that its APIs find, create
or change. Each entity has a noun, such as note, and a table. If an API declares no type of entity,
the noun is taken from its title. An entity that no parameter selects, such as a setting, has a
table with a single row.
"""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from benchloom.core.plain_words import WORD
from benchloom.core.records import ApiDefinition, Parameter, Return
from benchloom.worlds.suites.definitions.seeds import SEARCHED
from benchloom.worlds.suites.definitions.verbs import (
    QUERY,
    Verb,
    is_operation,
    own_parameters,
    takes_content,
    verb_of,
)
from benchloom.worlds.suites.definitions.words import (
    is_text,
    naming_of,
    naming_of_new,
    noun_of_title,
    noun_of_type,
    singular,
    subject_of,
    words_of,
)

_PLAIN_OBJECTS = frozenset(
    WORD.findall(
        "Any App Array AttributedString Color CurrencyAmount Dictionary File MediaRoute Object "
        "Person Placemark RecurrenceRule Shortcut WFContentItem"
    )
)
_TARGETS = frozenset({"target", "entity", "entities", "targets"})
STUBS: Mapping[str, str] = {
    "no_entity": "the definition does not show on what the API acts",
    "no_property": "the definition declares no value that the API could set",
    "no_result": "the definition declares no result of the API",
    "unclear_choice": "the definition does not show which entities the API selects",
    "unclear_verb": "neither structure nor name of the API shows its effect",
}
"""The reasons why an API is a stub, whose calls are recorded but have no other effect."""


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """An API as an operation on the table of an entity, such as notes.

    Args:
        definition: the definition of the API.
        verb: the kind of operation, or None if the definition does not show the kind.
        entity: the noun of the entity, or "".
        target: the name of the parameter that selects rows, or "" if no parameter selects rows.
        properties: the parameters whose values are stored in a row.
        naming: the name of the parameter that contains the name of an entity, or "".
        stub: a key of `STUBS`, or "" if the API has an effect or a result.
    """

    definition: ApiDefinition
    verb: Verb | None = None
    entity: str = ""
    target: str = ""
    properties: tuple[Parameter, ...] = ()
    naming: str = ""
    stub: str = ""


def methods_of(definitions: Iterable[ApiDefinition]) -> tuple[Method, ...]:
    """Derive a method from the definition of each API of an app, in the same order."""
    methods = [_method(definition) for definition in definitions]
    settable = {method.entity for method in methods if method.verb in {"update", "toggle"}}
    selectable = {method.entity for method in methods if method.target or method.verb == "create"}
    return tuple(_method_or_stub(method, settable, selectable) for method in methods)


def _method_or_stub(method: Method, settable: set[str], selectable: set[str]) -> Method:
    """Return a method, as a stub if the app's other methods show that its effect is unclear.

    Calls of a stub are recorded, but have no other effect. `settable` has the nouns of entities
    that a method changes; `selectable` has the nouns of entities that a method creates or selects
    by a parameter.
    """
    if method.verb == "find" and _is_of_title(method) and method.entity not in settable:
        return replace(method, stub="no_entity")
    if method.verb in {"find", "toggle", "update"} and not (method.target or method.stub):
        lists = any(result.multiple for result in method.definition.returns)
        if method.entity in selectable and not lists:
            return replace(method, stub="unclear_choice")
    return method


def entity_of(parameter: Parameter | Return) -> str:
    """Return the noun of the entity that a parameter or result contains, or "" if none."""
    kind = parameter.type.removeprefix(QUERY).removesuffix(">")
    if "|" in kind or kind in _PLAIN_OBJECTS or parameter.type_kind not in {"entity", "object"}:
        return ""
    return noun_of_type(kind)


def is_query(parameter: Parameter) -> bool:
    """Whether a parameter selects entities by a part of their name."""
    return parameter.type.startswith(QUERY)


def _method(definition: ApiDefinition) -> Method:
    verb = verb_of(definition)
    method = Method(definition=definition, verb=verb)
    match verb:
        case None:
            return replace(method, stub="unclear_verb")
        case "create":
            return _creating(method)
        case "find":
            return _finding(method)
        case "delete":
            return _deleting(method)
        case "run":
            return replace(method, **_target_fields(_target(definition, "")))
        case "update" | "toggle":
            return _setting(method)


def _creating(method: Method) -> Method:
    definition = method.definition
    results = [entity for result in definition.returns if (entity := entity_of(result))]
    properties = own_parameters(definition)
    entity = results[0] if results else noun_of_title(definition.title or "")
    if not entity:
        return replace(method, stub="no_entity")
    adds = words_of(definition.title or "")[:1] in {("add",), ("save",)}
    if adds and any(_is_about(p, entity) for p in properties):
        # The API changes existing rows: the article that it saves, the reminder that it tags.
        return _setting(replace(method, verb="update"))
    if not properties and not results:
        return replace(method, stub="no_property")
    naming = naming_of_new(properties, entity)
    return replace(method, entity=entity, properties=properties, naming=naming)


def _finding(method: Method) -> Method:
    definition = method.definition
    query = next((p for p in definition.parameters if is_query(p)), None)
    if query is not None:
        kind = query.type.removeprefix(QUERY).removesuffix(">")
        # A hidden query selects no row, so the table has a single row.
        target = "" if query.hidden else query.name
        return replace(method, entity=noun_of_type(kind), target=target)
    if not definition.returns:
        return replace(method, stub="no_result")
    result = definition.returns[0]
    parameters = own_parameters(definition)
    entity = entity_of(result)
    if not entity:
        of_title = subject_of(definition.title or "").lower()
        if parameters or not of_title or result.multiple:
            return replace(method, stub="no_entity")
        return replace(method, entity=of_title)
    if not parameters and result.multiple:
        return replace(method, entity=entity)
    chooses = [p for p in parameters if entity_of(p) == entity or _is_searched(p)]
    if len(parameters) == 1 and chooses:
        return replace(method, entity=entity, target=parameters[0].name)
    return replace(method, stub="unclear_choice")


def _deleting(method: Method) -> Method:
    target = _target(method.definition, "")
    if target is None:
        return replace(method, stub="no_entity")
    if not _is_in_title(target, method.definition):
        return replace(method, stub="unclear_choice")
    return replace(method, **_target_fields(target))


def _setting(method: Method) -> Method:
    definition = method.definition
    results = [entity for result in definition.returns if (entity := entity_of(result))]
    hidden = next((p for p in definition.parameters if p.hidden and entity_of(p)), None)
    target = None if hidden else _target(definition, results[0] if results else "")
    properties = tuple(
        p for p in own_parameters(definition) if p is not target and not is_operation(p)
    )
    if target is not None and not properties and _is_value(target, definition):
        # In Set Default Card, the title names the setting, and the card is its value.
        properties, target = (target,), None
    if not properties or " from " in (definition.title or "").casefold():
        return replace(method, stub="no_property")
    if target is not None and not _is_in_title(target, definition):
        return replace(method, stub="unclear_choice")
    if target is not None:
        naming = naming_of(properties, entity_of(target))
        return replace(method, properties=properties, naming=naming, **_target_fields(target))
    entity = entity_of(hidden) if hidden else subject_of(definition.title or "").lower()
    if entity in {entity_of(p) for p in properties}:
        entity = f"chosen {entity}"
    if not entity:
        return replace(method, stub="no_entity")
    lists = any(result.multiple for result in definition.returns)
    if not hidden and (lists or takes_content(definition)):
        return replace(method, stub="unclear_choice")
    return replace(method, entity=entity, properties=properties)


def _target(definition: ApiDefinition, entity: str) -> Parameter | None:
    """Return the parameter that selects the entity on which an API acts.

    Of the parameters that contain an entity, it is the first with the noun `entity`, or else the
    first with a general name, such as `target`, or else the first.
    """
    entities = [p for p in own_parameters(definition) if entity_of(p)]
    ordered = [
        *(p for p in entities if entity and entity_of(p) == entity),
        *(p for p in entities if p.name in _TARGETS),
        *entities,
    ]
    return ordered[0] if ordered else None


def _is_value(parameter: Parameter, definition: ApiDefinition) -> bool:
    """Whether a parameter is the new value of a setting, as the card in `Set Default Card`."""
    words = words_of(definition.title or "")
    nouns = {entity_of(parameter).split()[-1], *words_of(parameter.title or "")[-1:]}
    return words[:1] == ("set",) and len(words) > 2 and words[-1] in nouns


def _is_about(parameter: Parameter, entity: str) -> bool:
    noun = entity_of(parameter)
    return bool(noun) and entity in {noun, singular((parameter.title or "").lower())}


def _is_in_title(target: Parameter, definition: ApiDefinition) -> bool:
    """Whether an API acts on the entity that `target` selects, and not on a part of the entity.

    For example, an API that selects a server may act on files of the server. An API acts on the
    entity if the title contains the noun of `target`, or `target` has a general name.
    """
    title = {singular(word) for word in words_of(definition.title or "")}
    nouns = {*entity_of(target).split(), *map(singular, words_of(target.title or ""))}
    return target.name in _TARGETS or not title.isdisjoint(nouns)


def _target_fields(target: Parameter | None) -> dict[str, str]:
    return {} if target is None else {"entity": entity_of(target), "target": target.name}


def _is_searched(parameter: Parameter) -> bool:
    return is_text(parameter) and not SEARCHED.isdisjoint(words_of(parameter.name))


def _is_of_title(method: Method) -> bool:
    """Whether the entity of an API is known only by the title, and not by a declared type."""
    returns = method.definition.returns
    queries = any(is_query(p) for p in method.definition.parameters)
    return not method.stub and not queries and not any(entity_of(result) for result in returns)
