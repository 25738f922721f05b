"""Catalogue entries, collected in a database file beside the pages: memory does not grow.

An entry is a shortcut as one site lists it, or a named shortcut without a listing. Left out are
shortcuts with redactions (what is shared on iCloud still holds what was hidden here), listings
that were taken down or are for members only, and listings whose shortcut the release lacks. A
shortcut that only such listings know is not shown by its own name either.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
import pyarrow.compute as pc

from benchloom.built_in_actions import SYSTEM_APP
from benchloom.errors import RunError
from benchloom.identity import digest_of_parts, hex_of
from benchloom.release.describing.pages import icloud_address, visible, web_address
from benchloom.release.describing.plans import shortened
from benchloom.release.describing.tables import ReleaseTables
from benchloom.words import UNTOLD

MOST_STEPS = 20
"""Steps of a shortcut that its entry shows: a page holds a hundred entries."""
_LONGEST_STEP = 120
_LONGEST_WORKFLOW = 6000
"""Letters that are read of a workflow for its first steps."""
_DEEPEST = 12
_LONGEST_TEXT = 600
_LONGEST_NAME = 200
_MOST_CATEGORIES = 20
_IDENT_DIGITS = 12
_SCHEMA = """
CREATE TABLE shortcut (number INTEGER PRIMARY KEY, name TEXT, text TEXT, made BLOB,
    icloud_id TEXT, ident TEXT, listed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE icloud (icloud_id TEXT, number INTEGER);
CREATE TABLE entry (number INTEGER PRIMARY KEY, sort TEXT, site TEXT, content BLOB, ident TEXT);
CREATE TABLE place (kind TEXT, name TEXT, sort TEXT, entry INTEGER);
"""
_INDEXES = """
CREATE INDEX icloud_by_id ON icloud (icloud_id);
"""
_PLACES = """
CREATE TABLE shown (number INTEGER PRIMARY KEY, kind TEXT, name TEXT, entry INTEGER);
INSERT INTO shown (kind, name, entry) SELECT kind, name, entry FROM place
    ORDER BY kind, name, sort, entry;
DROP TABLE place;
CREATE TABLE of_site (entry INTEGER PRIMARY KEY, position INTEGER NOT NULL, nth INTEGER NOT NULL);
INSERT INTO of_site SELECT number, row_number() OVER (PARTITION BY site ORDER BY sort, number) - 1,
    row_number() OVER (PARTITION BY ident ORDER BY number) FROM entry;
"""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One shortcut of the catalogue as a page shows it; links are checked, texts are not.

    `steps` are the depths and lines of its first steps, `length` counts all of them.
    """

    name: str
    text: str | None
    author: str | None
    icloud: str | None
    page: str | None
    apps: tuple[str, ...]
    level: int | None
    site: str
    categories: tuple[str, ...]
    length: int
    steps: tuple[tuple[int, str], ...]


class Placed(NamedTuple):
    """An entry, its anchor, and how many entries stand before it among those of its site.

    The anchor is of what the entry is about and not of its place: an entry that did not change is
    written as it was in the release before.
    """

    anchor: str
    position: int
    entry: Entry


class EntryGroup(msgspec.Struct, frozen=True):
    """A site or category with its number of entries; the first of them has the number `first`."""

    name: str
    count: int
    first: int


class _Made(msgspec.Struct, frozen=True):
    """What an entry tells of its shortcut, whoever lists it."""

    level: int | None
    apps: tuple[str, ...]
    length: int
    steps: tuple[tuple[int, str], ...]


class Entries:
    """The entries of a release in a new file, sites and categories in the order of their names.

    Raises:
        RunError: the file cannot be written.
    """

    def __init__(self, tables: ReleaseTables, path: Path) -> None:
        self.path = path
        self._database = sqlite3.connect(path)
        try:
            self._fill(tables)
        except sqlite3.Error as error:
            self._database.close()
            raise RunError(f"{path}: {error}; run again") from error

    def _fill(self, tables: ReleaseTables) -> None:
        self._database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
        self._add_shortcuts(tables)
        self._database.executescript(_INDEXES)
        self._add_listings(tables)
        self._add_unlisted()
        self._database.executescript(_PLACES)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def groups(self, kind: str) -> list[EntryGroup]:
        """Sites or categories, biggest first, "not told" last."""
        query = "SELECT name, count(*), min(number) FROM shown WHERE kind = ? GROUP BY name"
        found = [EntryGroup(*row) for row in self._database.execute(query, (kind,))]
        return sorted(found, key=lambda one: (one.name == UNTOLD, -one.count, one.name))

    def count(self) -> int:
        """All entries."""
        return int(self._database.execute("SELECT count(*) FROM entry").fetchone()[0])

    def _add_shortcuts(self, tables: ReleaseTables) -> None:
        columns = [
            "name", "description", "level", "icloud_ids", "redactions.count", "actions.app",
            "action_count", "workflow", "shortcut_id", "source_digest",
        ]  # fmt: skip
        number = 0
        names = _app_names(tables)
        for batch in tables.batches("shortcuts", columns):
            hidden = pc.list_value_length(batch.column("redactions")).to_pylist()
            apps = batch.column("actions")
            starts = pc.utf8_slice_codeunits(batch.column("workflow"), 0, _LONGEST_WORKFLOW)
            kept = [
                "name", "description", "level", "icloud_ids", "action_count", "shortcut_id",
                "source_digest",
            ]  # fmt: skip
            rows = batch.select(kept).to_pylist()
            for position, row in enumerate(rows):
                number += 1
                if hidden[position]:
                    continue
                # Nothing has to be installed for actions of the Shortcuts app itself.
                found = {action["app"] for action in apps[position].as_py()} - {SYSTEM_APP}
                needed = tuple(sorted({names.get(app, app) for app in found}))
                count = row["action_count"] or 0
                steps = first_steps(starts[position].as_py() or "", count)
                self._add_shortcut(number, row, _Made(row["level"], needed, count, steps))

    def _add_shortcut(self, number: int, row: dict[str, Any], made: _Made) -> None:
        ids = row["icloud_ids"]
        first = next((one for one in ids if icloud_address(one)), None)
        self._database.execute(
            "INSERT INTO shortcut (number, name, text, made, icloud_id, ident) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (
                *(number, row["name"], row["description"], msgspec.json.encode(made), first),
                # Empty shortcuts share their id.
                _ident(row["shortcut_id"], row["source_digest"]),
            ),
        )
        self._database.executemany(
            "INSERT INTO icloud VALUES (?, ?)", [(one.lower(), number) for one in ids]
        )

    def _add_listings(self, tables: ReleaseTables) -> None:
        columns = [
            "listing_id", "site", "listing_url", "icloud_id", "name", "tagline", "description",
            "category", "categories", "author_credit", "member_only", "state",
        ]  # fmt: skip
        for batch in tables.batches("listings", columns, rows=1024):
            for row in batch.to_pylist():
                found = self._database.execute(
                    "SELECT number, name, made FROM icloud JOIN shortcut USING (number) "
                    "WHERE icloud.icloud_id = ? ORDER BY number LIMIT 1",
                    ((row["icloud_id"] or "").lower(),),
                ).fetchone()
                if found is None:
                    continue
                self._database.execute("UPDATE shortcut SET listed = 1 WHERE number = ?", found[:1])
                if not row.get("member_only") and row.get("state", "listed") == "listed":
                    self._add_listed(row, *found[1:])

    def _add_listed(self, row: dict[str, Any], name: str | None, made: bytes) -> None:
        categories = row.get("categories") or [row.get("category") or UNTOLD]
        self._add(
            name=_start(row["name"] or name, _LONGEST_NAME) or UNTOLD,
            text=_start(row["description"] or row.get("tagline")),
            author=_start(row["author_credit"], _LONGEST_NAME),
            icloud=icloud_address(row["icloud_id"]),
            page=web_address(row["listing_url"]),
            made=made,
            site=row["site"],
            categories=tuple(dict.fromkeys(categories))[:_MOST_CATEGORIES],
            ident=_ident(row["listing_id"]),
        )

    def _add_unlisted(self) -> None:
        query = "SELECT name, text, made, icloud_id, ident FROM shortcut WHERE NOT listed"
        found = self._database.execute(query + " ORDER BY number")
        for name, text, made, icloud_id, ident in found:
            if name:
                self._add(
                    name=_start(name, _LONGEST_NAME) or name,
                    text=_start(text),
                    author=None,
                    icloud=icloud_address(icloud_id),
                    page=None,
                    made=made,
                    site=UNTOLD,
                    categories=(UNTOLD,),
                    ident=ident,
                )

    def _add(self, *, made: bytes, ident: str, **told: Any) -> None:
        entry = Entry(**told, **msgspec.structs.asdict(msgspec.json.decode(made, type=_Made)))
        sort = entry.name.casefold()
        cursor = self._database.execute(
            "INSERT INTO entry (sort, site, content, ident) VALUES (?, ?, ?, ?)",
            (sort, entry.site, msgspec.json.encode(entry), ident),
        )
        places = [("site", entry.site), *(("category", name) for name in entry.categories)]
        self._database.executemany(
            "INSERT INTO place VALUES (?, ?, ?, ?)",
            [(kind, name, sort, cursor.lastrowid) for kind, name in places],
        )


def placed_entries(path: Path, first: int, count: int) -> Iterator[Placed]:
    """So many entries from a number on, out of a file that is finished.

    Raises:
        RunError: the file cannot be read.
    """
    query = (
        "SELECT entry.ident, nth, of_site.position, entry.content FROM shown "
        "JOIN entry ON entry.number = shown.entry JOIN of_site USING (entry) "
        "WHERE shown.number >= ? AND shown.number < ? ORDER BY shown.number"
    )
    try:
        # Nobody writes to it any more, and a shared file system may have no locks.
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as database:
            for ident, nth, position, content in database.execute(query, (first, first + count)):
                anchor = f"e{ident}" if nth == 1 else f"e{ident}-{nth}"
                yield Placed(anchor, position, msgspec.json.decode(content, type=Entry))
    except sqlite3.Error as error:
        raise RunError(f"{path}: {error}; run again") from error


def _ident(*told: str) -> str:
    """What an entry is known by in an address: the start of a digest."""
    return hex_of(digest_of_parts("entry", told))[:_IDENT_DIGITS]


def first_steps(workflow: str, count: int) -> tuple[tuple[int, str], ...]:
    """Depths and lines of the first steps.

    `workflow` is the start of a description with a line for each of `count` actions.
    """
    if not count:
        return ()
    lines = workflow.split("\n")[:MOST_STEPS]
    depths = (min((len(line) - len(line.lstrip(" "))) // 2, _DEEPEST) for line in lines)
    shown = (visible(shortened(line.strip(), _LONGEST_STEP)) for line in lines)
    return tuple(zip(depths, shown, strict=True))


def _app_names(tables: ReleaseTables) -> dict[str, str]:
    """Names of apps for people, where the release holds them."""
    found: dict[str, str] = {}
    if tables.has("apps", "app", "name"):
        for batch in tables.batches("apps", ["app", "name"], rows=4096):
            rows = batch.to_pylist()
            found |= {row["app"]: row["name"] for row in rows if row["app"] and row["name"]}
    return found


def _start(text: str | None, most: int = _LONGEST_TEXT) -> str | None:
    """The start of a long text, at a word."""
    if not text or len(text) <= most:
        return visible(text) if text else None
    return visible(text[:most].rsplit(None, 1)[0]) + "…"
