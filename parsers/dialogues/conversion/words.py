"""The words of users in files of SGD's format: read on their own, beside the conversion.

A dialogue whose calls are rebuilt is made of other turns than the file has, and plans never look
at words: so these are read by a family of their own, which skips the frames.
"""

from collections.abc import Iterator

import msgspec

from benchloom.records import Utterance
from parsers.dialogues.material import Refused, Said
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


class Words:
    """Reads the words of files, without keeping any."""

    def __init__(self) -> None:
        self._reader = DialogueReader(_SpokenDialogue)
        self._text = msgspec.json.Decoder(str)

    def said(self, data: bytes) -> Iterator[Said]:
        """One for each dialogue of a file, in order; a damaged dialogue has no words."""
        try:
            dialogues = self._reader.read(data)
        except ParseError:
            return
        for dialogue in dialogues:
            if isinstance(dialogue, Refused):
                yield Said(dialogue.dialogue_id, is_whole=False)
            else:
                yield self._of(dialogue)

    def _of(self, dialogue: _SpokenDialogue) -> Said:
        found: list[Utterance] = []
        whole = True
        for number, turn in enumerate(dialogue.turns):
            if turn.speaker.upper() != USER:
                continue
            text = self._read(turn.utterance)
            if text is None or len(found) == MOST_UTTERANCES:
                whole = False
                continue
            if len(text) > LONGEST_UTTERANCE:
                text, whole = text[:LONGEST_UTTERANCE], False
            if text.strip():
                found.append(Utterance(number, text))
        return Said(dialogue.dialogue_id, tuple(found), whole)

    def _read(self, raw: msgspec.Raw) -> str | None:
        try:
            return self._text.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None


WORDS = Words()
"""Of files that are lists of dialogues."""
