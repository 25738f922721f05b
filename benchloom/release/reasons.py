"""Why a row of a release was added, removed or changed."""

Row = dict[str, object]

_ADDED = {
    "listings": "new listing",
    "shortcuts": "new shortcut",
    "api_definitions": "new definition",
    "planning_paths": "new plan",
    "queries": "new query",
    "verdicts": "new verdict",
}
_REMOVED = {"listings": "listing gone", "shortcuts": "shortcut gone"}
_BY_COLUMN = {
    "redactions": "redaction",
    "actions": "changed plist",
    "canonical_digest": "changed plist",
    "shortcut_id": "changed plist",
    "source_digest": "changed plist",
    "summaries": "changed definition",
    "parameters": "changed definition",
}
_TAKEN_DOWN = frozenset({"removed", "opted_out", "taken_down"})


def changed_columns(old: Row, new: Row) -> tuple[str, ...]:
    """Names of the columns that differ, sorted."""
    return tuple(sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k)))


def reason_of_change(table: str, old: Row | None, new: Row | None, columns: tuple[str, ...]) -> str:
    """The reason of one change; `columns` are those that differ when both rows exist."""
    if old is None:
        return _ADDED.get(table, "new row")
    if new is None:
        return _REMOVED.get(table, "row gone")
    if new.get("state") in _TAKEN_DOWN and old.get("state") != new.get("state"):
        return "takedown"
    if table == "listings":
        return "changed listing"
    for column, reason in _BY_COLUMN.items():
        if column in columns:
            return reason
    return "corrected: " + ", ".join(columns)
