"""Read the words of users in files of SGD's format, separately from the plans.

If a file records calls, the words come from the dialogues already read for the plans.
Rebuilding calls changes the turns of a dialogue, so for a file without recorded calls the words
are read with a separate record type that skips the frames.
"""

from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.records import Utterance
from benchloom.core.records.planning_path import Mode
from parsers.dialogues.material import Refused, Said
from parsers.dialogues.sgd.families import read_recorded, records_calls
from parsers.dialogues.sgd.model import Dialogue, LeanDialogue, LeanTurn, Turn
from parsers.dialogues.sgd.reading import DialogueReader
from parsers.errors import ParseError

MOST_UTTERANCES = 500
"""Of one dialogue; people say a dozen things in one."""
LONGEST_UTTERANCE = 4_000
"""Characters."""
USER = "USER"
_NOTHING = msgspec.Raw(b'""')


class _SpokenTurn(msgspec.Struct, frozen=True, gc=False):
    speaker: str
    utterance: msgspec.Raw = _NOTHING


class _SpokenDialogue(msgspec.Struct, frozen=True, gc=False):
    dialogue_id: str
    turns: tuple[_SpokenTurn, ...]


_SPOKEN = DialogueReader(_SpokenDialogue)
_TEXT = msgspec.json.Decoder(str)


def said_in(data: bytes, mode: Mode) -> Iterator[Said]:
    """Yield the words of each dialogue of a file, in order; a damaged dialogue has no words."""
    dialogues: Sequence[_SpokenDialogue | LeanDialogue | Dialogue | Refused]
    try:
        dialogues = read_recorded(data, mode) if records_calls(data) else _SPOKEN.read(data)
    except ParseError:
        return
    for dialogue in dialogues:
        if isinstance(dialogue, Refused):
            yield Said(dialogue.dialogue_id, is_whole=False)
        else:
            yield _said(dialogue)


def _said(dialogue: _SpokenDialogue | LeanDialogue | Dialogue) -> Said:
    utterances: list[Utterance] = []
    whole = True
    turns: tuple[_SpokenTurn | LeanTurn | Turn, ...] = dialogue.turns
    for number, turn in enumerate(turns):
        if turn.speaker.upper() != USER:
            continue
        text = _read(turn.utterance)
        if text is None or len(utterances) == MOST_UTTERANCES:
            whole = False
            continue
        if len(text) > LONGEST_UTTERANCE:
            text, whole = text[:LONGEST_UTTERANCE], False
        if text.strip():
            utterances.append(Utterance(number, text))
    return Said(dialogue.dialogue_id, tuple(utterances), whole)


def _read(raw: msgspec.Raw) -> str | None:
    try:
        return _TEXT.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
