"""Mutation: remove a call."""

from random import Random

import msgspec

from benchloom.core.records.values import refs_in
from benchloom.evaluate.audit.mutation import Changed, Mutation, Subject, renumbered


class _CallDropped(Mutation):
    title = "one call less (none that another takes a result of)"

    def changed(self, subject: Subject, draw: Random) -> Changed:
        used = {
            ref.step
            for call in subject.calls
            for argument in call.arguments
            for ref in refs_in(argument.value)
        }
        places = [at for at in subject.expected_indices if at not in used]
        if not places:
            return msgspec.UNSET
        gone = draw.choice(places)
        remaining_calls = [
            renumbered(call, lambda step: step - (step > gone))
            for at, call in enumerate(subject.calls)
            if at >= subject.first and at != gone
        ]
        return subject.output(remaining_calls)


MUTATION = _CallDropped()
