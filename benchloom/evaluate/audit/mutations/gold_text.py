"""Mutation: gold as the text that a model would write."""

from random import Random
from typing import TYPE_CHECKING

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    import msgspec

    from benchloom.core.records.values import Plain


class GoldText(Mutation):
    """Write gold as a text in the form of the published prompt."""

    title = "gold as a text in the form of the published prompt"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the text of gold."""
        del draw
        return subject.benchmark.text_of(subject.sample, subject.calls[subject.first :])


MUTATION = GoldText()
