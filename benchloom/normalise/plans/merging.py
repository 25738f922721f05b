"""One row per plan: the dialogues of equal plans, the one that stands for them first."""

from collections.abc import Iterable

from benchloom.core.records import PlanSource
from benchloom.normalise.plans.assembly import release_split


class PlanSources:
    """The dialogues of each plan."""

    def __init__(self) -> None:
        self._found: dict[str, list[PlanSource]] = {}

    def add(self, path_id: str, dialogues: Iterable[PlanSource]) -> None:
        """Note what one row was made from."""
        self._found.setdefault(path_id, []).extend(dialogues)

    def split_of(self, path_id: str) -> str | None:
        """The split of a plan: the one of its dialogues' that is held out most; None of no plan."""
        dialogues = self._found.get(path_id)
        return release_split(dialogue.split for dialogue in dialogues) if dialogues else None

    def of(self, path_id: str) -> tuple[PlanSource, ...]:
        """The dialogues of a plan: those of its release split first, then by file and id.

        The first one's row stands for the plan, so a test plan shows what its test dialogue says.
        """
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
