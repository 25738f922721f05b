"""Listings that must not be released any more: removed at their site, or opted out by their owner.

`<captures>/tombstones.jsonl` is append-only; the last line about a listing counts. Opt-outs stand
in the settings and apply to everything ever captured.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from benchloom.errors import RunError
from benchloom.records import Listing, Rejected
from scrapers.captures.layout import TOMBSTONES_FILE
from scrapers.links import find_ids

Reason = Literal["removed", "opted_out", "restored"]


class Tombstone(msgspec.Struct, frozen=True, kw_only=True):
    """One listing that went, or came back (`restored`). `at` is UTC in ISO 8601."""

    at: str
    site: str
    listing_id: str
    listing_url: str | None
    icloud_id: str | None
    reason: Reason


class Allowed(msgspec.Struct, frozen=True):
    """Listings that may be released, the others with their reasons, and links to withhold.

    `gone` are the withheld rows beside their rejections. `opted_ids` are iCloud ids whose owners
    opted out, `gone_ids` those that only withheld listings name.
    """

    kept: tuple[Listing, ...]
    gone: tuple[Listing, ...]
    rejected: tuple[Rejected, ...]
    opted_ids: frozenset[str]
    gone_ids: frozenset[str]

    @property
    def icloud_ids(self) -> frozenset[str]:
        """Every id that no release may name."""
        return self.opted_ids | self.gone_ids

    def only_listed(self, icloud_ids: Iterable[str]) -> "Allowed":
        """This, with every id withheld that no listing which stays names.

        A listing may also be gone by an error page in its place, which names no link any more.
        """
        listed = {row.icloud_id for row in self.kept} | self.opted_ids
        unlisted = frozenset(found for found in icloud_ids if found not in listed)
        return msgspec.structs.replace(self, gone_ids=self.gone_ids | unlisted)


def read_tombstones(captures: Path) -> dict[str, Tombstone]:
    """The tombstones in force, by listing id; a line cut by a killed run is left out."""
    path = captures / TOMBSTONES_FILE
    if not path.is_file():
        return {}
    found: dict[str, Tombstone] = {}
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        try:
            stone = msgspec.json.decode(line, type=Tombstone)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            if number == len(lines):
                break
            raise RunError(f"{path}, line {number}: {error}") from error
        found[stone.listing_id] = stone
    return {key: stone for key, stone in found.items() if stone.reason != "restored"}


def add_tombstones(captures: Path, stones: Iterable[Tombstone]) -> int:
    """Append tombstones; the number written."""
    text = b"".join(msgspec.json.encode(stone) + b"\n" for stone in stones)
    if text:
        path = captures / TOMBSTONES_FILE
        cut = path.is_file() and path.stat().st_size and not path.read_bytes().endswith(b"\n")
        with path.open("ab") as file:
            file.write(b"\n" + text if cut else text)
    return text.count(b"\n")


def withhold(
    rows: Iterable[Listing], stones: dict[str, Tombstone], opt_out: Iterable[str]
) -> Allowed:
    """Apply tombstones and opt-outs, which name listing addresses, iCloud links or ids."""
    wanted = {entry.strip().rstrip("/") for entry in opt_out}
    out_ids = {i for entry in wanted for i in (*find_ids(entry), entry.lower().replace("-", ""))}
    kept: list[Listing] = []
    gone: list[Listing] = []
    rejected: list[Rejected] = []
    for row in rows:
        reason = _reason(row, stones, wanted, out_ids)
        if reason is None:
            kept.append(row)
            continue
        gone.append(row)
        rejected.append(
            Rejected("normalise", row.source_uri, reason, "withheld from releases", row.listing_id)
        )
    opted_ids = frozenset(found for found in out_ids if len(found) == 32)
    gone_ids = {row.icloud_id for row in gone if row.icloud_id is not None}
    still_listed = {row.icloud_id for row in kept}
    return Allowed(
        tuple(kept),
        tuple(gone),
        tuple(rejected),
        opted_ids,
        frozenset(gone_ids - still_listed - opted_ids),
    )


def _reason(
    row: Listing, stones: dict[str, Tombstone], wanted: set[str], out_ids: set[str]
) -> str | None:
    if (row.listing_url or "").rstrip("/") in wanted or row.icloud_id in out_ids:
        return "opted_out"
    stone = stones.get(row.listing_id)
    return stone.reason if stone is not None else None
