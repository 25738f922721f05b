"""The tools of API-Bank; each module has related tools and defines a `PART` of the world."""

from collections.abc import Mapping

from benchloom.core.kinds import Kind
from benchloom.worlds.suites.api_bank.part import Part

PARTS = Kind("part of API-Bank", __name__, Part, attribute="PART")


def renamed_parameters() -> Mapping[str, Mapping[str, str]]:
    """Return a mapping from each tool to its old parameter names, each with its current name."""
    return PARTS.once(_renamed_parameters)


def drawn_ids() -> Mapping[str, tuple[str, ...]]:
    """Return a mapping from each tool that generates an id to the id's path in the result."""
    return PARTS.once(_drawn_ids)


def _renamed_parameters(parts: Mapping[str, Part]) -> dict[str, Mapping[str, str]]:
    return {tool: names for part in parts.values() for tool, names in part.renamed.items()}


def _drawn_ids(parts: Mapping[str, Part]) -> dict[str, tuple[str, ...]]:
    return {tool: path for part in parts.values() for tool, path in part.drawn_ids.items()}
