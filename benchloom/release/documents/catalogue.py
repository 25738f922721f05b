"""`catalogue/`: the shortcuts for people who want to use them, by site and by category.

Static pages of a hundred entries, and a search over all of them that needs no server: the search
words lie in script files that the page loads when somebody starts to type. The steps of a shortcut
stand on a page of its site alone, to which those of its categories lead: they are most of a page,
and a shortcut may have twenty categories.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import msgspec

from benchloom.release.describing import ReleaseView
from benchloom.release.describing.entries import Entries, Entry, Placed
from benchloom.release.describing.pages import PICTURE, TEMPLATES, visible, write_page
from benchloom.workspace import write_file

PATHS = ("catalogue",)

PAGE_ENTRIES = 100
INDEX_ENTRIES = 5000
T = TypeVar("T")
_FILES = {
    "search.js": ("search.js",),
    "catalogue.css": ("style.css.j2", "steps.css", "catalogue.css"),
}
_KINDS = {"site": "Sites", "category": "Categories"}


class Group(msgspec.Struct, frozen=True):
    """One site or category and the first of its pages."""

    kind: str
    name: str
    count: int
    slug: str

    @property
    def pages(self) -> int:
        """Number of its pages."""
        return -(-self.count // PAGE_ENTRIES)

    def path(self, number: int) -> str:
        """The path of page `number` (from 1) below the catalogue."""
        return f"{self.kind}/{self.slug}-{number}.html"


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write the catalogue; the files that were written."""
    place = folder / "catalogue"
    written: list[Path] = []
    with (
        TemporaryDirectory(prefix="benchloom-") as temporary,
        Entries(release.tables, Path(temporary) / "entries.sqlite") as entries,
    ):
        groups = {
            kind: [Group(kind, name, count, slug(name)) for name, count in entries.groups(kind)]
            for kind in _KINDS
        }
        chunks = list(_write_index(entries, groups["site"], place))
        written += chunks
        shared = {"release": release, "chunks": len(chunks), "total": entries.count()}
        shared_by_pages = {**shared, "picture": f"../../{PICTURE}"}
        sites = {group.name: group for group in groups["site"]}
        for found in groups.values():
            for group in found:
                written += _write_group(entries, group, sites, place, shared_by_pages)
        written.append(
            write_page(
                place / "index.html",
                "catalogue_index.html.j2",
                root="",
                picture=f"../{PICTURE}",
                kinds=[(title, groups[kind]) for kind, title in _KINDS.items()],
                **shared,
            )
        )
    for name, sources in _FILES.items():
        write_file(place / name, b"".join((TEMPLATES / one).read_bytes() for one in sources))
        written.append(place / name)
    return written


def _write_group(
    entries: Entries,
    group: Group,
    sites: Mapping[str, Group],
    place: Path,
    shared: dict[str, object],
) -> Iterator[Path]:
    found = entries.of(group.kind, group.name)
    for number, page in enumerate(_runs(found, PAGE_ENTRIES), 1):
        steps = {
            one.anchor: _address(sites[one.entry.site], one)
            for one in page
            if group.kind != "site" and one.entry.steps
        }
        yield write_page(
            place / group.path(number),
            "catalogue_page.html.j2",
            root="../",
            kind=group.kind,
            group=group,
            number=number,
            entries=page,
            steps=steps,
            first=(number - 1) * PAGE_ENTRIES + 1,
            **shared,
        )


def _address(site: Group, placed: Placed) -> str:
    """Where the steps of an entry stand, below the catalogue."""
    return f"{site.path(placed.position // PAGE_ENTRIES + 1)}#{placed.anchor}"


def _write_index(entries: Entries, sites: list[Group], place: Path) -> Iterator[Path]:
    """Script files with the search words of every entry and the page it stands on."""
    rows = (row for group in sites for row in _index_rows(entries, group))
    for number, chunk in enumerate(_runs(rows, INDEX_ENTRIES)):
        path = place / "search" / f"{number:05d}.js"
        content = msgspec.json.encode(chunk).replace(b"<", b"\\u003c")
        write_file(path, b"benchloomFound(" + content + b");\n")
        yield path


def _index_rows(entries: Entries, group: Group) -> Iterator[tuple[str, str, str, str]]:
    """Name, author and site, page with anchor, and further words of each entry."""
    for placed in entries.of("site", group.name):
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
