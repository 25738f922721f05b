"""Mutation: let a reference point to another call."""

from random import Random

import msgspec
from msgspec.structs import replace

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject
from benchloom.exchange.examples import Call, Ref


class _OtherProducer(Mutation):
    title = "a result of another call of the same kind in place of the right one"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        places = [
            (at, argument, other)
            for at in subject.expected_indices
            for argument, call_argument in enumerate(subject.calls[at].arguments)
            if isinstance(call_argument.value, Ref)
            for other in range(at)
            if other != call_argument.value.step
            and _is_like(subject.calls[other], subject.calls[call_argument.value.step])
        ]
        if not places:
            return msgspec.UNSET
        at, argument, other = draw.choice(places)
        arguments = list(subject.calls[at].arguments)
        value = arguments[argument].value
        if isinstance(value, Ref):
            arguments[argument] = replace(arguments[argument], value=replace(value, step=other))
        changed = replace(subject.calls[at], arguments=tuple(arguments))
        return subject.output_with(at, changed)


def _is_like(call: Call, other: Call) -> bool:
    return (call.app, call.api) == (other.app, other.api) and call.arguments != other.arguments


MUTATION = _OtherProducer()
