"""Berkeley Function-Calling Leaderboard: questions, and the folder of possible answers.

One call with one tool is `simple_python`, with several `multiple`; several calls are `parallel`
and `parallel_multiple`; what the user says between calls makes it `multi_turn_base`. The checker
knows no references: they are written as the values they carried, and where those are not known the
example cannot be held. The leaderboard runs multi-turn calls on classes of its own; ours have none.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec

from benchloom.errors import RejectedInputError
from benchloom.examples import Argument, Call, Example
from benchloom.examples.conversation import Said
from benchloom.examples.expanding import expanded
from benchloom.examples.hearing import (
    HeardCalls,
    HeardTool,
    Place,
    UnheardError,
    entries_of,
    hear_example,
)
from benchloom.examples.telling import LOSSES, ToldCall, tell
from benchloom.formats.base import (
    SPLITS,
    ExampleWriter,
    LineFile,
    Loss,
    Read,
    Reading,
    Writing,
    WritingOptions,
)
from benchloom.formats.bfcl_values import (
    accepted,
    bfcl_schema,
    call_text,
    heard_answer,
    heard_call,
    json_schema,
)
from benchloom.formats.records import read_records
from benchloom.inputs import SourceObject
from benchloom.rendering.definition_schema import Schema

ANSWERS = "possible_answer"
_ENCODER = msgspec.json.Encoder()
_MULTI_TURN = "multi_turn_base"


class Message(msgspec.Struct, frozen=True):
    """One message of a turn."""

    role: str
    content: str


class Function(msgspec.Struct, frozen=True):
    """One tool."""

    name: str
    description: str
    parameters: Schema


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of questions; the last three fields are those of multi-turn."""

    id: str
    question: tuple[tuple[Message, ...], ...]
    function: tuple[Function, ...]
    initial_config: dict[str, Any] | None = None
    involved_classes: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """One line of answers: accepted values of each call, or calls as texts turn by turn."""

    id: str
    ground_truth: list[Any]


class Bfcl(Writing, Reading):
    """Questions and possible answers."""

    title = "Berkeley Function-Calling Leaderboard, questions and possible answers"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "expanded_reference": "A reference is written as the value it carried.",
        "unknown_value": "The value a reference carried is not known: the row is left out.",
        "outcome": "How a call ended (failed, retried, superseded) has no place.",
        "result": "What a call gave back has no place.",
        "answer": "What the whole gives back has no place.",
        "assistant_turn": "What the assistant said has no place.",
        "no_request": "There is no text to put as a question: the row is left out.",
        "closing_turn": "What the user says after the last call has no place.",
        "no_classes": "Calls of several turns are run on classes, of which we have none.",
        "argument_name": "An argument has no name of Python's: the row is left out.",
    }

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        """A writer of a file per category, in a folder per split."""
        return BfclWriter(folder)

    def recognises(self, name: str, head: bytes) -> bool:
        """Whether questions or answers stand there."""
        return (b'"question"' in head and b'"function"' in head) or b'"ground_truth"' in head

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        """Definitions and examples of all questions that have an answer."""
        answers: dict[str, list[Any]] = {}
        for one in objects:
            if _is_answer(one):
                for line in _lines(one):
                    try:
                        found = msgspec.json.decode(line, type=Answer)
                    except (msgspec.DecodeError, RecursionError):
                        continue  # its question is rejected for want of an answer
                    answers[found.id] = found.ground_truth
        questions = [one for one in objects if not _is_answer(one)]
        return read_records(questions, "bfcl", lambda row, place: _read(row, place, answers))


class BfclWriter(ExampleWriter):
    """Writes questions and answers side by side."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[Path, LineFile] = {}
        self._written: Counter[str] = Counter()

    def add(self, example: Example) -> tuple[Loss, ...]:
        """Write one question with its answer, unless a value is not known."""
        plain, losses = expanded_example(example)
        if any(loss.whole for loss in losses):
            return losses
        told = tell(plain)
        losses = (*losses, *(Loss(kind, place) for kind, place in told.losses))
        asked = [turn for turn in plain.turns if turn.role == "user"]
        functions = tuple(
            Function(one.name, one.description, bfcl_schema(one.parameters)) for one in told.tools
        )
        if len({turn.before for turn in asked if turn.before < len(plain.calls)}) > 1:
            return self._add_turns(plain, told.calls, functions, losses)
        category = "parallel" if len(told.calls) > 1 else ""
        if len(functions) > 1:
            category = f"{category}_multiple" if category else "multiple"
        schemas = {one.name: one.parameters for one in told.tools}
        truth = [accepted(call, schemas[call.name]) for call in told.calls]
        system = [Message("system", t.text) for t in plain.turns if t.role == "system"]
        users = [Message("user", t.text) for t in asked if t.before < len(plain.calls)]
        messages = (*system, *(users or [Message("user", plain.request or "")]))
        category = category or "simple_python"
        ident = self._next(category)
        self._write(plain, category, Question(ident, (messages,), functions), Answer(ident, truth))
        return losses

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()

    def _add_turns(
        self,
        example: Example,
        calls: Sequence[ToldCall],
        functions: tuple[Function, ...],
        losses: tuple[Loss, ...],
    ) -> tuple[Loss, ...]:
        texts = [call_text(call) for call in calls]
        if None in texts:
            return (*losses, Loss("argument_name", f"call {texts.index(None)}", whole=True))
        system = [Message("system", t.text) for t in example.turns if t.role == "system"]
        said = [t for t in example.turns if t.role == "user" and t.before < len(calls)]
        starts = sorted({turn.before for turn in said})
        starts[0] = min(
            starts[0], 0
        )  # what is called before anybody says a word belongs to the first words
        question = []
        for number, start in enumerate(starts):
            end = starts[number + 1] if number + 1 < len(starts) else len(calls)
            words = [Message("user", t.text) for t in said if start <= t.before < end]
            question.append((*(system if number == 0 else ()), *words))
        bounds = [*starts, len(calls)]
        truth = [texts[bounds[n] : bounds[n + 1]] for n in range(len(starts))]
        ident = self._next(_MULTI_TURN)
        asked = Question(
            ident,
            tuple(question),
            functions,
            {},
            tuple(dict.fromkeys(call.app for call in example.calls if call.app)),
            tuple(call.name for call in calls),
        )
        self._write(example, _MULTI_TURN, asked, Answer(ident, truth))
        return (*losses, Loss("no_classes"))

    def _next(self, category: str) -> str:
        self._written[category] += 1
        return f"{category}_{self._written[category] - 1}"

    def _write(self, example: Example, category: str, asked: Question, answer: Answer) -> None:
        folder = self._folder / example.split if example.split in SPLITS else self._folder
        name = f"BFCL_v4_{category}.json"
        for path, row in ((folder / name, asked), (folder / ANSWERS / name, answer)):
            if path not in self._files:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._files[path] = LineFile(path)
            self._files[path].write(_ENCODER.encode(row) + b"\n")


def expanded_example(example: Example) -> tuple[Example, tuple[Loss, ...]]:
    """The example with values for references, and what a question has no place for."""
    losses: list[Loss] = []
    calls: list[Call] = []
    for index, call in enumerate(example.calls):
        arguments = []
        for argument in call.arguments:
            where = f"call {index}.{argument.name}"
            value, references = expanded(argument, example.calls)
            losses += [Loss("expanded_reference", where)] * references
            if value is msgspec.UNSET:
                losses.append(Loss("unknown_value", where, whole=True))
            else:
                arguments.append(Argument(argument.name, value))
        if call.outcome != "ok":
            losses.append(Loss("outcome", f"call {index}"))
        if call.result is not None:
            losses.append(Loss("result", f"call {index}"))
        calls.append(msgspec.structs.replace(call, arguments=tuple(arguments)))
    for turn in example.turns:
        if turn.role == "assistant":
            losses.append(Loss("assistant_turn", f"before call {turn.before}"))
        elif turn.role == "user" and turn.before >= len(calls):
            losses.append(Loss("closing_turn", f"before call {turn.before}"))
    if example.answer is not msgspec.UNSET:
        losses.append(Loss("answer"))
    if not example.request and not any(turn.role == "user" for turn in example.turns):
        losses.append(Loss("no_request", whole=True))
    return msgspec.structs.replace(example, calls=tuple(calls)), tuple(losses)


def _lines(found: SourceObject) -> list[bytes]:
    try:
        return found.read().split(b"\n")
    except RejectedInputError:
        return []  # its questions are rejected for want of answers


def _is_answer(found: SourceObject) -> bool:
    return f"{ANSWERS}/" in found.source_uri


class _Question(msgspec.Struct, frozen=True):
    id: str
    question: list[list[Message]]
    function: list[HeardTool]


def _read(row: Any, place: Place, answers: dict[str, list[Any]]) -> Example:
    found = msgspec.convert(row, _Question)
    truth = answers.get(found.id)
    if truth is None:
        raise UnheardError("no_answer", f"no possible answer of {found.id}")
    is_several = any(isinstance(one, list) for one in truth)
    messages: list[Said | HeardCalls] = []
    for number, turn in enumerate(found.question):
        messages += [Said(_role(one.role), one.content) for one in turn]
        made = truth[number : number + 1] if is_several else [truth] if number == 0 else []
        calls = tuple(
            heard_call(one) if isinstance(one, str) else heard_answer(one)
            for calls in made
            for one in (calls if isinstance(calls, list) else [calls])
        )
        messages += [HeardCalls(calls)] if calls else []
    entries, calls_made = entries_of(messages)
    tools = [
        HeardTool(one.name.replace(".", "__"), one.description, json_schema(one.parameters))
        for one in found.function
    ]
    return hear_example(place, entries, calls_made, tools)


def _role(role: str) -> Literal["system", "user", "assistant"]:
    if role == "system":
        return "system"
    return "assistant" if role == "assistant" else "user"


FORMAT = Bfcl()
