"""The output of another sample."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject, asked_calls

if TYPE_CHECKING:
    from benchloom.records.values import Plain


class Shuffled(Mutation):
    """See `title`."""

    title = "the gold of another sample"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """The changed output."""
        del draw
        calls, first = asked_calls(subject.other)
        mine = subject.output(subject.calls[subject.first :])
        theirs = subject.benchmark.output_of(subject.other, calls[first:])
        return msgspec.UNSET if mine == theirs else theirs


MUTATION = Shuffled()
