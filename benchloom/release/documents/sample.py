"""Write the folder `sample`: HTML pages that show example rows of every table.

The pages show up to a hundred shortcuts and plans: first rows with accepted requests and several
steps, and at the end a few rows with oddities (tolerated faults). Among equally good rows, and
among tasks, digests of the keys decide which are shown. Of all other tables, a few evenly spaced
rows are shown.
"""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import msgspec
import pyarrow.compute as pc

from benchloom.core.plain_words import ABSENT, shortened
from benchloom.release.descriptions import ReleaseTables, ReleaseView
from benchloom.release.descriptions.chosen_rows import chosen_plans, chosen_rows
from benchloom.release.descriptions.example_rows import PlainRow, spaced_rows
from benchloom.release.descriptions.pages import write_page
from benchloom.release.descriptions.tables import TableFile
from benchloom.storage.tables import load_table

PATHS = ("sample",)
T = TypeVar("T")

ROWS = 100
OTHER_ROWS = 20
_FIRST = 3
_MAX_TEXTS = 12
_LONGEST_TEXT = 4000
_TITLES = {"shortcuts": "Shortcuts", "planning_paths": "Planning paths"}


class Meaning(msgspec.Struct, frozen=True):
    """The title and description of an API."""

    title: str | None
    description: str | None


class WrittenText(msgspec.Struct, frozen=True):
    """A generated text about a row. `category` is set if the text assigns the row to a category."""

    kind: str
    text: str
    kept: bool
    category: str | None


class SampleTable(msgspec.Struct, frozen=True):
    """A table as the start page of the sample lists it.

    `listed` is the number of sample rows, and `lines` are the numbers and titles of the first
    sample rows.
    """

    name: str
    text: str
    rows: int
    listed: int
    lines: tuple[tuple[int, str], ...]

    def row_link(self, number: int) -> str:
        """Return the link to the sample row with this number, counted from 1."""
        return f"tasks/{number}.html" if self.name == "tasks" else f"{self.name}.html#r{number}"


def write(release: ReleaseView, folder: Path) -> list[Path]:
    """Write a page per table and per task, and a start page that links to them.

    Return all paths.
    """
    tables = release.tables
    row_counts = tables.rows()
    sample_folder = folder / "sample"
    shared = {
        "release": release,
        "places": [(f"{name}.html", name, rows) for name, rows in row_counts.items()],
    }
    written: list[Path] = []
    table_samples: list[SampleTable] = []
    for name, rows in row_counts.items():
        if name == "tasks" and rows:
            titles, pages = _write_tasks(tables, sample_folder, shared)
        else:
            titles, pages = _write_table(tables, name, sample_folder, shared)
        written += pages
        lines = tuple(enumerate(titles[:_FIRST], 1))
        table_samples.append(
            SampleTable(name, load_table(name).description, rows, len(titles), lines)
        )
    shared["places"] = [(f"#{name}", name, rows) for name, rows in row_counts.items()]
    index = write_page(
        sample_folder / "index.html", "sample_index.html.j2", tables=table_samples, **shared
    )
    return [*written, index]


def _write_table(
    tables: ReleaseTables, name: str, folder: Path, shared: Mapping[str, object]
) -> tuple[list[str], list[Path]]:
    values: dict[str, object] = dict(shared)
    if name in _TITLES and tables.rows()[name]:
        title = _TITLES[name]
        plans, odd_from = chosen_plans(tables, name, ROWS)
        apis = {step.api for row in plans for step in row.steps}
        titles = [row.title for row in plans]
        values |= {
            "rows": plans,
            "odd_from": odd_from,
            "chosen": "first those with kept texts, complete definitions and several steps; "
            "otherwise chosen by a digest of their keys",
            "meanings": meanings(tables, apis),
            "texts": texts(tables, {row.row_id for row in plans}),
        }
    else:
        title = name
        cells = sorted(spaced_rows(tables, name, OTHER_ROWS), key=_is_dropped)
        titles = [row.title for row in cells]
        values |= {
            "rows": cells,
            "chosen": _order_note(name),
        }
    page = write_page(
        folder / f"{name}.html",
        "sample.html.j2",
        table=load_table(name),
        title=title,
        total=tables.rows()[name],
        **values,
    )
    return titles, [page]


def _write_tasks(
    tables: ReleaseTables, folder: Path, shared: Mapping[str, object]
) -> tuple[list[str], list[Path]]:
    from benchloom.release.descriptions.tasks import task_page
    from benchloom.worlds.proofs import OpenWorlds

    with closing(OpenWorlds()) as open_worlds:
        task_pages = [task_page(row, open_worlds) for row in chosen_rows(tables, "tasks", ROWS)]
    pages = [
        write_page(folder / "tasks" / f"{number}.html", "task.html.j2", task=task, **shared)
        for number, task in enumerate(task_pages, 1)
    ]
    listing = write_page(folder / "tasks.html", "task_index.html.j2", tasks=task_pages, **shared)
    return [task.title or ABSENT for task in task_pages], [*pages, listing]


def _order_note(table: str) -> str:
    order = ", kept rows first" if load_table(table).column("kept") is not None else ""
    return f"evenly spaced rows of the table{order}"


def _is_dropped(row: PlainRow) -> bool:
    return dict(row.cells).get("kept") == "no"


def meanings(tables: ReleaseTables, apis: set[str]) -> dict[str, Meaning]:
    """Return a mapping from each API that the release defines to its title and description."""
    meaning_by_api: dict[str, Meaning] = {}
    api_names = tuple(sorted(apis))
    for file_meanings in tables.each(
        "api_definitions", dict[str, Meaning], _meanings_in, api_names
    ):
        meaning_by_api = file_meanings | meaning_by_api
    return meaning_by_api


def _meanings_in(file: TableFile, apis: tuple[str, ...]) -> dict[str, Meaning]:
    meanings: dict[str, Meaning] = {}
    columns = ["api", "title", "description"]
    if file.has(*columns):
        for api, title, description in file.values(columns, apis):
            if str(api) not in meanings and (title or description):
                meanings[str(api)] = Meaning(
                    *(str(text) if text else None for text in (title, description))
                )
    return meanings


def texts(tables: ReleaseTables, targets: set[str]) -> dict[str, list[WrittenText]]:
    """Return, for each row id in `targets`, a few generated texts about this row."""
    texts_by_target: dict[str, list[WrittenText]] = {}
    target_ids = tuple(sorted(targets))
    for file in tables.table_files("queries"):
        here = file.cached_result(tuple[str, ...], _targets_in, target_ids)
        written = file.cached_result(dict[str, list[WrittenText]], _texts_in, here) if here else {}
        for target, more in written.items():
            texts_by_target[target] = [*texts_by_target.get(target, []), *more][:_MAX_TEXTS]
    return texts_by_target


def _targets_in(file: TableFile, targets: tuple[str, ...]) -> tuple[str, ...]:
    ids: set[str] = set()
    if file.has("target_id"):
        for batch in file.batches(["target_id"], rows=4096):
            ids.update(pc.unique(batch.column("target_id")).to_pylist())
    return tuple(sorted(ids.intersection(targets)))


def _texts_in(file: TableFile, targets: tuple[str, ...]) -> dict[str, list[WrittenText]]:
    texts_by_target: dict[str, list[WrittenText]] = {}
    columns = ["target_id", "kind", "text", "kept", "category"]
    if file.has(*columns):
        for target, kind, text, is_kept, category in file.values(columns, targets):
            if len(texts_by_target.setdefault(str(target), [])) < _MAX_TEXTS:
                written = WrittenText(
                    str(kind),
                    shortened(str(text), _LONGEST_TEXT),
                    bool(is_kept),
                    None if category is None else str(category),
                )
                texts_by_target[str(target)].append(written)
    return texts_by_target
