"""LLM steps, one per module: typed input, template, typed reply, and data for the checks."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from benchloom.core.kinds import Kind
from benchloom.core.records import Rejected
from prompts.data_block import RULE, data_block
from prompts.exchange import Answer, Message
from prompts.inputs.personas import Persona
from prompts.styles import PLAIN, Style, style_rule
from prompts.subject import Subject
from prompts.talks import Asker, Conversation

G = TypeVar("G", bound=msgspec.Struct)


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """Options of steps that invent tasks: the number of tasks and the random seed.

    With `every_text`, steps that read texts also read those that rules dropped. `personas` are
    possible users of conversations.
    """

    count: int = 100
    seed: int = 0
    vectors: bool = False
    every_text: bool = False
    personas: tuple[Persona, ...] = ()


@dataclass(frozen=True)
class Case(Generic[G]):
    """A row to write about: its id, its source file, and the input of the step."""

    target_id: str
    source_uri: str
    input: G


class LateCase(Case[G]):
    """A row for a step, whose input is computed at first use, or never if its result is cached.

    `input_digest` is the digest of everything, except code, from which `make` makes the input.
    `make` is sent to another process unchanged, unless the input was made before.
    """

    def __init__(
        self, target_id: str, source_uri: str, input_digest: bytes, make: Callable[[], G]
    ) -> None:
        # What `Case` would do, without an input.
        vars(self).update(
            target_id=target_id, source_uri=source_uri, input_digest=input_digest, _make=make
        )

    input_digest: bytes
    _make: Callable[[], G]

    @cached_property
    def input(self) -> G:
        """The input of the step, made on first use."""
        return self._make()

    def is_made(self) -> bool:
        """Whether the input has already been made."""
        return "input" in vars(self)

    def __reduce__(self) -> tuple[type[Case[G]], tuple[object, ...]]:
        """Pickle the case with its input if it exists, or with the function that makes it."""
        if self.is_made():
            return Case, (self.target_id, self.source_uri, self.input)
        return LateCase, (self.target_id, self.source_uri, self.input_digest, self._make)


class Written(msgspec.Struct, frozen=True):
    """A text that a step wrote; `structured` is JSON with facts that the text does not contain.

    `category` is the category that the text assigns to its target, `style` the style of its
    wording; both are empty for other kinds of text. `answer` is the model's answer with the text;
    None means the last answer of the conversation.
    """

    text: str
    structured: str | None = None
    category: str | None = None
    style: str | None = None
    answer: Answer | None = None


class Grade(msgspec.Struct, frozen=True):
    """A judge's decision about a text, stored as a verdict; `score` is 1 to 10, or None."""

    score: float | None
    kept: bool
    reason: str
    evidence: str


class Wording(msgspec.Struct, frozen=True):
    """A judge of a panel: its name and its rules, which are those of the step if empty."""

    name: str
    rules: str = ""


class Step(ABC, Generic[G]):
    """A kind of request to a language model. Each module of this package defines a `STEP`."""

    name: ClassVar[str]
    version: ClassVar[str]
    """Increase it when the meaning of a row changes, so that unfinished runs start again."""
    reads: ClassVar[tuple[str, ...]]
    """The tables it reads."""
    also_reads: ClassVar[tuple[str, ...]] = ()
    """Tables that it reads if the folder has them."""
    kind: ClassVar[str]
    """The value of `queries.kind` of its texts; for judging steps, the name of the check."""
    judges: ClassVar[bool] = False
    """Whether it writes verdicts on texts instead of texts."""
    uses_personas: ClassVar[bool] = False
    """Whether `Sampling.personas` decide who speaks."""

    max_tokens: ClassVar[int]
    """Maximum tokens of one reply."""
    expected_tokens_out: ClassVar[int]
    """Tokens of a usual reply, for estimates."""
    expected_requests: ClassVar[int] = 1
    """Requests a usual row needs, for estimates."""

    @abstractmethod
    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[G] | Rejected]:
        """Yield each input row as a case, or as a rejected row if no text about it is possible."""

    @abstractmethod
    def converse(self, step_input: G, asker: Asker) -> Conversation[Written | Grade]:
        """Ask the model for one text or one grade."""

    def template(self, step_input: G) -> Written | Grade | None:  # noqa: ARG002  # overridden by some
        """Return the text or grade of a run without a model, or None if there is none."""
        return None

    def check(self, judge: str) -> str:  # noqa: ARG002  # overridden by judges
        """The name of a judging step in stored verdicts, which contains the name of the model."""
        return self.kind

    def subject(self, query_id: str, step_input: G, written: Written) -> Subject:
        """Return the text with the facts against which the checks compare it."""
        del step_input
        return Subject(query_id, self.kind, written.text)


def prompt(
    task: str, rules: str, data: msgspec.Struct, style: Style = PLAIN
) -> tuple[Message, ...]:
    """Return a system message with task and rules, and a user message with a data block.

    A style adds its rule below the others.
    """
    system = f"Task: {task}\n{RULE}\n{rules.strip()}"
    if style.rule:
        system += f"\n{style_rule(style)}"
    return Message("system", system), Message("user", data_block(data))


AnyStep = Step[Any]

STEPS: Kind[AnyStep] = Kind("step", __name__, Step, attribute="STEP")
JUDGED_WRITERS = ("query", "instruction", "category")
"""Steps whose texts the judge of faithfulness reads: they have a source to compare a text with."""
JUDGE = "faithfulness"
JUDGED_STEPS = frozenset({*JUDGED_WRITERS, JUDGE})
