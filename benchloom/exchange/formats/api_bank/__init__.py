"""The format of API-Bank, with its dialogues, plans (level 3), training rows, scenes and APIs.

An example that consists of a request, its calls and at most a final answer is written as a level 3
record, which is a line in the file of its split. Any other example is written as a dialogue, which
is a separate file below `dialogues/<split>`. Tools are written to `all_apis.csv`, with the errors
that they may return. If several tools have the name that a call uses, the reader chooses the tool
that the dialogue's tool search returned, or else the tool that fits the call best. This format also
reads training rows, but another format, `api-bank-train`, writes them. API-Bank has no references,
so recorded values are written in place of references.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.formats.api_bank.dataset import read_all, shape_of
from benchloom.exchange.formats.api_bank.declared import RIGHTS
from benchloom.exchange.formats.api_bank.library import LibraryWriter
from benchloom.exchange.formats.api_bank.lines import dialogue_lines
from benchloom.exchange.formats.api_bank.losses import LOSSES, losses_of
from benchloom.exchange.formats.api_bank.plans import is_plan, record_of
from benchloom.exchange.formats.api_bank.talks import split_of
from benchloom.exchange.formats.base import (
    ExampleWriter,
    LineFormat,
    LineWriter,
    Read,
    Reading,
    WritingOptions,
)
from benchloom.storage.inputs import SourceObject

_ENCODER = msgspec.json.Encoder()
_FILE_NAME = re.compile(r"[\w+][\w.+-]{0,119}", re.ASCII)
DIALOGUES = "dialogues"


class _ApiBankWriter(ExampleWriter):
    """Writes level 3 records, dialogues and tools.

    Its memory grows with the number of tools and files, not with the number of records.
    """

    def __init__(self, plans: LineWriter, folder: Path) -> None:
        self._folder = folder
        self._plans = plans
        self._library = LibraryWriter()
        self._names: set[Path] = set()

    def add(self, example: Example) -> tuple[Loss, ...]:
        self._library.add(example.definitions)
        if is_plan(example):
            return self._plans.add(example)
        losses = losses_of(example)
        path, further = self._target_path(example)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(dialogue_lines(example))
        return (*losses, *further)

    def close(self) -> None:
        self._plans.close()
        self._library.write(self._folder)

    def _target_path(self, example: Example) -> tuple[Path, tuple[Loss, ...]]:
        losses = []
        split, name = example.split, example.source_id
        folder = self._folder / DIALOGUES
        if split and _FILE_NAME.fullmatch(split):
            folder /= split
        path = folder / f"{name}.jsonl"
        if not _FILE_NAME.fullmatch(name) or path in self._names:
            mark = hex_of(digest_of_parts("name", [example.example_id, name]))[:16]
            path = folder / f"{mark}-{len(self._names)}.jsonl"
            losses.append(Loss("source_id", "source_id"))
        self._names.add(path)
        if split_of(path.relative_to(self._folder).as_posix()) != split:
            losses.append(Loss("split", "split"))
        return path, tuple(losses)


class _ApiBank(LineFormat, Reading):
    title = "API-Bank: dialogues, level 3; reads training rows, scenes and its APIs as well"
    tables = frozenset({"planning_paths"})
    losses = LOSSES
    rights = RIGHTS

    def recognises(self, name: str, head: bytes) -> bool:
        return shape_of(name, head) is not None

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        """Read the tools of all files, and then the dialogues; every file is read twice."""
        return read_all(objects)

    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        return _ENCODER.encode(record_of(example)), losses_of(example)

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return _ApiBankWriter(LineWriter(self, folder), folder)


FORMAT = _ApiBank()
