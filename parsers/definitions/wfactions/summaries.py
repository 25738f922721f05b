"""Read the summaries of WFActions, which are one template or one template per variant.

A key such as `Enabled(1),Mode(At Time),Time` names the parameters of a variant; the text in
parentheses is the value that the parameter must have.
"""

import re

from benchloom.core.records import Dependency, Parameter, Summary
from benchloom.core.records.api_definition import PLACEHOLDER
from parsers.definitions.values import json_text

_BOOLEANS = {"1": "true", "0": "false"}


def placeholders(template: str) -> tuple[str, ...]:
    """Return the parameters that a template shows, without repeats, in order."""
    return tuple(dict.fromkeys(PLACEHOLDER.findall(template)))


def read_summaries(source: object, parameters: tuple[Parameter, ...]) -> tuple[Summary, ...]:
    """Return an entry's summaries; those with the most conditions and parameters come first."""
    if isinstance(source, str):
        return (Summary(source, placeholders(source)),) if source.strip() else ()
    if not isinstance(source, dict):
        return ()
    types = {parameter.name: parameter.type for parameter in parameters}
    variants = [
        (str(key), _variant(str(key), template, types))
        for key, template in source.items()
        if isinstance(template, str) and template.strip()
    ]
    variants.sort(key=lambda pair: (-len(pair[1].conditions), -len(pair[1].parameters), pair[0]))
    return tuple(summary for _, summary in variants)


def _variant(key: str, template: str, types: dict[str, str]) -> Summary:
    names: list[str] = []
    conditions: list[Dependency] = []
    for part in split_key(key):
        name, opened, value = part.partition("(")
        name, value = name.strip(), value.removesuffix(")")
        names.append(name)
        if opened:
            conditions.append(Dependency(name, "==", (_value(value, types.get(name)),)))
    return Summary(template, tuple(names), tuple(conditions))


def split_key(key: str) -> list[str]:
    """Split a key at its commas, except commas inside parentheses, which belong to a value."""
    parts: list[str] = []
    start = depth = 0
    for position, character in enumerate(key):
        if character == "(":
            depth += 1
        elif character == ")":
            depth = max(0, depth - 1)
        elif character == "," and not depth:
            parts.append(key[start:position].strip())
            start = position + 1
    parts.append(key[start:].strip())
    return [part for part in parts if part]


def _value(text: str, type_name: str | None) -> str:
    # Keys write switches as 1 and 0.
    if type_name == "Boolean":
        return _BOOLEANS.get(text, json_text(text))
    if type_name in ("Integer", "Number") and re.fullmatch(r"-?\d+(\.\d+)?", text):
        return text
    return json_text(text)
