"""`sample/`: rows of every table to read: what was built, what its APIs mean, and what was asked.

Of shortcuts, plans and tasks a hundred, chosen by a digest of their key, so the same rows are shown
wherever the release is built; of every other table a few that stand evenly apart.
"""

import hashlib
import heapq
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from benchloom.release.describing import ReleaseTables, ReleaseView
from benchloom.release.describing.example_rows import rows_apart, shown_row
from benchloom.release.describing.pages import PICTURE, write_page
from benchloom.release.describing.plans import path_row, shortcut_row, shortened
from benchloom.release.describing.tasks import task_page
from benchloom.tables import load_table
from benchloom.words import UNTOLD
from benchloom.worlds.proving import Grounds

PATHS = ("sample",)

ROWS = 100
OTHER_ROWS = 20
_FIRST = 3
_MOST_TEXTS = 12
_LONGEST_TEXT = 4000
_KINDS = {"shortcuts": (shortcut_row, "Shortcuts"), "planning_paths": (path_row, "Planning paths")}


class Meaning(msgspec.Struct, frozen=True):
    """What a definition says about an API."""

    title: str | None
    description: str | None


class Written(msgspec.Struct, frozen=True):
    """A text that was written about a row, and the category it gives."""

    kind: str
    text: str
    kept: bool
    category: str | None


class Shown(msgspec.Struct, frozen=True):
    """What the first page tells of a table; `lines` are numbers and titles of its first rows."""

    name: str
    text: str
    rows: int
    shown: int
    lines: tuple[tuple[int, str], ...]

    def place(self, number: int) -> str:
        """Where a row is shown, by its number from 1."""
        return f"tasks/{number}.html" if self.name == "tasks" else f"{self.name}.html#r{number}"


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write a page per table, one per task, and a page that leads to them."""
    tables = release.tables
    held = tables.rows()
    place = folder / "sample"
    shared = {
        "release": release,
        "picture": f"../{PICTURE}",
        "places": [(f"{name}.html", name, rows) for name, rows in held.items()],
    }
    written: list[Path] = []
    shown: list[Shown] = []
    for name, rows in held.items():
        if name == "tasks" and rows:
            titles, pages = _write_tasks(tables, place, shared)
        else:
            titles, pages = _write_table(tables, name, place, shared)
        written += pages
        lines = tuple(enumerate(titles[:_FIRST], 1))
        shown.append(Shown(name, load_table(name).description, rows, len(titles), lines))
    shared["places"] = [(f"#{name}", name, rows) for name, rows in held.items()]
    index = write_page(place / "index.html", "sample_index.html.j2", tables=shown, **shared)
    return [*written, index]


def _write_table(
    tables: ReleaseTables, name: str, place: Path, shared: Mapping[str, object]
) -> tuple[list[str], list[Path]]:
    """The page of a table; the titles of its rows, and what was written."""
    values: dict[str, object] = dict(shared)
    if name in _KINDS and tables.rows()[name]:
        read, title = _KINDS[name]
        plans = [read(row) for row in chosen_rows(tables, name, ROWS)]
        apis = {step.api for row in plans for step in row.steps}
        titles = [row.title for row in plans]
        values |= {
            "rows": plans,
            "chosen": "chosen by a digest of their keys",
            "meanings": meanings(tables, apis),
            "texts": texts(tables, {row.row_id for row in plans}),
        }
    else:
        title = name
        cells = [shown_row(row, load_table(name)) for row in rows_apart(tables, name, OTHER_ROWS)]
        titles = [row.title for row in cells]
        values |= {"rows": cells, "chosen": "evenly apart in their order"}
    page = write_page(
        place / f"{name}.html",
        "sample.html.j2",
        table=load_table(name),
        title=title,
        total=tables.rows()[name],
        **values,
    )
    return titles, [page]


def _write_tasks(
    tables: ReleaseTables, place: Path, shared: Mapping[str, object]
) -> tuple[list[str], list[Path]]:
    """A page per task and the page that lists them; their titles, and what was written."""
    with closing(Grounds()) as grounds:
        shown = [task_page(row, grounds) for row in chosen_rows(tables, "tasks", ROWS)]
    deeper = {**shared, "picture": f"../../{PICTURE}"}
    pages = [
        write_page(place / "tasks" / f"{number}.html", "task.html.j2", task=task, **deeper)
        for number, task in enumerate(shown, 1)
    ]
    listing = write_page(place / "tasks.html", "task_index.html.j2", tasks=shown, **shared)
    return [task.title or UNTOLD for task in shown], [*pages, listing]


def chosen_rows(tables: ReleaseTables, table: str, most: int) -> list[dict[str, Any]]:
    """The rows with the smallest digests of their keys, in the order of those digests."""
    keys = [column for column in load_table(table).key if tables.has(table, column)]
    digests = (
        (_digest(row), number) for number, row in enumerate(_plain_rows(tables, table, keys))
    )
    chosen = {number: digest for digest, number in heapq.nsmallest(most, digests)}
    found: list[tuple[str, dict[str, Any]]] = []
    start = 0
    columns = tables.schema(table).names
    for batch in tables.batches(table, columns, rows=64):
        for position in range(batch.num_rows):
            if start + position in chosen:
                row = batch.slice(position, 1).to_pylist()[0]
                found.append((chosen[start + position], row))
        start += batch.num_rows
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def _plain_rows(
    tables: ReleaseTables, table: str, columns: list[str]
) -> Iterator[tuple[object, ...]]:
    for batch in tables.batches(table, columns, rows=4096):
        yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)


def _digest(key: tuple[object, ...]) -> str:
    return hashlib.sha256(msgspec.json.encode(key)).hexdigest()


def meanings(tables: ReleaseTables, apis: set[str]) -> dict[str, Meaning]:
    """Title and description of the APIs that the release defines."""
    found: dict[str, Meaning] = {}
    columns = ["api", "title", "description"]
    if tables.has("api_definitions", *columns):
        for api, title, description in _plain_rows(tables, "api_definitions", columns):
            if api in apis and str(api) not in found and (title or description):
                found[str(api)] = Meaning(
                    *(str(text) if text else None for text in (title, description))
                )
    return found


def texts(tables: ReleaseTables, targets: set[str]) -> dict[str, list[Written]]:
    """The texts that were written about the rows, a few each."""
    found: dict[str, list[Written]] = {}
    columns = ["target_id", "kind", "text", "kept", "category"]
    if tables.has("queries", *columns):
        for target, kind, text, kept, category in _plain_rows(tables, "queries", columns):
            if target in targets and len(found.setdefault(str(target), [])) < _MOST_TEXTS:
                written = Written(
                    str(kind),
                    shortened(str(text), _LONGEST_TEXT),
                    bool(kept),
                    None if category is None else str(category),
                )
                found[str(target)].append(written)
    return found
