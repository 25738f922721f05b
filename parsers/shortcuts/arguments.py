"""Classify arguments by their serialization and their tokens, and read the tokens.

A token is a reference to an output, a reference to a variable, or a need for input. Offsets and
lengths are UTF-16 units, as in the files; they come from keys like "{4, 1}".

Implicit inputs are revealed only by an API's definition. In files of early editors every action
received the output of the action before: an action whose definition requires input, but which has
none, takes that output. Later editors write the input down. In their files a missing input may
never have been chosen, so nothing is added.
"""

from collections.abc import Callable
from operator import itemgetter

import msgspec

from benchloom.core.built_in_actions import (
    ATTACHMENTS,
    LEGACY_INPUT,
    OUTPUT_NAME,
    OUTPUT_UUID,
    PARTS,
    PLACEHOLDER,
    SERIALIZATION,
    Mapping,
    input_kind,
    parse_range,
    part_of_output,
    split_location,
)
from benchloom.core.records import Action, ApiDefinition, Argument, Reference, Shortcut
from parsers.shortcuts.labels import Running, inputs_before, nearest

Site = tuple[Mapping, str]
"""A mapping with a token, and its location inside the argument."""


class Scope:
    """The values that an action can refer to: earlier outputs, variables, and loops around it.

    `definitions` maps each UUID to the indexes of the actions that have it.
    """

    def __init__(self, definitions: dict[str, list[int]]) -> None:
        self.definitions = definitions
        self.variables: dict[str, int] = {}
        self.running = Running()
        self.flags: set[str] = set()

    def producer(self, uuid: object, index: int) -> int | None:
        """Return the index of the action whose output a UUID in action `index` means, or None.

        If several actions have the UUID, it is the nearest earlier one or, if all are later, the
        first.
        """
        indices = self.definitions.get(uuid) if isinstance(uuid, str) else None
        if not indices:
            self.flags.add("dangling_reference")
            return None
        action_index = nearest(indices, index)
        if action_index >= index:
            self.flags.add("forward_reference")
        return action_index

    def setter(self, name: str) -> int | None:
        """Return the index of the action that sets a variable, or None if no action does.

        The result is the loop around this action if that loop sets the variable, or else the last
        earlier action that sets it.
        """
        of_loop, producer = self.running.loop(name)
        if producer is not None:
            return producer
        producer = self.variables.get(name)
        if of_loop and producer is None:
            self.flags.add("loop_variable_outside_loop")
        return producer


def read_tokens(
    sites: list[Site], index: int, scope: Scope
) -> tuple[tuple[Reference, ...], tuple[str, ...]]:
    """Return the references in the mappings of one argument, and the kinds of input it needs."""
    located_tokens: list[tuple[tuple[str, int, str], Reference | str]] = []
    for mapping, site_location in sites:
        location, span = (
            split_location(site_location) if ATTACHMENTS in site_location else (site_location, None)
        )
        token = _token(mapping, index, scope, location, span)
        if token is not None:
            located_tokens.append(((location, span[0] if span else -1, site_location), token))
    located_tokens.sort(key=itemgetter(0))
    references = tuple([token for _, token in located_tokens if type(token) is Reference])
    return references, tuple([token for _, token in located_tokens if type(token) is str])


def _token(
    mapping: Mapping, index: int, scope: Scope, location: str, span: tuple[int, int] | None
) -> Reference | str | None:
    token_type = mapping.get("Type")
    offset, length = span or (None, None)
    if OUTPUT_UUID in mapping and (token_type == "ActionOutput" or token_type is None):
        kind, name = "output", mapping.get(OUTPUT_NAME)
        producer = scope.producer(mapping[OUTPUT_UUID], index)
    elif token_type == "Variable":
        kind, name = "variable", mapping.get("VariableName")
        if not isinstance(name, str):
            return None  # a wrapper: the walk also meets the token inside it
        producer = scope.setter(name)
    elif token_type == LEGACY_INPUT:
        input_reference = scope.running.reference(location)
        path = part_of_output(mapping)
        return msgspec.structs.replace(input_reference, path=path, offset=offset, length=length)
    else:
        return input_kind(token_type)
    return Reference(
        kind,
        producer,
        name if isinstance(name, str) else None,
        part_of_output(mapping) if PARTS in mapping else "",
        location,
        offset,
        length,
    )


def has_placeholders(text: Mapping) -> bool:
    """Whether every range of a text's attachments points at the placeholder U+FFFC."""
    string, attachments = text.get("string"), text[ATTACHMENTS]
    if not isinstance(string, str) or not isinstance(attachments, dict):
        return not attachments
    units = string.encode("utf-16-le", "surrogatepass")
    for key in attachments:
        span = parse_range(key)
        if span is None or units[2 * span[0] : 2 * span[0] + 2] != PLACEHOLDER:
            return False
    return True


_WRAPPERS = frozenset(
    {
        "WFTokenAttachmentParameterState",
        "WFNumberSubstitutableState",
        "WFStringSubstitutableState",
        "WFTextTokenAttachment",
    }
)
_WRAPPED = range(16)
"""Nesting depth up to which wrappers around a token are removed."""


canonical_json: Callable[[object], bytes] = msgspec.json.Encoder(order="sorted").encode
"""Encodes a canonical value as JSON with sorted keys and without blanks."""


def read_argument(
    name: str, value: object, sites: list[Site], index: int, scope: Scope
) -> Argument:
    """Return the typed argument of a canonical value.

    `sites` are the mappings in the value that may be tokens.
    """
    encoded = canonical_json(value).decode()
    references, inputs = read_tokens(sites, index, scope)
    return Argument(name, _kind(value, scope), encoded, references, inputs)


def _kind(value: object, scope: Scope) -> str:
    for _ in _WRAPPED:
        if type(value) is not dict:
            return _plain(value)
        serialization = value.get(SERIALIZATION)
        if serialization == "WFTextTokenString":
            return _text_kind(value.get("Value"))
        if isinstance(serialization, str) and serialization in _WRAPPERS:
            if "Value" not in value:
                scope.flags.add("attachment_without_value")
                return "structure"
            value = value["Value"]
        elif "Variable" in value and value.get("Type") == "Variable":
            value = value["Variable"]
        else:
            return _token_kind(value)
    return "structure"


def _plain(value: object) -> str:
    return "structure" if type(value) is list else "literal"


def _text_kind(value: object) -> str:
    if isinstance(value, dict):
        if value.get(ATTACHMENTS):
            return "text"
        return "literal" if isinstance(value.get("string"), str) else "structure"
    return _plain(value)


def _token_kind(value: dict[str, object]) -> str:
    token_type = value.get("Type")
    if token_type == "ActionOutput" or (token_type is None and OUTPUT_UUID in value):
        return "reference"
    if token_type == "Variable":
        return "variable"
    if token_type == LEGACY_INPUT:
        return "reference"
    return "input" if input_kind(token_type) else "structure"


FIRST_EXPLICIT = 1000
"""First client version whose editor stores every input."""
Find = Callable[[str], ApiDefinition | None]
_MAX_DIGITS = 9


def with_implicit_inputs(shortcut: Shortcut, find: Find) -> tuple[Action, ...]:
    """Return the actions of a shortcut, with implicit inputs if an early editor wrote the shortcut.

    `find` returns the definition of an API.
    """
    if not _is_early(shortcut.client_version):
        return shortcut.actions
    explicit_actions: list[Action] = []
    for action, previous in zip(shortcut.actions, inputs_before(shortcut.actions), strict=True):
        parameter = None if action.implicit_input or action.control else _input_of(action, find)
        if parameter is None:
            explicit_actions.append(action)
            continue
        reference = msgspec.structs.replace(previous, location=parameter)
        explicit_actions.append(msgspec.structs.replace(action, implicit_input=reference))
    return tuple(explicit_actions)


def _is_early(version: str | None) -> bool:
    major = (version or "").partition(".")[0]
    is_number = major.isascii() and major.isdigit() and len(major) <= _MAX_DIGITS
    return is_number and int(major) < FIRST_EXPLICIT


def _input_of(action: Action, find: Find) -> str | None:
    # Empty if the parameter has no name, None if no required input was omitted.
    definition = find(action.identifier)
    declared = declared_input(definition) if definition is not None else None
    if declared is None or declared.get("Required") is not True:
        return None
    key = declared.get("ParameterKey")
    parameter = key if isinstance(key, str) else ""
    supplied = {argument.name for argument in action.arguments}
    return None if parameter in supplied or "WFInput" in supplied else parameter


def declared_input(definition: ApiDefinition) -> dict[str, object] | None:
    """Return the input that a definition declares for its API, or None if it declares none."""
    for note in definition.notes:
        if note.kind == "input_types":
            declared = msgspec.json.decode(note.text)
            return declared if isinstance(declared, dict) else None
    return None
