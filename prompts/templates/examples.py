"""Select real plans as examples for prompts that ask a model for nested calls."""

import heapq
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.core.identity import pick, rank
from prompts.columns import has_table
from prompts.inputs.planning_paths import PathInput, PlannedArgument, PlannedCall, read_paths
from prompts.templates.instructions import write_instruction
from prompts.tools.call_sequence import ArgumentReply, CallReply
from prompts.tools.tool import Tool

MAX_EXAMPLES = 64
"""Maximum number of plans that stay in memory as possible examples."""
_CALLS = range(2, 5)


class Example(msgspec.Struct, frozen=True):
    """The calls of a real plan, and a request for them."""

    calls: tuple[CallReply, ...]
    query: str

    def apis(self) -> frozenset[str]:
        """Return the names of the called APIs."""
        return frozenset(call.name for call in self.calls)


class Examples:
    """The plans of a folder that can be examples in prompts; a folder without plans has none."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._seed = seed
        drawn = heapq.nsmallest(
            MAX_EXAMPLES, _candidates(folder, seed), key=lambda candidate: candidate[:2]
        )
        self._examples = [_example(path) for _, _, path in drawn]

    def examples_for(self, tools: Sequence[Tool], number: int, most: int) -> tuple[Example, ...]:
        """Return at most `most` examples for a prompt; none of them calls a tool of the prompt."""
        taken = {tool.api for tool in tools}
        left = [example for example in self._examples if not example.apis() & taken]
        chosen: list[Example] = []
        while left and len(chosen) < most:
            chosen.append(left.pop(pick(self._seed, number, f"example{len(chosen)}", len(left))))
        return tuple(chosen)


def _candidates(folder: Path, seed: int) -> Iterator[tuple[str, str, PathInput]]:
    if not has_table(folder, "planning_paths"):
        return
    for row, path in read_paths(folder):
        if _is_plain(path):
            yield rank(seed, row.path_id), row.path_id, path


def _example(path: PathInput) -> Example:
    calls = tuple(_call(number, call) for number, call in enumerate(path.calls, start=1))
    return Example(calls, write_instruction(path))


def _is_plain(path: PathInput) -> bool:
    """Whether a plan is a good example: a few nested, successful calls of different APIs."""
    names = {f"{call.app}.{call.api}" for call in path.calls}
    arguments = [argument for call in path.calls for argument in call.arguments]
    return (
        len(path.calls) in _CALLS
        and len(names) == len(path.calls)
        and all(call.outcome == "ok" for call in path.calls)
        and any(argument.origin == "result" for argument in arguments)
        and all(argument.origin in {"user", "result", "default"} for argument in arguments)
    )


def _call(number: int, call: PlannedCall) -> CallReply:
    arguments = (
        argument
        for argument in call.arguments
        if argument.must_be_stated or argument.origin == "result"
    )
    return CallReply(
        f"{call.app}.{call.api}",
        f"var{number}",
        tuple(ArgumentReply(argument.value.name, _value(argument)) for argument in arguments),
    )


def _value(argument: PlannedArgument) -> str:
    if argument.origin == "result":
        return f"$var{argument.from_step + 1}.{argument.field}$"
    # Tools show the titles of an enumeration, and calls are checked against those.
    return argument.value.titles[0] if argument.value.titles else argument.value.value
