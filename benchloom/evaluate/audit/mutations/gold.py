"""Mutation: gold itself, unchanged, as the prediction."""

from random import Random
from typing import TYPE_CHECKING

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    import msgspec

    from benchloom.core.records.values import Plain


class Gold(Mutation):
    """Use the unchanged gold as the prediction."""

    title = "gold itself"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the gold output."""
        del draw
        return subject.output(subject.calls[subject.first :])


MUTATION = Gold()
