"""Predictions: JSON lines with an `output` each, in the order of gold or with ids of samples."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.errors import RejectedInputError, RunError
from benchloom.foreign.records import faults
from benchloom.inputs.json_nesting import MAX_DEPTH, may_nest_deeper
from benchloom.records.values import Plain

MOST_LINE = 4 * 1024 * 1024
"""Bytes of one prediction; what is longer counts as unparseable and is not decoded."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """One prediction: line `number` counts from 1; `problem` says why its output cannot be read."""

    number: int
    sample_id: str | None
    output: Plain
    problem: str = ""


class _Line(msgspec.Struct, frozen=True, gc=False):
    output: msgspec.Raw
    id: str | None = None


_LINE = msgspec.json.Decoder(_Line)
_ID = re.compile(rb'\A\{\s*"id"\s*:\s*("[^"\\]{1,500}")|,\s*"id"\s*:\s*("[^"\\]{1,500}")\s*\}\Z')
"""The id of a line that is too deep to be decoded, where it stands first or last."""


def read_answers(path: Path) -> Iterator[Answer]:
    """The predictions of a file, in its order; blank lines are none.

    Raises:
        RunError: a line is no JSON object with an `output`.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MOST_LINE + 1):
            number += 1
            if len(line) > MOST_LINE and not line.endswith(b"\n"):
                while (rest := file.readline(MOST_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield Answer(number, None, None, f"over {MOST_LINE} bytes")
            elif line.strip():
                yield _answer(path, number, line.strip())


def _decoded(line: bytes) -> _Line:
    if may_nest_deeper(line, MAX_DEPTH):
        raise RejectedInputError("too_deep", "nested too deeply")
    with faults():
        return _LINE.decode(line)


def _answer(path: Path, number: int, line: bytes) -> Answer:
    try:
        found = _decoded(line)
    except RejectedInputError as error:
        if error.reason == "too_deep":
            named = _ID.search(line)
            ident = None if named is None else msgspec.json.decode(named[1] or named[2], type=str)
            return Answer(number, ident, None, error.message)
        raise RunError(f"{path} line {number}: {error.message}") from error
    try:
        with faults():
            return Answer(number, found.id, msgspec.json.decode(found.output))
    except RejectedInputError as error:
        return Answer(number, found.id, None, error.message)
