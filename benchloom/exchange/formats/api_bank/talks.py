"""Build a dialogue step by step from its turns, its calls, and the tools that it describes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import cast

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain, Value, refuse_deep
from benchloom.exchange.examples import Argument, Call, Example, Finding, Result, Turn
from benchloom.exchange.examples.example import Role, output_names
from benchloom.exchange.examples.message_calls import ExampleOrigin
from benchloom.exchange.foreign.labelled_records import plain_of, with_ids
from benchloom.exchange.foreign.records import faults
from benchloom.exchange.foreign.specifications import call_name, definition_name, split_name
from benchloom.exchange.formats.api_bank.declared import definition_of, tools_in
from benchloom.exchange.formats.api_bank.tools import SEARCH, Library

_ENVELOPE = frozenset({"api_name", "input", "output", "exception"})
LEVEL = re.compile(r"(?:level|lv)[-_]?([123])(?!\d)", re.IGNORECASE)
"""Matches the level in the name of a folder or file, such as 2 in `level-2-api`."""
_TRAINING = re.compile(r"(?<![a-z])train", re.IGNORECASE)
ABSENT = msgspec.Raw()  # a missing field
_SPLITS = ("train", "validation", "dev", "test")


class Talk:
    """A dialogue under construction, with the turns and calls that were added up to now.

    `findings` are its faults, and `oddities` are deviations from the format that readers tolerate.
    """

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.calls: list[Call] = []
        self.findings: list[Finding] = []
        self.tools: list[dict[str, Plain]] = []
        self.oddities: set[str] = set()

    def say(self, role: Role, text: str) -> None:
        """Add a turn after the calls that were added before."""
        self.turns.append(Turn(role, text, len(self.calls)))

    def call(
        self, name: str, arguments: Iterable[tuple[str, Plain]], result: Result | None
    ) -> None:
        """Add a call; if it is a search for tools, add the definitions in its result too.

        Raises RejectedInputError if a value is nested too deeply.
        """
        call_arguments = tuple(
            Argument(key, checked_value(value))
            for key, value in sorted(arguments, key=lambda argument: argument[0])
        )
        app, api = split_name(name)
        failed = result is not None and result.exception is not None
        self.calls.append(
            Call(app, api, call_arguments, outcome="failed" if failed else "ok", result=result)
        )
        if api == SEARCH and result is not None:
            self.tools += tools_in(cast("Plain", result.output))

    def record(
        self,
        name: str,
        arguments: Mapping[str, msgspec.Raw],
        raw_result: msgspec.Raw,
        *,
        empty_is_none: bool = False,
    ) -> None:
        """Add a call with undecoded arguments and an undecoded result in API-Bank's wrapper.

        With `empty_is_none`, an empty result counts as missing.

        Raises RejectedInputError if a value is nested too deeply.
        """
        with faults():
            call_arguments = [(key, plain_of(raw)) for key, raw in arguments.items()]
            value = plain_of(raw_result) if bytes(raw_result) else None
        result = None
        if value is not None:
            result, of = result_of(value)
            if of is not None and of != name:
                self.find(
                    "other_result", f"call {len(self.calls)} {name}: the result is that of {of}"
                )
            if empty_is_none and result == Result(None):
                result = None
        self.call(name, call_arguments, result)

    def find(self, kind: str, message: str) -> None:
        """Record a fault of the dialogue, which becomes a finding of its example."""
        self.findings.append(Finding(kind, message))

    def example(self, library: Library, location: ExampleOrigin) -> Example:
        """Convert the dialogue to an example; each call gets the definition that fits it best."""
        api_definitions = [*self._definitions(location.source_uri)]
        by_name = {definition_name(definition): definition for definition in api_definitions}
        calls = []
        used: dict[str, ApiDefinition] = {}
        for call in self.calls:
            definition = library.find(call_name(call.app, call.api), call, by_name)
            if definition is None:
                calls.append(call)
                continue
            used[definition.definition_id] = definition
            calls.append(
                replace(
                    call, definition_id=definition.definition_id, returns=output_names(definition)
                )
            )
        for tool in api_definitions:
            used.setdefault(tool.definition_id, tool)
        return with_ids(
            Example(
                example_id=location.source_id,
                target_id="",
                source=location.source,
                source_id=location.source_id,
                source_uri=location.source_uri,
                split=location.split,
                request=request_of(self.turns, len(calls)),
                calls=tuple(calls),
                definitions=tuple(used.values()),
                turns=tuple(self.turns),
                findings=tuple(self.findings),
                oddities=tuple(sorted(self.oddities)),
            )
        )

    def _definitions(self, source_uri: str) -> Iterable[ApiDefinition]:
        for tool in self.tools:
            try:
                yield definition_of(tool, source_uri)
            except RejectedInputError as error:
                self.find("unreadable_tool", error.message)


def request_of(turns: Sequence[Turn], calls: int) -> str | None:
    """Return the user's turns before the last call, joined by line breaks.

    Returns None if there is no such turn.
    """
    last = max(calls - 1, 0)
    user_texts = [turn.text for turn in turns if turn.role == "user" and turn.before <= last]
    return "\n".join(user_texts) if user_texts else None


def result_of(value: Plain) -> tuple[Result, str | None]:
    """Return a recorded result, and the name of its API if the record contains it.

    A value without API-Bank's wrapper is itself the output.

    Raises RejectedInputError if the value is nested too deeply.
    """
    whole = checked_value(value)
    if not isinstance(value, dict) or "output" not in value or value.keys() - _ENVELOPE:
        return Result(whole), None
    name, exception = value.get("api_name"), value.get("exception")
    if not isinstance(name, str | None) or not isinstance(exception, str | None):
        return Result(whole), None
    return Result(
        checked_value(value["output"]), exception, checked_value(value.get("input"))
    ), name


def split_of(source_uri: str) -> str:
    """Return the split that the name of a file's folder, or of the file itself, contains."""
    path = PurePosixPath(source_uri.replace("!", "/"))
    folder = path.parent.name
    if folder in _SPLITS:
        return folder
    for name in (folder, path.name):
        if _TRAINING.search(name):
            return "train"
        match = LEVEL.search(name)
        if match:
            return f"level-{match[1]}"
    return ""


def checked_value(plain: Plain) -> Value:
    """Return a JSON value unchanged if it is not nested too deeply.

    Raises RejectedInputError otherwise.
    """
    refuse_deep(plain)
    return cast("Value", plain)
