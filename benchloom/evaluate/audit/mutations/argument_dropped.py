"""Mutation: remove one argument."""

from random import Random

import msgspec
from msgspec.structs import replace

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject


class _ArgumentDropped(Mutation):
    title = "one argument less"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        places = [at for at in subject.expected_indices if subject.scored(at)]
        if not places:
            return msgspec.UNSET
        index = draw.choice(places)
        remaining_arguments = list(subject.calls[index].arguments)
        remaining_arguments.pop(draw.choice(subject.scored(index)))
        changed = replace(subject.calls[index], arguments=tuple(remaining_arguments))
        return subject.output_with(index, changed)


MUTATION = _ArgumentDropped()
