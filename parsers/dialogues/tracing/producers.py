"""Which earlier call a value comes from: the one the system spoke of, else the first to hold it."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from parsers.dialogues.tracing.calls import Call
from parsers.dialogues.tracing.evidence import relation
from parsers.dialogues.tracing.memory import SystemMention

_RANK = {"same_slot": 0, "equivalent_slot": 1, "other_slot": 2}


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where one argument's value comes from; `call` and `output` for a result."""

    provenance: str
    turn: int | None = None
    call: int | None = None
    output: str | None = None
    evidence: str = ""


class TracedCall(msgspec.Struct, frozen=True, gc=False):
    """A call and the origin of each of its arguments."""

    call: Call
    origins: dict[str, Origin]


class Wanted(NamedTuple):
    """The argument of `consumer` whose value is looked for; `weak` when it proves nothing alone."""

    name: str
    value: str
    consumer: Call
    weak: bool


def find_producer(
    wanted: Wanted, earlier: Sequence[TracedCall], shown: SystemMention | None
) -> Origin | None:
    """Where a value comes from that the user did not name first; None when no result holds it.

    A failed call is looked at only when the system offered one of its results in its own turn.
    """
    evidence = "returned"
    if shown is not None:
        evidence = shown.evidence
        if shown.call >= 0:
            found = _output_of(earlier[shown.call], shown.call, wanted, shown.slot)
            if found is not None:
                return _with_evidence(found, evidence, wanted.name)
    for index, producer in enumerate(earlier):
        if shown is not None and producer.call.turn > shown.turn:
            break
        found = None if producer.call.failed else _output_of(producer, index, wanted, "")
        if found is not None:
            return _with_evidence(found, evidence, wanted.name)
    return None


def _with_evidence(found: Origin, evidence: str, name: str) -> Origin:
    if found.output is None:
        return found
    return msgspec.structs.replace(found, evidence=f"{evidence}/{relation(found.output, name)}")


def _output_of(producer: TracedCall, index: int, wanted: Wanted, shown_slot: str) -> Origin | None:
    """The output of one call that holds the value, or the origin of the input it repeats."""
    call = producer.call
    for row in call.results:
        if wanted.value in row.values():
            output = _best_output(row, wanted, shown_slot, call)
            if output is not None:
                return _resolved(producer, index, output, wanted)
    return None


def _best_output(row: dict[str, str], wanted: Wanted, shown_slot: str, call: Call) -> str | None:
    """The output of a row that fits the argument best: same name, same meaning, as shown, any."""
    best: tuple[int, str] | None = None
    for output, returned in row.items():
        if returned == wanted.value:
            rank = _RANK[relation(output, wanted.name)]
            if rank == 2:
                if wanted.weak or output in call.api.closed_slots:
                    continue
                rank = 2 if output == shown_slot else 3
            if best is None or rank < best[0]:
                best = (rank, output)
    return best[1] if best is not None else None


def _resolved(producer: TracedCall, index: int, output: str, wanted: Wanted) -> Origin:
    """The output itself, or what its call was given when the output only repeats it."""
    call = producer.call
    if call.arguments.get(output) == wanted.value:
        origin = producer.origins[output]
        if origin.provenance == "user":
            return msgspec.structs.replace(origin, provenance="carried")
        return origin
    if output not in call.arguments and _is_default(output, call, wanted):
        return Origin("default")
    return Origin("result", call.turn, index, output)


def _is_default(output: str, call: Call, wanted: Wanted) -> bool:
    """Whether the value is the producer's default.

    A call of the same service that must be told the value, because its own intent has no such
    default, takes what the result says.
    """
    if call.api.intent.optional_slots.get(output) != wanted.value:
        return False
    consumer = wanted.consumer.api
    own = consumer.intent.optional_slots.get(wanted.name)
    return consumer.service != call.api.service or own == wanted.value
