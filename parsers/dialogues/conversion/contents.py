"""What a dialogue holds beside its plan: the user's words, and the results of recorded calls."""

from typing import TYPE_CHECKING

import msgspec

from benchloom.core.records import ResultRow, Utterance
from parsers.dialogues.conversion.user_acts import requested_of, wordings_of
from parsers.dialogues.material import RecordedCall
from parsers.dialogues.sgd.model import Dialogue, LeanDialogue, LeanTurn, RebuiltDialogue, Turn
from parsers.dialogues.sgd.schema import Schema

if TYPE_CHECKING:
    from benchloom.core.records import ServiceOutcome

MAX_UTTERANCES = 500
"""Per dialogue; real users say about a dozen."""
LONGEST_UTTERANCE = 4_000
"""Characters."""
_TEXT = msgspec.json.Decoder(str)
_ENCODER = msgspec.json.Encoder(order="deterministic")


def user_words(dialogue: LeanDialogue | Dialogue) -> tuple[tuple[Utterance, ...], bool]:
    """Return what the user said, and whether that is all of it."""
    utterances: list[Utterance] = []
    whole = True
    turns: tuple[LeanTurn | Turn, ...] = dialogue.turns
    for number, turn in enumerate(turns):
        if turn.speaker.upper() != "USER":
            continue
        try:
            text = _TEXT.decode(turn.utterance)
        except (msgspec.DecodeError, UnicodeDecodeError):
            whole = False
            continue
        if len(utterances) == MAX_UTTERANCES:
            whole = False
            break
        if len(text) > LONGEST_UTTERANCE:
            text, whole = text[:LONGEST_UTTERANCE], False
        if text.strip():
            utterances.append(Utterance(number, text))
    return tuple(utterances), whole


def recorded_calls(dialogue: LeanDialogue | Dialogue, schema: Schema) -> tuple[RecordedCall, ...]:
    """Return all recorded calls with all their results; plans only keep the results used.

    There are none for a dialogue whose calls were rebuilt, or with a result that is not a text.
    """
    if isinstance(dialogue, RebuiltDialogue):
        return ()
    recorded: list[RecordedCall] = []
    turns: tuple[LeanTurn | Turn, ...] = dialogue.turns
    for number, turn in enumerate(turns):
        for frame in turn.frames:
            rows = frame.service_results
            if any(type(value) is not str for row in rows for value in row.values()):
                return ()
            call = frame.service_call
            api = None if call is None else schema.apis.get((frame.service, call.method))
            if call is None or api is None:
                continue
            refused = any(action.act == "NOTIFY_FAILURE" for action in frame.actions)
            outcome: ServiceOutcome = "ok"
            if api.intent.is_transactional:
                outcome = "failed" if refused or not rows else "ok"
            elif not rows:
                outcome = "empty"
            full = dialogue.turns if isinstance(dialogue, Dialogue) else ()
            requested = requested_of(number, frame.service, rows, full)
            recorded.append(
                RecordedCall(
                    number,
                    frame.service,
                    call.method,
                    api.definition_id,
                    _ENCODER.encode(call.parameters).decode(),
                    outcome,
                    tuple(
                        ResultRow(rank, _ENCODER.encode(row).decode(), requested.get(rank, ()))
                        for rank, row in enumerate(rows)
                    ),
                    tuple(wordings_of(number, call.parameters, full)),
                )
            )
    return tuple(recorded)
