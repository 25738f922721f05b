"""Mutation: change the order of arguments."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

MOVABLE = 2
"""Arguments that can change places."""


class ArgumentsReordered(Mutation):
    """Reverse the order of the arguments of every expected call."""

    title = "the arguments of every call in reverse order"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the output with all arguments reversed; unset if no call has two arguments."""
        del draw
        requested_calls = subject.calls[subject.first :]
        if all(len(call.arguments) < MOVABLE for call in requested_calls):
            return msgspec.UNSET
        turned = [
            msgspec.structs.replace(call, arguments=call.arguments[::-1])
            for call in requested_calls
        ]
        return subject.output(turned)


MUTATION = ArgumentsReordered()
