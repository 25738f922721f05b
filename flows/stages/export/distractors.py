"""Choose distractor tools for an export: tools that a keyword search ranks as most similar."""

from collections.abc import Mapping, Sequence

from benchloom.core.records import ApiDefinition
from benchloom.exchange.examples.distractors import Distraction, Distractors, described_tools
from prompts.tools.search import KeywordSearcher
from prompts.tools.tool import Tool

_SPARE = 20


def distractors_of(
    definitions: Mapping[str, ApiDefinition], distraction: Distraction
) -> Distractors:
    """Return the object that adds distractor tools from a release's definitions to examples."""
    return Distractors(definitions, distraction, _Similar(definitions, distraction.count + _SPARE))


class _Similar:
    """Ranks the tools of one source by how well a keyword search for a given tool matches them."""

    def __init__(self, definitions: Mapping[str, ApiDefinition], most: int) -> None:
        self._most = most
        self._pools: dict[str, list[ApiDefinition]] = {}
        for definition in described_tools(definitions):
            self._pools.setdefault(definition.source_kind, []).append(definition)
        self._searchers: dict[str, tuple[KeywordSearcher, dict[str, ApiDefinition]]] = {}
        self._ranked: dict[str, list[ApiDefinition]] = {}

    def __call__(self, needed: ApiDefinition) -> Sequence[ApiDefinition]:
        definitions = self._ranked.get(needed.definition_id)
        if definitions is None:
            searcher, by_id = self._searcher(needed.source_kind)
            ranked = searcher.search(_tool(needed).search_text(), self._most)
            definitions = self._ranked[needed.definition_id] = [by_id[tool.app] for tool in ranked]
        return definitions

    def _searcher(self, kind: str) -> tuple[KeywordSearcher, dict[str, ApiDefinition]]:
        """Return a searcher over the tools of a source, and a mapping from id to definition.

        The `app` of a tool in the searcher is the id of its definition.
        """
        if kind not in self._searchers:
            pool = self._pools.get(kind, [])
            tools = [_tool(definition) for definition in pool]
            by_id = {definition.definition_id: definition for definition in pool}
            self._searchers[kind] = (KeywordSearcher(tools), by_id)
        return self._searchers[kind]


def _tool(definition: ApiDefinition) -> Tool:
    """Convert a definition to a search tool whose `app` is the id of the definition."""
    parameters = " ".join(parameter.name for parameter in definition.parameters)
    return Tool(
        api=definition.api,
        title=definition.title or "",
        description=f"{definition.description or ''} {parameters}",
        app=definition.definition_id,
    )
