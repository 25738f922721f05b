"""Mutation: let a reference point to another call."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject
from benchloom.exchange.examples import Call, Ref

if TYPE_CHECKING:
    from benchloom.core.records.values import Plain


class OtherProducer(Mutation):
    """Let a reference point to another call of the same API with different arguments."""

    title = "a result of another call of the same kind in place of the right one"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the output with one reference changed; unset if none can be changed."""
        places = [
            (at, argument, other)
            for at in range(subject.first, len(subject.calls))
            for argument, call_argument in enumerate(subject.calls[at].arguments)
            if isinstance(call_argument.value, Ref)
            for other in range(at)
            if other != call_argument.value.step
            and is_like(subject.calls[other], subject.calls[call_argument.value.step])
        ]
        if not places:
            return msgspec.UNSET
        at, argument, other = draw.choice(places)
        arguments = list(subject.calls[at].arguments)
        value = arguments[argument].value
        if isinstance(value, Ref):
            replace = msgspec.structs.replace
            arguments[argument] = replace(arguments[argument], value=replace(value, step=other))
        changed = msgspec.structs.replace(subject.calls[at], arguments=tuple(arguments))
        return subject.output_with(at, changed)


def is_like(call: Call, other: Call) -> bool:
    """Whether two calls are to the same API with different arguments."""
    return (call.app, call.api) == (other.app, other.api) and call.arguments != other.arguments


MUTATION = OtherProducer()
