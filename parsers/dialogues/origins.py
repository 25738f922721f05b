"""Where the value of one argument comes from.

A value the user named before the system did is the user's. Else it is the output of the call
whose result first held it or was offered with it, then the definition's default, then something
the system put forward by itself. A result that merely repeats an input of its call is no origin:
it resolves to where that input came from.
"""

from collections.abc import Sequence

import msgspec

from parsers.dialogues.calls import Call
from parsers.dialogues.evidence import is_weak, relation
from parsers.dialogues.memory import Memory, SystemMention

_NOT_FROM_A_RESULT = frozenset({"confirmed/same_slot", "returned/same_slot"})
"""Evidence that a default explains as well: the system asks to confirm its own default."""
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


def origin_of(
    name: str, value: str, call: Call, earlier: Sequence[TracedCall], memory: Memory
) -> Origin:
    """The origin of argument `name` of `call`, from what was said and returned before it."""
    key = value.lower()
    said = memory.user.get(key)
    shown = memory.system.get(key)
    direct = None
    if said is not None:
        for mention in said:
            if mention.slot == name and mention.service == call.api.service:
                direct = mention.turn
                break
        if direct is not None and (shown is None or said[0].turn < shown.turn):
            return Origin("user", direct)
    weak = is_weak(value) or name in call.api.closed_slots
    default = call.api.intent.optional_slots.get(name) == value
    if said is not None and (shown is None or said[0].turn < shown.turn):
        # An equal count that the user gave for something else says nothing about this one.
        if not weak or any(relation(mention.slot, name) != "other_slot" for mention in said):
            return Origin("carried", said[0].turn)
    else:
        found = _producer(name, value, earlier, shown, weak=weak)
        if found is not None and not (weak and _is_explained(found, direct, default=default)):
            return found
        if direct is not None:
            return Origin("user", direct)
    if default:
        return Origin("default")
    if shown is not None:
        return Origin("system", memory.elsewhere.get((name, key), shown.turn))
    return Origin("unknown") if said is None else Origin("carried", said[0].turn)


def _is_explained(found: Origin, direct: int | None, *, default: bool) -> bool:
    """Whether a weak value has a better origin: its own default, or the user's own wish.

    The latter is a count or a yes that the system told on request and the user then asked for.
    """
    if default and found.evidence in _NOT_FROM_A_RESULT:
        return True
    return direct is not None and found.evidence.startswith("informed")


def _producer(
    name: str,
    value: str,
    earlier: Sequence[TracedCall],
    shown: SystemMention | None,
    *,
    weak: bool,
) -> Origin | None:
    """The call that introduced a value the user did not: by the system's word, else the first."""
    evidence = "returned"
    if shown is not None:
        evidence = shown.evidence
        if shown.call >= 0:
            found = _output_of(earlier, shown.call, name, value, shown.slot, weak=weak)
            if found is not None:
                return _with_evidence(found, evidence, name)
    for index, producer in enumerate(earlier):
        if shown is not None and producer.call.turn > shown.turn:
            break
        found = _output_of(earlier, index, name, value, "", weak=weak)
        if found is not None:
            return _with_evidence(found, evidence, name)
    return None


def _with_evidence(found: Origin, evidence: str, name: str) -> Origin:
    if found.output is None:
        return found
    return msgspec.structs.replace(found, evidence=f"{evidence}/{relation(found.output, name)}")


def _output_of(
    earlier: Sequence[TracedCall],
    index: int,
    name: str,
    value: str,
    shown_slot: str,
    *,
    weak: bool,
) -> Origin | None:
    """The output of one call that holds the value, or the origin of the input it repeats."""
    call = earlier[index].call
    if call.failed:
        return None
    for row in call.results:
        if value in row.values():
            output = _best_output(row, name, value, shown_slot, call, weak=weak)
            if output is not None:
                return _resolved(earlier[index], index, output, value)
    return None


def _best_output(
    row: dict[str, str], name: str, value: str, shown_slot: str, call: Call, *, weak: bool
) -> str | None:
    """The output of a row that fits the argument best: same name, same meaning, as shown, any."""
    best: tuple[int, str] | None = None
    for output, returned in row.items():
        if returned == value:
            rank = _RANK[relation(output, name)]
            if rank == 2:
                if weak or output in call.api.closed_slots:
                    continue
                rank = 2 if output == shown_slot else 3
            if best is None or rank < best[0]:
                best = (rank, output)
    return best[1] if best is not None else None


def _resolved(producer: TracedCall, index: int, output: str, value: str) -> Origin:
    """The output itself, or what its call was given when the output only repeats it."""
    call = producer.call
    if call.arguments.get(output) == value:
        origin = producer.origins[output]
        if origin.provenance == "user":
            return msgspec.structs.replace(origin, provenance="carried")
        return origin
    if output not in call.arguments and call.api.intent.optional_slots.get(output) == value:
        return Origin("default")
    return Origin("result", call.turn, index, output)
