"""Read the service results recorded in files of SGD's format, separately from the plans.

A plan contains the calls and the results that each call uses, while this module reads all
recorded results. A dialogue that gives no plan has no results here either, so its faults are
reported only once.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.records.planning_path import Mode
from parsers.dialogues.material import Found, FoundCall, Refused
from parsers.dialogues.sgd.families import read_recorded
from parsers.dialogues.sgd.model import Dialogue, LeanDialogue, LeanTurn, Turn
from parsers.dialogues.sgd.schema import Schema
from parsers.errors import ParseError

if TYPE_CHECKING:
    from benchloom.core.records import ServiceOutcome

_FAILED = "NOTIFY_FAILURE"
_ENCODER = msgspec.json.Encoder(order="deterministic")


def found_in(data: bytes, schema: Schema, mode: Mode) -> Iterator[Found]:
    """Yield the service results of each dialogue in a file that records calls, in order.

    For a damaged dialogue, or a dialogue with a result value that is not a text, the entry
    contains no calls.
    """
    try:
        dialogues = read_recorded(data, mode)
    except ParseError:
        return
    for dialogue in dialogues:
        if isinstance(dialogue, Refused) or (
            isinstance(dialogue, LeanDialogue) and not _is_text(dialogue)
        ):
            yield Found(dialogue.dialogue_id, ())
        else:
            yield Found(dialogue.dialogue_id, tuple(_calls(dialogue, schema)))


def _is_text(dialogue: LeanDialogue) -> bool:
    for turn in dialogue.turns:
        for frame in turn.frames:
            for row in frame.service_results:
                for value in row.values():
                    if type(value) is not str:
                        return False
    return True


def _calls(dialogue: LeanDialogue | Dialogue, schema: Schema) -> Iterator[FoundCall]:
    turns: tuple[LeanTurn | Turn, ...] = dialogue.turns
    for number, turn in enumerate(turns):
        for frame in turn.frames:
            call = frame.service_call
            api = None if call is None else schema.apis.get((frame.service, call.method))
            if call is None or api is None:
                continue
            refused = any(action.act == _FAILED for action in frame.actions)
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
