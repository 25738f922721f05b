"""`catalogue/`: the shortcuts for people who want to use them, by site and by category.

Static pages of a hundred entries, and a search over all of them that needs no server: the search
words lie in script files that the page loads when somebody starts to type. The steps of a shortcut
stand on a page of its site alone, to which those of its categories lead: they are most of a page,
and a shortcut may have twenty categories.
"""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.release.describing import ReleaseView
from benchloom.release.describing.entries import (
    Entries,
    PieceFile,
    Placed,
    address_is_sound,
    address_of,
    in_category,
    in_search,
    is_sound,
    on_site,
    placed_entries,
    slug,
)
from benchloom.release.describing.pages import PICTURE, TEMPLATES, render, write_page
from benchloom.workspace import write_file

PATHS = ("catalogue",)

PAGE_ENTRIES = 100
PAGES_AT_ONCE = 8
"""Pages that a process writes for one call."""
INDEX_ENTRIES = 5000
T = TypeVar("T")
_PLACE = "\0"
"""Where the entries of a page stand in what its template gives: no text that is shown holds it."""
_FILES = {
    "search.js": ("search.js",),
    "catalogue.css": ("style.css.j2", "steps.css", "catalogue.css"),
}
_KINDS = {"site": "Sites", "category": "Categories"}


class Group(msgspec.Struct, frozen=True):
    """One site or category and the first of its pages; `first` is the number of its first entry."""

    kind: str
    name: str
    count: int
    slug: str
    first: int

    @property
    def pages(self) -> int:
        """Number of its pages."""
        return -(-self.count // PAGE_ENTRIES)

    def path(self, number: int) -> str:
        """The path of page `number` (from 1) below the catalogue."""
        return f"{self.kind}/{self.slug}-{number}.html"


class _Kit(msgspec.Struct, frozen=True):
    """What pages are written from, and below which folder."""

    entries: Path
    pieces: Path
    place: Path
    version: str
    sites: dict[str, Group]
    total: int

    def shared(self) -> dict[str, object]:
        """What every page is written with."""
        chunks = -(-self.total // INDEX_ENTRIES)
        return {"version": self.version, "total": self.total, "chunks": chunks}


class _Run(msgspec.Struct, frozen=True):
    """Consecutive pages of a site or category, their numbers from 1 on."""

    group: Group
    numbers: range


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
                Group(kind, one.name, one.count, slug(one.name), one.first)
                for one in entries.groups(kind)
            ]
            for kind in _KINDS
        }
        sites = {group.name: group for group in groups["site"]}
        kit = _Kit(entries.folder, entries.pieces, place, release.version, sites, entries.count())
        found = [*groups["site"], *groups["category"]]
        runs = [
            _Run(group, range(start, min(start + PAGES_AT_ONCE, group.pages + 1)))
            for group in found
            for start in range(1, group.pages + 1, PAGES_AT_ONCE)
        ]
        for pages in _all_pages(release, kit, runs):
            written += pages
            release.searched.update(pages)
        written += _write_index(kit, groups["site"])
        written.append(
            write_page(
                place / "index.html",
                "catalogue_index.html.j2",
                root="",
                picture=f"../{PICTURE}",
                kinds=[(title, groups[kind]) for kind, title in _KINDS.items()],
                **kit.shared(),
            )
        )
    for name, sources in _FILES.items():
        write_file(place / name, b"".join((TEMPLATES / one).read_bytes() for one in sources))
        written.append(place / name)
    return written


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
        return [_write_group_page(kit, pieces, redactor, run.group, n) for n in run.numbers]


class _Part(NamedTuple):
    """An entry as it stands on a page, and whether a search is known to find nothing in it."""

    content: bytes
    is_sound: bool


def _write_group_page(
    kit: _Kit, pieces: PieceFile, redactor: CellRedactor | None, group: Group, number: int
) -> Path:
    before = (number - 1) * PAGE_ENTRIES
    count = min(PAGE_ENTRIES, group.count - before)
    placed = placed_entries(kit.entries, group.first + before, count)
    parts = [_part(kit, pieces, group.kind, one) for one in placed]
    page = render(
        "catalogue_page.html.j2",
        root="../",
        picture=f"../../{PICTURE}",
        kind=group.kind,
        group=group,
        number=number,
        shown=len(parts),
        has_addresses=any(has_address for _, has_address in parts),
        place_of_entries=_PLACE,
        first=before + 1,
        **kit.shared(),
    )
    head, foot = page.encode("utf-8", "replace").split(_PLACE.encode())
    content = b"".join((head, *(part.content for part, _ in parts), foot))
    if redactor is not None and not _is_page_sound(head, [part for part, _ in parts], foot):
        shown, _ = redactor.document(content.decode("utf-8"))
        content = shown.encode("utf-8")
    path = kit.place / group.path(number)
    write_file(path, content)
    return path


def _part(kit: _Kit, pieces: PieceFile, kind: str, placed: Placed) -> tuple[_Part, bool]:
    """An entry on a page of a site or category, and whether the address of its steps is in it."""
    if kind == "site":
        found, steps = placed.with_steps(pieces)
        return _Part(on_site(placed.anchor, found, steps), placed.site_is_sound), False
    found = placed.pieces(pieces)
    page = _page_of(kit.sites[placed.site], placed)
    content = in_category(placed.anchor, found, f"{page}#{placed.anchor}")
    is_known = placed.category_is_sound and (not found.count or _address_is_sound(page))
    return _Part(content, is_known), bool(found.count)


_address_is_sound = cache(address_is_sound)


def _is_page_sound(head: bytes, parts: list[_Part], foot: bytes) -> bool:
    """Whether a search finds nothing in a page.

    It is searched in pieces that begin with an element with an anchor, as each entry does; what
    stands behind the last entry is searched with it.
    """
    rest = [part.content for part in parts[:-1] if not part.is_sound]
    return all(map(is_sound, (head, *rest, parts[-1].content + foot)))


def _page_of(site: Group, placed: Placed) -> str:
    """The page on which the steps of an entry stand, below the catalogue."""
    return address_of(site.slug, placed.position // PAGE_ENTRIES + 1)


def _write_index(kit: _Kit, sites: list[Group]) -> Iterator[Path]:
    """Script files with the search words of every entry and the page it stands on."""
    with PieceFile(kit.pieces) as pieces:
        rows = (row for group in sites for row in _index_rows(kit, pieces, group))
        for number, chunk in enumerate(_runs(rows, INDEX_ENTRIES)):
            path = kit.place / "search" / f"{number:05d}.js"
            write_file(path, b"benchloomFound([" + b",".join(chunk) + b"]);\n")
            yield path


def _index_rows(kit: _Kit, pieces: PieceFile, group: Group) -> Iterator[bytes]:
    """Name, author and site, page with anchor, and further words of each entry."""
    for placed in placed_entries(kit.entries, group.first, group.count):
        address = f"{_page_of(group, placed)}#{placed.anchor}"
        yield in_search(placed.pieces(pieces), address)


def _runs(values: Iterable[T], most: int) -> Iterator[list[T]]:
    """The values in lists of at most `most`."""
    rest = iter(values)
    while run := list(islice(rest, most)):
        yield run
