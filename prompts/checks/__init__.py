"""Rule-based checks, one per module; a text is kept if every check for its kind keeps it."""

from benchloom.core.kinds import Kind
from prompts.checks.base import Check

CHECKS = Kind("check", __name__, Check, attribute="CHECK", beside=("base", "measure"))


def checks_for(kind: str) -> list[Check]:
    """Return the checks for a kind of text, in the order of their names."""
    return [check for check in CHECKS.all().values() if kind in check.kinds]
