"""Run predicted calls one after another; this code runs inside the sandboxed process.

A value in a request is a list that begins with its type: `v` for a plain value, `r` for the result
of a call with its output and path, `l` for a list, `d` for an object, and `t` for a text that
contains results.
"""

import inspect
import random
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, TypeAlias

Node: TypeAlias = list[Any]
_STEP = re.compile(r"\[(-?\d{1,9})\]|\[(['\"])([^'\"\]]*)\2\]|\.?([^.\[\]]+)")
# Files of functions may lack the imports that annotations need.
_TYPES = {name: getattr(typing, name) for name in typing.__all__ if name[0].isupper()}
_MAX_DEPTH = 60
_MAX_ITEMS = 100_000


class CallError(Exception):
    """Raised if a call fails before its function runs, or its result is not plain JSON."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Calls:
    """The calls of a prediction; `ran` is the number of calls that returned.

    `loading` is true while the file of a function is executed, before any function in it is called.
    """

    def __init__(self, request: Mapping[str, Any], codes: Mapping[str, CodeType | str]) -> None:
        self.ran = 0
        self.loading = False
        self._request = request
        self._codes = codes
        self._loaded: dict[str, dict[str, Any]] = {}
        self._results: list[Any] = []
        self._outputs: list[Sequence[str]] = []

    def value(self) -> object:
        """Run all calls, and return the requested answer, or else the last call's result."""
        random.seed(0)
        for call in self._request["calls"]:
            function = self._function(call["name"], call["declared"])
            arguments = [(name, self._resolve(node)) for name, node in call["arguments"]]
            positional, keywords = _bound(
                function, arguments, call["declared"], self._request["bind"]
            )
            self._results.append(function(*positional, **keywords))
            self._outputs.append(call["outputs"])
            self.ran += 1
        if self._request["answer"] is not None:
            return plain(self._resolve(self._request["answer"]))
        return plain(self._results[-1]) if self._results else None

    def _function(self, name: str, declared: Sequence[str]) -> Callable[..., object]:
        functions = [self._in_file(name, key) for key in self._request["where"].get(name, ())]
        if not functions:
            raise CallError("unknown_function", name[:100])
        return next(
            (function for function in functions if set(declared) <= set(_parameters(function))),
            functions[0],
        )

    def _in_file(self, name: str, key: str) -> Callable[..., object]:
        code = self._codes[key]
        if isinstance(code, str):
            raise CallError("unreadable_function", code)
        if key not in self._loaded:
            space: dict[str, Any] = {"__name__": "tool", **_TYPES}
            self._loaded[key] = space
            self.loading = True
            exec(code, space)  # noqa: S102  this process exists to run tools
            self.loading = False
        function: Callable[..., object] | None = self._loaded[key].get(name)
        if not callable(function):
            raise CallError("unknown_function", name[:100])
        return function

    def _resolve(self, node: Node) -> Any:
        kind = node[0]
        if kind == "v":
            return node[1]
        if kind == "l":
            return [self._resolve(child) for child in node[1]]
        if kind == "d":
            return {name: self._resolve(child) for name, child in node[1]}
        if kind == "t":
            return "".join(str(self._resolve(child)) for child in node[1])
        return self._result(node[1], node[2], node[3])

    def _result(self, step: int, output: str | None, path: str) -> Any:
        if not 0 <= step < len(self._results):
            raise CallError("unresolved_reference", f"call {step} has not run")
        value = self._results[step]
        declared = self._outputs[step]
        if output is not None and list(declared) != [output]:
            if isinstance(value, tuple | list) and output in declared:
                value = _part(value, declared.index(output))
            else:
                value = _part(value, output)
        for index, _, key, word in _STEP.findall(path):
            value = _part(value, int(index) if index else key or word)
        return value


def _part(whole: Any, key: str | int) -> Any:
    if isinstance(whole, Mapping) and key in whole:
        return whole[key]
    if isinstance(whole, list | tuple) and isinstance(key, int):  # noqa: SIM102  mypy narrows only nested conditions
        if -len(whole) <= key < len(whole):
            return whole[key]
    raise CallError("unresolved_reference", f"the result has no output {str(key)[:100]!r}")


def _bound(
    function: Callable[..., object],
    arguments: Sequence[tuple[str, Any]],
    declared: Sequence[str],
    bind: str,
) -> tuple[list[Any], dict[str, Any]]:
    """Return the positional and the keyword arguments with which to call a function.

    If `bind` is `name`, arguments are passed by name. If the tool declares other names than its
    function has, an argument is passed to the function's parameter at the position of the declared
    name. If `bind` is `place`, as in the published scorer, all arguments are positional, in the
    order of the prediction.
    """
    if bind == "place":
        return [value for _, value in arguments], {}
    own = _parameters(function)
    renamed: dict[str, str] = {}
    if not set(declared) <= set(own) and len(declared) <= len(own):
        renamed = dict(zip(declared, own, strict=False))
    keywords = {renamed.get(name, name): value for name, value in arguments}
    try:
        inspect.signature(function).bind(**keywords)
    except TypeError as error:
        raise CallError("bad_arguments", str(error)[:200]) from error
    return [], keywords


def _parameters(function: Callable[..., object]) -> list[str]:
    return [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}
    ]


def plain(value: object) -> object:
    """Convert a result to JSON values: tuples and sets become lists, numpy values become plain.

    Raises CallError if the result contains another type, or is too large.
    """
    left = [_MAX_ITEMS]

    def plain_value(element: object, depth: int) -> object:
        left[0] -= 1
        if depth > _MAX_DEPTH or left[0] < 0:
            raise CallError(
                "too_large", f"the result has more than {_MAX_ITEMS} values, or {_MAX_DEPTH} levels"
            )
        kind = type(element)
        if element is None or kind in {bool, int, str}:
            return element
        if kind is float:
            return _finite(element)
        if kind in {list, tuple, set, frozenset} and isinstance(
            element, list | tuple | set | frozenset
        ):
            items = [plain_value(item, depth + 1) for item in element]
            return sorted(items, key=repr) if isinstance(element, set | frozenset) else items
        if isinstance(element, dict) and all(
            type(key) in {str, int, float, bool} for key in element
        ):
            return {str(key): plain_value(item, depth + 1) for key, item in element.items()}
        if kind.__module__ == "numpy" and hasattr(element, "tolist"):
            return plain_value(element.tolist(), depth + 1)
        raise CallError(
            "no_plain_value", f"the result must be a JSON value, not a {kind.__name__[:100]}"
        )

    return plain_value(value, 0)


def _finite(value: object) -> object:
    if value != value or value in {float("inf"), float("-inf")}:  # noqa: PLR0124  only NaN differs from itself
        raise CallError("no_plain_value", "the result is not a finite number")
    return value
