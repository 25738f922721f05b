"""Values as API-Bank holds them: it has no references, so they are written as what they carried."""

from collections.abc import Sequence

import msgspec

from benchloom.core.records.values import Plain, refs_in, rendered
from benchloom.exchange.examples import Argument, Call, Ref
from benchloom.exchange.examples.filled_references import carried


class Carried:
    """The values of the arguments of calls, as far as anything tells them."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = calls

    def arguments(self, call: Call) -> dict[str, Plain]:
        """The arguments of a call; of two of one name the last stands."""
        return {argument.name: self.value(argument) for argument in call.arguments}

    def value(self, argument: Argument) -> Plain:
        """A value as it was carried: what the source supplied, or what the earlier call gave."""
        if argument.supplied is not None:
            return argument.supplied
        if isinstance(argument.value, Ref):
            return self._found(argument.value)
        return rendered(argument.value, self._text)

    def is_untold(self, argument: Argument) -> bool:
        """Whether nothing tells what a reference carried: the name of its output stands for it."""
        if argument.supplied is not None:
            return False
        return any(carried(ref, self._calls) is msgspec.UNSET for ref in refs_in(argument.value))

    def _found(self, ref: Ref) -> Plain:
        value = carried(ref, self._calls)
        if isinstance(value, msgspec.UnsetType):
            return ref.output or ""
        return rendered(value, str)

    def _text(self, ref: Ref) -> str:
        return str(self._found(ref))
