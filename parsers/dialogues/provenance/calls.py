"""Read the calls of a dialogue, check them against its schema, and find their outcomes."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from parsers.dialogues.sgd.model import Action, Dialogue, Frame, ServiceCall, Turn
from parsers.dialogues.sgd.schema import Api, Schema
from parsers.errors import ParseError

_STATE = msgspec.json.Decoder(dict[str, tuple[str, ...]])


class Call(msgspec.Struct, frozen=True, gc=False):
    """One call of a service in a turn, with canonical argument values."""

    turn: int
    api: Api
    arguments: dict[str, str]
    failed: bool
    results: tuple[dict[str, str], ...]


def turns_with_calls(dialogue: Dialogue, schema: Schema) -> Iterator[tuple[int, Turn, list[Call]]]:
    """Yield the index of each turn, the turn, and its calls.

    Raises ParseError if a service or intent is unknown, a slot has no value, or a call is in a user
    turn or before every user turn.
    """
    user_spoke = False
    names = schema.names
    for index, turn in enumerate(dialogue.turns):
        user_spoke = user_spoke or turn.speaker == "USER"
        calls: list[Call] = []
        for frame in turn.frames:
            if frame.service not in names:
                raise missing_schema(index, frame)
            if frame.state is not None:
                check_state(index, frame.state.slot_values)
            for action in frame.actions:
                if action.slot:
                    check_values(index, action)
            call = frame.service_call
            if call is not None:
                api = _called_api(index, turn, frame, call, schema)
                if not user_spoke:
                    raise ParseError(
                        "call_before_user", f"turn {index}: a call before any user turn"
                    )
                calls.append(
                    Call(index, api, call.parameters, has_failed(frame), frame.service_results)
                )
        yield index, turn, calls


def _called_api(index: int, turn: Turn, frame: Frame, call: ServiceCall, schema: Schema) -> Api:
    api = schema.apis.get((frame.service, call.method))
    if api is None:
        raise ParseError(
            "unknown_intent", f"turn {index}: {frame.service} has no intent {call.method}"
        )
    if turn.speaker == "USER":
        raise ParseError("call_by_user", f"turn {index}: a call inside a user turn")
    return api


def has_failed(frame: Frame) -> bool:
    """Whether a call failed: the system notifies a failure, or the call has no result."""
    return not frame.service_results or any(a.act == "NOTIFY_FAILURE" for a in frame.actions)


def check_values(index: int, action: Action) -> None:
    """Raise if an act on a slot has an empty list of values, unless the act is a question."""
    if () in (action.canonical_values, action.values) and action.act != "REQUEST":
        raise ParseError("empty_values", f"turn {index}: {action.act} {action.slot} has no value")


def check_state(index: int, slot_values: msgspec.Raw) -> None:
    """Raise if a slot in a state has an empty list of values."""
    # Searching for two bytes is ten times cheaper than decoding; matches inside texts are rare.
    if b"[]" in bytes(slot_values):
        for slot, values in state_values(slot_values).items():
            if not values:
                raise ParseError("empty_values", f"turn {index}: no value for {slot}")


def state_values(slot_values: msgspec.Raw) -> dict[str, tuple[str, ...]]:
    """Return a mapping from slot to surface forms; raise ParseError if the state is unreadable."""
    try:
        return _STATE.decode(slot_values) if bytes(slot_values) else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ParseError("bad_dialogue", f"a state cannot be read: {error}") from error


def missing_schema(index: int, frame: Frame) -> ParseError:
    """Return the error for a frame whose service the split's schema does not declare."""
    return ParseError("missing_schema", f"turn {index}: no schema for service {frame.service}")


Outcome = Literal["ok", "failed", "retried", "superseded"]


def outcomes_of(calls: Sequence[Call], used: Collection[int]) -> list[Outcome]:
    """Return the outcome of each call; `used` has the indexes of calls whose results are used.

    A failed call counts as retried if its API is called again later. A search whose result no call
    takes counts as superseded if the very next call uses the same API again. A transaction never
    counts as superseded, because it took effect.
    """
    outcomes: list[Outcome] = []
    following: str | None = None
    later: set[str] = set()
    for index in range(len(calls) - 1, -1, -1):
        call = calls[index]
        name = call.api.definition
        if call.failed:
            outcomes.append("retried" if name in later else "failed")
        elif following == name and not call.api.intent.is_transactional and index not in used:
            outcomes.append("superseded")
        else:
            outcomes.append("ok")
        following = name
        later.add(name)
    outcomes.reverse()
    return outcomes


def flags_of(calls: Sequence[Call], outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """Return the sorted irregularities of a plan: outcomes other than ok, and identical calls."""
    flags = {f"{outcome}_call" for outcome in outcomes if outcome != "ok"}
    if len({call.api.definition for call in calls}) < len(calls):
        seen = Counter((c.api.definition, *sorted(c.arguments.items())) for c in calls)
        if len(seen) < len(calls):
            flags.add("identical_calls")
    return tuple(sorted(flags))
