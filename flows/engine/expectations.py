"""Functions that check the row counts of a release before it is published."""

from pathlib import Path

from benchloom.release import list_releases, read_manifest
from flows.configuration.table import Expectations
from flows.run.finished import is_empty


def nothing_read(release: Path) -> str | None:
    """Return a message if no input became a row of the release, or None if any did."""
    rows = read_manifest(release).tables()
    if not is_empty(rows):
        return None
    return (
        f"nothing was read: {rows.get('rejected', 0)} objects were rejected; the table "
        f"'rejected' of the release lists each with its reason"
    )


def broken_expectations(expected: Expectations, release: Path) -> tuple[str, ...]:
    """Return a message for each table that has too few rows or lost too many.

    `expected` are the values of the table [expect]. A message names the table, and the expected and
    the actual number of rows. Losses are counted against the next lower version in the same folder.
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
                    f"rows in release {versions[at - 1]}, but has {rows.get(table, 0)} rows "
                    f"({lost / count:.0%} fewer)"
                )
    return tuple(lines)
