"""Mutation: add an argument that gold does not have."""

from random import Random

import msgspec
from msgspec.structs import replace

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject
from benchloom.exchange.examples import Argument

INVENTED = "invented_argument"


class _ExtraArgument(Mutation):
    title = "one argument more, of a name that the API does not declare"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        if subject.first == len(subject.calls):
            return msgspec.UNSET
        at = draw.choice(subject.expected_indices)
        call = subject.calls[at]
        arguments = (*call.arguments, Argument(INVENTED, "1"))
        return subject.output_with(at, replace(call, arguments=arguments))


MUTATION = _ExtraArgument()
