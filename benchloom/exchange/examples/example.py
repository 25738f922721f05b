"""The structure of an example: a request with the calls that fulfil it, and its dialogue."""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from benchloom.core.records import ApiDefinition, Shortcut
from benchloom.core.records.planning_path import Mode
from benchloom.core.records.values import Count, Ref, Value, refs_in

Role = Literal["system", "user", "assistant"]


NO_TOOLS = "no_tools"  # the oddity of an example without tools, where no call is correct


def output_names(definition: ApiDefinition) -> tuple[str, ...]:
    """Return the names of the outputs that a definition declares."""
    return tuple(output.name for output in definition.returns if output.name is not None)


class Argument(msgspec.Struct, frozen=True):
    """An argument of a call.

    If `value` is a reference to the result of a call, `supplied` is the literal value that the
    source states for the argument, or None.
    """

    name: str
    value: Value
    supplied: str | None = None


class Result(msgspec.Struct, frozen=True):
    """The recorded result of a call."""

    output: Value
    exception: str | None = None  # why the call failed
    input: Value = None  # the arguments as the tool understood them, if recorded


class Call(msgspec.Struct, frozen=True):
    """A call of an API in an example.

    Its `outcome` is `ok`, `failed` (it returned nothing useful), `retried` (it failed, and a later
    call tries again) or `superseded` (its result is unused, and the next call is to the same API).
    """

    app: str
    api: str
    arguments: tuple[Argument, ...]
    definition_id: str = ""  # empty without a definition
    returns: tuple[str, ...] = ()  # the names of its outputs
    outcome: Literal["ok", "failed", "retried", "superseded"] = "ok"
    result: Result | None = None  # None if unknown
    depth: Count = 0  # control blocks around the call


def refs_of(calls: Iterable[Call]) -> Iterator[Ref]:
    """Yield the references to results in the arguments of calls, in order."""
    return (ref for call in calls for argument in call.arguments for ref in refs_in(argument.value))


class Turn(msgspec.Struct, frozen=True, gc=False):
    """A text message of a dialogue; it precedes the call with index `before`."""

    role: Role
    text: str
    before: Count


class RejectedText(msgspec.Struct, frozen=True):
    """A request that failed checks, with the sorted reasons."""

    query_id: str
    text: str
    reasons: tuple[str, ...] = ()


class Text(msgspec.Struct, frozen=True):
    """A request from the table `queries`, with the answer that it expects, if any.

    In a pair for preference training, `rejected` is the request that failed checks.
    """

    query_id: str
    text: str
    answer: "Value | msgspec.UnsetType" = msgspec.UNSET
    rejected: RejectedText | None = None


class Finding(msgspec.Struct, frozen=True, gc=False, order=True):
    """A fault: `kind` is a stable word for the kind of fault, and `message` states where it is."""

    kind: str
    message: str


class Loss(msgspec.Struct, frozen=True, gc=False, order=True):
    """A part of an example that an external format cannot store."""

    kind: str  # a stable word
    place: str = ""  # the affected part of the example, such as `call 2`
    whole: bool = False  # whether the example could not be written at all


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """An example of tool use: a request with the calls that fulfil it, in order."""

    example_id: str  # unique in an export: the id of the text, else of the plan or shortcut
    target_id: str  # the id of the plan or shortcut
    source: str
    source_id: str
    source_uri: str
    split: str = ""  # train, validation, test or the source's own word; empty if unknown
    request: str | None = None
    calls: tuple[Call, ...]
    definitions: tuple[ApiDefinition, ...] = ()  # of called APIs by first use, then distractors
    turns: tuple[Turn, ...] = ()
    answer: "Value | msgspec.UnsetType" = msgspec.UNSET  # the final answer; may contain results
    reference_mode: Mode = "flow"
    findings: tuple[Finding, ...] = ()  # faults that the reader detected
    oddities: tuple[str, ...] = ()  # sorted words for tolerated faults
    shortcut: Shortcut | None = None  # for formats that store the whole row
    rejected: RejectedText | None = None  # for formats that store pairs of requests

    @property
    def is_plan(self) -> bool:
        """Whether the example is a plan: it has calls, or tools none of which should be called."""
        return bool(self.calls or self.definitions) or NO_TOOLS in self.oddities
