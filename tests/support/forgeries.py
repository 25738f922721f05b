"""Change one value at a time in a copy of a release, and seal it with correct digests.

The name of a forgery says what it changes: a column of a table, a number of the manifest, or a
document. Rows stay in the order of their table, so only the changed value can reveal the forgery.
"""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from benchloom.release import read_manifest
from benchloom.release.manifest import (
    MANIFEST,
    MANIFEST_DIGEST,
    Manifest,
    content_digest,
    file_digest,
    write_manifest,
)
from benchloom.storage.tables import ColumnDefinition, TableDefinition, load_table
from tests.support.samples.small_release import with_citation

Row = dict[str, Any]
Apply = Callable[[Path], None]
_ANOTHER_TEXT = "another text"
_PLACEHOLDER = "[redacted:"
"""Rows with redacted values lack the values that other columns were derived from."""


class Forgery(msgspec.Struct, frozen=True):
    """A change of a release with a name like `apps.actions_seen`; `apply` makes it in a folder."""

    name: str
    apply: Apply


def table_forgeries(release: Path, seed: int) -> Iterator[Forgery]:
    """Yield a forgery for every column of every table with rows, and for fields of structures."""
    draw = random.Random(seed)  # equal seeds make equal changes
    manifest = read_manifest(release)
    for table in sorted(name for name, rows in manifest.tables().items() if rows):
        definition = load_table(table)
        files = [file.path for file in manifest.files if file.table == table and file.rows]
        for path in _paths(definition.columns):
            file = _file_with_value(release, files, path, draw)
            if file is not None:
                name = f"{table}.{'.'.join(path)}"
                number = draw.randrange(1 << 30)
                yield Forgery(name, _column_change(definition, file, path, number))


def _redacted_shortcuts(folder: Path) -> set[str]:
    """Return the digests of shortcuts with redacted values, whose runs cannot be compared."""
    rows = pq.read_table(folder / "shortcuts").to_pylist()
    return {row["source_digest"] for row in rows if _PLACEHOLDER in repr(row)}


def _column_change(table: TableDefinition, file: str, path: tuple[str, ...], number: int) -> Apply:
    def apply(folder: Path) -> None:
        rows = pq.read_table(folder / file).to_pylist()
        rows_with_path = [row for row in rows if _structures(row, path)]
        redacted = _redacted_shortcuts(folder) if table.name == "executions" else set()
        unredacted_rows = [
            row
            for row in rows_with_path
            if _PLACEHOLDER not in repr(row) and row.get("source_digest") not in redacted
        ] or rows_with_path
        _change(unredacted_rows, path, _column(table, path), random.Random(number))
        rows.sort(key=lambda row: [(row[name] is not None, row[name]) for name in table.sort])
        pq.write_table(pa.Table.from_pylist(rows, table.arrow_schema()), folder / file)
        seal(folder)

    return apply


def manifest_forgeries(release: Path) -> Iterator[Forgery]:
    """Yield a forgery for every count of the funnel, and two with unknown manifest fields."""
    for at, step in enumerate(read_manifest(release).funnel):
        yield Forgery(f"funnel.{step.stage}.received", _funnel(at, received=step.received + 1))
        for kind in ("reasons", "rows"):
            counts: dict[str, int] = getattr(step, kind)
            for name, count in counts.items():
                changed = {**counts, name: count + 1}
                yield Forgery(f"funnel.{step.stage}.{kind}.{name}", _funnel(at, **{kind: changed}))
    yield Forgery("manifest.unknown", lambda folder: _rewrite(folder, _unknown_at_top))
    yield Forgery("manifest.made.unknown", lambda folder: _rewrite(folder, _unknown_below))


def document_forgeries(release: Path) -> Iterator[Forgery]:
    """Yield a forgery for every kind of document, which changes a number or a word."""
    for path in _documents(release):
        yield Forgery(path, _document_change(path))


def _documents(release: Path) -> list[str]:
    """Return the path of one document for each folder and file type."""
    path_by_kind: dict[tuple[str, str], str] = {}
    for file in read_manifest(release).files:
        if file.table is None:
            folder, _, name = file.path.rpartition("/")
            kind = (folder, name if not folder else name.rpartition(".")[2])
            path_by_kind.setdefault(kind, file.path)
    return sorted(path_by_kind.values())


def seal(folder: Path, **changes: Any) -> None:  # fields of a manifest
    """Write the manifest again with the current digests of the files."""
    manifest = read_manifest(folder)
    files = tuple(
        msgspec.structs.replace(
            file,
            bytes=(folder / file.path).stat().st_size,
            sha256=file_digest(folder / file.path),
            rows=None if file.table is None else pq.read_metadata(folder / file.path).num_rows,
        )
        for file in manifest.files
    )
    changes = {"files": files, "content_digest": content_digest(files), **changes}
    write_manifest(folder, with_citation(folder, msgspec.structs.replace(manifest, **changes)))


def _funnel(at: int, **changes: Any) -> Apply:  # fields of a step
    def apply(folder: Path) -> None:
        funnel = list(read_manifest(folder).funnel)
        funnel[at] = msgspec.structs.replace(funnel[at], **changes)
        seal(folder, funnel=tuple(funnel))

    return apply


def _unknown_at_top(fields: dict[str, Any]) -> None:
    fields["reviewed_by"] = "somebody"


def _unknown_below(fields: dict[str, Any]) -> None:
    fields["made"]["reviewed_by"] = "somebody"


def _rewrite(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    manifest = msgspec.json.decode((folder / MANIFEST).read_bytes())
    change(manifest)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    line = f"{file_digest(folder / MANIFEST)}  {MANIFEST}\n"
    (folder / MANIFEST_DIGEST).write_text(line, encoding="utf-8")
    msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)


def _document_change(path: str) -> Apply:
    def apply(folder: Path) -> None:
        text = (folder / path).read_text(encoding="utf-8")
        body = text.find("<main") if path.endswith(".html") else text.find("\n# ")
        head, tail = text[: max(body, 0)], text[max(body, 0) :]
        changed = re.sub(r"(?<![\w.#=\"-])[1-9][0-9]*(?![\w.%\"])", _increment, tail, count=1)
        if changed == tail:
            changed = re.sub(r"(?<=[ >\"])(the|of|and|Shortcuts|string|id)\b", "any", tail, count=1)
        assert changed != tail, f"{path}: nothing to change"
        (folder / path).write_text(head + changed, encoding="utf-8")
        seal(folder)

    return apply


def _increment(match: re.Match[str]) -> str:
    return str(int(match[0]) + 1)


def _paths(columns: tuple[ColumnDefinition, ...]) -> Iterator[tuple[str, ...]]:
    for column in columns:
        yield (column.name,)
        for path in _paths(column.fields):
            yield (column.name, *path)


def _file_with_value(
    release: Path, files: list[str], path: tuple[str, ...], draw: random.Random
) -> str | None:
    """Return a file in which some row has a value at the path."""
    for file in draw.sample(files, len(files)):
        rows = pq.read_table(release / file, columns=[path[0]]).to_pylist()
        if any(_structures(row, path) for row in rows):
            return file
    return None


def _structures(row: Any, path: tuple[str, ...]) -> list[dict[str, Any]]:  # any cell
    """Return the structures of a row that contain the last field of the path."""
    if isinstance(row, list):
        return [structure for element in row for structure in _structures(element, path)]
    if not isinstance(row, dict):
        return []
    return [row] if len(path) == 1 else _structures(row[path[0]], path[1:])


def _column(table: TableDefinition, path: tuple[str, ...]) -> ColumnDefinition:
    columns = table.columns
    for name in path:
        column = next(candidate for candidate in columns if candidate.name == name)
        columns = column.fields
    return column


def _change(
    rows: list[Row], path: tuple[str, ...], column: ColumnDefinition, draw: random.Random
) -> None:
    structures = [structure for row in rows for structure in _structures(row, path)]
    structure = draw.choice(
        [candidate for candidate in structures if candidate[path[-1]] not in (None, [])]
        or structures
    )
    other_values = [
        candidate[path[-1]]
        for candidate in structures
        if candidate[path[-1]] != structure[path[-1]]
    ]
    structure[path[-1]] = _other_value(
        structure[path[-1]], [v for v in other_values if v is not None], column, draw
    )


def _other_value(
    value: Any, other_values: list[Any], column: ColumnDefinition, draw: random.Random
) -> Any:
    """Return another value of the same kind, if possible the value of another row."""
    if other_values:
        return draw.choice(other_values)
    # All rows contain the same value.
    if value and column.item_type in {"int32", "int64", "double"} and not column.is_list:
        return value + 1
    if value and column.item_type == "struct" and not column.is_list:
        return _full_structure(column)
    if value:
        emptied = {"bool": False, "string": f"{value} {_ANOTHER_TEXT}"}
        fallback = None if column.nullable else value
        return [] if column.is_list else emptied.get(column.item_type, fallback)
    values_by_type = {"bool": value is not True, "string": _ANOTHER_TEXT, "int32": 7, "int64": 7}
    new_value = values_by_type.get(
        column.item_type, 7.5 if column.item_type == "double" else _full_structure(column)
    )
    return [new_value] if column.is_list else new_value


def _full_structure(column: ColumnDefinition) -> dict[str, Any]:
    """Return a structure with a value in every field."""
    defaults = {"bool": True, "string": _ANOTHER_TEXT, "int32": 0, "int64": 0, "double": 0.5}
    return {
        field.name: []
        if field.is_list
        else defaults.get(field.item_type)
        or (_full_structure(field) if field.item_type == "struct" else 0)
        for field in column.fields
    }
