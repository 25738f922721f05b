"""Gate: no secret or personal datum that the finders know is left in a shortcut."""

from collections.abc import Iterator

from benchloom.normalise.redaction import redaction_findings
from benchloom.release.gates.view import GateView

CHECKS = ("redacted",)


def findings(release: GateView) -> Iterator[str]:
    """One line per shortcut, with kinds and counts and never a value."""
    if release.has("shortcuts"):
        yield from redaction_findings(release.folder)
