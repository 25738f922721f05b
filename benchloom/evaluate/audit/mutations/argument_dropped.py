"""Mutation: remove one argument."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain


class ArgumentDropped(Mutation):
    """Remove one scored argument of one expected call."""

    title = "one argument less"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the output with one argument removed; unset if no argument is scored."""
        places = [at for at in range(subject.first, len(subject.calls)) if subject.scored(at)]
        if not places:
            return msgspec.UNSET
        index = draw.choice(places)
        remaining_arguments = list(subject.calls[index].arguments)
        remaining_arguments.pop(draw.choice(subject.scored(index)))
        changed = msgspec.structs.replace(
            subject.calls[index], arguments=tuple(remaining_arguments)
        )
        return subject.output_with(index, changed)


MUTATION = ArgumentDropped()
