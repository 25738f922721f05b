"""The rows of dialogues: a plan, or a rejected row whose place and message carry the id."""

from collections.abc import Iterator

from benchloom.errors import RejectedInputError
from benchloom.identity import tagged_digest
from benchloom.records import PlanningPath, Rejected
from parsers.dialogues.places import folder_of
from parsers.dialogues.protocol import Conversion

STAGE = "convert"


class DialogueRows:
    """Files of dialogues to rows; an id may stand once in a folder."""

    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._seen: set[tuple[str, str]] = set()

    def of_file(self, source_uri: str, data: bytes) -> Iterator[PlanningPath | Rejected]:
        """One row for each dialogue of a file, in order; one for a file that holds none."""
        digest = tagged_digest("file", data)
        folder = folder_of(source_uri)
        try:
            for row in self._conversion.convert(source_uri, data):
                if not isinstance(row, PlanningPath):
                    yield refused(source_uri, row.dialogue_id, row.reason, row.message, digest)
                elif (folder, row.source_id) in self._seen:
                    yield repeated(source_uri, row.source_id, digest)
                else:
                    self._seen.add((folder, row.source_id))
                    yield row
        except RejectedInputError as error:
            yield unread(source_uri, error, digest)


def unread(source_uri: str, error: RejectedInputError, digest: str | None = None) -> Rejected:
    """The rejected row of a whole file."""
    return Rejected(STAGE, source_uri, error.reason, error.message, digest)


def refused(
    source_uri: str, dialogue_id: str, reason: str, message: str, digest: str | None
) -> Rejected:
    """The rejected row of one dialogue; `source_uri` and message carry its id."""
    if not dialogue_id:
        return Rejected(STAGE, source_uri, reason, message, digest)
    return Rejected(
        STAGE, f"{source_uri}#{dialogue_id}", reason, f"{dialogue_id}: {message}", digest
    )


def repeated(source_uri: str, dialogue_id: str, digest: str | None) -> Rejected:
    """The rejected row of a dialogue whose id an earlier one of its split has."""
    message = "an earlier dialogue of the split has this id"
    return refused(source_uri, dialogue_id, "repeated_dialogue_id", message, digest)


def rejected_order(row: Rejected) -> tuple[str, str, str, str, str]:
    """The order of the table: place, reason, digest (none first), message."""
    return (row.stage, row.source_uri, row.reason, row.digest or "", row.message)
