"""Replace references by the recorded values, because API-Bank has no references."""

from collections.abc import Sequence

import msgspec

from benchloom.core.records.values import Plain, refs_in, rendered
from benchloom.exchange.examples import Argument, Call, Ref
from benchloom.exchange.examples.filled_references import carried


class Carried:
    """Looks up the recorded values of the arguments of calls."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = calls

    def arguments(self, call: Call) -> dict[str, Plain]:
        """Return a call's arguments by name; if a name is repeated, its last value is used."""
        return {argument.name: self.value(argument) for argument in call.arguments}

    def value(self, argument: Argument) -> Plain:
        """Return the value of an argument; for a reference, its recorded value."""
        if argument.supplied is not None:
            return argument.supplied
        if isinstance(argument.value, Ref):
            return self._resolve(argument.value)
        return rendered(argument.value, self._text)

    def is_untold(self, argument: Argument) -> bool:
        """Whether a reference has no recorded value; the name of its output is written instead."""
        if argument.supplied is not None:
            return False
        return any(carried(ref, self._calls) is msgspec.UNSET for ref in refs_in(argument.value))

    def _resolve(self, ref: Ref) -> Plain:
        value = carried(ref, self._calls)
        if isinstance(value, msgspec.UnsetType):
            return ref.output or ""
        return rendered(value, str)

    def _text(self, ref: Ref) -> str:
        return str(self._resolve(ref))
