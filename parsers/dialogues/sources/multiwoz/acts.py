"""Read the acts of each turn in `dialog_acts.json`, as `Restaurant-Recommend` with slots."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from parsers.dialogues.sgd.stretches import MAX_DEPTH
from parsers.errors import ParseError
from parsers.nesting import may_nest_deeper

ACTS = "dialog_acts.json"
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
NO_VALUES = frozenset({"", "none", "?", "dontcare", "not mentioned"})


class Act(NamedTuple):
    """An act on a slot (without its domain); `value` is None if the act is a question."""

    domain: str
    does: str
    slot: str
    value: str | None


class _Turn(msgspec.Struct, frozen=True):
    dialog_act: dict[str, tuple[tuple[str | tuple[str, ...], ...], ...]] = {}


_FILE = msgspec.json.Decoder(dict[str, msgspec.Raw])
_DIALOGUE = msgspec.json.Decoder(dict[str, _Turn])


def read_acts(data: bytes) -> Mapping[str, msgspec.Raw]:
    """Return the acts of each dialogue by dialogue id, not yet decoded."""
    if may_nest_deeper(data, MAX_DEPTH):
        raise ParseError("bad_acts", f"values nest deeper than {MAX_DEPTH}")
    try:
        return _FILE.decode(data)
    except _FAULTS as error:
        raise ParseError("bad_acts", f"not a mapping of dialogues to acts: {error}") from error


def acts_of(raw: msgspec.Raw) -> dict[str, list[Act]]:
    """Return the acts of one dialogue by the id of the turn, in order."""
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
