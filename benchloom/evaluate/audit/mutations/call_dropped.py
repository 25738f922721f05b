"""Mutation: remove a call."""

from random import Random

import msgspec

from benchloom.core.records.values import Plain, refs_in
from benchloom.evaluate.audit.mutation import Mutation, Subject, renumbered


class CallDropped(Mutation):
    """Remove one expected call whose result no other call takes."""

    title = "one call less (none that another takes a result of)"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """Return the output with one call removed; unset if every call's result is used."""
        used = {
            ref.step
            for call in subject.calls
            for argument in call.arguments
            for ref in refs_in(argument.value)
        }
        places = [at for at in range(subject.first, len(subject.calls)) if at not in used]
        if not places:
            return msgspec.UNSET
        gone = draw.choice(places)
        remaining_calls = [
            renumbered(call, lambda step: step - (step > gone))
            for at, call in enumerate(subject.calls)
            if at >= subject.first and at != gone
        ]
        return subject.output(remaining_calls)


MUTATION = CallDropped()
