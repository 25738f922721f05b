"""The digest of a state: equal for states that say the same, whatever led there."""

import hashlib
import json
import math
import unicodedata
from collections.abc import Collection

from benchloom.worlds.state import Cell, State


def state_digest(
    state: State,
    tables: Collection[str],
    *,
    sets: Collection[str] = (),
    aside: Collection[str] = (),
) -> str:
    """The digest of some tables: rows by key, columns by name, numbers and texts in one form.

    25 and 25.0 are one number, texts are compared in Unicode's composed form. `sets` are columns
    ("table.column") with JSON lists whose order says nothing, `aside` columns that count nothing.
    """
    hasher = hashlib.sha256()
    for table in sorted(tables):
        columns, _ = state.columns(table)
        wanted = [name for name in sorted(columns) if f"{table}.{name}" not in aside]
        lines = []
        for row in state.rows(f'SELECT * FROM "{table}"'):
            cells = [_canonical(row[name], is_set=f"{table}.{name}" in sets) for name in wanted]
            lines.append(json.dumps(cells, ensure_ascii=True, separators=(",", ":")))
        head = json.dumps([table, wanted, len(lines)])
        hasher.update("\n".join([head, *sorted(lines), ""]).encode())
    return f"state:sha256:{hasher.hexdigest()}"


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
    return json.dumps(sorted(json.dumps(one, sort_keys=True) for one in items))
