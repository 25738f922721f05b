"""Classify arguments: the kind of a supplied parameter, by its serialization and its tokens."""

from collections.abc import Callable

import msgspec

from benchloom.core.records import Argument
from benchloom.core.shortcut_tokens import (
    ATTACHMENTS,
    LEGACY_INPUT,
    OUTPUT_UUID,
    SERIALIZATION,
    input_kind,
)
from parsers.shortcuts.tokens import Scope, Site, read_tokens

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
"""JSON of a canonical value: sorted keys, no blanks."""


def read_argument(
    name: str, value: object, sites: list[Site], index: int, scope: Scope
) -> Argument:
    """Return the typed argument of a canonical value.

    `sites` are the mappings that the walk met in the value.
    """
    encoded = canonical_json(value).decode()
    if not sites:
        if type(value) is dict:
            return Argument(name, _kind(value, scope), encoded)
        return Argument(name, "structure" if type(value) is list else "literal", encoded)
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
