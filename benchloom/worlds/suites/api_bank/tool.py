"""Tools that convert their arguments from strings to the declared types.

In API-Bank's dialogues, numbers, booleans and lists are strings.
"""

from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.exchange.foreign.literals import LiteralReader
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.suites.api_bank.tools import renamed_parameters
from benchloom.worlds.tool import Tool

_TRUTH = {"true": True, "false": False}
_LONGEST_NUMBER = 400
_LONGEST_LIST = 1024 * 1024


class ApiBankTool(Tool):
    """A tool that converts its arguments to their types, and accepts old names of parameters."""

    def __init__(
        self,
        app: str,
        function: Callable[..., object],
        *,
        reads: bool,
        descriptions: Mapping[str, str],
    ) -> None:
        super().__init__(app, function, reads=reads, descriptions=descriptions)
        hints = get_type_hints(function)
        self._kinds: dict[str, Any] = {name: _bare(kind) for name, kind in hints.items()}
        self._renamed: Mapping[str, str] = renamed_parameters().get(self.name, {})

    def call(self, state: State, arguments: Mapping[str, Plain]) -> Plain:
        """Call the tool with converted arguments; raise `RefusedError` as `Tool.call` does."""
        try:
            msgspec.json.encode(arguments)
        except (OverflowError, RecursionError, UnicodeEncodeError) as error:
            raise RefusedError("invalid_argument", f"an argument is not JSON: {error}") from error
        return super().call(state, self.cast(arguments))

    def cast(self, arguments: Mapping[str, Plain]) -> dict[str, Plain]:
        """Return the arguments under their current names, converted to their types if possible."""
        typed_arguments: dict[str, Plain] = {}
        for name, value in arguments.items():
            now = self._renamed.get(name, name)
            if now != name and now in arguments:
                now = name  # both names are present, so the old name will be refused
            typed_arguments[now] = cast_to(self._kinds.get(now), value)
        return typed_arguments


def cast_to(kind: Any, value: Plain) -> Plain:
    """Convert a text or number to a type; return the value unchanged if it cannot be converted."""
    if kind is str and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        return value
    text = value.strip()
    if kind is bool:
        return _TRUTH.get(text.lower(), value)
    if kind is list and text.startswith(("[", "(")) and len(text) <= _LONGEST_LIST:
        return _read(text, value)
    if kind in {int, float} and len(text) <= _LONGEST_NUMBER:
        parsed = _read(text, value)
        is_number = isinstance(parsed, int | float) and not isinstance(parsed, bool)
        return parsed if is_number else value
    return value


def _read(text: str, otherwise: Plain) -> Plain:
    reader = LiteralReader(text)
    try:
        value, end = reader.value(0)
    except RejectedInputError:
        return otherwise
    return value if end == len(text) else otherwise


def _bare(kind: Any) -> Any:
    if isinstance(kind, UnionType):
        kind = next(member for member in get_args(kind) if member is not NoneType)
    return get_origin(kind) or kind
