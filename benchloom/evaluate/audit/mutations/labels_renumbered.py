"""Other labels for the same graph."""

from random import Random
from typing import TYPE_CHECKING

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    import msgspec

    from benchloom.core.records.values import Plain


class LabelsRenumbered(Mutation):
    """See `title`."""

    title = "every label has another number, and so have the references to it"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """The changed output."""
        del draw
        output = subject.output(subject.calls[subject.first :])
        return subject.benchmark.relabelled(subject.sample, output)


MUTATION = LabelsRenumbered()
