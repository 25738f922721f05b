"""A call of an API that does not exist."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject

if TYPE_CHECKING:
    from benchloom.records.values import Plain

OTHER = "Elsewhere"
"""What makes a name one of no API."""


class CallRenamed(Mutation):
    """See `title`."""

    title = "one call of another name"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """The changed output."""
        asked = list(subject.calls[subject.first :])
        if not asked:
            return msgspec.UNSET
        place = draw.randrange(len(asked))
        asked[place] = msgspec.structs.replace(asked[place], api=asked[place].api + OTHER)
        return subject.output(asked)


MUTATION = CallRenamed()
