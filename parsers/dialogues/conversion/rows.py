"""Convert dialogues to rows: each gives a plan or a rejected row.

The `source_uri` and the message of a rejected row contain the id of the dialogue.
"""

from collections.abc import Iterator

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import dialogue_id, tagged_digest
from benchloom.core.records import Dialogue, PlanningPath, Rejected, ResultRow, ServiceResult
from parsers.dialogues.material import Found, Said
from parsers.dialogues.places import folder_of
from parsers.dialogues.protocol import Conversion, DialogueSource

STAGE = "convert"


class Converted(msgspec.Struct, frozen=True):
    """A dialogue converted to a plan, with its user's words and its services' results."""

    path: PlanningPath
    dialogue: Dialogue
    results: tuple[ServiceResult, ...] = ()


class DialogueRows:
    """Converts files of dialogues to rows; an id may occur only once in a folder.

    If the licence of a source forbids redistribution, the words and results of its dialogues
    are not read.
    """

    def __init__(self, source: DialogueSource, conversion: Conversion) -> None:
        self._source = source
        self._conversion = conversion
        self._seen: set[tuple[str, str]] = set()

    def of_file(self, source_uri: str, data: bytes) -> Iterator[Converted | Rejected]:
        """Yield a row for each dialogue of a file, in order.

        A file without dialogues gives one row.
        """
        digest = tagged_digest("file", data)
        folder = folder_of(source_uri)
        words, results = self._beside(source_uri, data)
        try:
            for row in self._conversion.convert(source_uri, data):
                said, recorded_calls = next(words, None), next(results, None)
                if not isinstance(row, PlanningPath):
                    yield refused(source_uri, row.dialogue_id, row.reason, row.message, digest)
                elif (folder, row.source_id) in self._seen:
                    yield repeated(source_uri, row.source_id, digest)
                else:
                    self._seen.add((folder, row.source_id))
                    dialogue = self._dialogue(row, said)
                    yield Converted(row, dialogue, _results(dialogue, row, recorded_calls))
        except RejectedInputError as error:
            yield unread(source_uri, error, digest)

    def _beside(self, source_uri: str, data: bytes) -> tuple[Iterator[Said], Iterator[Found]]:
        if not self._source.redistributable:
            return iter(()), iter(())
        return self._conversion.said(data), self._conversion.found(source_uri, data)

    def _dialogue(self, path: PlanningPath, said: Said | None) -> Dialogue:
        has_words = said is not None and said.dialogue_id == path.source_id
        return Dialogue(
            dialogue_id=dialogue_id(path.source, path.source_split, path.source_id),
            source=path.source,
            source_id=path.source_id,
            source_uri=path.source_uri,
            source_split=path.source_split,
            split=path.split,
            path_id=path.path_id,
            licence=self._source.licence,
            attribution=f"{self._source.title}, {self._source.address}",
            utterances=said.utterances if said is not None and has_words else (),
            is_whole=said is not None and has_words and said.is_whole,
        )


def _results(
    dialogue: Dialogue, path: PlanningPath, recorded_calls: Found | None
) -> tuple[ServiceResult, ...]:
    calls = (
        recorded_calls.calls
        if recorded_calls is not None and recorded_calls.dialogue_id == path.source_id
        else ()
    )
    return tuple(
        ServiceResult(
            dialogue_id=dialogue.dialogue_id,
            source=dialogue.source,
            source_id=dialogue.source_id,
            source_uri=dialogue.source_uri,
            split=dialogue.split,
            path_id=path.path_id,
            call=number,
            turn=call.turn,
            service=call.service,
            method=call.method,
            definition_id=call.definition_id,
            arguments=call.arguments,
            outcome=call.outcome,
            rows=tuple(ResultRow(rank, row) for rank, row in enumerate(call.rows)),
            licence=dialogue.licence,
            attribution=dialogue.attribution,
        )
        for number, call in enumerate(calls)
    )


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
