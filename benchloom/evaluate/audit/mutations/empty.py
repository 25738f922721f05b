"""No answer at all."""

from random import Random
from typing import TYPE_CHECKING

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    import msgspec

    from benchloom.core.records.values import Plain


class Empty(Mutation):
    """See `title`."""

    title = "nothing"
    meaning = "nothing"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """The changed output."""
        del subject, draw
        return ""


MUTATION = Empty()
