"""Catalogue entries, collected in a database file beside the pages: memory does not grow.

An entry is a shortcut as one site lists it, or a named shortcut without a listing. Left out are
shortcuts with redactions (what is shared on iCloud still holds what was hidden here), listings
that were taken down or are for members only, and listings whose shortcut the release lacks. A
shortcut that only such listings know is not shown by its own name either.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import msgspec
import pyarrow.compute as pc

from benchloom.built_in_actions import SYSTEM_APP
from benchloom.release.describing.pages import icloud_address, visible, web_address
from benchloom.release.describing.tables import ReleaseTables

UNLISTED = "Without a site"
NO_CATEGORY = "Without a category"
_LONGEST_TEXT = 600
_LONGEST_NAME = 200
_MOST_CATEGORIES = 20
# Actions of the Shortcuts app itself: nothing has to be installed for them.
_SCHEMA = """
CREATE TABLE shortcut (number INTEGER PRIMARY KEY, name TEXT, text TEXT, level INTEGER, apps TEXT,
    icloud_id TEXT, listed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE icloud (icloud_id TEXT, number INTEGER);
CREATE TABLE entry (number INTEGER PRIMARY KEY, sort TEXT, site TEXT, content BLOB);
CREATE TABLE place (kind TEXT, name TEXT, sort TEXT, entry INTEGER);
"""
_INDEXES = """
CREATE INDEX icloud_by_id ON icloud (icloud_id);
"""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One shortcut of the catalogue as a page shows it; links are checked, texts are not."""

    name: str
    text: str | None
    author: str | None
    icloud: str | None
    page: str | None
    apps: tuple[str, ...]
    level: int | None
    site: str
    categories: tuple[str, ...]


class Entries:
    """The entries of a release, read back by site or category in the order of their names."""

    def __init__(self, tables: ReleaseTables, path: Path) -> None:
        self._database = sqlite3.connect(path)
        self._database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
        self._add_shortcuts(tables)
        self._database.executescript(_INDEXES)
        self._add_listings(tables)
        self._add_unlisted()
        self._database.execute("CREATE INDEX place_by_name ON place (kind, name, sort, entry)")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def groups(self, kind: str) -> list[tuple[str, int]]:
        """The sites or categories with their numbers of entries, biggest first."""
        query = "SELECT name, count(*) FROM place WHERE kind = ? GROUP BY name"
        found = [(str(name), int(count)) for name, count in self._database.execute(query, (kind,))]
        return sorted(found, key=lambda group: (-group[1], group[0]))

    def of(self, kind: str, name: str) -> Iterator[tuple[int, Entry]]:
        """Number and entry of everything in one site or category."""
        query = (
            "SELECT entry.number, entry.content FROM place "
            "JOIN entry ON entry.number = place.entry "
            "WHERE place.kind = ? AND place.name = ? ORDER BY place.sort, place.entry"
        )
        for number, content in self._database.execute(query, (kind, name)):
            yield number, msgspec.json.decode(content, type=Entry)

    def count(self) -> int:
        """All entries."""
        return int(self._database.execute("SELECT count(*) FROM entry").fetchone()[0])

    def _add_shortcuts(self, tables: ReleaseTables) -> None:
        columns = ["name", "description", "level", "icloud_ids", "redactions.count", "actions.app"]
        number = 0
        names = _app_names(tables)
        for batch in tables.batches("shortcuts", columns):
            hidden = pc.list_value_length(batch.column("redactions")).to_pylist()
            apps = batch.column("actions")
            rows = batch.select(["name", "description", "level", "icloud_ids"]).to_pylist()
            for position, row in enumerate(rows):
                number += 1
                if hidden[position]:
                    continue
                found = {action["app"] for action in apps[position].as_py()} - {SYSTEM_APP}
                self._add_shortcut(number, row, sorted({names.get(app, app) for app in found}))

    def _add_shortcut(self, number: int, row: dict[str, Any], apps: list[str]) -> None:
        ids = row["icloud_ids"]
        first = next((one for one in ids if icloud_address(one)), None)
        values = (number, row["name"], row["description"], row["level"])
        self._database.execute(
            "INSERT INTO shortcut (number, name, text, level, apps, icloud_id) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (*values, msgspec.json.encode(apps).decode(), first),
        )
        self._database.executemany(
            "INSERT INTO icloud VALUES (?, ?)", [(one.lower(), number) for one in ids]
        )

    def _add_listings(self, tables: ReleaseTables) -> None:
        columns = [
            "site", "listing_url", "icloud_id", "name", "tagline", "description", "category",
            "categories", "author_credit", "member_only", "state",
        ]  # fmt: skip
        for batch in tables.batches("listings", columns, rows=1024):
            for row in batch.to_pylist():
                found = self._database.execute(
                    "SELECT number, name, level, apps FROM icloud JOIN shortcut USING (number) "
                    "WHERE icloud.icloud_id = ? ORDER BY number LIMIT 1",
                    ((row["icloud_id"] or "").lower(),),
                ).fetchone()
                if found is None:
                    continue
                self._database.execute("UPDATE shortcut SET listed = 1 WHERE number = ?", found[:1])
                if not row.get("member_only") and row.get("state", "listed") == "listed":
                    self._add_listed(row, *found[1:])

    def _add_listed(
        self, row: dict[str, Any], name: str | None, level: int | None, apps: str
    ) -> None:
        categories = row.get("categories") or [row.get("category") or NO_CATEGORY]
        self._add(
            Entry(
                name=_start(row["name"] or name, _LONGEST_NAME) or "Without a name",
                text=_start(row["description"] or row.get("tagline")),
                author=_start(row["author_credit"], _LONGEST_NAME),
                icloud=icloud_address(row["icloud_id"]),
                page=web_address(row["listing_url"]),
                apps=tuple(msgspec.json.decode(apps, type=list[str])),
                level=level,
                site=row["site"],
                categories=tuple(dict.fromkeys(categories))[:_MOST_CATEGORIES],
            )
        )

    def _add_unlisted(self) -> None:
        query = "SELECT name, text, level, apps, icloud_id FROM shortcut WHERE NOT listed"
        for name, text, level, apps, icloud_id in self._database.execute(
            query + " ORDER BY number"
        ):
            if name:
                self._add(
                    Entry(
                        name=_start(name, _LONGEST_NAME) or name,
                        text=_start(text),
                        author=None,
                        icloud=icloud_address(icloud_id),
                        page=None,
                        apps=tuple(msgspec.json.decode(apps, type=list[str])),
                        level=level,
                        site=UNLISTED,
                        categories=(NO_CATEGORY,),
                    )
                )

    def _add(self, entry: Entry) -> None:
        sort = entry.name.casefold()
        cursor = self._database.execute(
            "INSERT INTO entry (sort, site, content) VALUES (?, ?, ?)",
            (sort, entry.site, msgspec.json.encode(entry)),
        )
        places = [("site", entry.site), *(("category", name) for name in entry.categories)]
        self._database.executemany(
            "INSERT INTO place VALUES (?, ?, ?, ?)",
            [(kind, name, sort, cursor.lastrowid) for kind, name in places],
        )


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
