"""The one way of texts into a release: tables, sources and documents pass through redaction here.

Stages redact what models and joins see. This is for all of it, so that no table, and no column of
one, reaches a release unsearched.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.inputs import SourceFile
from benchloom.normalise.redaction import PLACEHOLDER
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.known import row_groups
from benchloom.normalise.redaction.tables import (
    changed_texts,
    redact_rows,
    searched_columns,
    text_arrays,
)
from benchloom.stages import part_path
from benchloom.tables import TableDefinition, TableWriter

TEXT_ENDINGS = frozenset({".md", ".html", ".json", ".js", ".css", ".txt", ".csv", ".svg", ".xml"})


def redact_parts(
    files: Sequence[Path], table: TableDefinition, redactor: CellRedactor, folder: Path
) -> list[Path]:
    """The files of a table as they may be published: where one changes, a copy in `folder`."""
    found: list[Path] = []
    for number, path in enumerate(files):
        searched = row_groups([path], searched_columns(table))
        if not any(_is_changed(rows, table, redactor) for rows in searched):
            found.append(path)
            continue
        target = part_path(folder, table.name, number)
        with TableWriter(table, target) as writer:
            for rows in row_groups([path]):
                writer.add_table(redact_rows(rows, table, redactor))
        found.append(target)
    return found


def redact_sources(sources: Iterable[SourceFile], redactor: CellRedactor) -> tuple[SourceFile, ...]:
    """The source files by the names that rows carry, sorted."""
    shown = {
        msgspec.structs.replace(source, source_uri=redactor.path(source.source_uri)[0])
        for source in sources
    }
    return tuple(sorted(shown, key=lambda source: (source.source_uri, source.digest)))


def redact_documents(paths: Iterable[Path], redactor: CellRedactor) -> None:
    """Search the written documents as well: two harmless cells side by side can look like one."""
    for path in paths:
        if path.suffix in TEXT_ENDINGS:
            text = path.read_bytes().decode("utf-8")
            shown, kinds = redactor.document(text)
            if kinds:
                path.write_bytes(shown.encode("utf-8"))


def count_placeholders(files: Sequence[Path], table: TableDefinition) -> dict[str, int]:
    """Placeholders in the searched columns of a table by kind."""
    counts: Counter[str] = Counter()
    columns = searched_columns(table)
    for rows in row_groups(files, columns):
        for path in columns:
            for array in text_arrays(rows, path):
                for text in array.filter(pc.match_substring(array, "[redacted:")).to_pylist():
                    counts.update(found[0][10:-1] for found in PLACEHOLDER.finditer(text))
    return dict(sorted(counts.items()))


def _is_changed(rows: pa.Table, table: TableDefinition, redactor: CellRedactor) -> bool:
    return next(changed_texts(rows, table, redactor), None) is not None
