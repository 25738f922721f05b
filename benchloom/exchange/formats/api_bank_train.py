"""The format of API-Bank's training rows: one for each call, and one for the assistant's last turn.

The instruction contains the tools, the input contains the dialogue up to this point, and the output
is the next turn or call. The wording of instructions is our own. The format `api-bank` reads these
rows as well.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.formats.api_bank.dataset import read_all, shape_of
from benchloom.exchange.formats.api_bank.declared import RIGHTS
from benchloom.exchange.formats.api_bank.losses import LOSSES, losses_of
from benchloom.exchange.formats.api_bank.rows import losses_of_rows, names_fit, training_rows
from benchloom.exchange.formats.base import (
    ExampleWriter,
    LineFiles,
    Read,
    Reading,
    Writing,
    WritingOptions,
    file_stem,
)
from benchloom.storage.inputs import SourceObject


class _RowWriter(ExampleWriter):
    def __init__(self, folder: Path) -> None:
        self._lines = LineFiles(folder)

    def add(self, example: Example) -> tuple[Loss, ...]:
        losses = list(losses_of(example, offered=False))
        if not names_fit(example):
            return (*losses, Loss("call_name", "calls", whole=True))
        if not example.calls and not example.turns:
            return (*losses, Loss("empty", "calls", whole=True))
        losses += [Loss(kind) for kind in losses_of_rows(example)]
        for line in training_rows(example):
            self._lines.write(f"{file_stem(example)}.jsonl", line)
        return tuple(losses)

    def close(self) -> None:
        self._lines.close()


class _ApiBankTrain(Writing, Reading):
    title = "API-Bank's training rows: instruction, dialogue so far, next call"
    tables = frozenset({"planning_paths"})
    rights = RIGHTS
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "call_name": "a name has white space, brackets or marks, so the example is not written",
        "empty": "the example has no turns and no calls, so it is not written",
        "turn_text": "lines that look like turns become turns; trailing white space is lost",
        "last_turn": "user turns after the assistant's last turn are not written",
        "last_result": "the last result is not written, because no assistant turn follows it",
        "errors": "errors that a tool may return are not written",
    }

    def recognises(self, name: str, head: bytes) -> bool:
        return shape_of(name, head) == "rows"

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        return read_all(objects)

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return _RowWriter(folder)


FORMAT = _ApiBankTrain()
