"""A second implementation of the leaderboard's rules for answers, independent of the product."""

import re
from itertools import permutations
from typing import Any

OF_TYPE: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "float": (float, int),
    "boolean": (bool,),
    "array": (list,),
    "tuple": (list,),
    "dict": (dict,),
    "any": (str,),
}
ELEMENT = {
    "string": str, "integer": int, "float": float, "boolean": bool, "array": list, "tuple": list,
    "dict": dict, "any": str,
}  # fmt: skip
"""Types of list elements; a schema with any other type raises a KeyError."""


def passes(question: dict[str, Any], answer: dict[str, Any], calls: list[dict[str, Any]]) -> bool:
    """Return whether the calls, each {function: {argument: value}}, are right in any order."""
    functions = {function["name"]: function for function in question["function"]}
    truth = answer["ground_truth"]
    return len(calls) == len(truth) and any(
        all(_matches_call(functions, right, call) for right, call in zip(truth, order, strict=True))
        for order in permutations(calls)
    )


def _matches_call(functions: dict[str, Any], right: dict[str, Any], call: dict[str, Any]) -> bool:
    ((name, accepted),) = right.items()
    ((called, arguments),) = call.items()
    if called != name:
        return False
    parameters = functions[name]["parameters"]
    if any(parameter not in arguments for parameter in parameters["required"]):
        return False
    for argument, value in arguments.items():
        if argument not in parameters["properties"] or argument not in accepted:
            return False
        if not _accepts_value(parameters["properties"][argument], value, accepted[argument]):
            return False
    return all(parameter in arguments or "" in values for parameter, values in accepted.items())


def _accepts_value(schema: dict[str, Any], value: Any, accepted: list[Any]) -> bool:
    kind = schema["type"]
    nested = schema["items"]["type"] if kind in {"array", "tuple"} else None
    named = [accepted_value for accepted_value in accepted if accepted_value != ""]
    if not _is_type(value, kind) and not (named and type(value) is type(named[0])):
        return False
    if nested and value and type(value) is list:
        (right,) = named
        first = next((type(element) for element in right if element != ""), None)
        if not all(type(element) in {ELEMENT[nested], first} for element in value):
            return False
    if named and not _is_type(named[0], kind):
        return value in accepted  # a variable: the value must equal one in the answer
    if kind == "dict":
        return any(_accepts_fields(value, accepted_object) for accepted_object in named)
    if nested == "dict":
        return any(
            len(value) == len(accepted_list) and all(map(_accepts_fields, value, accepted_list))
            for accepted_list in accepted
            if accepted_list != ""
        )
    if kind in {"array", "tuple"}:
        return [*map(_normalised, value)] in [
            [*map(_normalised, accepted_list)] for accepted_list in accepted if accepted_list != ""
        ]
    return _normalised(value) in [_normalised(accepted_value) for accepted_value in accepted]


def _is_type(value: Any, kind: str) -> bool:
    """Return whether a value has this type: an integer is also a float, and `any` means a text."""
    return type(value) in OF_TYPE[kind]


def _accepts_fields(value: dict[str, Any], accepted: dict[str, list[Any]]) -> bool:
    """Return whether each field has an accepted value; texts are normalised at this level only."""
    return all(
        name in accepted
        and _normalised(field) in [_normalised(accepted_value) for accepted_value in accepted[name]]
        for name, field in value.items()
    ) and all(name in value or "" in values for name, values in accepted.items())


def _normalised(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return re.sub(r"[ \,\.\/\-\_\*\^]", "", value).lower().replace("'", '"')
