"""Find the origin of each value in a plan: the user, the clock, a default or an earlier result."""

import re
from collections.abc import Sequence

import msgspec

from benchloom.worlds.proofs.leaves import Key, Path, Scalar, dotted, key_of, leaves
from benchloom.worlds.proofs.parameters import Parameter, parameters_of
from benchloom.worlds.proofs.stated_values import Turns
from benchloom.worlds.session import Outcome
from benchloom.worlds.task import Origin, PlannedCall
from benchloom.worlds.tool import Tool

_NAMELESS = frozenset({"", "value", "result", "amount"})
_PART = re.compile(r"[A-Za-z]+")
_UNKNOWN = Parameter(frozenset(), (), None, required=False)


class CallOrigins(msgspec.Struct, frozen=True):
    """The origins of a call's values: the user, the clock, a default or an earlier result.

    `needed` contains the values that the caller can know only from earlier results. `unknown`
    contains the arguments for whose values no origin was found.
    """

    origins: tuple[Origin, ...]
    needed: frozenset[Key]
    unknown: tuple[str, ...]


class ResultIndex:
    """An index from the texts and numbers in the results of calls to their locations."""

    def __init__(self) -> None:
        self._locations: dict[Key, list[tuple[int, Path]]] = {}

    def add(self, call: int, outcome: Outcome) -> None:
        """Index the result of a call; a refused call adds nothing."""
        if outcome.refused is None:
            for path, value in leaves(outcome.result):
                if not isinstance(value, bool):
                    self._locations.setdefault(key_of(value), []).append((call, path))

    def last_location(
        self, value: Scalar, path: Path, parameter: Parameter
    ) -> tuple[int, Path] | None:
        """Return the last location of a value in the results, as the number of the call and a path.

        Numbers and enumerated values occur in many results by chance. Therefore their location
        counts only if the names of the field and of the argument share a word.
        """
        chance = not isinstance(value, str) or value in parameter.values
        for call, field_path in reversed(self._locations.get(key_of(value), [])):
            if not chance or _alike(field_path, path):
                return call, field_path
        return None


def origins_of(
    calls: Sequence[PlannedCall], tools: Sequence[Tool], outcomes: Sequence[Outcome], turns: Turns
) -> list[CallOrigins]:
    """Return the origins of each call's values.

    `outcomes` are the results of the calls; a call can take values only from the results of earlier
    calls.
    """
    value_index = ResultIndex()
    origins = []
    for number, (call, tool, outcome) in enumerate(zip(calls, tools, outcomes, strict=True)):
        origins.append(_call_origins(call, tool, value_index, turns))
        value_index.add(number, outcome)
    return origins


def _call_origins(
    call: PlannedCall, tool: Tool, value_index: ResultIndex, turns: Turns
) -> CallOrigins:
    parameters = parameters_of(tool)
    origins: list[Origin] = []
    needed: set[Key] = set()
    unknown: list[str] = []
    for name, value in call.arguments.items():
        parameter = parameters.get(name, _UNKNOWN)
        for path, leaf in leaves(value, (name,)):
            origin = _without_results(call, path, leaf, parameter, turns)
            location = None if origin else value_index.last_location(leaf, path, parameter)
            if location is not None:
                needed.add(key_of(leaf))
                origin = Origin(dotted(path), "result", location[0], dotted(location[1]))
            if origin is None:
                unknown.append(dotted(path))
            else:
                origins.append(origin)
    return CallOrigins(tuple(origins), frozenset(needed), tuple(unknown))


def _without_results(
    call: PlannedCall, path: Path, leaf: Scalar, parameter: Parameter, turns: Turns
) -> Origin | None:
    argument, name = dotted(path), str(path[0])
    wording = turns.says(leaf, name)
    if wording is not None:
        return Origin(argument, wording[0], wording[1], wording[2])
    words = call.said.get(name)
    if words is not None:
        turn_number = turns.holds(words)
        if turn_number is not None:
            return Origin(argument, "words", turn_number, words)
    if leaf == "" or (len(path) == 1 and leaf == parameter.default):
        return Origin(argument, "default")
    if leaf in {turns.now, turns.now[:10], turns.now[11:16]}:
        return Origin(argument, "clock")
    return None


def _alike(field_path: Path, path: Path) -> bool:
    names = [key for key in field_path if isinstance(key, str)]
    last = names[-1] if names else ""
    if last in _NAMELESS:
        return True
    argument_parts = {part for key in path if isinstance(key, str) for part in _PART.findall(key)}
    return not argument_parts.isdisjoint(_PART.findall(last))
