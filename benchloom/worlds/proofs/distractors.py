"""Rank the tools that a plan does not use as distractors, the most similar tools first."""

import re
from collections.abc import Set as AbstractSet
from itertools import zip_longest

from benchloom.core.identity import rank
from benchloom.worlds.proofs.parameters import parameters_of
from benchloom.worlds.tool import Tool
from benchloom.worlds.world import World

_WORD = re.compile(r"[a-z]{3,}")


def ranked_tools(world: World, used: AbstractSet[str], seed: int, task: str) -> list[str]:
    """Return all tools that a plan does not use, in the order in which to offer them.

    The order takes a tool from each of four lists in turn: the tools of the plan's apps, the tools
    that share argument names with the plan, the tools that share words of the description with a
    tool of the plan, and all unused tools. In the second and third list, the tools that share most
    come first. Otherwise the order is random and depends on the seed, the task and the tool.
    """
    tools = [world.tools[name] for name in sorted(used)]
    names = [name for name in sorted(world.tools) if name not in used]
    ranks = {name: rank(seed, f"{task}/{name}") for name in names}
    apps = {tool.app for tool in tools}
    arguments = {name for tool in tools for name in parameters_of(tool)}
    tool_words = [_words(tool) for tool in tools]

    def nearest(weights: dict[str, float]) -> list[str]:
        chosen = [name for name in names if weights[name]]
        return sorted(chosen, key=lambda name: (-weights[name], ranks[name]))

    strata = (
        nearest({name: float(world.tools[name].app in apps) for name in names}),
        nearest(
            {name: _shared(arguments, set(parameters_of(world.tools[name]))) for name in names}
        ),
        nearest(
            {
                name: max(
                    (_shared(words, _words(world.tools[name])) for words in tool_words), default=0.0
                )
                for name in names
            }
        ),
        sorted(names, key=ranks.__getitem__),
    )
    turns = zip_longest(*strata)
    return list(dict.fromkeys(name for turn in turns for name in turn if name is not None))


def _words(tool: Tool) -> set[str]:
    return set(_WORD.findall(f"{tool.name.replace('_', ' ')} {tool.about}".casefold()))


def _shared(names: AbstractSet[str], other: AbstractSet[str]) -> float:
    return len(names & other) / len(names | other) if names | other else 0.0
