"""Find the tools that solve a task in place of a call of its plan, so that they are not offered."""

from collections.abc import Collection, Sequence
from itertools import islice

from benchloom.core.records.values import Plain
from benchloom.worlds.proofs.leaves import Scalar, key_of, leaves
from benchloom.worlds.proofs.parameters import Parameter, parameters_of
from benchloom.worlds.proofs.trials import Gold, Trials


def harmless_among(
    trials: Trials, gold: Gold, ranking: Sequence[str], positions: Collection[int], count: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first `count` tools of a ranking that do not solve the task, and tools that do.

    A tool solves the task if the plan reaches the same end with this tool in place of a call at one
    of the `positions`. Tools are tried in the order of the ranking, until `count` tools are found
    that do not solve the task.
    """
    pending, offered, alternatives = list(ranking), list[str](), set[str]()
    while pending and len(offered) < count:
        missing = count - len(offered)
        batch, pending = pending[:missing], pending[missing:]
        solving = _alternatives_among(trials, gold, batch, positions)
        alternatives |= solving
        offered += [name for name in batch if name not in solving]
    return tuple(offered), tuple(sorted(alternatives))


def _alternatives_among(
    trials: Trials, gold: Gold, tools: Sequence[str], positions: Collection[int]
) -> set[str]:
    alternatives: set[str] = set()
    with trials.trial():
        for number in range(len(trials.calls)):
            if number in positions:
                untried = [tool for tool in tools if tool not in alternatives]
                alternatives |= {
                    tool for tool in untried if _ends_alike(trials, gold, tool, number)
                }
            trials.make(number)
    return alternatives


def _ends_alike(trials: Trials, gold: Gold, tool: str, number: int) -> bool:
    arguments = _fill(trials, gold, tool, number)
    if arguments is None:
        return False
    with trials.trial():
        if trials.call(number, tool, arguments).refused is not None:
            return False  # like omitting the call, which changes the final state
        trials.make_all(range(number + 1, len(trials.calls)))
        return trials.ends_alike(gold)


def _fill(trials: Trials, gold: Gold, tool: str, number: int) -> dict[str, Plain] | None:
    """Return arguments for a tool that replaces a call, or None if a required one has no value.

    An argument gets the value of the argument with the same name in the replaced call. If the
    replaced call has no such argument, a required argument gets the value that the user states
    under this name for another call, or that an earlier result contains under this name. Without
    such a value, it gets its first allowed value, or an unused value of the replaced call that has
    its type.
    """
    call = trials.calls[number]
    parameters = parameters_of(trials.opened.world.tools[tool])
    filled_arguments: dict[str, Plain] = {
        name: value for name, value in call.arguments.items() if name in parameters
    }
    remaining = [value for name, value in call.arguments.items() if name not in parameters]
    for name, parameter in parameters.items():
        if parameter.required and name not in filled_arguments:
            value = _by_name(trials, gold, name, number)
            if value is None:
                value = _by_type(parameter, remaining)
            if value is None:
                return None
            filled_arguments[name] = value
    return filled_arguments


def _by_name(trials: Trials, gold: Gold, name: str, number: int) -> Plain:
    for call, needed_keys in zip(trials.calls, trials.needed, strict=True):
        value = call.arguments.get(name)
        if value is not None and needed_keys.isdisjoint(key_of(leaf) for _, leaf in leaves(value)):
            return value
    earlier = islice(gold.outcomes, number)
    values: list[Scalar] = [
        value
        for outcome in earlier
        for path, value in leaves(outcome.result)
        if path and path[-1] == name
    ]
    return values[-1] if values else None


def _by_type(parameter: Parameter, remaining: list[Plain]) -> Plain:
    if parameter.values:
        return parameter.values[0]
    for position, value in enumerate(remaining):
        if _type_of(value) in parameter.types:
            return remaining.pop(position)
    return None


def _type_of(value: Plain) -> str:
    if isinstance(value, bool):
        return "boolean"
    kinds = {str: "string", int: "integer", float: "number", list: "array", dict: "object"}
    return kinds.get(type(value), "null")
