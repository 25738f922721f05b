"""`catalogue/`: the shortcuts for people who want to use them, by site and by category.

Static pages of a hundred entries, and a search over all of them that needs no server: the search
words lie in script files that the page loads when somebody starts to type. The steps of a shortcut
stand on a page of its site alone, to which those of its categories lead: they are most of a page,
and a shortcut may have twenty categories.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

import msgspec

from benchloom.release.describing import ReleaseView
from benchloom.release.describing.entries import Entries, Entry, Placed, placed_entries
from benchloom.release.describing.pages import PICTURE, TEMPLATES, visible, write_page
from benchloom.workspace import write_file

PATHS = ("catalogue",)

PAGE_ENTRIES = 100
PAGES_AT_ONCE = 8
"""Pages that a process writes for one call."""
INDEX_ENTRIES = 5000
T = TypeVar("T")
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
        Entries(release.tables, scratch / "entries.sqlite") as entries,
    ):
        groups = {
            kind: [
                Group(kind, one.name, one.count, slug(one.name), one.first)
                for one in entries.groups(kind)
            ]
            for kind in _KINDS
        }
        sites = {group.name: group for group in groups["site"]}
        kit = _Kit(entries.path, place, release.version, sites, entries.count())
        found = [*groups["site"], *groups["category"]]
        runs = [
            _Run(group, range(start, min(start + PAGES_AT_ONCE, group.pages + 1)))
            for group in found
            for start in range(1, group.pages + 1, PAGES_AT_ONCE)
        ]
        for pages in release.spread.run(partial(_write_pages, kit), runs):
            written += pages
        written += _write_index(entries.path, groups["site"], place)
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


def _write_pages(kit: _Kit, run: _Run) -> list[Path]:
    """Some pages; their files."""
    return [_write_group_page(kit, run.group, number) for number in run.numbers]


def _write_group_page(kit: _Kit, group: Group, number: int) -> Path:
    before = (number - 1) * PAGE_ENTRIES
    count = min(PAGE_ENTRIES, group.count - before)
    page = list(placed_entries(kit.entries, group.first + before, count))
    steps = {
        one.anchor: _address(kit.sites[one.entry.site], one)
        for one in page
        if group.kind != "site" and one.entry.steps
    }
    return write_page(
        kit.place / group.path(number),
        "catalogue_page.html.j2",
        root="../",
        picture=f"../../{PICTURE}",
        kind=group.kind,
        group=group,
        number=number,
        entries=page,
        steps=steps,
        first=before + 1,
        **kit.shared(),
    )


def _address(site: Group, placed: Placed) -> str:
    """Where the steps of an entry stand, below the catalogue."""
    return f"{site.path(placed.position // PAGE_ENTRIES + 1)}#{placed.anchor}"


def _write_index(entries: Path, sites: list[Group], place: Path) -> Iterator[Path]:
    """Script files with the search words of every entry and the page it stands on."""
    rows = (row for group in sites for row in _index_rows(entries, group))
    for number, chunk in enumerate(_runs(rows, INDEX_ENTRIES)):
        path = place / "search" / f"{number:05d}.js"
        content = msgspec.json.encode(chunk).replace(b"<", b"\\u003c")
        write_file(path, b"benchloomFound(" + content + b");\n")
        yield path


def _index_rows(entries: Path, group: Group) -> Iterator[tuple[str, str, str, str]]:
    """Name, author and site, page with anchor, and further words of each entry."""
    for placed in placed_entries(entries, group.first, group.count):
        entry = placed.entry
        yield visible(entry.name), _byline(entry), _address(group, placed), _words(entry)


def _byline(entry: Entry) -> str:
    return visible(f"{entry.author}, {entry.site}" if entry.author else entry.site)


def _words(entry: Entry) -> str:
    text = " ".join((entry.text or "").split())[:160]
    return visible(" ".join((*entry.categories, *entry.apps, text)).casefold())


def slug(name: str) -> str:
    """A file name for any text: its plain letters and digits, and a digest that tells it apart."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40]
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain}-{digest}" if plain else digest


def _runs(values: Iterable[T], most: int) -> Iterator[list[T]]:
    """The values in lists of at most `most`."""
    rest = iter(values)
    while run := list(islice(rest, most)):
        yield run
