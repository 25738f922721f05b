"""Read a file of predictions: JSON lines with an `output`, and usually with the id of a sample."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import Plain
from benchloom.exchange.foreign.records import MAX_RECORD, decode, faults

MAX_LINE = MAX_RECORD
"""The maximum bytes of a prediction; a longer one is not decoded and counts as unreadable."""
TOO_LONG = f"the line exceeds {MAX_LINE // 1024**2} MiB"
_HEAD = 1024
"""The number of bytes at each end of a too long line in which the id of the sample is searched."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A prediction, which is one line of a file of predictions."""

    number: int  # number of its line, from 1
    sample_id: str | None
    output: Plain
    problem: str = ""  # why the line is unreadable
    is_damaged: bool = (
        False  # whether it is no JSON object with an `output`; false if only too long or too deep
    )


class _Line(msgspec.Struct, frozen=True, gc=False):
    output: msgspec.Raw
    id: str | None = None


class _Id(msgspec.Struct, frozen=True, gc=False):
    id: str | None = None


_LINE = msgspec.json.Decoder(_Line)
_ONLY_ID = msgspec.json.Decoder(_Id)
_ID = re.compile(rb'\A\{\s*"id"\s*:\s*("[^"\\]{1,500}")|,\s*"id"\s*:\s*("[^"\\]{1,500}")\s*\}\Z')
"""Matches the member `id` in a line that is damaged JSON, if it is the first or last member."""


def read_answers(path: Path) -> Iterator[Answer]:
    """Yield the predictions of a file, in the order of its lines; blank lines are skipped.

    A line that cannot be decoded is yielded too, with its `problem`.

    Raises OSError if the file cannot be read.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                while (rest := file.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield Answer(number, _id_of(line[:_HEAD]), None, TOO_LONG)
            elif line.strip():
                yield _answer(number, line.removeprefix(BOM_UTF8).strip())


def _id_of(line: bytes) -> str | None:
    try:
        return _ONLY_ID.decode(line).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        id_match = _ID.search(line)
        return None if id_match is None else _text_of(id_match[1] or id_match[2])


def _text_of(quoted: bytes) -> str | None:
    try:
        return msgspec.json.decode(quoted, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _answer(number: int, line: bytes) -> Answer:
    try:
        record = decode(line, _LINE)
    except RejectedInputError as error:
        if error.reason == "too_deep":
            return Answer(number, _id_of(line), None, error.message)
        return Answer(number, _id_of(line), None, error.message, is_damaged=True)
    try:
        with faults():
            return Answer(number, record.id, msgspec.json.decode(record.output))
    except RejectedInputError as error:
        return Answer(number, record.id, None, error.message)
