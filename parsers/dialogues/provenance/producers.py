"""Find the call that returned a value, preferably the call that the system referred to."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from parsers.dialogues.provenance.calls import Call
from parsers.dialogues.provenance.evidence import relation
from parsers.dialogues.provenance.memory import SystemMention

_RANK = {"same_slot": 0, "equivalent_slot": 1, "other_slot": 2}


class Origin(msgspec.Struct, frozen=True, gc=False):
    """The origin of an argument's value; a value from a call's result has `call` and `output`."""

    provenance: str
    turn: int | None = None
    call: int | None = None
    output: str | None = None
    evidence: str = ""


class TracedCall(msgspec.Struct, frozen=True, gc=False):
    """A call and the origin of each of its arguments."""

    call: Call
    origins: dict[str, Origin]


class TracedArgument(NamedTuple):
    """An argument of call `consumer` whose source is searched.

    If the value is `weak`, such as a count, an equal value in an earlier result does not prove that
    this result is the source.
    """

    name: str
    value: str
    consumer: Call
    weak: bool


def find_producer(
    argument: TracedArgument, earlier: Sequence[TracedCall], system_mention: SystemMention | None
) -> Origin | None:
    """Return the origin of a value in earlier results, or None if no result is the origin.

    The user must not have named the value first. A failed call counts only when the system
    offered one of its results in the same turn.
    """
    evidence = "returned"
    if system_mention is not None:
        evidence = system_mention.evidence
        if system_mention.call >= 0:
            origin = _output_of(
                earlier[system_mention.call], system_mention.call, argument, system_mention.slot
            )
            if origin is not None:
                return _with_evidence(origin, evidence, argument.name)
    for index, producer in enumerate(earlier):
        if system_mention is not None and producer.call.turn > system_mention.turn:
            break
        origin = None if producer.call.failed else _output_of(producer, index, argument, "")
        if origin is not None:
            return _with_evidence(origin, evidence, argument.name)
    return None


def _with_evidence(origin: Origin, evidence: str, name: str) -> Origin:
    if origin.output is None:
        return origin
    return msgspec.structs.replace(origin, evidence=f"{evidence}/{relation(origin.output, name)}")


def _output_of(
    producer: TracedCall, index: int, argument: TracedArgument, shown_slot: str
) -> Origin | None:
    call = producer.call
    for row in call.results:
        if argument.value in row.values():
            output = _best_output(row, argument, shown_slot, call)
            if output is not None:
                return _origin_in(producer, index, output, argument)
    return None


def _best_output(
    row: dict[str, str], argument: TracedArgument, shown_slot: str, call: Call
) -> str | None:
    # Order: an output of the same name, of the same meaning, the one the system showed, any.
    best: tuple[int, str] | None = None
    for output, returned in row.items():
        if returned == argument.value:
            rank = _RANK[relation(output, argument.name)]
            if rank == 2:
                if argument.weak or output in call.api.closed_slots:
                    continue
                rank = 2 if output == shown_slot else 3
            if best is None or rank < best[0]:
                best = (rank, output)
    return best[1] if best is not None else None


def _origin_in(producer: TracedCall, index: int, output: str, argument: TracedArgument) -> Origin:
    # An output that repeats an input has the origin of that input.
    call = producer.call
    if call.arguments.get(output) == argument.value:
        origin = producer.origins[output]
        if origin.provenance == "user":
            return msgspec.structs.replace(origin, provenance="carried")
        return origin
    if output not in call.arguments and _is_default(output, call, argument):
        return Origin("default")
    return Origin("result", call.turn, index, output)


def _is_default(output: str, call: Call, argument: TracedArgument) -> bool:
    if call.api.intent.optional_slots.get(output) != argument.value:
        return False
    # A consumer of the same service whose intent lacks this default takes the value from the
    # result.
    consumer = argument.consumer.api
    own = consumer.intent.optional_slots.get(argument.name)
    return consumer.service != call.api.service or own == argument.value
