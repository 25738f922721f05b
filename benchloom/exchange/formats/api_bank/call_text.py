"""Read and write calls as API-Bank's texts: `[Api(key='value', other=[1, {'a': None}])]`.

Values are Python literals. The reader published with API-Bank splits calls with a regular
expression and loses calls that contain commas or brackets. This reader parses the values, and
tolerates and counts the authors' syntax errors.
"""

import re
from collections.abc import Iterable

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.exchange.foreign.literals import LiteralReader

_NAME = r"[^\s()\[\]{}'\"=,]{1,200}+"
_API = re.compile(rf"({_NAME})\s*+\(")
SPACED_API = re.compile(r"([^\s()\[\]{}'\"=,][^()\[\]{}'\"=,]{0,199}?)\s*+\(")
"""Matches the name of an API, which may contain spaces, and the opening bracket after it."""
_PARAMETER = re.compile(rf"({_NAME})\s*+=\s*+")
_BEHIND = re.compile(rf"\s*+(?:\)(?=\s*+(?:[\],:;]|->|\Z))|\)\n|,\s*+(?:{_NAME}\s*+=|\)))")
"""Matches the text that must follow an argument: the end of the call, or another argument."""
_WHOLE_NAME = re.compile(_NAME)


class TextCall(msgspec.Struct, frozen=True):
    """A call in a text; `tolerated` contains the sorted kinds of its syntax errors."""

    api: str
    arguments: tuple[tuple[str, Plain], ...]
    tolerated: tuple[str, ...] = ()


class _CallReader(LiteralReader):
    """Reads calls from a text; it tolerates syntax errors in arguments, except inside lists."""

    def __init__(self, text: str, api: re.Pattern[str]) -> None:
        super().__init__(text)
        self._api = api

    def call(self, at: int) -> tuple[TextCall, int]:
        self.tolerated.clear()
        pattern_match = self._api.match(self.text, at)
        if pattern_match is None:
            raise RejectedInputError(
                "no_call", f"expected a name and an opening bracket at position {at}"
            )
        arguments: list[tuple[str, Plain]] = []
        at = self.skip(pattern_match.end())
        while self.text[at : at + 1] != ")":
            parameter_match = _PARAMETER.match(self.text, at)
            if parameter_match is None:
                raise RejectedInputError("no_argument", f"expected the name of an argument at {at}")
            value, at = self._argument(parameter_match.end())
            arguments.append((parameter_match[1], value))
            at = self.skip(at)
            if self.text[at : at + 1] == ",":
                at = self.skip(at + 1)
            elif self.text[at : at + 1] != ")":
                raise RejectedInputError("open_call", f"expected a comma or ) at position {at}")
        if len({name for name, _ in arguments}) < len(arguments):
            self.tolerated["repeated_argument"] += 1
        return TextCall(pattern_match[1], tuple(arguments), tuple(sorted(self.tolerated))), at + 1

    def _argument(self, at: int) -> tuple[Plain, int]:
        before = self.tolerated.copy()
        try:
            value, end = self.value(at, _BEHIND)
            if _BEHIND.match(self.text, end):
                return value, end
        except RejectedInputError as error:
            if error.reason == "too_deep":
                raise
        self.tolerated = before
        pattern_match = _BEHIND.search(self.text, at)
        bare_text = self.text[at : pattern_match.start()].strip() if pattern_match else ""
        if pattern_match is None or not bare_text:
            raise RejectedInputError("no_value", f"expected a value at position {at}")
        self.tolerated["no_quotes"] += 1
        return bare_text, pattern_match.start()


def read_calls(text: str, api: re.Pattern[str] = _API) -> tuple[tuple[TextCall, ...], int]:
    """Read the calls at the beginning of a text; return them and the position after them.

    Several calls must be in square brackets; a single call may lack them. The pattern `api` matches
    the beginning of a call: its first group is the name of an API, and its last character is the
    bracket that opens the arguments.

    Raises RejectedInputError if the text does not begin with a call, or a call cannot be read.
    """
    reader = _CallReader(text, api)
    at = reader.skip(0)
    if text[at : at + 1] != "[":
        call, end = reader.call(at)
        return (call,), end
    calls: list[TextCall] = []
    at = reader.skip(at + 1)
    while text[at : at + 1] != "]":
        call, at = reader.call(at)
        calls.append(call)
        at = reader.skip(at)
        if text[at : at + 1] == ",":
            at = reader.skip(at + 1)
        elif text[at : at + 1] != "]":
            raise RejectedInputError("open_call", f"expected a comma or ] at position {at}")
    if not calls:
        raise RejectedInputError("no_call", "the brackets contain no call")
    return tuple(calls), at + 1


def write_calls(calls: Iterable[TextCall]) -> str:
    """Write calls as a text that `read_calls` can read."""
    return f"[{', '.join(_write(call) for call in calls)}]"


def is_name(text: str) -> bool:
    """Whether `read_calls` can read a text as the name of an API or a parameter."""
    return _WHOLE_NAME.fullmatch(text) is not None


def _write(call: TextCall) -> str:
    arguments = (f"{name}={value!r}" for name, value in call.arguments)
    return f"{call.api}({', '.join(arguments)})"
