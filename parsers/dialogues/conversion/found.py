"""What services gave back in files of SGD's format: read on its own, beside the conversion.

Plans keep calls and which result each takes; these are the results. A dialogue of which no plan
can be made has none here either, so its faults are told once.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from parsers.dialogues.material import Found, FoundCall, Refused
from parsers.dialogues.sgd.model import ServiceCall
from parsers.dialogues.sgd.reading import DialogueReader
from parsers.dialogues.sgd.schema import Schema
from parsers.errors import ParseError

if TYPE_CHECKING:
    from benchloom.records import ServiceOutcome

RECORDED = b'"service_call"'
"""Stands in a file that records calls."""
_FAILED = "NOTIFY_FAILURE"
_ENCODER = msgspec.json.Encoder(order="deterministic")


class _Act(msgspec.Struct, frozen=True, gc=False):
    act: str


class _Frame(msgspec.Struct, frozen=True, gc=False):
    service: str
    actions: tuple[_Act, ...] = ()
    service_call: ServiceCall | None = None
    service_results: tuple[dict[str, str], ...] = ()


class _Turn(msgspec.Struct, frozen=True, gc=False):
    frames: tuple[_Frame, ...]


class _Dialogue(msgspec.Struct, frozen=True, gc=False):
    dialogue_id: str
    turns: tuple[_Turn, ...]


_READER = DialogueReader(_Dialogue)


def found_in(data: bytes, schema: Schema) -> Iterator[Found]:
    """One for each dialogue of a file, in order; a damaged dialogue has no calls."""
    try:
        dialogues = _READER.read(data)
    except ParseError:
        return
    for one in dialogues:
        calls = () if isinstance(one, Refused) else tuple(_calls(one, schema))
        yield Found(one.dialogue_id, calls)


def _calls(dialogue: _Dialogue, schema: Schema) -> Iterator[FoundCall]:
    for number, turn in enumerate(dialogue.turns):
        for frame in turn.frames:
            call = frame.service_call
            api = None if call is None else schema.apis.get((frame.service, call.method))
            if call is None or api is None:
                continue
            refused = any(one.act == _FAILED for one in frame.actions)
            rows = frame.service_results
            outcome: ServiceOutcome = "ok"
            if api.intent.is_transactional:
                outcome = "failed" if refused or not rows else "ok"
            elif not rows:
                outcome = "empty"
            yield FoundCall(
                number,
                frame.service,
                call.method,
                api.definition_id,
                _ENCODER.encode(call.parameters).decode(),
                outcome,
                tuple(_ENCODER.encode(row).decode() for row in rows),
            )
