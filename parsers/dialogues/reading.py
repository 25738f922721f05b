"""A file of dialogues: decoded whole when it is sound, dialogue by dialogue when it is not.

A damaged dialogue becomes a `DamagedDialogue` with its id where one can be read; the others of
its file are kept. Time stays linear in the size of the file.
"""

import re
from collections.abc import Iterator
from typing import Generic, TypeVar

import msgspec

from parsers.dialogues.model import Dialogue, LeanDialogue
from parsers.errors import ParseError

D = TypeVar("D", Dialogue, LeanDialogue)

_DECODE_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_START = re.compile(rb'\{\s*"dialogue_id"\s*:\s*"((?:[^"\\]|\\.){0,200})"')
"""A dialogue starts with its id in every published file; inside a text the quotes are escaped."""


class DamagedDialogue(msgspec.Struct, frozen=True):
    """A dialogue that cannot be decoded; `dialogue_id` is empty where none can be read."""

    dialogue_id: str
    reason: str
    message: str


class _WithId(msgspec.Struct):
    dialogue_id: str | int


class DialogueReader(Generic[D]):
    """Reads files of one family of dialogues."""

    def __init__(self, family: type[D]) -> None:
        self._file = msgspec.json.Decoder(tuple[family, ...])  # type: ignore[valid-type]
        self._one: msgspec.json.Decoder[D] = msgspec.json.Decoder(family)
        self._members = msgspec.json.Decoder(tuple[msgspec.Raw, ...])
        self._id = msgspec.json.Decoder(_WithId)

    def read(self, data: bytes) -> tuple[D | DamagedDialogue, ...]:
        """Every dialogue of a file in order.

        Raises:
            ParseError: not_dialogues: the file holds no list of dialogues at all.
        """
        try:
            found: tuple[D, ...] = self._file.decode(data)
        except _DECODE_FAULTS:
            return tuple(self._read_damaged(data))
        return found

    def _read_damaged(self, data: bytes) -> Iterator[D | DamagedDialogue]:
        try:
            members = [bytes(member) for member in self._members.decode(data)]
        except _DECODE_FAULTS as error:
            starts: list[int] = [match.start() for match in _START.finditer(data)]
            if not starts:
                raise ParseError("not_dialogues", f"no list of dialogues: {error}") from error
            members = [
                data[start:end].rstrip(b" \t\r\n,]")
                for start, end in zip(starts, [*starts[1:], len(data)], strict=True)
            ]
        for number, member in enumerate(members):
            yield self._read_member(member, number)

    def _read_member(self, member: bytes, number: int) -> D | DamagedDialogue:
        try:
            dialogue: D = self._one.decode(member)
        except msgspec.ValidationError as error:
            reason, message = "bad_dialogue", str(error)
        except _DECODE_FAULTS as error:
            reason, message = "bad_json", str(error)
        else:
            return dialogue
        return DamagedDialogue(self._id_of(member), reason, f"dialogue {number}: {message}")

    def _id_of(self, member: bytes) -> str:
        try:
            return str(self._id.decode(member).dialogue_id)
        except _DECODE_FAULTS:
            match = _START.match(member)
            return match[1].decode("utf-8", "backslashreplace") if match else ""
