"""Generates the pages with the decisions and their index from the folder `docs/decisions`."""

from collections.abc import Mapping

from docs.decision import DECISIONS, INDEX, read_decisions

TITLE = "Decisions"


def pages() -> Mapping[str, str]:
    """Return the index and a page for each decision, as a mapping from paths to texts."""
    index = (DECISIONS / INDEX).read_text(encoding="utf-8")
    decisions = {f"decisions/{decision.file}": decision.text for decision in read_decisions()}
    return {"decisions/index.md": index, **decisions}
