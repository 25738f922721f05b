"""Add API definitions from other sources to the calls of datasets that do not define their APIs."""

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from benchloom.core.records import ApiDefinition
from benchloom.exchange.examples.example import Call, Example, output_names

Names = Callable[[ApiDefinition], Iterable[str]]
"""A function that returns the names by which the calls of a format refer to a definition."""


class Definitions:
    """API definitions from other sources, to be added to the examples of a dataset.

    `used` contains the definitions that `join` added to examples.
    """

    def __init__(self, definitions: Iterable[ApiDefinition], names: Names) -> None:
        self._named: dict[str, list[ApiDefinition]] = {}
        for definition in definitions:
            for name in names(definition):
                self._named.setdefault(name, []).append(definition)
        self.used: dict[str, ApiDefinition] = {}

    def join(self, example: Example) -> Example:
        """Return the example with a definition, found by name, for each call that has none.

        Among several definitions with the name, the one that fits the call's arguments best is
        used.
        """
        if not self._named or all(call.definition_id for call in example.calls):
            return example
        definitions_by_id: dict[str, ApiDefinition] = {}
        calls = tuple(self._join(call, definitions_by_id) for call in example.calls)
        self.used.update(definitions_by_id)
        definition_ids = {definition.definition_id for definition in example.definitions}
        new = tuple(
            definition for key, definition in definitions_by_id.items() if key not in definition_ids
        )
        return replace(example, calls=calls, definitions=(*new, *example.definitions))

    def _join(self, call: Call, definitions_by_id: dict[str, ApiDefinition]) -> Call:
        name = f"{call.app}.{call.api}" if call.app else call.api
        candidates = self._named.get(name, ())
        if call.definition_id or not candidates:
            return call
        chosen = _best_of(call, candidates)
        definitions_by_id[chosen.definition_id] = chosen
        returns = output_names(chosen)
        return replace(call, definition_id=chosen.definition_id, returns=call.returns or returns)


def _best_of(call: Call, candidates: Sequence[ApiDefinition]) -> ApiDefinition:
    # Counts first the names that only the call has, then those that only the definition has.
    supplied = {argument.name for argument in call.arguments}
    return min(
        candidates, key=lambda candidate: (*_misfit(candidate, supplied, call), candidate.api)
    )


def _misfit(
    definition: ApiDefinition, supplied: set[str], call: Call
) -> tuple[int, int, bool, int]:
    parameters = {parameter.name for parameter in definition.parameters}
    required = {
        parameter.name for parameter in definition.parameters if parameter.optional is False
    }
    returns = output_names(definition)
    missing = set(call.returns) - set(returns)
    unknown = len(supplied - parameters) + len(missing)
    return unknown, len(required - supplied), call.returns != returns, len(returns)
