"""The format of the Berkeley Function-Calling Leaderboard: questions, and files of answers.

The category of an example depends on its calls and tools. One call is `simple_python` with one tool
and `multiple` with several tools; several calls are `parallel` or `parallel_multiple`; no call is
`irrelevance`; user turns between calls are `multi_turn_base`. The leaderboard's checker does not
support references: their recorded values are written, and an example without these values is left
out. The leaderboard runs the calls of multi-turn questions on Python classes, which our examples do
not have.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Rejected
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.call_messages import LOSSES
from benchloom.exchange.examples.conversation import SpokenMessage
from benchloom.exchange.examples.example import Role
from benchloom.exchange.examples.message_calls import (
    ExampleOrigin,
    ForeignCall,
    ForeignCalls,
    ForeignTool,
    example_of_messages,
)
from benchloom.exchange.foreign.records import read_each
from benchloom.exchange.formats.base import ExampleWriter, Read, Reading, Writing, WritingOptions
from benchloom.exchange.formats.bfcl.answers import answered_call, read_call
from benchloom.exchange.formats.bfcl.categories import (
    ANSWERS,
    ANY_CALL,
    CALLING,
    WITHOUT_CALLS,
    category_of,
    file_category,
    runs_on_code,
)
from benchloom.exchange.formats.bfcl.schemas import json_schema
from benchloom.exchange.formats.bfcl.writer import BfclWriter
from benchloom.exchange.formats.records import read_records
from benchloom.storage.inputs import SourceObject


class _Answer(msgspec.Struct, frozen=True):
    id: str
    ground_truth: Any


class _Message(msgspec.Struct, frozen=True):
    role: str
    content: str | None = None


class _Question(msgspec.Struct, frozen=True):
    id: str
    question: str | list[Any]  # in version 1, turns may be texts or messages
    function: list[ForeignTool] | ForeignTool | None = None  # in version 1, not in a list
    involved_classes: list[Any] | None = None


_ANSWER = msgspec.json.Decoder(_Answer)


class _AnswerFiles:
    def __init__(self) -> None:
        self._by_folder: dict[tuple[str, str], Any] = {}
        self._by_id: dict[str, Any] = {}

    def read(self, source: SourceObject) -> Iterator[Read]:
        folder = _folder(source.source_uri.rpartition(f"{ANSWERS}/")[0])
        for answer in read_each([source], lambda record: record.decoded(_ANSWER)):
            if isinstance(answer, Rejected):
                yield answer
            else:
                self._by_folder.setdefault((folder, answer.id), answer.ground_truth)
                self._by_id.setdefault(answer.id, answer.ground_truth)

    def of(self, row_id: str, source_uri: str) -> Any:
        folder = _folder(source_uri[: -len(source_uri.replace("!", "/").rpartition("/")[2])])
        return self._by_folder.get((folder, row_id), self._by_id.get(row_id))


def _is_answers(source: SourceObject) -> bool:
    return f"{ANSWERS}/" in source.source_uri


def read_questions(objects: Sequence[SourceObject]) -> Iterator[Read]:
    """Yield the definitions and examples of all questions; all files of answers are read first."""
    answers = _AnswerFiles()
    for source in objects:
        if _is_answers(source):
            yield from answers.read(source)
    questions = [source for source in objects if not _is_answers(source)]
    yield from read_records(
        questions, "bfcl", lambda row, location: _example(row, location, answers)
    )


def _example(row: Any, location: ExampleOrigin, answers: _AnswerFiles) -> Example:
    question = msgspec.convert(row, _Question)
    if question.function is None:
        raise _without_tools(question, location)
    listed = question.function if isinstance(question.function, list) else [question.function]
    tools = [
        ForeignTool(tool.name, tool.description, json_schema(tool.parameters)) for tool in listed
    ]
    truth = answers.of(question.id, location.source_uri)
    calls = _calls(question.id, location, truth, {tool.name: tool.parameters for tool in tools})
    messages: list[SpokenMessage | ForeignCalls] = []
    for number, turn in enumerate(_turns(question.question)):
        messages += [SpokenMessage(_role(message.role), message.content or "") for message in turn]
        if number < len(calls) and calls[number]:
            messages.append(ForeignCalls(tuple(calls[number])))
    return example_of_messages(location, messages, tools, may_lack_tools=True)


def _calls(
    row_id: str, location: ExampleOrigin, truth: Any, schemas: Mapping[str, Any]
) -> list[list[ForeignCall]]:
    if truth is None:
        category = category_of(row_id, location.source_uri)
        if category in WITHOUT_CALLS:
            return []
        raise _unanswered(row_id, category)
    listed = truth if isinstance(truth, list) else [truth]
    turns = listed if any(isinstance(turn, list) for turn in listed) else [listed]
    return [
        [
            read_call(call) if isinstance(call, str) else answered_call(call, schemas)
            for call in (turn if isinstance(turn, list) else [turn])
        ]
        for turn in turns
    ]


def _turns(question: str | list[Any]) -> list[list[_Message]]:
    if isinstance(question, str):
        return [[_Message("user", question)]]
    nested = question if all(isinstance(turn, list) for turn in question) else [question]
    return msgspec.convert(nested, list[list[_Message]])


def _without_tools(question: _Question, location: ExampleOrigin) -> RejectedInputError:
    category = category_of(question.id, location.source_uri)
    if question.involved_classes is not None or runs_on_code(category):
        return RejectedInputError(
            "runs_on_code",
            f"{question.id}: a row of {category or 'several turns'} runs on classes of the"
            " leaderboard's code and has no functions; only rows with functions can be imported",
        )
    return RejectedInputError("unexpected_shape", f"{question.id}: the row has no 'function'")


def _unanswered(row_id: str, category: str) -> RejectedInputError:
    if category in ANY_CALL:
        return RejectedInputError(
            "any_call", f"{row_id}: any call is right, so no specific call can be imported"
        )
    if category in CALLING or not category:
        return RejectedInputError(
            "no_answer",
            f"{row_id}: no answer has this id; pass the folder {ANSWERS} along with the questions",
        )
    categories = ", ".join(sorted(CALLING | WITHOUT_CALLS))
    return RejectedInputError(
        "unknown_category", f"{row_id}: category '{category}' is not one of {categories}"
    )


def _role(role: str) -> Role:
    if role == "system":
        return "system"
    return "assistant" if role == "assistant" else "user"


def _folder(prefix: str) -> str:
    return prefix.rstrip("/")


class _Bfcl(Writing, Reading):
    title = "Berkeley Function-Calling Leaderboard, questions and possible answers"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "expanded_reference": "A reference is replaced by its recorded value.",
        "unknown_value": "The value of a reference is not recorded, so the row is not written.",
        "outcome": "The outcome of a call (failed, retried, superseded) is not written.",
        "result": "The result of a call is not written.",
        "answer": "The final answer of the example is not written.",
        "assistant_turn": "Turns of the assistant are not written.",
        "no_request": "The example has no text for a question, so the row is not written.",
        "closing_turn": "Later turns of the user are not written.",
        "mixed_list": "A list has elements of several types, so the row's tool accepts any type.",
        "changed_argument": "An argument is not read back: it has its default value, or lists in "
        "it are read as accepted values.",
        "no_classes": "Calls of several turns need classes, which are not written.",
        "call_name": "A name of a call or argument is not valid Python, so the row is not written.",
    }

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return BfclWriter(folder)

    def recognises(self, name: str, head: bytes) -> bool:
        is_question = b'"question"' in head and (
            b'"function"' in head or b'"involved_classes"' in head or bool(file_category(name))
        )
        return is_question or b'"ground_truth"' in head

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        return read_questions(objects)


FORMAT = _Bfcl()
