"""The leaderboard's rules for answers, written down once more for tests; no code is shared."""

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
}


def passes(question: dict[str, Any], answer: dict[str, Any], calls: list[dict[str, Any]]) -> bool:
    """Whether calls, each {function: {argument: value}}, are right; their order is free."""
    functions = {one["name"]: one for one in question["function"]}
    truth = answer["ground_truth"]
    return len(calls) == len(truth) and any(
        all(_one(functions, right, call) for right, call in zip(truth, order, strict=True))
        for order in permutations(calls)
    )


def _one(functions: dict[str, Any], right: dict[str, Any], call: dict[str, Any]) -> bool:
    ((name, accepted),) = right.items()
    ((called, given),) = call.items()
    if called != name:
        return False
    parameters = functions[name]["parameters"]
    if any(one not in given for one in parameters["required"]):
        return False
    for argument, value in given.items():
        if argument not in parameters["properties"] or argument not in accepted:
            return False
        if not _value(parameters["properties"][argument], value, accepted[argument]):
            return False
    return all(one in given or "" in values for one, values in accepted.items())


def _value(schema: dict[str, Any], value: Any, accepted: list[Any]) -> bool:
    wanted = OF_TYPE.get(schema["type"])
    if wanted is not None:
        is_flag = isinstance(value, bool) and bool not in wanted
        if is_flag or not isinstance(value, wanted):
            return False
    return any(_same(value, one) for one in accepted)


def _same(value: Any, right: Any) -> bool:
    if isinstance(value, str) and isinstance(right, str):
        return _plain(value) == _plain(right)
    if isinstance(value, bool) != isinstance(right, bool):
        return False
    if isinstance(value, list) and isinstance(right, list):
        return len(value) == len(right) and all(map(_same, value, right))
    if isinstance(value, dict) and isinstance(right, dict):
        return value.keys() == right.keys() and all(
            any(_same(value[name], one) for one in right[name]) for name in value
        )
    return bool(value == right)


def _plain(text: str) -> str:
    return re.sub(r"[ \,\.\/\-\_\*\^]", "", text).lower().replace("'", '"')
