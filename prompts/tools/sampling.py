"""Deterministic sampling of API definitions whose outputs fit each other's parameters."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from prompts.tools.tool import Tool

MOST_TRIES = 20
_TOO_PLAIN = frozenset({"boolean", "bool", "integer", "int", "number", "any", "null", ""})
"""Types that fit everything and therefore say nothing about a sensible chain."""


def pick(seed: int, number: int, use: str, size: int) -> int:
    """An index below `size`, the same on every machine for the same seed, number and use."""
    digest = hashlib.sha256(f"{seed}/{number}/{use}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % size


class ChainSampler:
    """Draws chains of two or three tools in which an output fits a parameter of the next tool.

    An output fits when type and name agree, or when the type is a specific one (an entity, a
    date, a file) and agrees.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = sorted(tools, key=lambda tool: tool.api)
        self._takers: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for index, tool in enumerate(self._tools):
            for key in dict.fromkeys(_keys(p.type, p.name) for p in tool.parameters):
                for one in key:
                    self._takers[one].append(index)

    def chain(self, seed: int, number: int) -> tuple[Tool, ...]:
        """The chain of a number; empty when none is found in a few tries."""
        if not self._tools:
            return ()
        for attempt in range(MOST_TRIES):
            start = pick(seed, number, f"start{attempt}", len(self._tools))
            chain = [start]
            while len(chain) < 2 + pick(seed, number, f"length{attempt}", 2):
                following = self._following(chain, seed, number, attempt)
                if following is None:
                    break
                chain.append(following)
            if len(chain) > 1:
                return tuple(self._tools[index] for index in chain)
        return ()

    def _following(self, chain: list[int], seed: int, number: int, attempt: int) -> int | None:
        fitting = sorted(
            {
                index
                for field in self._tools[chain[-1]].returns
                for key in _keys(field.type, field.name)
                for index in self._takers.get(key, ())
                if index not in chain
            }
        )
        if not fitting:
            return None
        return fitting[pick(seed, number, f"next{attempt}.{len(chain)}", len(fitting))]


def _keys(type_name: str, name: str) -> tuple[tuple[str, str], ...]:
    plain_type = type_name.casefold()
    by_name = (plain_type, name.casefold())
    specific = plain_type not in _TOO_PLAIN and plain_type not in {"string", "text"}
    return (by_name, (plain_type, "")) if specific else (by_name,)
