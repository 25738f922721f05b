"""Mutation: change the order of arguments."""

from random import Random

import msgspec
from msgspec.structs import replace

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject

MOVABLE = 2  # arguments that can change places


class _ArgumentsReordered(Mutation):
    title = "the arguments of every call in reverse order"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        if all(len(call.arguments) < MOVABLE for call in subject.gold_calls):
            return msgspec.UNSET
        turned = [replace(call, arguments=call.arguments[::-1]) for call in subject.gold_calls]
        return subject.output(turned)


MUTATION = _ArgumentsReordered()
