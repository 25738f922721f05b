"""Mutation: use other labels for the same graph of calls."""

from random import Random
from typing import TYPE_CHECKING

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    import msgspec

    from benchloom.core.records.values import Plain


class LabelsRenumbered(Mutation):
    """Renumber every label and the references to it."""

    title = "every label has another number, and so have the references to it"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the output with other labels; unset if the output has no labels."""
        del draw
        output = subject.output(subject.calls[subject.first :])
        return subject.benchmark.relabelled(subject.sample, output)


MUTATION = LabelsRenumbered()
