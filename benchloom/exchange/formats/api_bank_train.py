"""API-Bank's training rows: one for each call, and one for the assistant's last turn.

The instruction contains the tools, the input contains the dialogue so far, and the output is
the next turn or call. The wording of instructions is our own. `api-bank` reads these rows as
well.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from benchloom.exchange.examples import Example
from benchloom.exchange.formats.api_bank.declared import RIGHTS
from benchloom.exchange.formats.api_bank.losses import LOSSES, losses_of
from benchloom.exchange.formats.api_bank.reading import read_all, shape_of
from benchloom.exchange.formats.api_bank.rows import losses_of_rows, names_fit, written
from benchloom.exchange.formats.base import (
    ExampleWriter,
    LineFile,
    Loss,
    Read,
    Reading,
    Writing,
    WritingOptions,
    file_stem,
)
from benchloom.storage.inputs import SourceObject


class RowWriter(ExampleWriter):
    """Writes rows into one file per split."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, LineFile] = {}

    def add(self, example: Example) -> tuple[Loss, ...]:
        """Write the rows of one example, unless a name does not fit in a call's text."""
        losses = list(losses_of(example, offered=False))
        if not names_fit(example):
            return (*losses, Loss("call_name", "calls", whole=True))
        if not example.calls and not example.turns:
            return (*losses, Loss("empty", "calls", whole=True))
        losses += [Loss(kind) for kind in losses_of_rows(example)]
        name = file_stem(example)
        if name not in self._files:
            self._files[name] = LineFile(self._folder / f"{name}.jsonl")
        for line in written(example):
            self._files[name].write(line + b"\n")
        return tuple(losses)

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()


class ApiBankTrain(Writing, Reading):
    """The format of API-Bank's training rows."""

    title = "API-Bank's training rows: instruction, dialogue so far, next call"
    tables = frozenset({"planning_paths"})
    rights = RIGHTS
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "call_name": "a name that holds white space, brackets or marks stands in no text of a call",
        "empty": "nothing is said and nothing called",
        "turn_text": "lines that look like a turn are read as one; white space at the end is lost",
        "last_turn": "what the user says after the assistant's last turn is not written",
        "last_result": "the result of the last call is only written where the assistant answers it",
        "errors": "errors that a tool may answer with are not written",
    }

    def recognises(self, name: str, head: bytes) -> bool:
        """Whether a file contains training rows."""
        return shape_of(name, head) == "rows"

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        """The tools of all rows, then the dialogues."""
        return read_all(objects)

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        """Return a writer of one file of rows per split."""
        return RowWriter(folder)


FORMAT = ApiBankTrain()
