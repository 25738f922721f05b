"""Convert dialogues to rows; each dialogue gives a plan or a rejected row.

The `source_uri` and the message of a rejected row contain the id of the dialogue.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import dialogue_id, tagged_digest
from benchloom.core.records import Dialogue, PlanningPath, Rejected, ServiceResult
from parsers.dialogues.conversion.converter import Conversion
from parsers.dialogues.material import PlannedDialogue, Refused, folder_of

if TYPE_CHECKING:
    from parsers.dialogues.sources import DialogueSource

STAGE = "convert"


class Converted(msgspec.Struct, frozen=True):
    """A dialogue converted to a plan, with its user's words and its services' results."""

    path: PlanningPath
    dialogue: Dialogue
    results: tuple[ServiceResult, ...] = ()


class DialogueRows:
    """Converts files of dialogues to rows; an id may occur only once in a folder.

    If the licence of a source forbids redistribution, the words and results of its dialogues
    are left out.
    """

    def __init__(self, source: "DialogueSource", conversion: Conversion) -> None:
        self._source = source
        self._conversion = conversion
        self._seen: set[tuple[str, str]] = set()

    def of_file(self, source_uri: str, data: bytes) -> Iterator[Converted | Rejected]:
        """Yield a row per dialogue of a file; a file without dialogues gives a rejected row."""
        digest = tagged_digest("file", data)
        folder = folder_of(source_uri)
        try:
            for row in self._conversion.convert(source_uri, data):
                if isinstance(row, Refused):
                    yield refused(source_uri, row.dialogue_id, row.reason, row.message, digest)
                elif (folder, row.path.source_id) in self._seen:
                    yield repeated(source_uri, row.path.source_id, digest)
                else:
                    self._seen.add((folder, row.path.source_id))
                    yield self._convert(row)
        except RejectedInputError as error:
            yield unread(source_uri, error, digest)

    def _convert(self, row: PlannedDialogue) -> Converted:
        path = row.path
        if not self._source.redistributable:
            row = PlannedDialogue(path)
        dialogue = Dialogue(
            dialogue_id=dialogue_id(path.source, path.source_split, path.source_id),
            source=path.source,
            source_id=path.source_id,
            source_uri=path.source_uri,
            source_split=path.source_split,
            split=path.split,
            path_id=path.path_id,
            licence=self._source.licence,
            attribution=f"{self._source.title}, {self._source.address}",
            utterances=row.utterances,
            is_whole=row.is_whole,
        )
        results = tuple(
            ServiceResult(
                dialogue_id=dialogue.dialogue_id,
                source=dialogue.source,
                source_id=dialogue.source_id,
                source_uri=dialogue.source_uri,
                split=dialogue.split,
                path_id=path.path_id,
                call=number,
                licence=dialogue.licence,
                attribution=dialogue.attribution,
                **msgspec.structs.asdict(call),
            )
            for number, call in enumerate(row.calls)
        )
        return Converted(path, dialogue, results)


def unread(source_uri: str, error: RejectedInputError, digest: str | None = None) -> Rejected:
    """Return the rejected row for a whole file that cannot be read."""
    return Rejected(STAGE, source_uri, error.reason, error.message, digest)


def refused(
    source_uri: str, dialogue_id: str, reason: str, message: str, digest: str | None
) -> Rejected:
    """Return the rejected row of one dialogue; `source_uri` and message contain its id."""
    if not dialogue_id:
        return Rejected(STAGE, source_uri, reason, message, digest)
    return Rejected(
        STAGE, f"{source_uri}#{dialogue_id}", reason, f"{dialogue_id}: {message}", digest
    )


def repeated(source_uri: str, dialogue_id: str, digest: str | None) -> Rejected:
    """Return the rejected row of a dialogue that repeats an earlier id in its split."""
    message = "an earlier dialogue of the split has this id"
    return refused(source_uri, dialogue_id, "repeated_dialogue_id", message, digest)
