"""Open the Parquet files of tables, and build and parse their names.

A stage numbers its files as it writes them: `shortcuts-00000.parquet`. A release has a set of files
per split, such as `test-00000-of-00002.parquet`. If a boolean column of the table marks rows, the
marked rows of each split have a separate set, such as `test-evaluable-00000-of-00001.parquet`; the
whole split is `test-*.parquet`. Page checksums are verified, and all errors name the file.
"""

import errno
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.core.errors import RunError
from benchloom.storage.tables.definition import load_table

PAGE_CHECKSUMS: Final = True
"""Whether Parquet pages are written with checksums, which `open_parquet` verifies."""

PARQUET: Final = ".parquet"
BATCHES: Final = ".arrow"
"""Files with this ending contain Arrow batches. Only the run that wrote such a file reads it."""


@contextmanager
def open_parquet(
    path: Path, table: str | None = None, data: bytes | None = None
) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file for reading, and close it when the `with` block ends.

    With `table`, the file must have the schema of this table. `data` are the bytes of a file that
    is in an archive. Raises RunError if the file cannot be read, also for a damaged page; the
    message names the file.
    """
    with opened(path, table, data) as file, typed_faults(path):
        yield file


def _file(path: Path) -> Path:
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "Not a file")  # a pipe would never end
    return path


def opened(path: Path, table: str | None = None, data: bytes | None = None) -> pq.ParquetFile:
    """Open a Parquet file that the caller must close. The errors are those of `open_parquet`.

    The caller must read the file inside `typed_faults`, which translates read errors.
    """
    try:
        with typed_faults(path):
            source = _file(path) if data is None else pa.BufferReader(data)
            file = pq.ParquetFile(source, page_checksum_verification=True)
    except OSError as error:
        raise unreadable(path, error) from error
    if table is not None and not file.schema_arrow.equals(load_table(table).arrow_schema()):
        file.close()
        message = f"its columns are not those of datasets/{table}/dataset.yaml"
        raise RunError(f"{path}: {message}; make the file again with this version of benchloom")
    return file


@contextmanager
def typed_faults(path: Path) -> Iterator[None]:
    """Inside the `with` block, turn errors from reading a file into RunError with its path."""
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise unreadable(path, error) from error
    except OSError as error:
        # Arrow reports damage as OSError without `errno`; errors of the system have it.
        if error.errno is not None:
            raise
        raise unreadable(path, error) from error


def unreadable(path: Path, error: Exception) -> RunError:
    """Return the error for a file that cannot be read as Parquet."""
    reason = " ".join(str(error).split()) or type(error).__name__
    return RunError(f"{path} is not a readable Parquet file: {reason[:300]}")


def read_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the record batches of a file in Arrow's stream format, one at a time."""
    with typed_faults(path), pa.memory_map(str(path)) as source, pa.ipc.open_stream(source) as file:
        yield from file


def row_count(path: Path) -> int:
    """Return the number of rows of a Parquet file."""
    with open_parquet(path) as file:
        return int(file.metadata.num_rows)


def schema_of(path: Path) -> pa.Schema:
    """Return the Arrow schema of a Parquet file."""
    with open_parquet(path) as file:
        return file.schema_arrow


SPLITS: Final = ("train", "validation", "test")
UNSPLIT: Final = "unsplit"
"""Names of files whose rows have no split begin with this word instead of a split."""
_SET_FILE = re.compile(
    rf"(?P<split>{'|'.join((*SPLITS, UNSPLIT))})(?:-(?P<marked>[a-z]+))?"
    r"-(?P<number>\d{5})-of-(?P<count>\d{5})\.parquet",
    re.ASCII,
)
_STAGE_PART = re.compile(r"(?P<table>[a-z0-9_]+)-\d{5}\.parquet", re.ASCII)


class FileSet(NamedTuple):
    """A set of files with the rows of a split, or only with its marked rows.

    `marked` is the word for the marked rows in file names, such as `evaluable`.
    """

    split: str
    marked: str = ""

    def file_name(self, number: int, count: int) -> str:
        """Return the name of the file with this number, of `count` files in the set."""
        return f"{self.stem}-{number:05d}-of-{count:05d}.parquet"

    @property
    def stem(self) -> str:
        """The text with which all file names of the set begin."""
        return f"{self.split}-{self.marked}" if self.marked else self.split


class SetFile(NamedTuple):
    """A file of a set of files: its set, its number, and how many files the set has."""

    file_set: FileSet
    number: int
    of: int


def set_file(name: str) -> SetFile | None:
    """Parse the name of a release's table file. Returns None for any other name."""
    match = _SET_FILE.fullmatch(name)
    if match is None:
        return None
    file_set = FileSet(match["split"], match["marked"] or "")
    return SetFile(file_set, int(match["number"]), int(match["count"]))


def is_stage_part(name: str, table: str) -> bool:
    """Return whether a file name is that of a numbered file of the table, as stages write them."""
    match = _STAGE_PART.fullmatch(name)
    return match is not None and match["table"] == table
