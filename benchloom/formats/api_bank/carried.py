"""Values as API-Bank holds them: it has no references, so they are written as what they carried."""

from collections.abc import Sequence

from benchloom.examples import Argument, Call, Ref
from benchloom.records.values import Plain, Value, refs_in, rendered


class Carried:
    """The values of the arguments of calls, as far as anything tells them."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = calls

    def arguments(self, call: Call) -> dict[str, Plain]:
        """The arguments of a call; of two of one name the last stands."""
        return {one.name: self.value(one) for one in call.arguments}

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
        return any(self._result(ref) is None for ref in refs_in(argument.value))

    def _found(self, ref: Ref) -> Plain:
        found = self._result(ref)
        return (ref.output or "") if found is None else found[0]

    def _text(self, ref: Ref) -> str:
        return str(self._found(ref))

    def _result(self, ref: Ref) -> tuple[Plain] | None:
        """What a reference leads to, alone in a tuple; None where it is not recorded."""
        if not 0 <= ref.step < len(self._calls) or ref.path:
            return None
        result = self._calls[ref.step].result
        if result is None or result.exception is not None:
            return None
        output: Value = result.output
        if ref.output is None:
            return None if _has_refs(output) else (output,)  # type: ignore[return-value]
        if isinstance(output, dict) and ref.output in output:
            inner = output[ref.output]
            return None if _has_refs(inner) else (inner,)  # type: ignore[return-value]
        return None


def _has_refs(value: Value) -> bool:
    return next(refs_in(value), None) is not None
