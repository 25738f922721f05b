"""Samples and a reader of shortcuts for the fuzz targets of all their containers."""

from functools import cache
from pathlib import Path

from parsers.shortcuts import parse_shortcut
from tests.fuzz.rows import store_rows
from tests.support.demo_files.shortcuts import SHORTCUTS


@cache
def demo_files() -> tuple[bytes, ...]:
    """Return every shortcut file of the demo world, also damaged ones, but no empty file."""
    paths = sorted(Path(SHORTCUTS).rglob("*.*"))
    return tuple(data for path in paths if (data := path.read_bytes()))


def read_shortcut(data: bytes) -> int:
    """Parse a file as the stage does and convert the record to columns."""
    return store_rows("shortcuts", [parse_shortcut(data, "mutant")])
