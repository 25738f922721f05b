"""This module reads and writes tombstones, which mark listings that were removed from a site.

The tombstones of a captures folder are in a file to which lines are only appended. The last line
about a listing counts.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.normalise.opt_outs.tombstones import Tombstone
from scrapers.captures.layout import TOMBSTONES_FILE


def read_tombstones(captures: Path) -> dict[str, Tombstone]:
    """Return a mapping from listing ids to tombstones.

    A last line that a killed run has cut is ignored.

    Raises:
        RunError: any other line is damaged.
    """
    path = captures / TOMBSTONES_FILE
    if not path.is_file():
        return {}
    tombstones: dict[str, Tombstone] = {}
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            tombstone = msgspec.json.decode(line, type=Tombstone)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            if number == len(lines):
                break
            raise RunError(f"{path}, line {number}: {error}") from error
        tombstones[tombstone.listing_id] = tombstone
    return {key: stone for key, stone in tombstones.items() if stone.reason != "restored"}


def add_tombstones(captures: Path, tombstones: Iterable[Tombstone]) -> int:
    """Append tombstones to the file of a captures folder; return their number."""
    text = b"".join(msgspec.json.encode(tombstone) + b"\n" for tombstone in tombstones)
    if text:
        path = captures / TOMBSTONES_FILE
        cut = path.is_file() and path.stat().st_size and not path.read_bytes().endswith(b"\n")
        with path.open("ab") as file:
            file.write(b"\n" + text if cut else text)
    return text.count(b"\n")
