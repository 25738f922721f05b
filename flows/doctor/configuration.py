"""A check that the configuration, if there is one, has no faults."""

from collections.abc import Iterator

from flows.doctor.base import Finding, Needs, finding


def look(needs: Needs) -> Iterator[Finding]:
    """Check that the configuration file and its environment variables have no faults."""
    if needs.file is not None:
        yield finding(
            str(needs.file),
            "rebuild, schedule",
            ok="can be read",
            fault=f"{needs.faults} faults" if needs.faults else None,
            mend=f"benchloom config check --config {needs.file}",
            needed=True,
        )
