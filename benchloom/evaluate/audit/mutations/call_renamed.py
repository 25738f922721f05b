"""Mutation: call an API that does not exist."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

OTHER = "Elsewhere"
"""What makes a name one of no API."""


class CallRenamed(Mutation):
    """Rename one expected call to an API that does not exist."""

    title = "one call of another name"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the output with one call renamed; unset without expected calls."""
        if subject.first == len(subject.calls):
            return msgspec.UNSET
        at = draw.randrange(subject.first, len(subject.calls))
        call = subject.calls[at]
        return subject.output_with(at, msgspec.structs.replace(call, api=call.api + OTHER))


MUTATION = CallRenamed()
