"""A kettle, without which nobody waits for a rebuild."""

from collections.abc import Iterator

from flows.doctor.base import Finding, Needs


def look(needs: Needs) -> Iterator[Finding]:
    """Whether water boils."""
    del needs
    yield Finding(
        name="kettle",
        state="missing",
        told="no water boils",
        serves="waiting",
        mend="put the kettle on",
    )
