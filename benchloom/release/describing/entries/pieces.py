"""The pieces of pages that an entry is written in, and whether they were searched for secrets.

All that stands between them is an anchor and an address, so that pages are put together from what
is known of entries that did not change.
"""

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from benchloom.errors import RunError
from benchloom.normalise.redaction.texts import scan_text
from benchloom.release.describing.entries.records import Entry
from benchloom.release.describing.pages import template_parts, visible

_TEMPLATE = "catalogue_entry.html.j2"
_START, _NAMED, _LINKS = b'<li id="', b'">\n', b'<p class="links">'
_LED, _TO = b'<a href="../', b'">'
_AFTER_STEPS = b"</a> "
ANY_PAGE = "1"
"""Stands for the name of any page in the address of steps that are searched."""


class EntryPieces(msgspec.Struct, frozen=True, array_like=True):
    """What is written of an entry: its row of the search, text and links, and its steps.

    `steps` are those of its shortcut; `count` says for people how many there are, if any is shown.
    """

    index_start: bytes
    index_end: bytes
    about: bytes
    links: bytes
    count: bytes


def pieces_of(entry: Entry, count: bytes) -> EntryPieces:
    """The pieces of an entry."""
    parts = template_parts(_TEMPLATE)
    byline = f"{entry.author}, {entry.site}" if entry.author else entry.site
    return EntryPieces(
        _index_row(visible(entry.name), visible(byline))[:-1] + b",",
        b"," + _index_row(_words(entry))[1:],
        parts.text("about", entry),
        parts.text("links", entry),
        count,
    )


def steps_of(length: int, steps: Sequence[tuple[int, str]]) -> tuple[bytes, bytes]:
    """The first steps of a shortcut, and how many there are; nothing where none is shown."""
    if not steps:
        return b"", b""
    parts = template_parts(_TEMPLATE)
    return parts.text("steps", length, steps), parts.text("count", length)


def _words(entry: Entry) -> str:
    text = " ".join((entry.text or "").split())[:160]
    return visible(" ".join((*entry.categories, *entry.apps, text)).casefold())


def _index_row(*told: str) -> bytes:
    return msgspec.json.encode(told).replace(b"<", b"\\u003c")


def on_site(anchor: str, pieces: EntryPieces, steps: bytes) -> bytes:
    """An entry on a page of its site: with its steps."""
    ident = anchor.encode()
    return b"".join((_START, ident, _NAMED, pieces.about, steps, _LINKS, pieces.links))


def in_category(anchor: str, pieces: EntryPieces, address: str) -> bytes:
    """An entry on a page of a category: with the address of its steps."""
    found = [_START, anchor.encode(), _NAMED, pieces.about, _LINKS]
    if pieces.count:
        found += [_LED, address.encode(), _TO, pieces.count, _AFTER_STEPS]
    return b"".join((*found, pieces.links))


def in_search(pieces: EntryPieces, address: str) -> bytes:
    """An entry among the words of the search."""
    return pieces.index_start + msgspec.json.encode(address) + pieces.index_end


def name_in(pieces: EntryPieces) -> str:
    """The name of an entry, as it is shown."""
    name, _ = msgspec.json.decode(pieces.index_start[:-1] + b"]", type=tuple[str, str])
    return name


def is_sound(piece: bytes) -> bool:
    """Whether a search finds nothing in a part of a page that is searched by itself."""
    return not scan_text(piece.decode("utf-8", "replace"), rendered=True)


def are_sound(entry: Entry, pieces: EntryPieces, steps: bytes) -> tuple[bool, bool]:
    """Whether a search finds nothing in an entry on pages of its site, and of its categories.

    The name of the page in the address of its steps is left out: it stands between `-` and `.html`,
    and whoever writes a page searches its address with it (`address_is_sound`).
    """
    anchor = f"e{entry.ident}"
    address = f"{address_of(slug(entry.site), ANY_PAGE)}#{anchor}"
    return is_sound(on_site(anchor, pieces, steps)), is_sound(in_category(anchor, pieces, address))


def address_is_sound(address: str) -> bool:
    """Whether a search finds nothing in the address of a page, as links to it are written."""
    return is_sound(_LED + address.encode() + b"#e" + _TO)


def address_of(place: str, page: str) -> str:
    """The address of a page of a site, below the catalogue."""
    return f"site/{place}-{page}.html"


def slug(name: str) -> str:
    """A file name for any text: its plain letters and digits, and a digest that tells it apart."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40]
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain}-{digest}" if plain else digest


class PieceFile:
    """A file of pieces, one behind the other; each is found by its place.

    Raises:
        RunError: it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise RunError(f"{path}: {error.strerror}; run again") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def read(self, start: int, size: int) -> bytes:
        """The bytes at a place.

        Raises:
            RunError: they are not there.
        """
        found = os.pread(self._file.fileno(), size, start)
        if len(found) != size:
            raise RunError(f"{self._path}: changed since the run wrote it; run again")
        return found
