"""Read the call in an output, which is an object in the structure of gold or a model's text.

A text contains `[Api(key='value')]` in Python or JSON syntax. Around it may be the marker
`API-Request:` of the prompt, prose, or a code fence. The first call counts; later calls are
reported. A call without square brackets must be at the beginning, or directly after the marker.
"""

import re
from collections.abc import Container

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.evaluate.json_texts import MAX_TEXT, json_in, without_thoughts
from benchloom.exchange.foreign.specifications import decoded
from benchloom.exchange.formats.api_bank.call_text import TextCall, read_calls

MAX_TRIES = 4  # maximum beginnings of calls that are tried, as each takes time linear in the text
_MARK = re.compile(r"API[-_ ]?Requests?\s*+:", re.IGNORECASE)
_BRACKET = re.compile(r"\[\s*+[^\s()\[\]{}'\"=,]{1,200}+\s*+\(")
_BARE = re.compile(r"([^\s()\[\]{}'\"=,]{1,200}+)\(")
_FENCE = re.compile(r"\A```[\w-]*\s*|\s*```\Z")
_NAMES = ("api_name", "name", "api")
_ARGUMENT_KEYS = ("param_dict", "input", "arguments", "parameters")


class OutputCall(msgspec.Struct, frozen=True):
    """The first call in an output, or the problem because of which no call can be read."""

    call: TextCall | None = None
    problem: str = ""  # why no call can be read; empty if one is read
    begins: bool = False  # whether any call begins in the output
    further: int = 0  # number of calls after the first


def first_call(output: Plain, names: Container[str]) -> OutputCall:
    """Return the first call in an output; `names` are the names of the available tools."""
    if output is None:
        return OutputCall(problem="the output is empty")
    if isinstance(output, str):
        return _of_text(output, names)
    return _of_structure(output)


def _of_structure(output: Plain) -> OutputCall:
    if isinstance(output, list):
        if not output:
            return OutputCall(problem="the output is an empty list")
        first = _of_structure(output[0]) if isinstance(output[0], dict) else _no_call(output[0])
        return replace(first, further=len(output) - 1)
    if not isinstance(output, dict):
        return _no_call(output)
    name = next((output[field] for field in _NAMES if field in output), None)
    arguments = next((output[field] for field in _ARGUMENT_KEYS if field in output), None)
    if isinstance(arguments, str):
        arguments = decoded(arguments)
    if not isinstance(name, str) or not isinstance(arguments, dict | None):
        return _no_call(output)
    return OutputCall(TextCall(name, tuple((arguments or {}).items())), begins=True)


def _no_call(value: Plain) -> OutputCall:
    return OutputCall(
        problem=f"expected a call with a name and arguments, not a {type(value).__name__}",
        begins=True,
    )


def _of_text(text: str, names: Container[str]) -> OutputCall:
    if len(text) > MAX_TEXT:
        return OutputCall(problem=f"the output exceeds {MAX_TEXT} characters", begins=True)
    answer = without_thoughts(text)
    mark = _MARK.search(answer)
    body = _FENCE.sub("", answer[mark.end() if mark else 0 :].strip()).strip()
    bare = _BARE.match(body)
    starts = [0] if bare else []
    for bracket in _BRACKET.finditer(body):
        if len(starts) == MAX_TRIES:
            break
        starts.append(bracket.start())
    problem = ""
    for start in starts:
        try:
            calls, _ = read_calls(body[start:])
        except RejectedInputError as error:
            problem = problem or error.message
        else:
            return _chosen(calls)
    if starts == [0] and bare and bare[1] not in names:
        problem = ""
    structure = None if problem else _structure_in(body)
    return structure or OutputCall(problem=problem or "no call", begins=bool(problem))


def _structure_in(text: str) -> OutputCall | None:
    try:
        return _of_structure(json_in(text, _is_call))
    except RejectedInputError:
        return None


def _is_call(value: Plain) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and any(name in first for name in _NAMES)


def _chosen(calls: tuple[TextCall, ...]) -> OutputCall:
    call = calls[0]
    values: dict[str, Plain] = {}
    for name, value in call.arguments:
        if values.setdefault(name, value) != value:
            return OutputCall(problem=f"argument {name} occurs twice", begins=True)
    return OutputCall(call, begins=True, further=len(calls) - 1)
