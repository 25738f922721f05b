"""Mutation: add an argument that gold does not have."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject
from benchloom.exchange.examples import Argument

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain

INVENTED = "invented_argument"


class ExtraArgument(Mutation):
    """Add an argument that the API does not declare to one expected call."""

    title = "one argument more, of a name that the API does not declare"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the output with one argument added; unset without expected calls."""
        if subject.first == len(subject.calls):
            return msgspec.UNSET
        at = draw.randrange(subject.first, len(subject.calls))
        call = subject.calls[at]
        arguments = (*call.arguments, Argument(INVENTED, "1"))
        return subject.output_with(at, msgspec.structs.replace(call, arguments=arguments))


MUTATION = ExtraArgument()
