"""A release gate: foreign keys must refer to existing rows, and references to earlier actions.

References are the arguments of a shortcut's action that use the output of another action.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from benchloom.core.records import Shortcut
from benchloom.release.descriptions.counting import leaves
from benchloom.release.gates.rows import RowsPart, TablesPart
from benchloom.release.gates.view import GateView, Part
from benchloom.storage.tables import ReferenceDefinition, load_table
from benchloom.storage.tables.arrays import row_digests

FORWARD = "forward_reference"
Value = tuple[object, ...]


def parts(release: GateView) -> Iterator[Part]:
    """Divide the check into parts: one per foreign key, and one per range of `shortcuts`."""
    for table in release.manifest.tables():
        for number, reference in enumerate(load_table(table).references):
            follow = partial(_follow, table, number)
            yield TablesPart(f"references {number}", (table, *reference.to), follow)
    for piece in release.pieces("shortcuts"):
        yield RowsPart(piece, Shortcut, reference_findings)


def _follow(table: str, number: int, release: GateView) -> Iterator[str]:
    reference = load_table(table).references[number]
    targets_present = {name: columns for name, columns in reference.to.items() if release.has(name)}
    if not targets_present or _all_resolve(release, table, reference, targets_present):
        return
    rows: Counter[Value] = Counter()
    for name, columns in targets_present.items():
        rows.update(_values(release, name, columns))
    location = f"{table}.{' + '.join(reference.columns)}"
    targets = ", ".join(f"{name}.{' + '.join(columns)}" for name, columns in reference.to.items())
    foreign_keys = set(_values(release, table, reference.columns, reference.where))
    for value in sorted(foreign_keys, key=str):
        value_text = " + ".join(map(str, value))
        if value not in rows:
            if not reference.open and any(value):  # an empty id refers to no row
                yield f"{location}: {value_text} is in none of {targets}"
        elif rows[value] > 1 and not reference.many:
            yield f"{location}: {value_text} refers to {rows[value]} rows of {targets}"


def _all_resolve(
    release: GateView,
    table: str,
    reference: ReferenceDefinition,
    targets_present: dict[str, tuple[str, ...]],
) -> bool:
    # Compares whole columns, which is fast.
    foreign_keys = _keys(release, table, reference.columns, reference.where, distinct=True)
    rows = pc.value_counts(
        pa.concat_arrays(
            [_keys(release, name, columns) for name, columns in targets_present.items()]
        )
    )
    existing, counts = pc.struct_field(rows, "values"), pc.struct_field(rows, "counts")
    if not reference.open and not pc.all(pc.is_in(foreign_keys, existing), min_count=0).as_py():
        return False
    repeated = existing.filter(pc.greater(counts, 1))
    return reference.many or not pc.any(pc.is_in(foreign_keys, repeated)).as_py()


def _keys(
    release: GateView,
    table: str,
    columns: tuple[str, ...],
    where: dict[str, tuple[str, ...]] | None = None,
    *,
    distinct: bool = False,
) -> pa.Array:
    # A key of one column is its text, a key of several columns a digest.
    key_arrays = []
    for arrays in _columns(release, table, columns, where):
        whole = pa.RecordBatch.from_arrays(arrays, names=[str(at) for at in range(len(arrays))])
        for name in whole.schema.names:
            whole = whole.filter(whole.column(name).is_valid())
        keys = whole.column(0) if len(arrays) == 1 else pa.array(row_digests(whole), pa.binary())
        key_arrays.append((pc.unique(keys) if distinct else keys).cast(pa.binary()))
    keys = pa.concat_arrays(key_arrays) if key_arrays else pa.array([], pa.binary())
    return pc.unique(keys) if distinct else keys


def _values(
    release: GateView,
    table: str,
    columns: tuple[str, ...],
    where: dict[str, tuple[str, ...]] | None = None,
) -> Iterator[Value]:
    for arrays in _columns(release, table, columns, where):
        yield from (
            value
            for value in zip(*(array.to_pylist() for array in arrays), strict=True)
            if None not in value
        )


def _columns(
    release: GateView,
    table: str,
    columns: tuple[str, ...],
    where: dict[str, tuple[str, ...]] | None,
) -> Iterator[list[pa.Array]]:
    names = [*columns, *(where or {})]
    for batch in release.batches(table, names):
        rows = batch
        for name, texts in (where or {}).items():
            rows = rows.filter(pc.is_in(rows.column(name), pa.array(texts)))
        yield [_leaves(rows, column) for column in columns]


def _leaves(rows: pa.RecordBatch, column: str) -> pa.Array:
    first, *fields = column.split(".")
    array = rows.column(first)
    return leaves(array, fields) if fields or pa.types.is_list(array.type) else array


def reference_findings(shortcut: Shortcut) -> Iterator[str]:
    """Yield one line per wrong reference in a shortcut's actions.

    A reference is wrong if its action does not exist, or if it is a later action and the shortcut's
    `oddities` do not list this.
    """
    count = len(shortcut.actions)
    location = f"shortcuts: {shortcut.shortcut_id}"
    for position, action in enumerate(shortcut.actions):
        if action.index != position:
            yield f"{location}: action {position} has index {action.index}"
        implicit = (action.implicit_input,) if action.implicit_input is not None else ()
        for references in (implicit, *(argument.references for argument in action.arguments)):
            for reference in references:
                target = reference.action_index
                if target is None:
                    continue
                if not 0 <= target < count:
                    yield f"{location}: action {position} refers to action {target} of {count}"
                elif target >= position and FORWARD not in shortcut.oddities:
                    yield f"{location}: action {position} refers to {target}, which is not earlier"
