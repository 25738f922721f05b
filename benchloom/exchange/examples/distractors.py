"""Add distractors (tools that the example does not need) to an example.

The same seed always adds the same tools.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from benchloom.core.errors import RunError
from benchloom.core.identity import pick
from benchloom.core.plain_words import title_words
from benchloom.core.records import ApiDefinition
from benchloom.exchange.examples.example import Example

Hardness = Literal["random", "same-app", "similar"]
Ranker: TypeAlias = Callable[[ApiDefinition], Sequence[ApiDefinition]]
"""A function that returns the tools that are similar to a tool, sorted by falling similarity."""


class Distraction(msgspec.Struct, frozen=True):
    """The number of distractors to add to an example, the way to choose them, and the seed."""

    count: int = 0
    hardness: Hardness = "random"
    seed: int = 0


def described_tools(definitions: Mapping[str, ApiDefinition]) -> list[ApiDefinition]:
    """Return the definitions with a description that are not deprecated, sorted by app and API."""
    return sorted(
        (
            definition
            for definition in definitions.values()
            if (definition.description or definition.title) and not definition.deprecated
        ),
        key=lambda definition: (definition.app or "", definition.api, definition.definition_id),
    )


class Distractors:
    """Adds distractors (tools that an example does not need) to examples.

    Candidates are tools of the same source that have a description. A tool with the name of a
    needed tool is no candidate, because `FindBus` of any company finds a bus. The hardness of
    distractors is `random` (drawn from all candidates), `same-app` (drawn from the candidates in
    the apps of the needed tools) or `similar` (the candidates that are most similar to each needed
    tool, without a random draw).
    """

    def __init__(
        self,
        definitions: Mapping[str, ApiDefinition],
        distraction: Distraction,
        similar: Ranker | None = None,
    ) -> None:
        self._distraction = distraction
        self._similar = similar
        self._pools: dict[str, list[ApiDefinition]] = {}
        self._apps: dict[tuple[str, str | None], list[ApiDefinition]] = {}
        for definition in described_tools(definitions):
            self._pools.setdefault(definition.source_kind, []).append(definition)
            self._apps.setdefault((definition.source_kind, definition.app), []).append(definition)

    def add_to(self, example: Example) -> Example:
        """Return the example with distractors after its own tools.

        There are fewer than requested if there are not enough candidates.
        """
        if not self._distraction.count or not example.definitions:
            return example
        names = {_name(definition) for definition in example.definitions}
        names |= {_plain_name(call.api, "") for call in example.calls}
        distractors: list[ApiDefinition] = []
        for candidate in self._candidates(example):
            if len(distractors) == self._distraction.count:
                break
            if (name := _name(candidate)) not in names:
                names.add(name)
                distractors.append(candidate)
        return replace(example, definitions=(*example.definitions, *distractors))

    def _candidates(self, example: Example) -> Iterator[ApiDefinition]:
        needed = example.definitions
        if self._distraction.hardness == "similar":
            if self._similar is None:
                raise RunError(
                    "distractors of hardness 'similar' need a ranking; pass it as `similar`"
                )
            # The best candidate for each needed tool comes first, then each second best.
            ranked = [self._similar(definition) for definition in needed]
            for position in range(max(map(len, ranked))):
                yield from (ranking[position] for ranking in ranked if position < len(ranking))
            return
        if self._distraction.hardness == "random":
            kinds = sorted({definition.source_kind for definition in needed})
            pool = [definition for kind in kinds for definition in self._pools.get(kind, ())]
        else:
            apps = sorted({(definition.source_kind, definition.app or "") for definition in needed})
            pool = [
                definition
                for kind, app in apps
                for definition in self._apps.get((kind, app or None), ())
            ]
        yield from self._shuffled(pool, example.example_id)

    def _shuffled(self, pool: Sequence[ApiDefinition], example_id: str) -> Iterator[ApiDefinition]:
        # Tools are drawn one by one, so that a larger count only adds distractors.
        remaining = list(pool)
        number = 0
        while remaining:
            use = f"distractor {example_id} {number}"
            index = pick(self._distraction.seed, 0, use, len(remaining))
            remaining[index], remaining[-1] = remaining[-1], remaining[index]
            yield remaining.pop()
            number += 1


def _name(definition: ApiDefinition) -> str:
    return _plain_name(definition.api, definition.title or "")


@lru_cache(maxsize=20_000)
def _plain_name(api: str, title: str) -> str:
    return title_words(title) or title_words(api)
