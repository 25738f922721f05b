"""The base classes of formats, and writers that several formats share."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO, ClassVar, TypeAlias

import msgspec

from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples import Example, Loss
from benchloom.exchange.examples.dialogues import Rights
from benchloom.exchange.examples.imports import UNSTATED
from benchloom.exchange.foreign.specifications import definition_name
from benchloom.storage.inputs import SourceObject

Read: TypeAlias = Example | ApiDefinition | Rejected
"""An object that a reader yields; a definition comes before the examples that use it."""
CARD = "README.md"
LOSSES = "losses.jsonl"  # two files in every export, which readers skip
SPLITS = ("train", "validation", "test")


class WritingOptions(msgspec.Struct, frozen=True):
    """The options of a writer, which are the name and the version of the dataset."""

    name: str = "benchloom"
    version: str = ""


class Format(ABC):
    """A file format of another project, in which examples of tool use are stored."""

    title: ClassVar[str]


class Reading(Format):
    """A format that `import` can read."""

    rights: ClassVar[Rights] = UNSTATED
    """The licence and attribution of the dataset that is published in this format."""

    @abstractmethod
    def recognises(self, name: str, head: bytes) -> bool:
        """Whether a file looks like this format, judging by its name and first bytes."""

    @abstractmethod
    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        """Yield the definitions and examples of all files; damaged parts become rejected rows."""

    def names_of(self, definition: ApiDefinition) -> Iterable[str]:
        """Return the names by which calls in this format may refer to an external definition."""
        return (definition_name(definition),)


class ExampleWriter(ABC):
    """Writes the examples of an export into a folder, one after another."""

    @abstractmethod
    def add(self, example: Example) -> tuple[Loss, ...]:
        """Write an example, and return a `Loss` for each part that the format cannot store."""

    @abstractmethod
    def close(self) -> None:
        """Write what is buffered, and close all files."""


class Writing(Format):
    """A format that `export` can write; `losses` explains what kinds of data it cannot store."""

    tables: ClassVar[frozenset[str]] = frozenset({"planning_paths", "shortcuts"})
    """The tables of a release whose rows the format can store."""
    losses: ClassVar[dict[str, str]] = {}
    pairs: ClassVar[bool] = False
    """Whether a row of the format is a pair of an accepted and a rejected request."""
    observed: ClassVar[bool] = False
    """Whether calls of shortcuts are written with results from runs on the simulated device."""

    @abstractmethod
    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        """Return a writer that stores examples in the folder, which is empty."""


class LineFormat(Writing):
    """A format in which each example is a line of JSON, with one file per split.

    Examples whose split is not train, validation or test are in `data.jsonl`.
    """

    @abstractmethod
    def line(self, example: Example) -> tuple[bytes, tuple[Loss, ...]]:
        """Return an example as a line without line break, and the data that the line lacks."""

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        """Return a writer that stores examples in one JSON Lines file per split."""
        return LineWriter(self, folder)


class LineFiles:
    """Writes lines to new files in a folder.

    Files are not buffered, so that a full disk loses no earlier line.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, BinaryIO] = {}

    def write(self, name: str, line: bytes) -> None:
        """Append a line to the file with this name or relative path; `line` has no line break."""
        if name not in self._files:
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            self._files[name] = path.open("xb", buffering=0)
        rest = memoryview(line + b"\n")
        while rest:
            rest = rest[self._files[name].write(rest) :]

    def close(self) -> None:
        """Close all files."""
        for file in self._files.values():
            file.close()


class LineWriter(ExampleWriter):
    """Writes each example as a line of a format, with one file per split."""

    def __init__(self, written: LineFormat, folder: Path) -> None:
        self._format = written
        self._folder = folder
        self._lines = LineFiles(folder)

    def add(self, example: Example) -> tuple[Loss, ...]:
        """Write the example as a line, unless the format cannot store it at all."""
        line, losses = self._format.line(example)
        if not any(loss.whole for loss in losses):
            self._lines.write(f"{file_stem(example)}.jsonl", line)
        return losses

    def close(self) -> None:
        """Close the files."""
        self._lines.close()


def file_stem(example: Example) -> str:
    """Return the name without extension of the file for an example: its split, or `data`.

    The name is `data` if the split is not train, validation or test.
    """
    return example.split if example.split in SPLITS else "data"


def split_of(name: str) -> str:
    """Return the split in the name of a file, or an empty text if the name contains no split."""
    stem = PurePosixPath(name).name.partition(".")[0].partition("-")[0]
    return stem if stem in SPLITS else ""
