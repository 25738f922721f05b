"""`catalogue/`: the shortcuts for people who want to use them, by site and by category.

Static pages of about a hundred entries, and a search over all of them that needs no server: the
search words lie in script files that the page loads when somebody starts to type. The steps of a
shortcut stand on a page of its site alone, to which those of its categories lead: they are most of
a page, and a shortcut may have twenty categories. A page tells nothing of the release or of pages
that are not its neighbours, so that it stays as it is until its entries change.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from html import escape
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.release.describing import ReleaseView
from benchloom.release.describing.entries import (
    Entries,
    EntryPage,
    EntryPieces,
    PieceFile,
    Placed,
    address_is_sound,
    address_of,
    cut,
    in_category,
    in_search,
    is_sound,
    name_in,
    on_site,
    placed_entries,
    slug,
)
from benchloom.release.describing.pages import PICTURE, TEMPLATES, number, render, write_page
from benchloom.release.describing.plans import shortened
from benchloom.under_way import under_way
from benchloom.workspace import sync_folders, write_file, write_unseen

PATHS = ("catalogue",)

PAGES_AT_ONCE = 8
"""Pages that a process writes for one call."""
INDEX_ENTRIES = 2500
"""Entries of a script file of the search on average, as long as these are few."""
MOST_INDEXES = 64
_MARK = "\0"
"""Around the names of what differs from page to page: no text that is shown holds it."""
_ENTRIES = f"{_MARK}entries{_MARK}"
_LONGEST_NAME = 40
_FILES = {
    "search.js": ("search.js",),
    "catalogue.css": ("style.css.j2", "steps.css", "catalogue.css"),
}
_KINDS = {"site": "Sites", "category": "Categories"}


class Group(msgspec.Struct, frozen=True):
    """One site or category, with its pages."""

    kind: str
    name: str
    count: int
    slug: str
    pages: tuple[EntryPage, ...]

    def path(self, at: int) -> str:
        """The path of a page, counted from 0, below the catalogue."""
        return f"{self.kind}/{self.slug}-{self.pages[at].name}.html"

    def paths(self) -> list[str]:
        """The paths of all pages."""
        return [self.path(at) for at in range(len(self.pages))]


class _Kit(msgspec.Struct, frozen=True):
    """What pages are written from, and below which folder; `sites` are the slugs of all sites."""

    entries: Path
    pieces: Path
    place: Path
    sites: dict[str, str]


class _Page(msgspec.Struct, frozen=True):
    """A page to be written: its path, those of its neighbours, and on a first one those of all."""

    path: str
    entries: EntryPage
    previous: str | None
    next: str | None
    all: list[str]


class _Run(msgspec.Struct, frozen=True):
    """Consecutive pages of a site or category; `first` is the path of the first of all."""

    kind: str
    name: str
    first: str
    pages: list[_Page]


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write the catalogue; the files that were written."""
    place = folder / "catalogue"
    written: list[Path] = []
    with (
        release.spread.scratch() as scratch,
        Entries(release.tables, scratch, release.spread, release.redactor) as entries,
    ):
        groups = {
            kind: [
                Group(kind, one.name, one.count, slug(one.name), one.pages)
                for one in entries.groups(kind)
            ]
            for kind in _KINDS
        }
        sites = {group.name: group.slug for group in groups["site"]}
        kit = _Kit(entries.folder, entries.pieces, place, sites)
        runs = [run for kind in _KINDS for group in groups[kind] for run in _runs_of(group)]
        total = sum(len(run.pages) for run in runs)
        with under_way("release: pages of the catalogue", total, "pages") as one:
            for pages in _all_pages(release, kit, runs):
                written += pages
                release.searched.update(pages)
                one.advance(len(pages))
        sync_folders(written)
        written += _write_index(kit, groups["site"])
        written.append(
            write_page(
                place / "index.html",
                "catalogue_index.html.j2",
                root="",
                picture=f"../{PICTURE}",
                kinds=[(title, groups[kind]) for kind, title in _KINDS.items()],
                version=release.version,
                total=entries.count(),
            )
        )
    for name, sources in _FILES.items():
        write_file(place / name, b"".join((TEMPLATES / one).read_bytes() for one in sources))
        written.append(place / name)
    return written


def _runs_of(group: Group) -> Iterator[_Run]:
    """The pages of a site or category, some at once."""
    paths = group.paths()
    pages = [
        _Page(path, entries, before, after, paths if len(paths) > 1 and before is None else [])
        for path, entries, before, after in zip(
            paths, group.pages, [None, *paths], [*paths[1:], None], strict=False
        )
    ]
    for start in range(0, len(pages), PAGES_AT_ONCE):
        yield _Run(group.kind, group.name, paths[0], pages[start : start + PAGES_AT_ONCE])


def _all_pages(release: ReleaseView, kit: _Kit, runs: list[_Run]) -> Iterable[list[Path]]:
    """Pages of sites and categories, by whoever may help; with a redactor they are searched."""
    if release.redactor is None:
        return release.spread.run(partial(_write_pages, kit, None), runs)
    return release.spread.each(partial(_search_pages, kit), runs, release.redactor)


def _search_pages(kit: _Kit, redactor: CellRedactor, run: _Run) -> list[Path]:
    return _write_pages(kit, redactor, run)


def _write_pages(kit: _Kit, redactor: CellRedactor | None, run: _Run) -> list[Path]:
    """Some pages; their files."""
    with PieceFile(kit.pieces) as pieces:
        return [_write_entry_page(kit, pieces, redactor, run, page) for page in run.pages]


class _Part(NamedTuple):
    """An entry as it stands on a page, and whether a search is known to find nothing in it.

    `leads` says whether it has the address of its steps.
    """

    pieces: EntryPieces
    content: bytes
    is_sound: bool
    leads: bool


def _write_entry_page(
    kit: _Kit, pieces: PieceFile, redactor: CellRedactor | None, run: _Run, page: _Page
) -> Path:
    placed = placed_entries(kit.entries, page.entries.first, page.entries.count)
    parts = [_part(kit, pieces, run.kind, one) for one in placed]
    head, foot = _around(run, page, parts)
    content = b"".join((head, *(part.content for part in parts), foot))
    if redactor is not None and not _is_page_sound(head, parts, foot):
        shown, _ = redactor.document(content.decode("utf-8"))
        content = shown.encode("utf-8")
    path = kit.place / page.path
    write_unseen(path, content)
    return path


def _around(run: _Run, page: _Page, parts: Sequence[_Part]) -> tuple[bytes, bytes]:
    """What stands before the entries of a page, and behind them."""
    told = {
        "shown": number(len(parts)),
        "previous": page.previous or "",
        "next": page.next or "",
        "first": shortened(name_in(parts[0].pieces), _LONGEST_NAME),
        "last": shortened(name_in(parts[-1].pieces), _LONGEST_NAME),
    }
    frame = _frame(
        run.kind,
        run.name,
        run.first,
        is_one=len(parts) == 1,
        has_previous=page.previous is not None,
        has_next=page.next is not None,
        has_addresses=any(part.leads for part in parts),
        pages=tuple(page.all),
    )
    text = "".join(
        piece if at % 2 == 0 else _ENTRIES if piece == "entries" else escape(told[piece])
        for at, piece in enumerate(frame.split(_MARK))
    )
    head, foot = text.encode("utf-8", "replace").split(_ENTRIES.encode())
    return head, foot


@lru_cache(maxsize=64)
def _frame(
    kind: str,
    name: str,
    first: str,
    *,
    is_one: bool,
    has_previous: bool,
    has_next: bool,
    has_addresses: bool,
    pages: tuple[str, ...],
) -> str:
    """A page of a site or category with marks in the place of what differs from page to page.

    To render a page anew takes longer than to put together its entries.
    """
    return render(
        "catalogue_page.html.j2",
        root="../",
        picture=f"../../{PICTURE}",
        kind=kind,
        name=name,
        first=first,
        is_one=is_one,
        has_previous=has_previous,
        has_next=has_next,
        has_addresses=has_addresses,
        pages=pages,
        place=lambda told: f"{_MARK}{told}{_MARK}",
    )


def _part(kit: _Kit, pieces: PieceFile, kind: str, placed: Placed) -> _Part:
    """An entry on a page of a site or category."""
    if kind == "site":
        found, steps = placed.with_steps(pieces)
        content = on_site(placed.anchor, found, steps)
        return _Part(found, content, placed.site_is_sound, leads=False)
    found = placed.pieces(pieces)
    page = address_of(kit.sites[placed.site], placed.page)
    content = in_category(placed.anchor, found, f"{page}#{placed.anchor}")
    is_known = placed.category_is_sound and (not found.count or _address_is_sound(page))
    return _Part(found, content, is_known, leads=bool(found.count))


_address_is_sound = cache(address_is_sound)


def _is_page_sound(head: bytes, parts: list[_Part], foot: bytes) -> bool:
    """Whether a search finds nothing in a page.

    It is searched in pieces that begin with an element with an anchor, as each entry does; what
    stands behind the last entry is searched with it.
    """
    rest = [part.content for part in parts[:-1] if not part.is_sound]
    return all(map(is_sound, (head, *rest, parts[-1].content + foot)))


def _write_index(kit: _Kit, sites: list[Group]) -> Iterator[Path]:
    """Script files with the search words of every entry and the page it stands on.

    The last holds none: so whoever reads them knows the end.
    """
    total = sum(group.count for group in sites)
    size = INDEX_ENTRIES
    while size * MOST_INDEXES < total:
        size *= 2
    placed = placed_entries(kit.entries, 0, total)
    files = 0
    with PieceFile(kit.pieces) as pieces:
        for entries in cut(placed, attrgetter("ident"), size):
            yield _written_index(kit, files, [_index_row(kit, pieces, one) for one in entries])
            files += 1
    yield _written_index(kit, files, [])


def _written_index(kit: _Kit, at: int, rows: list[bytes]) -> Path:
    path = kit.place / "search" / f"{at:05d}.js"
    write_file(path, b"benchloomFound([" + b",".join(rows) + b"]);\n")
    return path


def _index_row(kit: _Kit, pieces: PieceFile, placed: Placed) -> bytes:
    """Name, author and site, page with anchor, and further words of an entry."""
    address = f"{address_of(kit.sites[placed.site], placed.page)}#{placed.anchor}"
    return in_search(placed.pieces(pieces), address)
