"""What the user's acts say about a call: words for its values, and requested results."""

from collections.abc import Iterator, Mapping, Sequence

from benchloom.core.records import Wording
from parsers.dialogues.sgd.model import Action, Frame, Turn
from parsers.dialogues.tracing.evidence import is_weak, relation

_USER = "USER"


def wordings_of(call: int, arguments: Mapping[str, str], turns: Sequence[Turn]) -> list[Wording]:
    """Return the user's words before turn `call` for values of arguments, where they differ.

    Words for another slot count as well, unless the value is a count, a date or the like and
    the slots do not mean the same.
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
    """Return the slots that the user asked about rows of the call in turn `call`, by rank.

    A slot counts if the system answered with the row's value before the service's next call. A
    question is about the row that the system offered last, the first row to begin with.
    """
    requested: dict[int, set[str]] = {}
    rank = 0
    for number in range(call, len(turns)):
        frame = _frame(turns[number], service)
        if frame is None or turns[number].speaker.upper() == _USER:
            continue
        if number > call and frame.service_call is not None:
            break
        rank = _offered(frame.actions, rows, rank)
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


def _offered(actions: Sequence[Action], rows: Sequence[Mapping[str, str]], rank: int) -> int:
    """Return the first row that has all values that the system offers; `rank` if none has."""
    offers = {act.slot: act.canonical_values or () for act in actions if act.act == "OFFER"}
    if not offers:
        return rank
    for number, row in enumerate(rows):
        if all(row.get(slot) in values for slot, values in offers.items()):
            return number
    return rank
