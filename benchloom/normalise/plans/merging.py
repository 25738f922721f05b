"""Merge equal plans into one row that lists all dialogues of the plan, representative first."""

from collections.abc import Iterable

from benchloom.core.records import PlanSource
from benchloom.normalise.plans.assembly import release_split


class PlanSources:
    """The dialogues of each plan."""

    def __init__(self) -> None:
        self._found: dict[str, list[PlanSource]] = {}

    def add(self, path_id: str, dialogues: Iterable[PlanSource]) -> None:
        """Add the dialogues of one row to the dialogues of its plan."""
        self._found.setdefault(path_id, []).extend(dialogues)

    def split_of(self, path_id: str) -> str | None:
        """Return the most held-out split of a plan's dialogues; None without dialogues."""
        dialogues = self._found.get(path_id)
        return release_split(dialogue.split for dialogue in dialogues) if dialogues else None

    def of(self, path_id: str) -> tuple[PlanSource, ...]:
        """Return a plan's dialogues, its release split first: the first represents the plan."""
        dialogues = self._found[path_id]
        split = self.split_of(path_id)
        return tuple(
            sorted(
                dialogues,
                key=lambda dialogue: (
                    release_split([dialogue.split]) != split,
                    dialogue.source_uri,
                    dialogue.source_id,
                ),
            )
        )
