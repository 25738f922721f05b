"""Read a file of dialogues, as a whole or, if it is damaged, dialogue by dialogue.

A damaged dialogue becomes `Refused` with its id if the id can be read, and so does every stretch of
bytes outside any dialogue; the other dialogues of the file are kept. The time is linear in the
size. The reasons are bad_dialogue (an object of the wrong shape), bad_json (a dialogue that is not
valid JSON), too_deep, unread_bytes (bytes outside any dialogue) and truncated (the list has no
end).
"""

import re
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

import msgspec

from benchloom.storage.inputs.json_nesting import may_nest_deeper
from parsers.dialogues.material import Refused
from parsers.dialogues.sgd.stretches import MAX_DEPTH, Stretch, stretches
from parsers.errors import ParseError
from parsers.file_kinds import refuse_other_kind


class _Named(Protocol):
    @property
    def dialogue_id(self) -> str: ...


D = TypeVar("D", bound=_Named)

MAX_MEMBERS = 100_000
"""Maximum number of parts of a damaged file, which are read one by one. Real files contain 128
dialogues."""
_HEAD = 4096
_DATA_JSON = re.compile(
    rb'\A\s*\{\s*"[A-Za-z0-9_.]+"\s*:\s*\{\s*"(?:goal|log|new_goal)"\s*:\s*[\[{]'
)
_OTHER_MULTIWOZ = (
    "the file has the format of MultiWOZ 2.0, 2.1, 2.3 and 2.4, without calls and schema; use "
    "data/MultiWOZ_2.2 of github.com/budzianowski/multiwoz, or convert the file to that format"
)
_DECODE_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_ID = re.compile(rb'\{\s*+"dialogue_id"\s*+:\s*+"((?:[^"\\]|\\.){0,200})"', re.DOTALL)


class _WithId(msgspec.Struct):
    dialogue_id: str | int


class DialogueReader(Generic[D]):
    """Reads files of dialogues whose records have the type `family`, such as those of SGD."""

    def __init__(self, family: type[D]) -> None:
        self._file = msgspec.json.Decoder(tuple[family, ...])  # type: ignore[valid-type]  # the type exists only at run time
        self._dialogue: msgspec.json.Decoder[D] = msgspec.json.Decoder(family)
        self._id = msgspec.json.Decoder(_WithId)

    def read(self, data: bytes) -> tuple[D | Refused, ...]:
        """Return every dialogue of a file in order; raise ParseError if there is none."""
        if not may_nest_deeper(data, MAX_DEPTH):
            try:
                dialogues: tuple[D, ...] = self._file.decode(data)
            except _DECODE_FAULTS:
                pass
            else:
                if not dialogues:
                    raise ParseError("not_dialogues", "the list of dialogues is empty")
                return dialogues
        return tuple(self._read_damaged(data))

    def _read_damaged(self, data: bytes) -> Iterator[D | Refused]:
        dialogues: list[D | Refused] = []
        for stretch in stretches(data):
            if len(dialogues) == MAX_MEMBERS:
                raise ParseError(
                    "too_many_members",
                    f"the damaged file would split into more than {MAX_MEMBERS} parts; restore it",
                )
            dialogues.append(self._read_stretch(data, stretch, len(dialogues)))
        if not any(dialogue.dialogue_id for dialogue in dialogues):
            refuse_other_kind(data)
            if _DATA_JSON.match(data[:_HEAD]):
                raise ParseError("multiwoz_other_version", _OTHER_MULTIWOZ)
            raise ParseError("not_dialogues", "the file is not a list of dialogues")
        yield from dialogues
        if not isinstance(dialogues[-1], Refused) and not data.rstrip().endswith(b"]"):
            yield Refused("", "truncated", f"the list is not closed at byte {len(data)}")

    def _read_stretch(self, data: bytes, stretch: Stretch, number: int) -> D | Refused:
        member = data[stretch.start : stretch.end]
        if not stretch.depth:
            return self._unread(member, stretch)
        reason, message = "too_deep", f"values nest deeper than {MAX_DEPTH}"
        if stretch.depth <= MAX_DEPTH:
            try:
                dialogue: D = self._dialogue.decode(member)
            except msgspec.ValidationError as error:
                reason, message = "bad_dialogue", str(error)
            except _DECODE_FAULTS as error:
                reason, message = "bad_json", str(error)
            else:
                return dialogue
        location = f"dialogue {number} at byte {stretch.start}"
        return Refused(self._id_of(member), reason, f"{location}: {message}")

    def _unread(self, member: bytes, stretch: Stretch) -> Refused:
        # The bytes are a damaged dialogue if they start with a dialogue id.
        bounds = f"bytes {stretch.start} to {stretch.end}"
        id_match = _ID.match(member)
        if id_match is None:
            return Refused("", "unread_bytes", f"{bounds} contain no dialogue")
        return Refused(_text(id_match[1]), "bad_json", f"{bounds} contain no complete dialogue")

    def _id_of(self, member: bytes) -> str:
        id_match = _ID.match(member)
        if id_match:
            return _text(id_match[1])
        try:
            return str(self._id.decode(member).dialogue_id)
        except _DECODE_FAULTS:
            return ""


def _text(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")
