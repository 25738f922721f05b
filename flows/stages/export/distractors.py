"""Distractors of an export, the most similar ones by the search for tools."""

from collections.abc import Mapping, Sequence

from benchloom.examples.distractors import Distraction, Distractors
from benchloom.records import ApiDefinition
from prompts.tools.search import KeywordSearcher
from prompts.tools.tool import Tool

_SPARE = 20


def distractors_of(definitions: Mapping[str, ApiDefinition], wanted: Distraction) -> Distractors:
    """What draws distractors from the definitions of a release."""
    return Distractors(definitions, wanted, _Similar(definitions, wanted.count + _SPARE))


class _Similar:
    """Ranks the tools of one source by the words they share with one of them."""

    def __init__(self, definitions: Mapping[str, ApiDefinition], most: int) -> None:
        self._most = most
        self._pools: dict[str, list[ApiDefinition]] = {}
        described = [one for one in definitions.values() if one.description or one.title]
        for one in sorted(described, key=lambda one: (one.app or "", one.api, one.definition_id)):
            if not one.deprecated:
                self._pools.setdefault(one.source_kind, []).append(one)
        self._searchers: dict[str, tuple[KeywordSearcher, dict[str, ApiDefinition]]] = {}
        self._ranked: dict[str, list[ApiDefinition]] = {}

    def __call__(self, needed: ApiDefinition) -> Sequence[ApiDefinition]:
        found = self._ranked.get(needed.definition_id)
        if found is None:
            searcher, by_id = self._searcher(needed.source_kind)
            ranked = searcher.search(_tool(needed).search_text(), self._most)
            found = self._ranked[needed.definition_id] = [by_id[tool.app] for tool in ranked]
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
