"""Mutation: repeat a call."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain


class CallDoubled(Mutation):
    """Repeat the last expected call."""

    title = "the last call twice"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the output with the last call repeated; unset without expected calls."""
        del draw
        requested_calls = subject.calls[subject.first :]
        if not requested_calls:
            return msgspec.UNSET
        return subject.output((*requested_calls, requested_calls[-1]))


MUTATION = CallDoubled()
