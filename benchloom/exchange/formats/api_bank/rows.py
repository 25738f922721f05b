"""Read and write API-Bank's training rows.

A row has an instruction with tools, the dialogue up to some point, and the next turn or call. The
dialogue in `input` consists of the lines `User: ...`, `AI: ...` and `API-Request: [call]->result`.
The output is the next call, or the next turn of the assistant. Consecutive rows of one dialogue,
each longer than the one before it, become one example, because the last row contains all earlier
rows.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import MAX_DEPTH, Plain, depth_of
from benchloom.exchange.examples import Call, Example, Result
from benchloom.exchange.examples.filled_references import plain_arguments
from benchloom.exchange.foreign.literals import literal_of
from benchloom.exchange.foreign.records import Record, faults
from benchloom.exchange.foreign.specifications import call_name
from benchloom.exchange.formats.api_bank.call_text import TextCall, is_name, read_calls, write_calls
from benchloom.exchange.formats.api_bank.declared import EXCEPTION, is_tool, tool_of
from benchloom.exchange.formats.api_bank.lines import result_record
from benchloom.exchange.formats.api_bank.talks import Talk, checked_value, result_of

LONGEST_CALL = 256 * 1024  # maximum characters of a call with its result
_REQUEST = "API-Request:"
_MARKS = re.compile(
    r"^(User: |AI: |API-Request:|Generate (?:API Request|AI Response):|\{)", re.MULTILINE
)
_ARROW = re.compile(r"\s*+->")
_WRAPPED = frozenset({"input", "output", "exception"})
_ENCODER = msgspec.json.Encoder()
_CALL_TASK = (
    "Read the dialogue so far and write the next call as API-Request: [Name(key='value', ...)].\n"
    "API descriptions:\n"
)
_TURN_TASK = "Read the dialogue so far and write what the assistant says next.\nAPI descriptions:\n"
_NEXT_CALL, _NEXT_TURN = "Generate API Request:\n", "Generate AI Response:\n"


class ReadRow(msgspec.Struct, frozen=True):
    """A training row to read.

    Test data have `expected_output` in place of `output`, and name the file of the dialogue.
    """

    instruction: str
    input: str
    output: str | None = None
    expected_output: str | None = None
    file: str | None = None
    id: int | str | None = None
    sample_id: int | str | None = None
    api_id: int | str | None = None
    split: str | None = None


class Row(msgspec.Struct, frozen=True):
    """A training row to write; the published rows have only the first three fields."""

    instruction: str
    input: str
    output: str
    sample_id: str
    api_id: int
    split: str


_ROW = msgspec.json.Decoder(ReadRow)


def read_row(record: Record) -> tuple[ReadRow, Talk]:
    """Read a training row, and build the dialogue that ends with the row's output.

    Raises RejectedInputError if the row has another shape, or a call cannot be read.
    """
    row = record.decoded(_ROW)
    talk = Talk()
    for line in row.instruction.split("\n"):
        _take_tool(talk, line)
    for mark, text in _segments(row.input):
        _take(talk, mark, text)
    following = row.output if row.output is not None else row.expected_output
    if following is None:
        raise RejectedInputError("wrong_shape", "the row has no output")
    text = following.rstrip()
    if text.startswith(_REQUEST):
        _take_call(talk, text.removeprefix(_REQUEST))
    elif text:
        talk.say("assistant", text.removeprefix("AI: "))
    return row, talk


def continues(shorter: Talk, longer: Talk) -> bool:
    """Whether the dialogue `longer` begins with the whole dialogue `shorter` and is longer."""
    size = len(shorter.calls)
    return (
        len(shorter.turns) <= len(longer.turns)
        and size <= len(longer.calls)
        and (size, len(shorter.turns)) != (len(longer.calls), len(longer.turns))
        and longer.turns[: len(shorter.turns)] == shorter.turns
        and all(map(_same_call, shorter.calls, longer.calls))
    )


def training_rows(example: Example) -> Iterator[bytes]:
    """Write an example as training rows: one for each call, one for the last assistant turn."""
    tools = "\n".join(
        _ENCODER.encode(tool_of(definition)).decode() for definition in example.definitions
    )
    turns = [turn for turn in example.turns if turn.role != "system"]
    request = example.request
    history = [f"User: {request}"] if not turns and request else []
    for number, call in enumerate(example.calls):
        while turns and turns[0].before <= number:
            turn = turns.pop(0)
            history.append(_line(turn.role, turn.text))
        name = call_name(call.app, call.api)
        text = write_calls([TextCall(name, tuple(plain_arguments(call, example.calls).items()))])
        following = f"{_REQUEST} {text}"
        yield _row(example, number, (_CALL_TASK + tools, history, _NEXT_CALL), following)
        history.append(following + _result_text(call, name))
    while turns and turns[-1].role == "user":
        turns.pop()
    while len(turns) > 1:
        turn = turns.pop(0)
        history.append(_line(turn.role, turn.text))
    if turns:
        task = (_TURN_TASK + tools, history, _NEXT_TURN)
        yield _row(example, len(example.calls), task, f"AI: {turns[0].text}")


def losses_of_rows(example: Example) -> Iterator[str]:
    """Yield the kinds of data that an example loses when it is written as training rows."""
    turns = [turn for turn in example.turns if turn.role != "system"]
    texts = [turn.text for turn in turns] or [example.request or ""]
    if any(_MARKS.search(text.partition("\n")[2]) or text != text.rstrip() for text in texts):
        yield "turn_text"
    behind = [turn for turn in turns if turn.before >= len(example.calls)]
    if behind and behind[-1].role == "user":
        yield "last_turn"
    answered = any(turn.role == "assistant" for turn in behind)
    if example.calls and example.calls[-1].result is not None and not answered:
        yield "last_result"
    if any(
        note.kind == EXCEPTION for definition in example.definitions for note in definition.notes
    ):
        yield "errors"


def _row(
    example: Example, number: int, task: tuple[str, Sequence[str], str], following: str
) -> bytes:
    instruction, history, closing = task
    prompt = "".join(f"{line}\n" for line in history) + closing
    return _ENCODER.encode(
        Row(instruction, prompt, following, example.source_id, number, example.split)
    )


def _line(role: str, text: str) -> str:
    return f"{'User' if role == 'user' else 'AI'}: {text}"


def _result_text(call: Call, name: str) -> str:
    result = result_record(name, call)
    if result is None:
        return ""
    if result.input is not None or result.exception is not None:
        return f"->{msgspec.structs.asdict(result)!r}"
    output = result.output
    is_plain = isinstance(output, str) and _plain_result(output) == output
    return f"->{output}" if is_plain else f"->{output!r}"


def _segments(text: str) -> Iterator[tuple[str, str]]:
    matches: list[re.Match[str]] = []
    spoken = False
    for match in _MARKS.finditer(text):
        if match[1] != "{":
            spoken = True
        elif spoken and _tool_in(_line_at(text, match.start())) is None:
            continue  # a brace in the words of a speaker, not a tool
        matches.append(match)
    if text[: matches[0].start() if matches else len(text)].strip():
        raise RejectedInputError("wrong_shape", "the input does not begin with a speaker")
    for match, following in zip_longest(matches, matches[1:]):
        end = following.start() if following else len(text)
        mark = match[1].strip()
        yield mark, text[match.start() if mark == "{" else match.end() : end].removesuffix("\n")


def _line_at(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)].strip()


def _take(talk: Talk, mark: str, text: str) -> None:
    if mark == "{":
        if not _take_tool(talk, text.strip()):
            raise RejectedInputError("wrong_shape", "a line of the tool list describes no tool")
    elif mark == _REQUEST:
        _take_call(talk, text)
    elif mark in {"User:", "AI:"}:
        talk.say("user" if mark == "User:" else "assistant", text)


def _take_tool(talk: Talk, line: str) -> bool:
    tool = _tool_in(line)
    if tool is not None:
        talk.tools.append(tool)
    return tool is not None


def _tool_in(line: str) -> dict[str, Plain] | None:
    if not line.startswith("{"):
        return None
    with faults():
        try:
            tool: Plain = msgspec.json.decode(line)
        except msgspec.DecodeError:
            return None
    if not isinstance(tool, dict) or not is_tool(tool) or depth_of(tool) > MAX_DEPTH:
        return None
    return tool


def _take_call(talk: Talk, text: str) -> None:
    if len(text) > LONGEST_CALL:
        raise RejectedInputError("too_large", f"a call is longer than {LONGEST_CALL} characters")
    calls, end = read_calls(text)
    arrow = _ARROW.match(text, end)
    rest = text[arrow.end() if arrow else end :].strip()
    if rest and arrow is None:
        talk.oddities.add("text_behind_call")
    for call in calls:
        result = _result(rest) if arrow is not None and call is calls[-1] else None
        talk.oddities.update(call.tolerated)
        talk.call(call.api, call.arguments, result)


def _result(text: str) -> Result:
    value = _plain_result(text)
    if isinstance(value, dict) and value.keys() >= _WRAPPED:
        return result_of(value)[0]
    return Result(checked_value(value))


def _plain_result(text: str) -> Plain:
    try:
        return literal_of(text)
    except RejectedInputError:
        return text.strip()


def _same_call(call: Call, other: Call) -> bool:
    return (call.app, call.api, call.arguments) == (other.app, other.api, other.arguments)


def names_fit(example: Example) -> bool:
    """Whether `read_calls` can read all names of APIs and arguments in the calls of an example."""
    return all(
        is_name(call_name(call.app, call.api))
        and all(is_name(argument.name) for argument in call.arguments)
        for call in example.calls
    )
