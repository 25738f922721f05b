"""Mutation: swap two values."""

from itertools import combinations
from random import Random

import msgspec
from msgspec.structs import replace

from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject


class _ValuesSwapped(Mutation):
    title = "the values of two arguments of a call, exchanged"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        pairs = [
            (at, first_index, two)
            for at in subject.expected_indices
            for first_index, two in combinations(subject.scored(at), 2)
            if subject.calls[at].arguments[first_index].value
            != subject.calls[at].arguments[two].value
        ]
        if not pairs:
            return msgspec.UNSET
        at, first_index, two = draw.choice(pairs)
        arguments = list(subject.calls[at].arguments)
        first, second = arguments[first_index], arguments[two]
        arguments[first_index] = replace(first, value=second.value, supplied=second.supplied)
        arguments[two] = replace(second, value=first.value, supplied=first.supplied)
        return subject.output_with(at, replace(subject.calls[at], arguments=tuple(arguments)))


MUTATION = _ValuesSwapped()
