"""Check single rows of a release: each row is read once, and the rules of all gates check it.

Reading a row takes longer than most rules, and four gates have a rule about shortcuts. Rows that
passed are not checked again: the cache key of a check is a digest of everything that determines its
result, except our code.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from typing import TypeVar

import msgspec
import pyarrow as pa

from benchloom.core.errors import RunError
from benchloom.release.gates.view import GateView, Part, Piece
from benchloom.release.manifest import ReleaseFile
from benchloom.storage.memory import KEY_BYTES, digest, knows, memory, note
from benchloom.storage.tables import load_table, open_parquet, records_of
from benchloom.storage.tables.arrays import row_digests

Check = Callable[[], Iterator[str]]


def check_key(*parts: str) -> bytes:
    """Return the cache key of a check. Different `parts` give different keys."""
    return digest(b"look", *parts)


def unless_passed(key: bytes, check: Check) -> Iterator[str]:
    """Run a check and yield its findings, or nothing if the cache records that the check passed.

    A check is cached only if it ended without findings, errors or interruption.
    """
    if knows(key):
        return
    sound = True
    for finding in check():
        sound = False
        yield finding
    if sound:
        note(key)


class TablesPart(msgspec.Struct, frozen=True):
    """A part of a release check whose result depends only on `name` and the files of `tables`."""

    name: str
    tables: tuple[str, ...]
    part: Part

    def __call__(self, release: GateView) -> Iterator[str]:
        """Yield the findings of the part.

        A part that passed before with the same files is skipped.
        """
        key = check_key(self.name, *file_keys(release, self.tables))
        yield from unless_passed(key, lambda: self.part(release))


def file_keys(release: GateView, tables: Iterable[str]) -> Iterator[str]:
    """Yield values for a cache key that identify the content and the definitions of some tables."""
    for table in tables:
        yield definition_digest(table)
        yield from (part for file in release.files_of(table) for part in (file.path, file.sha256))


def file_key(file: ReleaseFile) -> tuple[str, ...]:
    """Return the values that identify the content of a table file in a cache key."""
    set_name = file.path if file.in_set is None else file.in_set.file_set.stem
    return (set_name, file.sha256, str(file.rows), definition_digest(file.table or ""))


def piece_key(piece: Piece) -> tuple[str, ...]:
    """Return the values that identify a range of rows in a cache key.

    They do not include a path.
    """
    groups = f"{piece.groups[0]}-{piece.groups[-1]}" if piece.groups else ""
    return (piece.table, piece.sha256, groups, definition_digest(piece.table))


@cache
def definition_digest(table: str) -> str:
    """Return the digest of a table's definition, so that cache keys change with the definition."""
    content = msgspec.json.encode(load_table(table))
    return hashlib.blake2b(content, digest_size=KEY_BYTES).hexdigest()


BATCH_ROWS = 256
_RULES_WEIGHT = 4
R = TypeVar("R", bound=msgspec.Struct)


class RowsPart(msgspec.Struct, frozen=True):
    """A part of a release check that applies `rule` to each row of `piece`, a range of rows.

    `rule` is a function of a module and yields one line per fault of a row. If the function
    `context` is set, its result for the release is the first argument of the rule, before the row.
    The findings may depend only on the row and on the tables in `beside`.
    """

    piece: Piece
    record: type[msgspec.Struct]
    rule: Callable[..., Iterable[str]]
    beside: tuple[str, ...] = ()
    context: Callable[[GateView], object] | None = None

    def __call__(self, release: GateView) -> Iterator[str]:
        """Apply the rule to all rows and yield one line per fault."""
        return RowsTogether((self,))(release)

    def rule_key(self, release: GateView) -> bytes:
        """Return a cache key of the rule and of the tables in `beside`, which the rule may read."""
        key_parts = file_keys(release, self.beside)
        return check_key(self.rule.__module__, self.rule.__qualname__, *key_parts)

    def rule_in(self, release: GateView) -> Callable[..., Iterable[str]]:
        """Return the rule as a function of the row alone; the result of `context` is filled in."""
        return self.rule if self.context is None else partial(self.rule, self.context(release))

    def piece_digest(self, release: GateView) -> bytes:
        """Return the cache key that is stored when all rows of the range passed the check."""
        return check_key("rows", self.rule_key(release).hex(), *piece_key(self.piece))


def rows_together(parts: Iterable[Part]) -> Iterator[Part]:
    """Merge the parts that read the same range of rows, so that the rows are read only once.

    A merged part takes the position of its first member.
    """
    groups: dict[object, list[Part]] = {}
    for number, part in enumerate(parts):
        about = (part.piece, part.record) if isinstance(part, RowsPart) else number
        groups.setdefault(about, []).append(part)
    for group in groups.values():
        rows = tuple(part for part in group if isinstance(part, RowsPart))
        yield RowsTogether(rows) if rows else group[0]


class RowsTogether(msgspec.Struct, frozen=True):
    """Parts of several release checks that read the same rows, merged into a single part."""

    parts: tuple[RowsPart, ...]

    @property
    def bytes(self) -> int:
        """The uncompressed size of the rows, weighted because several rules check each row."""
        return _RULES_WEIGHT * self.parts[0].piece.bytes

    def __call__(self, release: GateView) -> Iterator[str]:
        """Check all rows by all rules, and yield the findings part by part.

        Rows that passed before are skipped. If reading fails, the error is raised after the
        findings.
        """
        findings: list[list[str]] = [[] for _ in self.parts]
        fault: RunError | None = None
        try:
            _add_findings(self.parts, release, findings)
        except RunError as error:
            fault = error
        yield from chain(*findings)
        if fault is not None:
            raise fault


def _add_findings(parts: Sequence[RowsPart], release: GateView, findings: list[list[str]]) -> None:
    if memory() is None:
        rules = [part.rule_in(release) for part in parts]
        for row in release.records(parts[0].piece, parts[0].record):
            for rule, rule_findings in zip(rules, findings, strict=True):
                rule_findings.extend(rule(row))
        return
    keys = [part.piece_digest(release) for part in parts]
    indexes = [at for at, key in enumerate(keys) if not knows(key)]
    if indexes:
        new_findings = [findings[at] for at in indexes]
        _check_new_rows([parts[at] for at in indexes], release, new_findings)
        for at in indexes:
            if not findings[at]:
                note(keys[at])


def _check_new_rows(
    parts: Sequence[RowsPart], release: GateView, findings: list[list[str]]
) -> None:
    piece, record = parts[0].piece, parts[0].record
    rules = [part.rule_in(release) for part in parts]
    rule_keys = [part.rule_key(release) for part in parts]
    digests = [[digest(b"row", key, row) for key in rule_keys] for row in _row_digests(piece)]
    fresh = _unknown(digests)
    chosen = [at for at, of_row in enumerate(fresh) if any(of_row)]
    for at, row in zip(chosen, _records_at(piece, record, chosen), strict=True):
        for number, rule in enumerate(rules):
            if fresh[at][number]:
                row_findings = list(rule(row))
                findings[number] += row_findings
                if not row_findings:
                    note(digests[at][number])


def _unknown(digests: Sequence[Sequence[bytes]]) -> list[list[bool]]:
    keys = [key for of_row in digests for key in of_row]
    remembered = memory()
    cached_entries = iter([None] * len(keys) if remembered is None else remembered.get_many(keys))
    return [[next(cached_entries) is None for _ in of_row] for of_row in digests]


def _row_digests(piece: Piece) -> Iterator[bytes]:
    for batch in _batches(piece):
        yield from row_digests(batch)


def _records_at(piece: Piece, record: type[R], chosen: Sequence[int]) -> Iterator[R]:
    left = deque(chosen)
    start = 0
    for batch in _batches(piece) if left else ():
        stop = start + batch.num_rows
        inside = []
        while left and left[0] < stop:
            inside.append(left.popleft() - start)
        if inside:
            rows = batch.take(pa.array(inside, pa.int64())).to_pylist()
            yield from records_of(rows, piece.path, piece.table, record)
        start = stop


def _batches(piece: Piece) -> Iterator[pa.RecordBatch]:
    with open_parquet(piece.path) as file:
        groups = list(piece.groups)
        yield from file.iter_batches(BATCH_ROWS, row_groups=groups, use_threads=False)
