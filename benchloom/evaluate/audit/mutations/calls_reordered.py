"""Mutation: change the order of independent calls."""

from random import Random

import msgspec

from benchloom.core.records.values import refs_in
from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject, renumbered


class _CallsReordered(Mutation):
    title = "two calls that need nothing of each other, exchanged"
    meaning = "same"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        places = [
            at
            for at in range(subject.first, len(subject.calls) - 1)
            if subject.calls[at] != subject.calls[at + 1]
            and all(
                ref.step != at
                for argument in subject.calls[at + 1].arguments
                for ref in refs_in(argument.value)
            )
        ]
        if not places:
            return msgspec.UNSET
        at = draw.choice(places)
        other = {at: at + 1, at + 1: at}
        turned = [renumbered(call, lambda step: other.get(step, step)) for call in subject.calls]
        turned[at], turned[at + 1] = turned[at + 1], turned[at]
        return subject.output(turned[subject.first :])


MUTATION = _CallsReordered()
