"""Mutation: no answer at all."""

from random import Random
from typing import TYPE_CHECKING

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    import msgspec

    from benchloom.core.records.values import Plain


class Empty(Mutation):
    """Replace the output with an empty text."""

    title = "nothing"
    meaning = "nothing"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return an empty text."""
        del subject, draw
        return ""


MUTATION = Empty()
