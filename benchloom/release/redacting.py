"""Replace secret and personal values in all contents of a release: tables, sources and documents.

Earlier pipeline stages redact only the texts that models or joins of tables read. Several processes
share the rules of redaction and cached results through files in a common folder; only file names
and numbers are sent between them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.progress import counted
from benchloom.normalise.redaction import PLACEHOLDER
from benchloom.normalise.redaction.cells import CellRedactor, path_runs
from benchloom.normalise.redaction.tables import (
    changed_texts,
    redact_rows,
    row_groups,
    searched_columns,
    text_arrays,
)
from benchloom.release.descriptions.tables import TableFile
from benchloom.storage.inputs import SourceFile
from benchloom.storage.memory import digest, knows, memory, note
from benchloom.storage.seals import file_digest
from benchloom.storage.stages import plan_groups, plan_shards
from benchloom.storage.tables import TableDefinition, TableWriter, load_table
from benchloom.storage.workspace import read_again, write_file

T = TypeVar("T")
R = TypeVar("R")


class Run(Protocol):
    """A function that is called like `map`: the built-in, or the `map` of a pool of processes."""

    def __call__(self, work: Callable[[T], R], items: Iterable[T], /) -> Iterable[R]:
        """Yield the result of `work` for each of the `items`, in order."""


class Spread:
    """Calls a function with the redactor for many items, if possible in several processes.

    Without `run`, this process makes all calls; otherwise `run` distributes them to other
    processes. All processes must be able to read `folder`. It will contain unredacted paths, so
    whoever created it must remove it.
    """

    def __init__(self, run: Run = map, folder: Path | None = None) -> None:
        self.run = run
        self._folder = folder if run is not map else None

    def each(
        self, work: Callable[[CellRedactor, T], R], items: Sequence[T], redactor: CellRedactor
    ) -> Iterator[R]:
        """Yield `work(redactor, item)` for each of the `items`, in order."""
        if self._folder is None or len(items) <= 1:
            for item in items:
                yield work(redactor, item)
            return
        path = self._folder / "redactor"
        write_file(path, redactor.packed())
        yield from self.run(partial(_with_redactor, path, file_digest(path), work), items)


LOCAL = Spread()


def _with_redactor(path: Path, digest: str, work: Callable[[CellRedactor, T], R], item: T) -> R:
    return work(_redactor(path, digest), item)


@lru_cache(maxsize=1)
def _redactor(path: Path, digest: str) -> CellRedactor:
    return CellRedactor.unpacked(read_again(path, digest))


TEXT_ENDINGS = frozenset({".md", ".html", ".json", ".js", ".css", ".txt", ".csv", ".svg", ".xml"})
_PIECE_BYTES = 8 * 1024 * 1024  # Uncompressed size of the rows that are searched together.
_DOCUMENT_BYTES = 512 * 1024


class TablePart(NamedTuple):
    """A file of a table. If redaction changes it, the changed copy is written to `target`."""

    table: str
    path: Path
    target: Path


def redact_parts(
    parts: Sequence[TablePart], redactor: CellRedactor, spread: Spread = LOCAL
) -> list[Path]:
    """Redact table files, and return, for each, its own path or the path of its changed copy."""
    unchanged_numbers = {
        number for number, part in enumerate(parts) if knows(_search_key(part, redactor))
    }
    pieces = [
        _Piece(number, part.table, part.path, groups)
        for number, part in enumerate(parts)
        if number not in unchanged_numbers and searched_columns(load_table(part.table))
        for groups, _ in plan_groups(part.path, _PIECE_BYTES)
    ]
    change_flags = spread.each(_is_changed, pieces, redactor)
    flags = counted(change_flags, "release: redacting", len(pieces), "pieces")
    changed = {piece.part for piece, is_changed in zip(pieces, flags, strict=True) if is_changed}
    for _ in spread.each(_rewrite, [parts[number] for number in sorted(changed)], redactor):
        pass
    for number, part in enumerate(parts):
        if number not in changed and number not in unchanged_numbers:
            note(_search_key(part, redactor))
    return [part.target if at in changed else part.path for at, part in enumerate(parts)]


def _search_key(part: TablePart, redactor: CellRedactor) -> bytes:
    # The cache key of a file in which these rules change nothing.
    return digest(b"file", file_digest(part.path), _rules(load_table(part.table), redactor))


def _rules(table: TableDefinition, redactor: CellRedactor) -> bytes:
    description = (
        f"file {table.name} {searched_columns(table)} {table.redaction} {redactor.digest()}"
    )
    return description.encode()


def _rewrite(redactor: CellRedactor, part: TablePart) -> None:
    table = load_table(part.table)
    with TableWriter(table, part.target) as writer:
        for rows in row_groups([part.path]):
            writer.add_table(redact_rows(rows, table, redactor))


class _Piece(NamedTuple):
    part: int
    table: str
    path: Path
    groups: tuple[int, ...]


def _is_changed(redactor: CellRedactor, piece: _Piece) -> bool:
    table = load_table(piece.table)
    for rows in row_groups([piece.path], searched_columns(table), piece.groups):
        # A new file may contain mostly rows of an earlier file, so rows have keys too.
        key = b"" if memory() is None else _rows_key(rows, _rules(table, redactor))
        if key and knows(key):
            continue
        if any(changed_texts(rows, table, redactor)):
            return True
        note(key)
    return False


def _rows_key(rows: pa.Table, rules: bytes) -> bytes:
    # The key depends on the layout in memory, so equal rows may have different keys.
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    return digest(b"rows", rules, sink.getvalue().to_pybytes())


def redact_sources(sources: Iterable[SourceFile], redactor: CellRedactor) -> tuple[SourceFile, ...]:
    """Return the sorted list of source files with secret and personal values in paths replaced."""
    rules = f"sources {redactor.digest()}".encode()
    redacted_sources: set[SourceFile] = set()
    for run in path_runs(sorted(sources, key=_source_name), _source_name):
        key = digest(rules, *map(_source_name, run))
        if knows(key):
            redacted_sources.update(run)
            continue
        path_pairs = [(redactor.path(source.source_uri)[0], source) for source in run]
        redacted_sources.update(
            msgspec.structs.replace(source_file, source_uri=path)
            for path, source_file in path_pairs
        )
        if all(path == source_file.source_uri for path, source_file in path_pairs):
            note(key)
    return tuple(sorted(redacted_sources, key=lambda source: (source.source_uri, source.digest)))


def _source_name(source: SourceFile) -> str:
    return source.source_uri


def redact_documents(paths: Iterable[Path], redactor: CellRedactor, spread: Spread) -> None:
    """Redact documents in place, although they are made from redacted tables.

    Cells that are harmless alone can look like a secret when a document shows them side by side.
    """
    texts = [path for path in paths if path.suffix in TEXT_ENDINGS]
    sizes = [path.stat().st_size for path in texts]
    ranges = plan_shards(sizes, _DOCUMENT_BYTES, max(1, len(texts)))
    runs = [tuple(texts[start:stop]) for start, stop in ranges]
    for _ in counted(spread.each(_redact, runs, redactor), "release: searching", len(runs), "runs"):
        pass


def _redact(redactor: CellRedactor, paths: Sequence[Path]) -> None:
    for path in paths:
        redacted_text, kinds = redactor.document(path.read_bytes().decode("utf-8"))
        if kinds:
            path.write_bytes(redacted_text.encode("utf-8"))


def count_placeholders(file: TableFile, table: str) -> dict[str, int]:
    """Count, per kind, the placeholders that replaced secret or personal values in a table file."""
    counts: Counter[str] = Counter()
    columns = searched_columns(load_table(table))
    for rows in row_groups([file.path], columns):
        for path in columns:
            for array in text_arrays(rows, path):
                for text in array.filter(pc.match_substring(array, "[redacted:")).to_pylist():
                    counts.update(
                        placeholder[0][10:-1] for placeholder in PLACEHOLDER.finditer(text)
                    )
    return dict(sorted(counts.items()))
