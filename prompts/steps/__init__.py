"""This package contains the steps that prompt a language model, one per module.

A step has a typed input, a prompt, a typed reply, and the data that checks compare its text with.
"""

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
    """The options of a run: how many tasks to invent, the random seed, and which texts to read.

    `count` is only for steps that invent tasks. If `vectors`, tools are searched by sentence
    vectors and not by keywords. If `every_text`, steps that read texts also read those that checks
    dropped. `personas` describe possible users of conversations.
    """

    count: int = 100
    seed: int = 0
    vectors: bool = False
    every_text: bool = False
    personas: tuple[Persona, ...] = ()


@dataclass(frozen=True)
class Case(Generic[G]):
    """One row to write about: its id, its source file, and the input of the step."""

    target_id: str
    source_uri: str
    input: G


class LateCase(Case[G]):
    """A case whose input is computed at first use, or never if the result is cached.

    `input_digest` is the digest of everything, except code, from which `make` computes the input.
    When the case is sent to another process, `make` is sent instead of an input that was not
    computed yet.
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
        """The input of the step, computed at first use."""
        return self._make()

    def is_made(self) -> bool:
        """Whether the input has already been computed."""
        return "input" in vars(self)

    def __reduce__(self) -> tuple[type[Case[G]], tuple[object, ...]]:
        """Pickle the case with its input, or with `make` if the input was not computed yet."""
        if self.is_made():
            return Case, (self.target_id, self.source_uri, self.input)
        return LateCase, (self.target_id, self.source_uri, self.input_digest, self._make)


class Written(msgspec.Struct, frozen=True):
    """A text that a step wrote.

    `structured` is JSON with facts that are not in the text, such as calls. `category` is the
    category that a label assigns to its shortcut, and `style` the style of a request; each is None
    for other texts. `answer` is the model's answer with the text; None means the last answer of the
    conversation.
    """

    text: str
    structured: str | None = None
    category: str | None = None
    style: str | None = None
    answer: Answer | None = None


class Grade(msgspec.Struct, frozen=True):
    """A judge's decision about a text, which is stored as a verdict.

    `score` is from 1 to 10, or None if the judge uses no scale.
    """

    score: float | None
    kept: bool
    reason: str
    evidence: str


class Wording(msgspec.Struct, frozen=True):
    """One member of a panel of judges: its name, and its rules if they differ from the step's."""

    name: str
    rules: str = ""


class Step(ABC, Generic[G]):
    """A kind of text or judgement that a model is asked for; each module here defines a `STEP`."""

    name: ClassVar[str]
    version: ClassVar[str]
    """Increase the version when the meaning of rows changes; unfinished runs then start again."""
    reads: ClassVar[tuple[str, ...]]
    """The tables that the step reads."""
    also_reads: ClassVar[tuple[str, ...]] = ()
    """Further tables that the step reads if the folder has them."""
    kind: ClassVar[str]
    """The kind of the step's texts, stored in `queries.kind`. For a judge, it is the name of its
    check."""
    judges: ClassVar[bool] = False
    """Whether the step writes verdicts on texts instead of texts."""
    uses_personas: ClassVar[bool] = False
    """Whether the step takes the user of a conversation from `Sampling.personas`."""

    max_tokens: ClassVar[int]
    """Maximum tokens of one reply."""
    expected_tokens_out: ClassVar[int]
    """Usual number of tokens in a reply, for estimates."""
    expected_requests: ClassVar[int] = 1
    """Usual number of requests for a row, for estimates."""

    @abstractmethod
    def cases(self, folder: Path, sampling: Sampling) -> Iterator[Case[G] | Rejected]:
        """Yield a case for each input row, or a rejected row if no text about it is possible."""

    @abstractmethod
    def converse(self, step_input: G, asker: Asker) -> Conversation[Written | Grade]:
        """Ask the model for one text or one grade."""

    def template(self, step_input: G) -> Written | Grade | None:  # noqa: ARG002  # overridden by some
        """Return the text or grade that is made without a model, or None if there is none."""
        return None

    def check(self, judge: str) -> str:  # noqa: ARG002  # overridden by judges
        """Return a judge's name in stored verdicts; it may contain the name of the model."""
        return self.kind

    def subject(self, query_id: str, step_input: G, written: Written) -> Subject:
        """Return the text with the data that checks compare it with."""
        del step_input
        return Subject(query_id, self.kind, written.text)


def prompt(
    task: str, rules: str, data: msgspec.Struct, style: Style = PLAIN
) -> tuple[Message, ...]:
    """Return the two messages of a prompt: task and rules, and a data block with untrusted data.

    The rule of the style is added after the other rules.
    """
    system = f"Task: {task}\n{RULE}\n{rules.strip()}"
    if style.rule:
        system += f"\n{style_rule(style)}"
    return Message("system", system), Message("user", data_block(data))


AnyStep = Step[Any]

STEPS: Kind[AnyStep] = Kind("step", __name__, Step, attribute="STEP")
JUDGED_WRITERS = ("query", "instruction", "category")
"""Steps whose texts the judge of faithfulness can examine, because the texts have a source to
compare with."""
JUDGE = "faithfulness"
JUDGED_STEPS = frozenset({*JUDGED_WRITERS, JUDGE})
