"""Look: the kettle, which makes waiting for a rebuild bearable."""

from collections.abc import Iterator

from flows.doctor.base import Finding, Needs


def look(needs: Needs) -> Iterator[Finding]:
    """Report whether the water boils."""
    del needs
    yield Finding(
        name="kettle",
        state="missing",
        told="no water boils",
        serves="waiting",
        mend="put the kettle on",
    )
