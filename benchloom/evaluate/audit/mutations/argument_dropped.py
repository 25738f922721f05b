"""An argument that is missing."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    from benchloom.records.values import Plain


class ArgumentDropped(Mutation):
    """See `title`."""

    title = "one argument less"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """The changed output."""
        places = [at for at in range(subject.first, len(subject.calls)) if subject.scored(at)]
        if not places:
            return msgspec.UNSET
        place = draw.choice(places)
        kept = list(subject.calls[place].arguments)
        kept.pop(draw.choice(subject.scored(place)))
        changed = msgspec.structs.replace(subject.calls[place], arguments=tuple(kept))
        return subject.output_with(place, changed)


MUTATION = ArgumentDropped()
