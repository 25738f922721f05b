"""Decode MultiWOZ's dialogues with spans of their texts, and the acts in `dialog_acts.json`."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from benchloom.storage.inputs.json_nesting import may_nest_deeper
from parsers.dialogues.sgd.model import NO_TEXT, Action, State
from parsers.dialogues.sgd.stretches import MAX_DEPTH
from parsers.errors import ParseError


class Span(msgspec.Struct, frozen=True, gc=False):
    """A value in the text of a turn; if it was copied from other slots, `copy_from` names them."""

    slot: str
    value: str | tuple[str, ...] = ()
    copy_from: str | tuple[str, ...] = ()

    @property
    def values(self) -> tuple[str, ...]:
        """Return the values as a tuple, also if there is only one value."""
        return (self.value,) if isinstance(self.value, str) else self.value


class SpanFrame(msgspec.Struct, frozen=True, gc=False):
    """The part of one turn about one service. Published frames contain no actions."""

    service: str
    actions: tuple[Action, ...] = ()
    slots: tuple[Span, ...] = ()
    state: State | None = None


class SpanTurn(msgspec.Struct, frozen=True, gc=False):
    """One turn; `turn_id` is its position, under which `dialog_acts.json` lists its acts."""

    speaker: str
    frames: tuple[SpanFrame, ...] = ()
    turn_id: str | int = ""
    utterance: msgspec.Raw = NO_TEXT


class SpanDialogue(msgspec.Struct, frozen=True, gc=False):
    """One dialogue, whose turns contain spans of text."""

    dialogue_id: str
    turns: tuple[SpanTurn, ...]


ACTS = "dialog_acts.json"
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
NO_VALUES = frozenset({"", "none", "?", "dontcare", "not mentioned"})


class Act(NamedTuple):
    """A dialogue act on a slot of a domain; `value` is None if the act is a question."""

    domain: str
    does: str
    slot: str
    value: str | None


class _Turn(msgspec.Struct, frozen=True):
    dialog_act: dict[str, tuple[tuple[str | tuple[str, ...], ...], ...]] = {}


_FILE = msgspec.json.Decoder(dict[str, msgspec.Raw])
_DIALOGUE = msgspec.json.Decoder(dict[str, _Turn])


def read_acts(data: bytes) -> Mapping[str, msgspec.Raw]:
    """Return a mapping from dialogue id to undecoded acts; raise ParseError for other JSON."""
    if may_nest_deeper(data, MAX_DEPTH):
        raise ParseError("bad_acts", f"values nest deeper than {MAX_DEPTH}")
    try:
        return _FILE.decode(data)
    except _FAULTS as error:
        raise ParseError("bad_acts", f"not a mapping of dialogues to acts: {error}") from error


def acts_of(raw: msgspec.Raw) -> dict[str, list[Act]]:
    """Return a mapping from turn id to the acts of a dialogue; raise ParseError if unreadable."""
    try:
        turns = _DIALOGUE.decode(raw)
    except _FAULTS as error:
        raise ParseError("bad_acts", f"the acts cannot be read: {error}") from error
    return {
        name: [
            _act(kind, pair) for kind, pairs in turn.dialog_act.items() for pair in pairs or ((),)
        ]
        for name, turn in turns.items()
    }


def _act(kind: str, pair: tuple[str | tuple[str, ...], ...]) -> Act:
    domain, _, does = kind.lower().partition("-")
    slot, value = ([str(part) for part in pair if isinstance(part, str)] + ["", ""])[:2]
    return Act(domain, does, slot.lower(), None if value.lower() in NO_VALUES else value)
