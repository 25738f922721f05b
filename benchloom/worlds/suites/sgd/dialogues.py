"""Read recorded dialogues from the tables of a conversion or a release."""

from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import ApiDefinition, Dialogue, PlanningPath, Rejected, ServiceResult
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.suite import records_of
from benchloom.worlds.suites.sgd.calls import Methods, RecordedCall, recorded_call

SOURCE = "sgd"
STAGE = "convert"


class RecordedDialogue(msgspec.Struct, frozen=True):
    """A recorded dialogue; `results` has its calls with their results, in order."""

    source_uri: str
    source_id: str
    split: str | None
    results: tuple[ServiceResult, ...]

    def calls(self) -> tuple[RecordedCall, ...]:
        """Return the calls; raise `RejectedInputError` (bad_values) if a value is not a string."""
        return tuple(map(recorded_call, self.results))


class Tables:
    """A reader of the tables in some files: definitions, dialogues, plans and rejected rows.

    Raises:
        RunError: a file is damaged, or is not a table.
    """

    def __init__(self, files: Sequence[SourceObject]) -> None:
        self._files = files
        definitions = records_of(files, "api_definitions", ApiDefinition)
        try:
            self.methods = Methods(
                [definition for definition in definitions if definition.source_kind == SOURCE]
            )
        except RejectedInputError as error:
            raise RunError(str(error)) from error

    def dialogues(self) -> list[RecordedDialogue]:
        """Return all dialogues, sorted by file and id."""
        rows_by_dialogue: dict[tuple[str, str], list[ServiceResult]] = {}
        for row in records_of(self._files, "service_results", ServiceResult):
            if row.source == SOURCE:
                rows_by_dialogue.setdefault((row.source_uri, row.source_id), []).append(row)
        return [
            RecordedDialogue(*key, rows[0].split, tuple(sorted(rows, key=lambda row: row.call)))
            for key, rows in sorted(rows_by_dialogue.items())
        ]

    def words(self) -> Iterator[Dialogue]:
        """Yield the rows of the table `dialogues`, which contain the turns."""
        rows = records_of(self._files, "dialogues", Dialogue)
        return (row for row in rows if row.source == SOURCE)

    def plans(self) -> Iterator[PlanningPath]:
        """Yield the rows of `planning_paths`, each with the id of the plan's first dialogue."""
        rows = records_of(self._files, "planning_paths", PlanningPath)
        return (row for row in rows if row.source == SOURCE)

    def rejected(self) -> Iterator[Rejected]:
        """Yield the rows of the table `rejected` that a conversion rejected."""
        rows = records_of(self._files, "rejected", Rejected)
        return (row for row in rows if row.stage == STAGE)
