"""Samples API definitions deterministically, so that outputs fit parameters of other APIs."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from benchloom.core.seeded import pick
from prompts.language.values import title_words
from prompts.tools.tool import Tool

MOST_TRIES = 20
_INNER_NAME = re.compile(r"\b\w*[a-zA-Z]_[a-zA-Z]\w*\b")
"""Names from inside an app that stand in its texts by mistake."""
_TOO_PLAIN = frozenset(
    {"boolean", "bool", "integer", "int", "number", "any", "null", "measurement", ""}
)
"""Types that fit everything and therefore say nothing about a sensible chain."""


def digest_of(seed: int, row_id: str) -> str:
    """Return a row's rank in a seeded sample, even if the sample size is unknown."""
    return hashlib.sha256(f"{seed}/{row_id}".encode("utf-8", "backslashreplace")).hexdigest()


def described(tools: Iterable[Tool]) -> list[Tool]:
    """Return the tools with a usable description, sorted by API.

    A writer cannot make a request for a tool without a description.
    """
    return sorted((tool for tool in tools if _tells(tool)), key=lambda tool: tool.api)


def _tells(tool: Tool) -> bool:
    """Whether a tool has a description in plain words; "the BOLD_TEXT value" is not plain."""
    return bool(tool.description) and not _INNER_NAME.search(f"{tool.title} {tool.description}")


def unlike(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Return the first tool of each name: FindBus of two services counts as one tool."""
    tool_by_name: dict[str, Tool] = {}
    apis: set[str] = set()
    for tool in tools:
        if tool.api not in apis and tool_by_name.setdefault(name_of(tool), tool) is tool:
            apis.add(tool.api)
    return tuple(tool_by_name.values())


def name_of(tool: Tool) -> str:
    """Return the name of a tool without its app."""
    return title_words(tool.title) or title_words(tool.api)


class ChainSampler:
    """Draws chains of two or three tools in which an output fits a parameter of the next tool.

    An output fits if type and name agree, or if the type is a specific type (an entity, a date,
    a file) and agrees. An input that a tool returns unchanged does not count as output. No
    chain contains two tools of the same name.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = sorted(tools, key=lambda tool: tool.api)
        self._names = [name_of(tool) for tool in self._tools]
        self._takers: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for index, tool in enumerate(self._tools):
            for key in dict.fromkeys(_keys(p.type, p.name) for p in tool.parameters):
                for pair in key:
                    self._takers[pair].append(index)

    def chain(self, seed: int, number: int) -> tuple[Tool, ...]:
        """Return chain `number` of a seed; empty if a few tries find no chain."""
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
        last = self._tools[chain[-1]]
        echoed = {_keys(p.type, p.name)[0] for p in last.parameters}
        names = {self._names[index] for index in chain}
        apis = {self._tools[index].api for index in chain}
        fitting = sorted(
            {
                index
                for field in last.returns
                if _keys(field.type, field.name)[0] not in echoed
                for key in _keys(field.type, field.name)
                for index in self._takers.get(key, ())
                if self._names[index] not in names and self._tools[index].api not in apis
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
