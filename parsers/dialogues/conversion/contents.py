"""Read what a plan omits from its dialogue: the user's words, and results of recorded calls."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchloom.core.records import ResultRow, ServiceOutcome, Utterance, Wording
from benchloom.core.records.planning_path import Mode
from parsers.dialogues.material import RecordedCall
from parsers.dialogues.provenance.calls import has_failed
from parsers.dialogues.provenance.evidence import is_weak, relation
from parsers.dialogues.sgd.model import Action, Dialogue, Frame, RebuiltDialogue, Turn
from parsers.dialogues.sgd.schema import Schema

MAX_UTTERANCES = 500
"""Maximum number of utterances per dialogue. Real users have about a dozen."""
LONGEST_UTTERANCE = 4_000
"""Maximum number of characters of an utterance."""
_USER = "USER"
_TEXT = msgspec.json.Decoder(str)
_ENCODER = msgspec.json.Encoder(order="deterministic")


def user_words(dialogue: Dialogue) -> tuple[tuple[Utterance, ...], bool]:
    """Return the user's utterances, and whether they are complete."""
    utterances: list[Utterance] = []
    whole = True
    for number, turn in enumerate(dialogue.turns):
        if turn.speaker.upper() != _USER:
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


def recorded_calls(dialogue: Dialogue, schema: Schema, mode: Mode) -> tuple[RecordedCall, ...]:
    """Return the recorded calls with all their results; a plan has only the results that it uses.

    A dialogue whose calls were rebuilt has no recorded calls. In the mode `name`, the calls do not
    contain the user's words.
    """
    if isinstance(dialogue, RebuiltDialogue):
        return ()
    recorded: list[RecordedCall] = []
    words_from = dialogue.turns if mode == "flow" else ()
    for number, turn in enumerate(dialogue.turns):
        for frame in turn.frames:
            rows = frame.service_results
            call = frame.service_call
            api = None if call is None else schema.apis.get((frame.service, call.method))
            if call is None or api is None:
                continue
            outcome: ServiceOutcome = "ok" if rows else "empty"
            if api.intent.is_transactional:
                outcome = "failed" if has_failed(frame) else "ok"
            requested = requested_of(number, frame.service, rows, words_from)
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
                    tuple(wordings_of(number, call.parameters, words_from)),
                )
            )
    return tuple(recorded)


def wordings_of(call: int, arguments: Mapping[str, str], turns: Sequence[Turn]) -> list[Wording]:
    """Return the user's words for argument values of the call in turn `call`.

    Only words that differ from the values are returned. Words for another slot also count, unless
    the value is weak (such as a count or a date) and the slots have different meanings.
    """
    wordings: dict[Wording, None] = {}
    for turn in turns[:call]:
        if turn.speaker.upper() != _USER:
            continue
        for action in (action for frame in turn.frames for action in frame.actions):
            pairs = zip(action.canonical_values or (), action.values or (), strict=False)
            for value, words in pairs:
                if words.strip() and words.casefold() != value.casefold():
                    for name in _arguments_with(value, action.slot, arguments):
                        wordings.setdefault(Wording(name, words))
    return sorted(wordings, key=lambda wording: wording.argument)


def _arguments_with(value: str, slot: str, arguments: Mapping[str, str]) -> Iterator[str]:
    for name, argument in arguments.items():
        if argument == value and (not is_weak(value) or relation(slot, name) != "other_slot"):
            yield name


def requested_of(
    call: int, service: str, rows: Sequence[Mapping[str, str]], turns: Sequence[Turn]
) -> dict[int, tuple[str, ...]]:
    """Return the slots that the user asked about, for each row in the result of turn `call`.

    The keys are ranks of rows. A slot counts if the system answered with the row's value before the
    service's next call. A question is about the row that the system offered last or, before any
    offer, about the first row.
    """
    requested: dict[int, set[str]] = {}
    rank = 0
    for number in range(call, len(turns)):
        frame = _frame(turns[number], service)
        if frame is None or turns[number].speaker.upper() == _USER:
            continue
        if number > call and frame.service_call is not None:
            break
        rank = _offered_rank(frame.actions, rows, rank)
        before = _frame(turns[number - 1], service) if number else None
        questions = {act.slot for act in before.actions if act.act == "REQUEST"} if before else ()
        row = rows[rank] if rank < len(rows) else {}
        for action in frame.actions:
            answers = action.act == "INFORM" and action.slot in questions
            if answers and row.get(action.slot) in (action.canonical_values or ()):
                requested.setdefault(rank, set()).add(action.slot)
    return {rank: tuple(sorted(slots)) for rank, slots in requested.items()}


def _frame(turn: Turn, service: str) -> Frame | None:
    return next((frame for frame in turn.frames if frame.service == service), None)


def _offered_rank(actions: Sequence[Action], rows: Sequence[Mapping[str, str]], rank: int) -> int:
    """Return the rank of the first row with all values of the system's offer, or else `rank`."""
    offers = {act.slot: act.canonical_values or () for act in actions if act.act == "OFFER"}
    if not offers:
        return rank
    for number, row in enumerate(rows):
        if all(row.get(slot) in values for slot, values in offers.items()):
            return number
    return rank
