"""One row of a table, short enough for a line of the card; of train, where the table has splits."""

from typing import Final

import msgspec

from benchloom.release.describing.pages import visible
from benchloom.release.describing.tables import ReleaseTables
from benchloom.tables import open_parquet, set_file

LONGEST = 700
"""Characters of a line, about; the first of these limits that keeps it is taken."""
_LIMITS: Final = ((80, 5), (40, 4), (24, 3), (16, 2), (8, 1))
"""Characters of a text and levels of nesting that are shown."""
MORE = "\u2026"


def example_row(tables: ReleaseTables, table: str) -> str | None:
    """The first row as JSON in one line, None of a table without rows.

    Texts and lists are cut, what is null or empty is left out. Nothing in it ends a fence or is
    read as markup.
    """
    row = _first(tables, table)
    if row is None:
        return None
    line = ""
    for letters, depth in _LIMITS:
        shown = _shortened(row, letters, depth)
        line = msgspec.json.encode(shown).decode()
        if len(line) <= LONGEST:
            break
    for letter in "`<>&(":
        line = line.replace(letter, f"\\u{ord(letter):04x}")
    return visible(line)


def _first(tables: ReleaseTables, table: str) -> dict[str, object] | None:
    def is_held_out(name: str) -> bool:
        named = set_file(name)
        return named is not None and named.file_set.split in {"validation", "test"}

    for part in sorted(tables.parts(table), key=lambda path: is_held_out(path.name)):
        with open_parquet(part) as file:
            for batch in file.iter_batches(batch_size=1, use_threads=False):
                found: dict[str, object] = batch.to_pylist()[0]
                return found
    return None


def _shortened(value: object, letters: int, depth: int) -> object:
    if isinstance(value, str):
        return value if len(value) <= letters else value[:letters] + MORE
    if isinstance(value, list):
        more = [MORE] if len(value) > 1 else []
        return [_shortened(value[0], letters, depth - 1), *more] if depth > 0 else MORE
    if isinstance(value, dict):
        if depth <= 0:
            return MORE
        held = {name: inner for name, inner in value.items() if inner is not None and inner != []}
        return {name: _shortened(inner, letters, depth - 1) for name, inner in held.items()}
    return value if value is None or isinstance(value, bool | int | float) else str(value)
