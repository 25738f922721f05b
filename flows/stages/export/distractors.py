"""Tools that an example does not need, drawn from the release: the same ones for the same seed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, get_args

import msgspec

from benchloom.examples import Example
from benchloom.records import ApiDefinition
from prompts.tools.sampling import name_of, pick
from prompts.tools.search import KeywordSearcher
from prompts.tools.tool import Tool

Hardness = Literal["random", "same-app", "similar"]
HARDNESSES: tuple[str, ...] = get_args(Hardness)
_SPARE = 20


class Distraction(msgspec.Struct, frozen=True):
    """How many tools to add, which, and the seed of the draw."""

    count: int = 0
    hardness: Hardness = "random"
    seed: int = 0


class Distractors:
    """Draws distractors for examples.

    Any described tool of the same source of definitions may be one, unless it is called as a tool
    that the example needs: finding a bus is right with whichever bus company. `random` draws from
    all, `same-app` from the apps of the needed tools, `similar` takes those whose words are most
    like those of a needed tool, in turns (the seed decides nothing there).
    """

    def __init__(self, definitions: Mapping[str, ApiDefinition], wanted: Distraction) -> None:
        self._wanted = wanted
        self._pools: dict[str, list[ApiDefinition]] = {}
        self._apps: dict[tuple[str, str | None], list[ApiDefinition]] = {}
        described = [one for one in definitions.values() if one.description or one.title]
        for one in sorted(described, key=lambda one: (one.app or "", one.api, one.definition_id)):
            if not one.deprecated:
                self._pools.setdefault(one.source_kind, []).append(one)
                self._apps.setdefault((one.source_kind, one.app), []).append(one)
        self._searchers: dict[str, tuple[KeywordSearcher, dict[str, ApiDefinition]]] = {}
        self._ranked: dict[str, list[ApiDefinition]] = {}

    def add_to(self, example: Example) -> Example:
        """The example with distractors behind its tools; fewer where there are no more."""
        if not self._wanted.count or not example.definitions:
            return example
        names = {_name(one) for one in example.definitions}
        names |= {_told_name(call.api, "") for call in example.calls}
        found: list[ApiDefinition] = []
        for candidate in self._candidates(example):
            if len(found) == self._wanted.count:
                break
            if (name := _name(candidate)) not in names:
                names.add(name)
                found.append(candidate)
        return msgspec.structs.replace(example, definitions=(*example.definitions, *found))

    def _candidates(self, example: Example) -> Iterator[ApiDefinition]:
        needed = example.definitions
        if self._wanted.hardness == "similar":
            ranked = [self._similar(one) for one in needed]
            for place in range(max(map(len, ranked))):
                yield from (found[place] for found in ranked if place < len(found))
            return
        if self._wanted.hardness == "random":
            kinds = sorted({one.source_kind for one in needed})
            pool = [one for kind in kinds for one in self._pools.get(kind, ())]
        else:
            apps = sorted({(one.source_kind, one.app or "") for one in needed})
            pool = [one for kind, app in apps for one in self._apps.get((kind, app or None), ())]
        yield from self._drawn(pool, example.example_id)

    def _drawn(self, pool: Sequence[ApiDefinition], ident: str) -> Iterator[ApiDefinition]:
        """The pool from a drawn place on, in a drawn order for as many as may be asked for."""
        left = list(pool)
        number = 0
        while left:
            use = f"distractor {ident} {number}"
            place = pick(self._wanted.seed, 0, use, len(left))
            left[place], left[-1] = left[-1], left[place]
            yield left.pop()
            number += 1

    def _similar(self, needed: ApiDefinition) -> list[ApiDefinition]:
        found = self._ranked.get(needed.definition_id)
        if found is None:
            searcher, by_api = self._searcher(needed.source_kind)
            most = self._wanted.count + _SPARE
            ranked = searcher.search(_tool(needed).search_text(), most)
            found = self._ranked[needed.definition_id] = [by_api[tool.app] for tool in ranked]
        return found

    def _searcher(self, kind: str) -> tuple[KeywordSearcher, dict[str, ApiDefinition]]:
        """The searcher over the tools of a source; `app` of its tools is the id."""
        if kind not in self._searchers:
            pool = self._pools.get(kind, [])
            tools = [_tool(one) for one in pool]
            by_id = {one.definition_id: one for one in pool}
            self._searchers[kind] = (KeywordSearcher(tools), by_id)
        return self._searchers[kind]


def _tool(definition: ApiDefinition) -> Tool:
    """A definition as the search takes it, with its id in the place of the app."""
    parameters = " ".join(one.name for one in definition.parameters)
    return Tool(
        api=definition.api,
        title=definition.title or "",
        description=f"{definition.description or ''} {parameters}",
        app=definition.definition_id,
    )


def _name(definition: ApiDefinition) -> str:
    return _told_name(definition.api, definition.title or "")


@lru_cache(maxsize=20_000)
def _told_name(api: str, title: str) -> str:
    return name_of(Tool(api=api, title=title, description=""))
