"""`sample/`: a hundred rows to read: what was built, what its APIs mean, and what was asked.

Rows are chosen by a digest of their key, so the same rows are shown wherever the release is built.
"""

import hashlib
import heapq
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from benchloom.release.describing import ReleaseTables, ReleaseView
from benchloom.release.describing.pages import write_page
from benchloom.release.describing.plans import path_row, shortcut_row, shortened
from benchloom.release.describing.tasks import task_page
from benchloom.tables import load_table
from benchloom.worlds.proving import Grounds

PATHS = ("sample",)

ROWS = 100
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


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write a page per kind of row that the release holds, and a page that leads to them."""
    tables = release.tables
    pages: list[tuple[str, str, int]] = []
    written: list[Path] = []
    for table, (read, title) in _KINDS.items():
        if not tables.rows().get(table):
            continue
        rows = [read(row) for row in chosen_rows(tables, table, ROWS)]
        apis = {step.api for row in rows for step in row.steps}
        written.append(
            write_page(
                folder / "sample" / f"{table}.html",
                "sample.html.j2",
                release=release,
                title=title,
                total=tables.rows()[table],
                rows=rows,
                meanings=meanings(tables, apis),
                texts=texts(tables, {row.row_id for row in rows}),
            )
        )
        pages.append((f"{table}.html", title, len(rows)))
    if tables.rows().get("tasks"):
        with closing(Grounds()) as grounds:
            shown = [task_page(row, grounds) for row in chosen_rows(tables, "tasks", ROWS)]
        written += [
            write_page(
                folder / "sample" / "tasks" / f"{number}.html",
                "task.html.j2",
                release=release,
                task=task,
            )
            for number, task in enumerate(shown, 1)
        ]
        listing = folder / "sample" / "tasks.html"
        written.append(write_page(listing, "task_index.html.j2", release=release, tasks=shown))
        pages.append(("tasks.html", "Tasks", len(shown)))
    index = folder / "sample" / "index.html"
    written.append(write_page(index, "sample_index.html.j2", release=release, pages=pages))
    return written


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
