"""An argument that nobody asked for."""

from random import Random
from typing import TYPE_CHECKING

import msgspec

from benchloom.evaluate.audit.mutation import Mutation, Subject
from benchloom.examples import Argument

if TYPE_CHECKING:
    from benchloom.records.values import Plain

INVENTED = "invented_argument"


class ExtraArgument(Mutation):
    """See `title`."""

    title = "one argument more, of a name that the API does not declare"

    def changed(self, subject: Subject, draw: Random) -> "Plain | msgspec.UnsetType":
        """The changed output."""
        asked = list(subject.calls[subject.first :])
        if not asked:
            return msgspec.UNSET
        place = draw.randrange(len(asked))
        arguments = (*asked[place].arguments, Argument(INVENTED, "1"))
        asked[place] = msgspec.structs.replace(asked[place], arguments=arguments)
        return subject.output(asked)


MUTATION = ExtraArgument()
