"""Explain in a few words why a row was added, removed or changed between two releases."""

from pathlib import Path

from benchloom.normalise.opt_outs.files import WITHHELD_REASONS, icloud_digest
from benchloom.storage.tables import load_table, read_rows, table_names, table_parts

Row = dict[str, object]

_ADDED = {
    "listings": "new listing",
    "shortcuts": "new shortcut",
    "api_definitions": "new definition",
    "planning_paths": "new plan",
    "queries": "new query",
    "verdicts": "new verdict",
    "captures": "new capture",
    "icloud_records": "new link",
}
_REMOVED = {
    "listings": "listing gone",
    "shortcuts": "shortcut gone",
    "icloud_records": "link gone",
    "captures": "capture gone",
    "planning_paths": "plan gone",
}
_CHANGED = {
    "planning_paths": "changed plan",
    "listings": "changed listing",
    "api_definitions": "changed definition",
}
_BY_COLUMN = {
    "redactions": "redaction",
    "actions": "changed plist",
    "canonical_digest": "changed plist",
    "shortcut_id": "changed plist",
    "source_digest": "changed plist",
    "icloud_ids": "changed links",
}
TAKEDOWN = "takedown"


def changed_columns(table: str, old: Row, new: Row) -> tuple[str, ...]:
    """Return the sorted names of the columns in which two versions of a row differ.

    The columns in the table's `places`, such as `source_uri`, are ignored: they say where the row
    was read, not what it contains.
    """
    locations = load_table(table).places if table in table_names() else ()
    names = sorted((old.keys() | new.keys()) - set(locations))
    return tuple(name for name in names if old.get(name) != new.get(name))


def withheld_in(release: Path) -> frozenset[object]:
    """Return the digests or capture ids of objects that a release withholds, such as takedowns."""
    withheld_sources: set[object] = set()
    for part in table_parts(release, "rejected"):
        columns = read_rows(part, ["reason", "digest", "source_uri"]).to_pydict()
        for reason, digest, uri in zip(*columns.values(), strict=True):
            if reason in WITHHELD_REASONS:
                withheld_sources.add(uri if digest is None else digest)
    return frozenset(withheld_sources)


def reason_of_addition(table: str) -> str:
    """Return the reason for an added row, such as "new shortcut"."""
    return _ADDED.get(table, "new row")


def reason_of_removal(table: str, old: Row, withheld: frozenset[object]) -> str:
    """Return the reason for a removed row, such as "shortcut gone" or "takedown".

    `withheld` contains the digests or capture ids of objects that the later release withholds.
    """
    icloud_id = old.get("icloud_id")
    ids = {old.get(column) for column in ("listing_id", "source_digest", "capture_id")}
    if icloud_id is not None:
        ids.add(icloud_digest(str(icloud_id)))
    return TAKEDOWN if ids & withheld else _REMOVED.get(table, "row gone")


def reason_of_change(table: str, columns: tuple[str, ...]) -> str:
    """Return the reason for a changed row, from the names of the columns that differ."""
    if table in _CHANGED:
        return _CHANGED[table]
    for column, reason in _BY_COLUMN.items():
        if column in columns:
            return reason
    return "corrected: " + ", ".join(columns)
