"""Mutation: call an API that does not exist."""

from random import Random

import msgspec
from msgspec.structs import replace

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject

OTHER = "Elsewhere"  # appended to a name, so that no API has it


class _CallRenamed(Mutation):
    title = "one call of another name"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        if subject.first == len(subject.calls):
            return msgspec.UNSET
        at = draw.choice(subject.expected_indices)
        call = subject.calls[at]
        return subject.output_with(at, replace(call, api=call.api + OTHER))


MUTATION = _CallRenamed()
