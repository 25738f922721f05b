"""Registry of the finders: each module of `finders` defines one, of one of three classes."""

from benchloom.core.kinds import Kind
from benchloom.normalise.redaction import finders
from benchloom.normalise.redaction.finder import FieldFinder, Finder, FlowFinder, TextFinder

FINDERS: Kind[Finder] = Kind(
    "redaction finder",
    finders.__name__,
    (FieldFinder, FlowFinder, TextFinder),
    attribute="FINDER",
)


def redacted_kinds() -> tuple[str, ...]:
    """Every kind of value that is replaced, sorted."""
    return tuple(sorted({kind for finder in FINDERS.all().values() for kind in finder.kinds}))
