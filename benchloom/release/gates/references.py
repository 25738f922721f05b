"""Gate: foreign keys lead where they say, and references inside a shortcut to its actions."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.records import Shortcut
from benchloom.release.describing.counting import leaves
from benchloom.release.gates.rows import RowsPart
from benchloom.release.gates.view import GateView, Part, all_of
from benchloom.tables import load_table

FORWARD = "forward_reference"
Value = tuple[object, ...]


def findings(release: GateView) -> Iterator[str]:
    """One line per value that leads nowhere, or to more rows than it may."""
    return all_of(parts(release), release)


def parts(release: GateView) -> Iterator[Part]:
    """The same by foreign keys and by pieces of the shortcuts."""
    for table in release.manifest.tables():
        for number, _ in enumerate(load_table(table).references):
            yield partial(_followed, table, number)
    for piece in release.pieces("shortcuts"):
        yield RowsPart(piece, Shortcut, _rule)


def _rule(_: GateView) -> Callable[[Shortcut], Iterator[str]]:
    return reference_findings


def _followed(table: str, number: int, release: GateView) -> Iterator[str]:
    """The values of a foreign key against the rows they lead to, all of them."""
    reference = load_table(table).references[number]
    held = {name: columns for name, columns in reference.to.items() if release.has(name)}
    if not held:
        return
    rows: Counter[Value] = Counter()
    for name, columns in held.items():
        rows.update(_values(release, name, columns))
    place = f"{table}.{' + '.join(reference.columns)}"
    targets = ", ".join(f"{name}.{' + '.join(columns)}" for name, columns in reference.to.items())
    found = set(_values(release, table, reference.columns, reference.where))
    for value in sorted(found, key=str):
        told = " + ".join(map(str, value))
        if value not in rows:
            if not reference.open:
                yield f"{place}: {told} is in none of {targets}"
        elif rows[value] > 1 and not reference.many:
            yield f"{place}: {told} leads to {rows[value]} rows of {targets}"


def _values(
    release: GateView,
    table: str,
    columns: tuple[str, ...],
    where: dict[str, tuple[str, ...]] | None = None,
) -> Iterator[Value]:
    """The values of columns row by row, those with a null left out; lists give each of theirs."""
    names = [*columns, *(where or {})]
    for batch in release.tables.batches(table, names, 4096):
        rows = batch
        for name, texts in (where or {}).items():
            rows = rows.filter(pc.is_in(rows.column(name), pa.array(texts)))
        arrays = [_leaves(rows, column) for column in columns]
        yield from (
            value
            for value in zip(*(array.to_pylist() for array in arrays), strict=True)
            if None not in value
        )


def _leaves(rows: pa.RecordBatch, column: str) -> pa.Array:
    first, *fields = column.split(".")
    array = rows.column(first)
    return leaves(array, fields) if fields or pa.types.is_list(array.type) else array


def reference_findings(shortcut: Shortcut) -> Iterator[str]:
    """References must point at an action of the shortcut, and back unless an oddity tells."""
    count = len(shortcut.actions)
    place = f"shortcuts: {shortcut.shortcut_id}"
    for position, action in enumerate(shortcut.actions):
        if action.index != position:
            yield f"{place}: action {position} has index {action.index}"
        implicit = (action.implicit_input,) if action.implicit_input is not None else ()
        for references in (implicit, *(argument.references for argument in action.arguments)):
            for reference in references:
                target = reference.action_index
                if target is None:
                    continue
                if not 0 <= target < count:
                    yield f"{place}: action {position} refers to action {target} of {count}"
                elif target >= position and FORWARD not in shortcut.oddities:
                    yield f"{place}: action {position} refers forward to action {target}, untold"
