"""Find the calls of a dialogue, and trace every argument to its origin by its value.

This is the mode `flow`. The mode `name` links arguments and outputs by equal names instead.
"""

from collections.abc import Iterable, Sequence

from parsers.dialogues.provenance.calls import Call, turns_with_calls
from parsers.dialogues.provenance.evidence import is_weak, relation
from parsers.dialogues.provenance.memory import Memory, SystemMention, UserMention
from parsers.dialogues.provenance.producers import Origin, TracedArgument, TracedCall, find_producer
from parsers.dialogues.sgd.model import Dialogue
from parsers.dialogues.sgd.schema import Schema
from parsers.errors import ParseError

_NOT_FROM_A_RESULT = frozenset({"confirmed/same_slot", "returned/same_slot"})

"""Kinds of evidence that do not prove that a value comes from a result, because the system may only
ask to confirm its default."""

MAX_ARGUMENTS = 2_000
MAX_CELLS = 100_000
MAX_MENTIONS = 20_000
"""These limits per dialogue are a hundred times the size of real dialogues. They are needed because
every argument is compared with all earlier values and results."""


def traced_calls(dialogue: Dialogue, schema: Schema) -> list[TracedCall]:
    """Return the calls of a dialogue with the origins of their arguments.

    Raises:
        ParseError: the dialogue is too large, or its calls cannot be read.
    """
    memory = Memory()
    traced: list[TracedCall] = []
    arguments = cells = 0
    for index, turn, calls in turns_with_calls(dialogue, schema):
        for call in calls:
            arguments += len(call.arguments)
            cells += sum([len(row) for row in call.results])
            if arguments > MAX_ARGUMENTS or cells > MAX_CELLS or memory.mentions > MAX_MENTIONS:
                raise ParseError("too_large", f"turn {index}: the dialogue is too large")
            origins = {
                name: origin_of(name, value, call, traced, memory)
                for name, value in call.arguments.items()
            }
            traced.append(TracedCall(call, origins))
            memory.add_call(len(traced) - 1, call)
        # After the calls, because the turn shows their results.
        for frame in turn.frames:
            if turn.speaker == "USER":
                memory.add_user(index, frame)
            else:
                memory.add_system(index, frame)
    return traced


# A value that the user named before the system did comes from the user. Otherwise its origin is the
# first of these that exists: the output of the call whose result first contained the value or was
# offered with it, the definition's default, a value that the system put forward by itself. A result
# that only repeats an input of its call is no origin; the origin of that input is used.
def origin_of(
    name: str, value: str, call: Call, earlier: Sequence[TracedCall], memory: Memory
) -> Origin:
    """Return the origin of argument `name` of `call`, from earlier utterances and results."""
    key = value.lower()
    service = call.api.service
    weak = is_weak(value) or name in call.api.closed_slots
    mentions, system_mention = _mentions(name, key, memory, weak=weak)
    own = [m for m in mentions if m.slot == name and m.service == service]
    direct = own[0].turn if own else None
    default = call.api.intent.optional_slots.get(name) == value
    if mentions and (system_mention is None or mentions[0].turn < system_mention.turn):
        if direct is not None:
            return Origin("user", direct)
        return Origin("carried", mentions[0].turn)
    origin = find_producer(TracedArgument(name, value, call, weak), earlier, system_mention)
    requested = any(not mention.selected for mention in own)
    if origin is not None and not (
        weak and _is_explained(origin, default=default, requested=requested)
    ):
        return origin
    if direct is not None:
        return Origin("user", direct)
    if default:
        return Origin("default")
    return _leftover(name, key, memory)


def _mentions(
    name: str, key: str, memory: Memory, *, weak: bool
) -> tuple[Sequence[UserMention], SystemMention | None]:
    mentions: Sequence[UserMention] = memory.user.get(key, ())
    system_mentions: Iterable[SystemMention] = memory.system.get(key, {}).values()
    # For a weak value such as a count, mentions for unrelated slots are ignored.
    if weak:
        mentions = [mention for mention in mentions if relation(mention.slot, name) != "other_slot"]
        system_mentions = (
            mention for mention in system_mentions if relation(mention.slot, name) != "other_slot"
        )
    return mentions, next(iter(system_mentions), None)


def _leftover(name: str, key: str, memory: Memory) -> Origin:
    system_mentions = memory.system.get(key, {})
    named = system_mentions.get(name) or next(iter(system_mentions.values()), None)
    if named is not None:
        return Origin("system", named.turn)
    mentions = memory.user.get(key)
    return Origin("carried", mentions[0].turn) if mentions else Origin("unknown")


def _is_explained(origin: Origin, *, default: bool, requested: bool) -> bool:
    # The user's wish covers a date, a count, a kind or a yes that the system happened to name
    # before the user asked for it explicitly. A name that the user can have heard only from the
    # system stays a reference.
    return requested or (default and origin.evidence in _NOT_FROM_A_RESULT)
