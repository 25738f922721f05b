"""Write BFCL's files of questions, and a subfolder with a file of answers for each of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from benchloom.exchange.definition_schema import Schema
from benchloom.exchange.examples import Argument, Call, Example, Loss
from benchloom.exchange.examples.call_messages import RenderedCall, RenderedExample, render_example
from benchloom.exchange.examples.filled_references import fill_references
from benchloom.exchange.examples.tools import Tool, dotted_name
from benchloom.exchange.formats.base import SPLITS, ExampleWriter, LineFiles
from benchloom.exchange.formats.bfcl.answers import (
    Accepted,
    accepted,
    answered_call,
    call_text,
    is_comparable_list,
)
from benchloom.exchange.formats.bfcl.categories import ANSWERS
from benchloom.exchange.formats.bfcl.schemas import bfcl_schema, json_schema

_ENCODER = msgspec.json.Encoder()
_MULTI_TURN = "multi_turn_base"
_NO_CALLS = "irrelevance"


class Message(msgspec.Struct, frozen=True):
    """A message in a turn of a question."""

    role: str
    content: str


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line in a file of questions; only multi-turn questions have the last three fields."""

    id: str
    question: tuple[tuple[Message, ...], ...]
    function: tuple[Tool, ...]
    initial_config: dict[str, Any] | None = None
    involved_classes: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


class Answer(msgspec.Struct, frozen=True):
    """A line in a file of answers, which contains the expected calls of a question.

    These are the accepted values of each call or, in multi-turn questions, the calls of each turn
    as texts.
    """

    id: str
    ground_truth: list[Any]


class BfclWriter(ExampleWriter):
    """Writes files of questions, and files of answers in the subfolder `possible_answer`."""

    def __init__(self, folder: Path) -> None:
        self._lines = LineFiles(folder)
        self._written: Counter[str] = Counter()

    def add(self, example: Example) -> tuple[Loss, ...]:
        """Write a question with its answer, unless a value in the answer is unknown."""
        plain, losses = fill_example(example)
        if any(loss.whole for loss in losses):
            return losses
        rendering = render_example(plain, dotted_name)
        user_turns = [turn for turn in plain.turns if turn.role == "user"]
        functions, mixed = _functions(rendering)
        losses = (*losses, *rendering.losses, *mixed)
        if len({turn.before for turn in user_turns if turn.before < len(plain.calls)}) > 1:
            return self._add_turns(plain, rendering.calls, functions, losses)
        schemas = {function.name: function.parameters for function in functions}
        truth = [accepted(call, schemas[call.name]) for call in rendering.calls]
        losses = (*losses, *sorted(_changed_arguments(rendering.calls, truth, schemas)))
        system = [Message("system", t.text) for t in plain.turns if t.role == "system"]
        last = max(len(plain.calls), 1)
        users = [Message("user", t.text) for t in user_turns if t.before < last]
        messages = (*system, *(users or [Message("user", plain.request or "")]))
        category = _category(len(rendering.calls), len(functions))
        row_id = self._next(category)
        answer = Answer(row_id, truth) if truth else None
        self._write(plain, category, Question(row_id, (messages,), functions), answer)
        return losses

    def close(self) -> None:
        """Close the files."""
        self._lines.close()

    def _add_turns(
        self,
        example: Example,
        calls: Sequence[RenderedCall],
        functions: tuple[Tool, ...],
        losses: tuple[Loss, ...],
    ) -> tuple[Loss, ...]:
        texts = [call_text(call) for call in calls]
        if None in texts:
            return (*losses, Loss("call_name", f"call {texts.index(None)}", whole=True))
        system = [Message("system", t.text) for t in example.turns if t.role == "system"]
        user_turns = [t for t in example.turns if t.role == "user" and t.before < len(calls)]
        starts = sorted({turn.before for turn in user_turns})
        starts[0] = min(starts[0], 0)  # the first turn includes calls before it
        question = []
        for number, start in enumerate(starts):
            end = starts[number + 1] if number + 1 < len(starts) else len(calls)
            words = [Message("user", t.text) for t in user_turns if start <= t.before < end]
            question.append((*(system if number == 0 else ()), *words))
        bounds = [*starts, len(calls)]
        truth = [texts[bounds[n] : bounds[n + 1]] for n in range(len(starts))]
        row_id = self._next(_MULTI_TURN)
        question_row = Question(
            row_id,
            tuple(question),
            functions,
            {},
            tuple(dict.fromkeys(call.app for call in example.calls if call.app)),
            tuple(call.name for call in calls),
        )
        self._write(example, _MULTI_TURN, question_row, Answer(row_id, truth))
        return (*losses, Loss("no_classes"))

    def _next(self, category: str) -> str:
        self._written[category] += 1
        return f"{category}_{self._written[category] - 1}"

    def _write(
        self, example: Example, category: str, question: Question, answer: Answer | None
    ) -> None:
        folder = f"{example.split}/" if example.split in SPLITS else ""
        name = f"BFCL_v4_{category}.json"
        self._lines.write(f"{folder}{name}", _ENCODER.encode(question))
        if answer is not None:
            self._lines.write(f"{folder}{ANSWERS}/{name}", _ENCODER.encode(answer))


def _functions(rendering: RenderedExample) -> tuple[tuple[Tool, ...], tuple[Loss, ...]]:
    # The checker requires list elements of the declared type, or of the first element's type.
    schemas = {tool.name: bfcl_schema(tool.parameters) for tool in rendering.tools}
    losses = []
    for index, call in enumerate(rendering.calls):
        properties: dict[str, Any] = schemas[call.name]["properties"]  # type: ignore[assignment]  # our own schema has an object here
        for name, value in call.arguments.items():
            parameter = properties.get(name, {})
            if parameter.get("type") == "array" and not is_comparable_list(value, parameter):
                del parameter["items"]
                parameter["type"] = "any"
                losses.append(Loss("mixed_list", f"call {index}.{name}"))
    functions = (replace(tool, parameters=schemas[tool.name]) for tool in rendering.tools)
    return tuple(functions), tuple(losses)


def _changed_arguments(
    calls: Sequence[RenderedCall],
    truth: Sequence[Mapping[str, Accepted]],
    schemas: Mapping[str, Schema],
) -> Iterator[Loss]:
    """Yield a loss for each argument that `answered_call` reads differently from an answer."""
    readable = {name: json_schema(schema) for name, schema in schemas.items()}
    for index, (call, answer) in enumerate(zip(calls, truth, strict=True)):
        reread = answered_call(answer, readable).arguments
        for name in call.arguments.keys() | reread.keys():
            if (name in reread, reread.get(name)) != (True, call.arguments.get(name)):
                yield Loss("changed_argument", f"call {index}.{name}")


def _category(calls: int, functions: int) -> str:
    if not calls:
        return _NO_CALLS
    if calls == 1:
        return "simple_python" if functions == 1 else "multiple"
    return "parallel" if functions == 1 else "parallel_multiple"


def fill_example(example: Example) -> tuple[Example, tuple[Loss, ...]]:
    """Replace references in calls by recorded values; also return what a question cannot store."""
    losses: list[Loss] = []
    calls: list[Call] = []
    for index, call in enumerate(example.calls):
        arguments = []
        for argument in call.arguments:
            where = f"call {index}.{argument.name}"
            value, references = fill_references(argument, example.calls)
            losses += [Loss("expanded_reference", where)] * references
            if value is msgspec.UNSET:
                losses.append(Loss("unknown_value", where, whole=True))
            else:
                arguments.append(Argument(argument.name, value))
        if call.outcome != "ok":
            losses.append(Loss("outcome", f"call {index}"))
        if call.result is not None:
            losses.append(Loss("result", f"call {index}"))
        calls.append(replace(call, arguments=tuple(arguments)))
    for turn in example.turns:
        if turn.role == "assistant":
            losses.append(Loss("assistant_turn", f"before call {turn.before}"))
        elif turn.role == "user" and turn.before >= max(len(calls), 1):
            losses.append(Loss("closing_turn", f"before call {turn.before}"))
    if example.answer is not msgspec.UNSET:
        losses.append(Loss("answer"))
    if not example.request and not any(turn.role == "user" for turn in example.turns):
        losses.append(Loss("no_request", whole=True))
    return replace(example, calls=tuple(calls)), tuple(losses)
