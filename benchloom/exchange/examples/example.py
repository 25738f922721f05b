"""One example: a request, the calls that fulfil it, and the turns and results on the way."""

from typing import Literal

import msgspec

from benchloom.core.records import ApiDefinition, Shortcut
from benchloom.core.records.planning_path import Mode
from benchloom.core.records.values import Count, Value

Role = Literal["system", "user", "assistant"]


NO_TOOLS = "no_tools"
"""The oddity of an example that offers no tool, and whose right answer is to call nothing."""


def output_names(definition: ApiDefinition) -> tuple[str, ...]:
    """The names of the outputs that a definition declares."""
    return tuple(output.name for output in definition.returns if output.name is not None)


class Argument(msgspec.Struct, frozen=True):
    """One argument of a call; `supplied` is the source's value if `value` is a reference."""

    name: str
    value: Value
    supplied: str | None = None


class Result(msgspec.Struct, frozen=True):
    """The recorded result of a call; `exception` says why the call failed.

    `input` contains the arguments as the tool understood them, None if that was not recorded.
    """

    output: Value
    exception: str | None = None
    input: Value = None


class Call(msgspec.Struct, frozen=True):
    """One call. `returns` are the names of its outputs; `result` is None if no result is known.

    `depth` counts the control blocks around the call. `outcome` has the same meaning as in
    `benchloom.core.records.Step`. `definition_id` is empty for an API without a definition.
    """

    app: str
    api: str
    arguments: tuple[Argument, ...]
    definition_id: str = ""
    returns: tuple[str, ...] = ()
    outcome: Literal["ok", "failed", "retried", "superseded"] = "ok"
    result: Result | None = None
    depth: Count = 0


class Turn(msgspec.Struct, frozen=True, gc=False):
    """A message before call number `before`, which counts from 0."""

    role: Role
    text: str
    before: Count


class Text(msgspec.Struct, frozen=True):
    """A request, its id among the texts, and its answer if it has one."""

    query_id: str
    text: str
    answer: "Value | msgspec.UnsetType" = msgspec.UNSET


class Finding(msgspec.Struct, frozen=True, gc=False, order=True):
    """Something wrong with an example: `kind` is a stable word, `message` names the place."""

    kind: str
    message: str


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A request with its calls, in order.

    `example_id` is unique in an export: the id of the text, or of the plan if it has no text.
    `target_id` is the id of the plan or shortcut. `split` is train, validation, test or the
    source's own word; empty if unknown. `definitions` are the tools: first the tools of the
    calls in order of first use, then the distractors. `answer` is the result of the whole
    example, and may contain results of calls; it is unset if the source has no answer.
    `findings` are faults that the reader detected, `oddities` sorted words for irregularities
    that the reader tolerated. `shortcut` is the row of a shortcut, for formats that store the
    whole row.
    """

    example_id: str
    target_id: str
    source: str
    source_id: str
    source_uri: str
    split: str = ""
    request: str | None = None
    calls: tuple[Call, ...]
    definitions: tuple[ApiDefinition, ...] = ()
    turns: tuple[Turn, ...] = ()
    answer: "Value | msgspec.UnsetType" = msgspec.UNSET
    reference_mode: Mode = "flow"
    findings: tuple[Finding, ...] = ()
    oddities: tuple[str, ...] = ()
    shortcut: Shortcut | None = None

    @property
    def is_plan(self) -> bool:
        """Whether it has calls or states that no call is right, unlike a conversation."""
        return bool(self.calls or self.definitions) or NO_TOOLS in self.oddities
