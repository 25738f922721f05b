"""A file of dialogues: decoded whole when it is sound, dialogue by dialogue when it is not.

A damaged dialogue becomes a `DamagedDialogue` with its id where one can be read; the others of
its file are kept. Time stays linear in the size of the file.
"""

import json
import re
from collections.abc import Iterator
from typing import Generic, TypeVar

import msgspec

from parsers.dialogues.model import Dialogue, LeanDialogue
from parsers.errors import ParseError

D = TypeVar("D", Dialogue, LeanDialogue)

MAX_MEMBERS = 100_000
"""Most members of a damaged file that are looked at one by one; real files hold 128 dialogues."""
_DECODE_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_START = re.compile(r'\{\s*"dialogue_id"\s*:\s*"((?:[^"\\]|\\.){0,200})"')
"""A dialogue starts with its id in every published file; inside a text the quotes are escaped."""
_BETWEEN = re.compile(r"[\s,]*")


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
        if not found:
            raise ParseError("not_dialogues", "an empty list")
        return found

    def _read_damaged(self, data: bytes) -> Iterator[D | DamagedDialogue]:
        """One by one; a member that is no JSON ends where the next dialogue starts."""
        text = data.decode("utf-8", "surrogateescape").lstrip("\ufeff \t\r\n")
        if not text.startswith("["):
            raise ParseError("not_dialogues", "no list of dialogues")
        number = 0
        damaged = False
        for member in _members(text):
            found = self._read_member(member.encode("utf-8", "surrogateescape"), number)
            was_damaged, damaged = damaged, isinstance(found, DamagedDialogue)
            if isinstance(found, DamagedDialogue) and was_damaged and not found.dialogue_id:
                continue  # what a damaged dialogue left behind
            number += 1
            if number > MAX_MEMBERS:
                raise ParseError(
                    "too_many_members", f"damaged, and more than {MAX_MEMBERS} members"
                )
            yield found
        if not number:
            raise ParseError("not_dialogues", "no list of dialogues")

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
            match = _START.match(member.decode("utf-8", "backslashreplace"))
            return match[1] if match else ""


def _members(text: str) -> Iterator[str]:
    """The members of a list, each as its text; damage ends at the next start of a dialogue."""
    decode = json.JSONDecoder().raw_decode
    place = _skip(text, 1)
    while place < len(text) and text[place] != "]":
        try:
            _, end = decode(text, place)
        except (ValueError, RecursionError):
            following = _START.search(text, place + 1)
            end = following.start() if following else len(text)
        yield text[place:end].rstrip(" \t\r\n,")
        place = _skip(text, end)


def _skip(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return found.end() if found else place
