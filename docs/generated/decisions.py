"""The decisions with their index, the README beside them."""

from collections.abc import Mapping

from docs.decision import DECISIONS, INDEX, read_decisions

TITLE = "Decisions"


def pages() -> Mapping[str, str]:
    """The index and a page for every decision."""
    index = (DECISIONS / INDEX).read_text(encoding="utf-8")
    decisions = {f"decisions/{decision.file}": decision.text for decision in read_decisions()}
    return {"decisions/index.md": index, **decisions}
