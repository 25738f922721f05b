"""Samples and reader shared by the targets of all containers of shortcuts."""

from functools import cache
from pathlib import Path

from parsers.shortcuts import parse_shortcut
from tests.fuzz.rows import stored
from tests.support.demo_files.shortcuts import SHORTCUTS


@cache
def demo_files() -> tuple[bytes, ...]:
    """Every shortcut file of the demo world, damaged ones included, but for the empty one."""
    paths = sorted(Path(SHORTCUTS).rglob("*.*"))
    return tuple(data for path in paths if (data := path.read_bytes()))


def read_shortcut(data: bytes) -> int:
    """Parse one file as the stage does, and put the record through the table's columns."""
    return stored("shortcuts", [parse_shortcut(data, "mutant")])
