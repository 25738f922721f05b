"""The calls of one dialogue, checked against the schema of its split."""

from typing import NamedTuple

import msgspec

from parsers.dialogues.model import Action, Dialogue, Frame, LeanDialogue, LeanFrame, ServiceCall
from parsers.dialogues.schema import Api, Schema
from parsers.errors import ParseError

_NO_VALUES_NEEDED = frozenset({"REQUEST"})
_STATE = msgspec.json.Decoder(dict[str, tuple[msgspec.Raw, ...]])


class Call(NamedTuple):
    """One call: the turn it happens in, its API, canonical arguments, and whether it failed.

    `results` are the returned rows, empty in name mode.
    """

    turn: int
    api: Api
    arguments: dict[str, str]
    failed: bool
    results: tuple[dict[str, str], ...]


def lean_calls(dialogue: LeanDialogue, schema: Schema) -> list[Call]:
    """The calls of a dialogue for name mode.

    Raises:
        ParseError: missing_schema, unknown_intent, call_before_user or empty_values.
    """
    calls: list[Call] = []
    user_spoke = False
    names, apis = schema.names, schema.apis
    for index, turn in enumerate(dialogue.turns):
        if turn.speaker == "USER":
            user_spoke = True
        for frame in turn.frames:
            if frame.service not in names:
                raise _missing_schema(index, frame)
            if frame.state is not None:
                _check_state(index, frame.state.slot_values)
            call = frame.service_call
            if call is not None:
                api = apis.get((frame.service, call.method))
                if api is None or not user_spoke:
                    raise _bad_call(index, frame, call, api)
                failed = not frame.service_results or b'"NOTIFY_FAILURE"' in bytes(frame.actions)
                calls.append(Call(index, api, call.parameters, failed, ()))
    return calls


def check_frame(index: int, frame: Frame, schema: Schema, *, user_spoke: bool) -> Api | None:
    """The API a frame calls, None when it calls none.

    Raises:
        ParseError: as `lean_calls`.
    """
    if frame.service not in schema.names:
        raise _missing_schema(index, frame)
    if frame.state is not None:
        _check_state(index, frame.state.slot_values)
    call = frame.service_call
    if call is None:
        return None
    api = schema.apis.get((frame.service, call.method))
    if api is None or not user_spoke:
        raise _bad_call(index, frame, call, api)
    return api


def failed(frame: Frame) -> bool:
    """Whether a call brought nothing: the system says so, or there is no result."""
    return not frame.service_results or any(a.act == "NOTIFY_FAILURE" for a in frame.actions)


def empty_values(index: int, action: Action) -> ParseError:
    """The fault of an act that names a slot and gives an empty list of values."""
    return ParseError("empty_values", f"turn {index}: {action.act} of {action.slot} has no value")


def needs_values(action: Action) -> bool:
    """Whether an act whose value list is empty is damaged: all but a question about the slot."""
    return bool(action.slot) and action.act not in _NO_VALUES_NEEDED


def _check_state(index: int, slot_values: msgspec.Raw) -> None:
    # Looking for the two bytes is ten times cheaper than decoding; a hit inside a text is rare.
    if b"[]" in bytes(slot_values):
        for slot, values in _STATE.decode(slot_values).items():
            if not values:
                raise ParseError("empty_values", f"turn {index}: no value for {slot}")


def _missing_schema(index: int, frame: Frame | LeanFrame) -> ParseError:
    return ParseError("missing_schema", f"turn {index}: no schema for service {frame.service}")


def _bad_call(
    index: int, frame: Frame | LeanFrame, call: ServiceCall, api: Api | None
) -> ParseError:
    if api is None:
        return ParseError(
            "unknown_intent", f"turn {index}: {frame.service} has no intent {call.method}"
        )
    return ParseError("call_before_user", f"turn {index}: a call before any user turn")


__all__ = [
    "Call",
    "Dialogue",
    "check_frame",
    "empty_values",
    "failed",
    "lean_calls",
    "needs_values",
]
