"""File names of a table: numbered parts of a stage, file sets of a release.

A stage numbers its parts as it writes them: `shortcuts-00000.parquet`. A release has a set of
files per split, as `test-00000-of-00002.parquet`. If a boolean column of the table marks rows,
the marked rows of each split have a separate set, as `test-evaluable-00000-of-00001.parquet`;
the whole split is `test-*.parquet`.
"""

import re
from typing import Final, NamedTuple

SPLITS: Final = ("train", "validation", "test")
UNSPLIT: Final = "unsplit"
"""In names of files with rows of no split."""
_SET_FILE = re.compile(
    rf"(?P<split>{'|'.join((*SPLITS, UNSPLIT))})(?:-(?P<marked>[a-z]+))?"
    r"-(?P<number>\d{5})-of-(?P<count>\d{5})\.parquet",
    re.ASCII,
)
_STAGE_PART = re.compile(r"(?P<table>[a-z0-9_]+)-\d{5}\.parquet", re.ASCII)


class FileSet(NamedTuple):
    """The files of the marked or unmarked rows of a split; `marked` is the word in their names."""

    split: str
    marked: str = ""

    def file_name(self, number: int, count: int) -> str:
        """The name of file `number` of `count`."""
        return f"{self.stem}-{number:05d}-of-{count:05d}.parquet"

    @property
    def stem(self) -> str:
        """The part of a file name that all files of the set share."""
        return f"{self.split}-{self.marked}" if self.marked else self.split


class SetFile(NamedTuple):
    """One file of a file set: file `number` out of `of` files."""

    file_set: FileSet
    number: int
    of: int


def set_file(name: str) -> SetFile | None:
    """Parse the set and number from a file name, None if not of a released table."""
    match = _SET_FILE.fullmatch(name)
    if match is None:
        return None
    file_set = FileSet(match["split"], match["marked"] or "")
    return SetFile(file_set, int(match["number"]), int(match["count"]))


def is_stage_part(name: str, table: str) -> bool:
    """Whether a file name is that of a numbered part of the table."""
    match = _STAGE_PART.fullmatch(name)
    return match is not None and match["table"] == table
