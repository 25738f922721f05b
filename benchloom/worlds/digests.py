"""The digest of a state, which depends on the state's content but not on earlier calls."""

import hashlib
import json
import math
import unicodedata
from collections.abc import Collection, Mapping

from benchloom.worlds.state import Cell, State


def state_digest(
    state: State,
    tables: Collection[str],
    *,
    sets: Collection[str] = (),
) -> str:
    """Compute the digest of some tables, independent of row order and spelling of values.

    Rows are sorted by key and columns by name. Equal numbers have one form (25 and 25.0), and
    texts are compared in Unicode's composed form. `sets` are columns ("table.column") with JSON
    lists whose order is ignored.
    """
    return digest_of({name: table_digest(state, name, sets) for name in tables})


def digest_of(tables: Mapping[str, str]) -> str:
    """Combine digests of tables, as `table_digest` returns them, into the digest of a state."""
    lines = [f"{name} {digest}" for name, digest in sorted(tables.items())]
    state_digest = hashlib.sha256("\n".join([*lines, ""]).encode()).hexdigest()
    return f"state:sha256:{state_digest}"


def table_digest(state: State, table: str, sets: Collection[str] = ()) -> str:
    """The digest of one table, in hex."""
    column_names = sorted(state.columns(table)[0])
    lines = []
    for row in state.rows(f'SELECT * FROM "{table}"'):
        cells = [_canonical(row[name], is_set=f"{table}.{name}" in sets) for name in column_names]
        lines.append(json.dumps(cells, ensure_ascii=True, separators=(",", ":")))
    head = json.dumps([table, column_names, len(lines)])
    return hashlib.sha256("\n".join([head, *sorted(lines), ""]).encode()).hexdigest()


def _canonical(cell: Cell, *, is_set: bool) -> Cell:
    if isinstance(cell, float) and math.isfinite(cell) and cell.is_integer():
        return int(cell)
    if isinstance(cell, float):
        return repr(cell)
    if isinstance(cell, str):
        text = unicodedata.normalize("NFC", cell)
        return _sorted(text) if is_set else text
    return cell


def _sorted(text: str) -> str:
    items = json.loads(text)
    return json.dumps(sorted(json.dumps(member, sort_keys=True) for member in items))
