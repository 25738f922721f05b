"""Definitions from elsewhere for calls of which a set tells nothing."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from benchloom.examples.example import Call, Example
from benchloom.records import ApiDefinition

Names = Callable[[ApiDefinition], Iterable[str]]
"""The names under which the calls of a format know a definition."""


class Definitions:
    """Definitions by the names that calls have, and those that calls were joined with."""

    def __init__(self, definitions: Iterable[ApiDefinition], names: Names) -> None:
        self._named: dict[str, list[ApiDefinition]] = {}
        for definition in definitions:
            for name in names(definition):
                self._named.setdefault(name, []).append(definition)
        self.used: dict[str, ApiDefinition] = {}

    def join(self, example: Example) -> Example:
        """The example with definitions for its calls that had none."""
        if not self._named or all(call.definition_id for call in example.calls):
            return example
        found: dict[str, ApiDefinition] = {}
        calls = tuple(self._joined(call, found) for call in example.calls)
        self.used.update(found)
        known = {one.definition_id for one in example.definitions}
        new = tuple(one for key, one in found.items() if key not in known)
        return msgspec.structs.replace(
            example, calls=calls, definitions=(*new, *example.definitions)
        )

    def _joined(self, call: Call, found: dict[str, ApiDefinition]) -> Call:
        name = f"{call.app}.{call.api}" if call.app else call.api
        candidates = self._named.get(name, ())
        if call.definition_id or not candidates:
            return call
        chosen = best_of(call, candidates)
        found[chosen.definition_id] = chosen
        returns = tuple(one.name for one in chosen.returns if one.name is not None)
        return msgspec.structs.replace(
            call, definition_id=chosen.definition_id, returns=call.returns or returns
        )


def best_of(call: Call, candidates: Sequence[ApiDefinition]) -> ApiDefinition:
    """The definition that a call fits best: most of its names known, least of the others missing.

    Of equals the first by name.
    """
    supplied = {argument.name for argument in call.arguments}
    return min(candidates, key=lambda one: (*_misfit(one, supplied, call), one.api))


def _misfit(
    definition: ApiDefinition, supplied: set[str], call: Call
) -> tuple[int, int, bool, int]:
    parameters = {one.name for one in definition.parameters}
    required = {one.name for one in definition.parameters if one.optional is False}
    returns = tuple(one.name for one in definition.returns if one.name is not None)
    missing = set(call.returns) - set(returns)
    unknown = len(supplied - parameters) + len(missing)
    return unknown, len(required - supplied), call.returns != returns, len(returns)
