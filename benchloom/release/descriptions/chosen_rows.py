"""Choose example rows of a table to show on pages: the best rows, or a stable sample.

Among equally good rows, those with the smallest digests of their keys are chosen. So the choice
depends only on the rows, and not on how they are divided into files.
"""

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from benchloom.core.records.texts import REQUEST_KINDS
from benchloom.release.descriptions.plans import PlanRow, path_row, shortcut_row
from benchloom.release.descriptions.tables import ReleaseTables, TableFile
from benchloom.storage.tables import load_table

T = TypeVar("T")

IRREGULAR_ROWS = 20
"""Maximum number of rows with oddities (tolerated faults); pages show them after all other rows."""
_SHORTCUT = "shortcut:"
"""Every id of a shortcut begins with this prefix. Requests with other target ids are about
plans."""
_RANKING = {"shortcuts": ("evaluation", "action_count"), "planning_paths": ("sequential_scales",)}
"""For each table, the columns that decide how good an example a row is."""
_TEMPLATE = "template"
_MIN_STEPS = 3
"""A row with fewer steps is not a good example of planning."""
_LAST = "9"
"""The sort keys of rows with oddities begin with this digit, so that they come last."""


def chosen_rows(tables: ReleaseTables, table: str, most: int) -> list[dict[str, Any]]:
    """Return a stable sample of a table: the `most` rows whose keys have the smallest digests."""
    return _in_order(
        (digests, file.rows_at(row_numbers))
        for file, row_numbers, digests in _chosen(tables, table, most)
    )


def chosen_plans(tables: ReleaseTables, table: str, most: int) -> tuple[list[PlanRow], int]:
    """Return at most `most` rows to show on pages, and the number of ordinary rows among them.

    `table` is `shortcuts` or `planning_paths`. Rows with oddities (tolerated faults), and rows
    without steps, come after the ordinary ones.
    """
    preferred = _targets_with_requests(tables, table, most)
    files = tables.table_files(table)
    ranked = [
        (rank, number, row_index)
        for number, file in enumerate(files)
        for rank, row_index in file.cached_result(
            list[tuple[str, int]], _ranked, table, preferred, most
        )
    ]
    irregular = sorted(row for row in ranked if row[0].startswith(_LAST))
    regular = (row for row in ranked if not row[0].startswith(_LAST))
    # If there are few regular rows, more than IRREGULAR_ROWS irregular rows fill the page.
    best = heapq.nsmallest(most - min(len(irregular), IRREGULAR_ROWS), regular)
    irregular = irregular[: most - len(best)]
    rows = _in_order(
        (digests, file.cached_result(list[PlanRow], _plans_at, table, row_numbers))
        for file, row_numbers, digests in _by_file(files, [*best, *irregular])
    )
    return rows, len(best)


def _targets_with_requests(tables: ReleaseTables, table: str, most: int) -> dict[str, str]:
    matches = [
        entry
        for file in tables.table_files("queries")
        for entry in file.cached_result(list[tuple[str, str]], _requested_targets, table, most)
    ]
    classes: dict[str, str] = {}
    for rank, target in sorted(matches):
        if len(classes) < most:
            classes.setdefault(target, rank[0])
    return dict(sorted(classes.items()))


def _requested_targets(file: TableFile, table: str, most: int) -> list[tuple[str, str]]:
    """Return up to `most` pairs (sort key, row id) of rows for which a request was accepted.

    Rows whose request comes from a template sort after the other rows.
    """
    columns = ["target_id", "kind", "kept", "generator"]
    if not file.has(*columns):
        return []
    targets = {
        (f"{int(generator == _TEMPLATE)}{_digest((target,))}", str(target))
        for target, kind, is_kept, generator in file.values(columns)
        if is_kept
        and kind in REQUEST_KINDS
        and str(target).startswith(_SHORTCUT) == (table == "shortcuts")
    }
    return heapq.nsmallest(most, targets)


def _ranked(
    file: TableFile, table: str, preferred: Mapping[str, str], most: int
) -> list[tuple[str, int]]:
    """Return the best rows of a file as (sort key, row number), then the first irregular rows.

    Irregular rows have oddities (tolerated faults) or no steps. The sort key begins with digits
    that state how good an example the row is (smaller is better), and ends with the digest of the
    row's key.
    """
    keys = [key for key in load_table(table).key if file.has(key)]
    further = [name for name in ("oddities", *_RANKING[table]) if file.has(name)]
    regular: list[tuple[str, int]] = []
    irregular: list[tuple[str, int]] = []
    for row_index, row in enumerate(file.values([*keys, *further])):
        values = dict(zip([*keys, *further], row, strict=True))
        rank = _rank(values, preferred.get(str(row[0]), "2")) + _digest(row[: len(keys)])
        (irregular if rank.startswith(_LAST) else regular).append((rank, row_index))
        # Shortened now and then, so that memory does not grow with the file.
        if max(len(regular), len(irregular)) > 4 * most:
            regular, irregular = heapq.nsmallest(most, regular), heapq.nsmallest(most, irregular)
    return [*heapq.nsmallest(most, regular), *heapq.nsmallest(most, irregular)]


def _rank(row: Mapping[str, Any], author: str) -> str:
    steps = row.get("action_count")
    if steps is None:
        steps = sum(row.get("sequential_scales") or ())
    is_irregular = bool(row.get("oddities")) or steps == 0
    faults = (not row.get("evaluation", True), steps < _MIN_STEPS)
    return (_LAST if is_irregular else "0") + author + "".join(str(int(fault)) for fault in faults)


def _plans_at(file: TableFile, table: str, row_numbers: tuple[int, ...]) -> list[PlanRow]:
    read = shortcut_row if table == "shortcuts" else path_row
    return [read(row) for row in file.rows_at(row_numbers)]


def _in_order(file_rows: Iterable[tuple[Sequence[str], Sequence[T]]]) -> list[T]:
    pairs = [pair for digests, rows in file_rows for pair in zip(digests, rows, strict=True)]
    return [row for _, row in sorted(pairs, key=lambda pair: pair[0])]


def _chosen(
    tables: ReleaseTables, table: str, most: int
) -> Iterator[tuple[TableFile, tuple[int, ...], list[str]]]:
    keys = tuple(load_table(table).key)
    files = tables.table_files(table)
    smallest = (
        (digest, number, row_index)
        for number, file in enumerate(files)
        for digest, row_index in file.cached_result(list[tuple[str, int]], _smallest, keys, most)
    )
    yield from _by_file(files, heapq.nsmallest(most, smallest))


def _by_file(
    files: Sequence[TableFile], rows: Iterable[tuple[str, int, int]]
) -> Iterator[tuple[TableFile, tuple[int, ...], list[str]]]:
    """Group chosen rows by file.

    `rows` contains (digest of the row's key, index of the file, row number in the file). Yields,
    for each file, its sorted row numbers and the digests in the same order.
    """
    chosen: dict[int, dict[int, str]] = {}
    for digest, number, row_index in rows:
        chosen.setdefault(number, {})[row_index] = digest
    for number, row_numbers in sorted(chosen.items()):
        numbers = tuple(sorted(row_numbers))
        yield files[number], numbers, [row_numbers[row_index] for row_index in numbers]


def _smallest(file: TableFile, keys: tuple[str, ...], most: int) -> list[tuple[str, int]]:
    existing_keys = [key for key in keys if file.has(key)]
    digests = (
        (_digest(row), row_index) for row_index, row in enumerate(file.values(existing_keys))
    )
    return heapq.nsmallest(most, digests)


def _digest(key: tuple[object, ...]) -> str:
    return hashlib.sha256(msgspec.json.encode(key)).hexdigest()
