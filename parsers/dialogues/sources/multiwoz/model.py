"""MultiWOZ's dialogues: the needed SGD fields, and the spans of the utterances."""

import msgspec

from parsers.dialogues.sgd.model import NO_TEXT, Action, State


class Span(msgspec.Struct, frozen=True, gc=False):
    """A value in the text of a turn; `copy_from` names slots if it was copied from them instead."""

    slot: str
    value: str | tuple[str, ...] = ()
    copy_from: str | tuple[str, ...] = ()

    @property
    def values(self) -> tuple[str, ...]:
        """Return the values as a tuple, also if there is only one value."""
        return (self.value,) if isinstance(self.value, str) else self.value


class SpanFrame(msgspec.Struct, frozen=True, gc=False):
    """The part of one turn about one service; published frames hold no actions."""

    service: str
    actions: tuple[Action, ...] = ()
    slots: tuple[Span, ...] = ()
    state: State | None = None


class SpanTurn(msgspec.Struct, frozen=True, gc=False):
    """One turn; `turn_id` is its position, the key of its acts."""

    speaker: str
    frames: tuple[SpanFrame, ...] = ()
    turn_id: str | int = ""
    utterance: msgspec.Raw = NO_TEXT


class SpanDialogue(msgspec.Struct, frozen=True, gc=False):
    """One dialogue."""

    dialogue_id: str
    turns: tuple[SpanTurn, ...]
