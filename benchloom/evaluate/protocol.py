"""The interface of protocols, which build prompts for a sample, and an output from the replies.

A protocol is a pure function from a sample and the previous replies to the next prompt. The caller
sends each prompt to a model and passes the reply back, until the protocol returns no prompt.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Literal, TypeAlias

import msgspec

from benchloom.core.records import ApiDefinition
from benchloom.core.records.values import Plain
from benchloom.evaluate.benchmark import Benchmark, Sample
from benchloom.exchange.examples.conversation import (
    SpokenMessage,
    result_text,
    turns_with_request,
)
from benchloom.exchange.examples.tools import Tool
from benchloom.exchange.foreign.specifications import definition_name

TOOLS = "tools"
"""The name of the variant, in every protocol, that uses the native tool calls of models."""
PromptNames: TypeAlias = Callable[[ApiDefinition], dict[str, Plain]]
"""A function that returns the fields with which a prompt names an API, such as `app` and `api`."""
_ENCODER = msgspec.json.Encoder()


CALL, RESPONSE = "call", "response"
"""The output that a model must predict: a call, or the assistant's response to a call's result."""
UNKNOWN_RESULT = "done"


class PredictedCall(msgspec.Struct, frozen=True):
    """A tool call in a model's reply.

    `problem` is the reason why the arguments cannot be read, or empty.
    """

    name: str
    arguments: dict[str, Plain]
    problem: str = ""


class Reply(msgspec.Struct, frozen=True):
    """The reply of a model, which consists of a text and tool calls."""

    text: str
    calls: tuple[PredictedCall, ...] = ()


class Message(msgspec.Struct, frozen=True):
    """A message of a prompt.

    A message with the role `tool` is the result of the call in the message before it.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[PredictedCall, ...] = ()


class Prompt(msgspec.Struct, frozen=True):
    """A prompt for a model, which consists of messages in order and tools sorted by name."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """The data that the prompts of all samples of a run share."""

    benchmark: Benchmark
    catalogue: tuple[
        ApiDefinition, ...
    ] = ()  # the tools of all samples; empty if each sample has its own
    shots: tuple[Sample, ...] = ()  # worked examples in the prompt

    def prompt_apis(self, sample: Sample) -> tuple[ApiDefinition, ...]:
        """Return the APIs that the prompt for a sample describes."""
        return self.catalogue or sample.example.definitions


class Protocol(ABC):
    """Builds the prompts of a benchmark as its paper describes them."""

    variants: ClassVar[Mapping[str, str]]  # descriptions by name, the usual variant first
    most_shots: ClassVar[int] = 0  # highest number of worked examples
    shows_all_tools: ClassVar[bool] = False  # whether every prompt shows the tools of all samples

    def ask(
        self, variant: str, sample: Sample, replies: Sequence[Reply], setting: Setting
    ) -> Prompt | None:
        """Return the next prompt to send, or None if there are enough replies (usually one).

        `variant` is one of the names in `variants`.
        """
        return None if replies else self.prompt(sample, setting)

    @abstractmethod
    def prompt(self, sample: Sample, setting: Setting) -> Prompt:
        """Return the first prompt for a sample in the first, usual variant."""

    def output(self, variant: str, replies: Sequence[Reply]) -> Plain:
        """Combine the replies into an output for `Benchmark.judge`, by default the last text."""
        return replies[-1].text if replies else ""

    def distractors(self, sample: Sample, seed: int) -> int:
        """Return how many unneeded tools a prompt for the sample contains, as in the paper."""
        return 0


def _plain_definition(definition: ApiDefinition, names_of: PromptNames) -> dict[str, Plain]:
    parameters: dict[str, Plain] = {}
    for parameter in definition.parameters:
        fields: dict[str, Plain] = {"type": parameter.type, "required": parameter.optional is False}
        if parameter.description or parameter.title:
            fields["description"] = parameter.description or parameter.title
        if parameter.enum_values:
            fields["values"] = [value.value for value in parameter.enum_values]
        parameters[parameter.name] = fields
    return {
        **names_of(definition),
        "description": definition.description or definition.title or "",
        "parameters": parameters,
        "outputs": [output.name for output in definition.returns if output.name],
    }


def lines_of(definitions: Iterable[ApiDefinition], names_of: PromptNames) -> str:
    """Describe APIs as JSON, one per line; the sorted order hides which APIs are needed."""
    chosen = sorted(
        definitions,
        key=lambda definition: (definition.app or "", definition.api, definition.definition_id),
    )
    return "\n".join(as_json(_plain_definition(definition, names_of)) for definition in chosen)


def by_name(definition: ApiDefinition) -> dict[str, Plain]:
    """Return an API's name for a prompt, as a field `name` with the name that calls must use."""
    return {"name": definition_name(definition)}


def as_json(value: object) -> str:
    """Write a value as JSON on one line."""
    return _ENCODER.encode(value).decode()


class Called(msgspec.Struct, frozen=True):
    """A call before the call to predict: its number in the example, and its result as text."""

    number: int
    result: str


Entry: TypeAlias = SpokenMessage | Called


def history(sample: Sample) -> Iterator[Entry]:
    """Yield the turns and calls before the position that a sample predicts, in order.

    The user's request is included, even if no recorded turn contains it.
    """
    example, at = sample.example, sample.position or 0
    turns = turns_with_request(example)
    for number in range(at + 1):
        if number < at or sample.aspect != RESPONSE:
            before = (turn for turn in turns if turn.before == number)
            yield from (SpokenMessage(turn.role, turn.text) for turn in before)
        if number < at:
            result = example.calls[number].result
            yield Called(number, UNKNOWN_RESULT if result is None else result_text(result))
