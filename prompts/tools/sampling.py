"""Draw random chains of tools in which each tool can use an output of the previous one.

A seed makes the draws reproducible. Which tools people combine is counted in shortcuts and plans.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.identity import pick
from prompts.columns import iter_columns
from prompts.language.words import title_words
from prompts.tools.chain_rules import can_begin, can_end, can_follow, is_plumbing, selects_only
from prompts.tools.tool import Tool

Link = tuple[str, str]
"""An API, and a later API that uses its result."""
LEAST_USES = 2
"""A link counts if at least this many shortcuts or plans have it; a single one may be a mistake."""
MAX_TRIES = 40
_INNER_NAME = re.compile(r"\b\w*[a-zA-Z]_[a-zA-Z]\w*\b")
"""Matches names from inside an app that are in its descriptions by mistake."""
_TOO_PLAIN = frozenset(
    {"boolean", "bool", "integer", "int", "number", "any", "null", "measurement", ""}
)
"""Types that so many parameters have that a matching type does not show that two tools fit."""


def described(tools: Iterable[Tool]) -> list[Tool]:
    """Return the tools with a usable description, sorted by API.

    A model cannot write a request for a tool without a description.
    """
    return sorted((tool for tool in tools if _is_described(tool)), key=lambda tool: tool.api)


def _is_described(tool: Tool) -> bool:
    """Whether a description adds plain words to the title, unlike "the BOLD_TEXT value"."""
    says_more = title_words(tool.description) != title_words(tool.title)
    return (
        bool(tool.description)
        and says_more
        and not _INNER_NAME.search(f"{tool.title} {tool.description}")
    )


def unlike(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Return the first tool of each name, so that FindBus of two services occurs once."""
    tool_by_name: dict[str, Tool] = {}
    apis: set[str] = set()
    for tool in tools:
        if tool.api not in apis and tool_by_name.setdefault(name_of(tool), tool) is tool:
            apis.add(tool.api)
    return tuple(tool_by_name.values())


def name_of(tool: Tool) -> str:
    """Return the words of a tool's title, without the name of its app."""
    return title_words(tool.title) or title_words(tool.api)


class ChainSampler:
    """A source of random chains of two or three tools; each uses an output of the previous one.

    `links` are pairs of APIs that people combine. A tool with links is only followed by one that it
    is linked to. Any other tool is followed within its app, where one of its outputs fits a
    parameter: type and name agree, or the type agrees and is not a common one such as text or
    number. An output with the type and name of one of the tool's inputs does not count.
    `prompts.tools.chain_rules` decides whether a person would want the chain. A chain contains no
    two tools with the same name.
    """

    def __init__(self, tools: Sequence[Tool], links: Collection[Link] = ()) -> None:
        self._tools = sorted(
            (tool for tool in tools if not is_plumbing(tool)), key=lambda tool: tool.api
        )
        self._names = [name_of(tool) for tool in self._tools]
        self._starts = [index for index, tool in enumerate(self._tools) if can_begin(tool)]
        numbers = {tool.api: index for index, tool in enumerate(self._tools)}
        self._linked: defaultdict[int, set[int]] = defaultdict(set)
        for producer, consumer in links:
            if (
                producer in numbers
                and consumer in numbers
                and self._tools[numbers[producer]].returns
            ):
                self._linked[numbers[producer]].add(numbers[consumer])
        self._takers: defaultdict[tuple[str, str, str], dict[int, bool]] = defaultdict(dict)
        """A mapping from an app and a parameter's type and name to the tools with this parameter.
        The value for each tool is whether the parameter takes a list."""
        for index, tool in enumerate(self._tools):
            if tool.app and not tool.api.startswith(SYSTEM_PREFIX):
                for parameter in tool.parameters:
                    for pair in _keys(parameter.type, parameter.name):
                        takers = self._takers[(tool.app, *pair)]
                        takers[index] = takers.get(index, False) or parameter.is_list

    def chain(self, seed: int, number: int) -> tuple[Tool, ...]:
        """Return chain `number` of a seed, or an empty tuple if a few tries find no chain."""
        if not self._starts:
            return ()
        for attempt in range(MAX_TRIES):
            start = self._starts[pick(seed, number, f"start{attempt}", len(self._starts))]
            chain = [start]
            while len(chain) < 2 + pick(seed, number, f"length{attempt}", 2):
                following = self._following(chain, seed, number, attempt)
                if following is None:
                    break
                chain.append(following)
            tools = tuple(self._tools[index] for index in chain)
            if len(tools) > 1 and can_end(tools):
                return tools
        return ()

    def _following(self, chain: list[int], seed: int, number: int, attempt: int) -> int | None:
        last = self._tools[chain[-1]]
        echoed = {_keys(p.type, p.name)[0] for p in last.parameters}
        names = {self._names[index] for index in chain}
        apis = {self._tools[index].api for index in chain}
        takers = {
            index
            for field in last.returns
            if _keys(field.type, field.name)[0] not in echoed
            for key in _keys(field.type, field.name)
            for index, takes_list in self._takers.get((last.app, *key), {}).items()
            if takes_list or not field.is_list
        }
        linked = self._linked[chain[-1]]
        # What follows a selection must also fit the objects that are selected from.
        if len(chain) > 1 and selects_only(last):
            linked = linked & self._linked[chain[-2]]
        fitting = sorted(
            index
            for index in linked or takers
            if self._names[index] not in names
            and self._tools[index].api not in apis
            and can_follow(last, self._tools[index])
        )
        if not fitting:
            return None
        return fitting[pick(seed, number, f"next{attempt}.{len(chain)}", len(fitting))]


def _keys(type_name: str, name: str) -> tuple[tuple[str, str], ...]:
    plain_type = type_name.casefold()
    by_name = (plain_type, name.casefold())
    specific = plain_type not in _TOO_PLAIN and plain_type not in {"string", "text"}
    return (by_name, (plain_type, "")) if specific else (by_name,)


class _ReferenceRow(msgspec.Struct, frozen=True, gc=False):
    action_index: int | None


class _ActionArgumentRow(msgspec.Struct, frozen=True, gc=False):
    references: tuple[_ReferenceRow, ...]


class _ActionRow(msgspec.Struct, frozen=True, gc=False):
    index: int
    identifier: str
    arguments: tuple[_ActionArgumentRow, ...]
    implicit_input: _ReferenceRow | None


class _ShortcutRow(msgspec.Struct, frozen=True):
    actions: tuple[_ActionRow, ...]


class _ArgumentRow(msgspec.Struct, frozen=True, gc=False):
    from_step: int | None


class _StepRow(msgspec.Struct, frozen=True, gc=False):
    app: str
    api: str
    arguments: tuple[_ArgumentRow, ...]


class _PathRow(msgspec.Struct, frozen=True):
    steps: tuple[_StepRow, ...]


def observed_links(folder: Path) -> frozenset[Link]:
    """Return the pairs of tools that several shortcuts or plans of a folder combine."""
    uses = Counter(link for links in (*_in_shortcuts(folder), *_in_plans(folder)) for link in links)
    return frozenset(link for link, count in uses.items() if count >= LEAST_USES)


def _in_shortcuts(folder: Path) -> Iterator[set[Link]]:
    for row in iter_columns(folder, "shortcuts", _ShortcutRow, optional=True):
        apis = {action.index: action.identifier for action in row.actions}
        links: set[Link] = set()
        for action in row.actions:
            references = [entry for part in action.arguments for entry in part.references]
            if action.implicit_input is not None:
                references.append(action.implicit_input)
            links |= {
                (apis[reference.action_index], action.identifier)
                for reference in references
                if reference.action_index in apis
            }
        yield links


def _in_plans(folder: Path) -> Iterator[set[Link]]:
    for row in iter_columns(folder, "planning_paths", _PathRow, optional=True):
        names = [f"{step.app}.{step.api}" for step in row.steps]
        yield {
            (names[argument.from_step], name)
            for name, step in zip(names, row.steps, strict=True)
            for argument in step.arguments
            if argument.from_step is not None
        }
