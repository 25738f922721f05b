"""One example: a request, the calls that fulfil it, and what was said and found on the way."""

from typing import Literal

import msgspec

from benchloom.core.records import ApiDefinition, Shortcut
from benchloom.core.records.planning_path import Mode
from benchloom.core.records.values import Count, Value

Role = Literal["system", "user", "assistant"]


NO_TOOLS = "no_tools"
"""The oddity of an example that offers no tool, and whose right answer is to call nothing."""


class Argument(msgspec.Struct, frozen=True):
    """One supplied parameter; `supplied` is what the source had where the value is a reference."""

    name: str
    value: Value
    supplied: str | None = None


class Result(msgspec.Struct, frozen=True):
    """What a call gave back when it was recorded; `exception` tells why it failed.

    `input` holds the arguments as the tool understood them, None where that was not recorded.
    """

    output: Value
    exception: str | None = None
    input: Value = None


class Call(msgspec.Struct, frozen=True):
    """One call. `returns` are the names of its outputs; `result` is None where none is known.

    `depth` counts the control blocks around it. `outcome` is that of `benchloom.core.records.Step`.
    `definition_id` is empty for an API that no definition tells about.
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
    """Something that was said before call number `before`, which counts from 0."""

    role: Role
    text: str
    before: Count


class Text(msgspec.Struct, frozen=True):
    """A request, the id it has among the texts, and the answer where one came with it."""

    query_id: str
    text: str
    answer: "Value | msgspec.UnsetType" = msgspec.UNSET


class Finding(msgspec.Struct, frozen=True, gc=False, order=True):
    """Something wrong with an example: `kind` is a stable word, `message` names the place."""

    kind: str
    message: str


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A request with its calls, in order.

    `example_id` is unique in an export: the id of the text, or of the plan where no text stands
    beside it. `target_id` is the id of the plan or shortcut. `split` is train, validation, test or
    the source's own word; empty where nothing tells. `definitions` are the tools: those of the
    calls in order of first use, then those that only distract. `answer` is what the whole gives
    back, and has results in it; it is unset where no source told one. `findings` are what its
    reader saw to be wrong, `oddities` sorted words for what it tolerated. `shortcut` is the row of
    a shortcut, for formats that hold all of it.
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
        """Whether it has calls, or says that no call is right; any other is a conversation."""
        return bool(self.calls or self.definitions) or NO_TOOLS in self.oddities
