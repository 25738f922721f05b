"""The rows of dialogues: a plan, or a rejected row whose place and message carry the id."""

from collections.abc import Iterator

import msgspec

from benchloom.errors import RejectedInputError
from benchloom.identity import digest_of_parts, tagged_digest
from benchloom.records import Dialogue, PlanningPath, Rejected
from parsers.dialogues.material import Said
from parsers.dialogues.places import folder_of
from parsers.dialogues.protocol import Conversion, DialogueSource

STAGE = "convert"


class Converted(msgspec.Struct, frozen=True):
    """One dialogue that became a plan, and what its user said."""

    path: PlanningPath
    dialogue: Dialogue


class DialogueRows:
    """Files of dialogues to rows; an id may stand once in a folder.

    The words of a source whose licence lets nobody pass them on are not even read.
    """

    def __init__(self, source: DialogueSource, conversion: Conversion) -> None:
        self._source = source
        self._conversion = conversion
        self._seen: set[tuple[str, str]] = set()

    def of_file(self, source_uri: str, data: bytes) -> Iterator[Converted | Rejected]:
        """One row for each dialogue of a file, in order; one for a file that holds none."""
        digest = tagged_digest("file", data)
        folder = folder_of(source_uri)
        words = self._conversion.said(data) if self._source.redistributable else iter(())
        try:
            for row in self._conversion.convert(source_uri, data):
                said = next(words, None)
                if not isinstance(row, PlanningPath):
                    yield refused(source_uri, row.dialogue_id, row.reason, row.message, digest)
                elif (folder, row.source_id) in self._seen:
                    yield repeated(source_uri, row.source_id, digest)
                else:
                    self._seen.add((folder, row.source_id))
                    yield Converted(row, self._dialogue(row, said))
        except RejectedInputError as error:
            yield unread(source_uri, error, digest)

    def _dialogue(self, path: PlanningPath, said: Said | None) -> Dialogue:
        """The words of a plan's dialogue; none where they are not to be had."""
        known = said is not None and said.dialogue_id == path.source_id
        return Dialogue(
            dialogue_id=digest_of_parts(
                "dialogue", [path.source, path.source_split, path.source_id]
            ),
            source=path.source,
            source_id=path.source_id,
            source_uri=path.source_uri,
            source_split=path.source_split,
            split=path.split,
            path_id=path.path_id,
            licence=self._source.licence,
            attribution=f"{self._source.title}, {self._source.address}",
            utterances=said.utterances if said is not None and known else (),
            is_whole=said is not None and known and said.is_whole,
        )


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
