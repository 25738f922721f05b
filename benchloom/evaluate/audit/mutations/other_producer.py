"""A reference to another call."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject
from benchloom.examples import Call, Ref

if TYPE_CHECKING:
    from benchloom.records.values import Plain


class OtherProducer(Mutation):
    """See `title`."""

    title = "a result of another call of the same kind in place of the right one"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """The changed output."""
        places = [
            (at, argument, other)
            for at in range(subject.first, len(subject.calls))
            for argument, one in enumerate(subject.calls[at].arguments)
            if isinstance(one.value, Ref)
            for other in range(at)
            if other != one.value.step
            and is_like(subject.calls[other], subject.calls[one.value.step])
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


def is_like(one: Call, other: Call) -> bool:
    """Whether two calls are of one API and differ in their arguments."""
    return (one.app, one.api) == (other.app, other.api) and one.arguments != other.arguments


MUTATION = OtherProducer()
