"""Check a release against the row counts in `[expect]`; an empty release always fails."""

from pathlib import Path

from benchloom.release import list_releases, read_manifest
from flows.configuration.table import Expectations
from flows.run.finished import is_empty


def nothing_read(release: Path) -> str | None:
    """Return why a release is empty (no input became a row), or None if it is not empty."""
    rows = read_manifest(release).tables()
    if not is_empty(rows):
        return None
    return (
        f"nothing was read: {rows.get('rejected', 0)} objects were rejected; the table "
        f"'rejected' of the release lists each with its reason"
    )


def broken_expectations(expected: Expectations, release: Path) -> tuple[str, ...]:
    """Return a line for each table that has too few rows or shrank too much.

    Each line contains the table, the expected and the actual number of rows. The previous release
    is the next lower version in the same folder.
    """
    rows = read_manifest(release).tables()
    counts = expected.model_dump(exclude={"drift"}, exclude_none=True)
    lines = [
        f"[expect] {table}: expected at least {least} rows, but the release has "
        f"{rows.get(table, 0)}"
        for table, least in counts.items()
        if rows.get(table, 0) < least
    ]
    versions = list_releases(release.parent)
    at = versions.index(release.name)
    if expected.drift is not None and at:
        before = read_manifest(release.parent / versions[at - 1]).tables()
        for table, count in before.items():
            lost = count - rows.get(table, 0)
            if lost > expected.drift * count:
                lines.append(
                    f"[expect] drift: {table} may lose at most {expected.drift:.0%} of the {count} "
                    f"rows of {versions[at - 1]}, got {rows.get(table, 0)} ({lost / count:.0%} "
                    "fewer)"
                )
    return tuple(lines)
