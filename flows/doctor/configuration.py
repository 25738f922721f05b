"""The configuration itself."""

from collections.abc import Iterator

from flows.doctor.base import Finding, Needs


def look(needs: Needs) -> Iterator[Finding]:
    """Whether the file says something that cannot be."""
    if needs.file is None:
        return
    yield Finding(
        name=str(needs.file),
        state="fault" if needs.faults else "ok",
        told=f"{needs.faults} faults" if needs.faults else "can be read",
        serves="rebuild, schedule",
        mend=f"benchloom config check --config {needs.file}" if needs.faults else None,
        needed=True,
    )
