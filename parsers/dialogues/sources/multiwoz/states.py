"""Read MultiWOZ's dialogues, whose calls are rebuilt from states, acts and spans."""

from collections.abc import Iterable, Mapping

import msgspec

from parsers.dialogues.conversion.readers import FileReading, Folder, ReadDialogue, Reader, rebuilt
from parsers.dialogues.material import AccompanyingFile
from parsers.dialogues.provenance.state_calls import rebuild_calls
from parsers.dialogues.sgd.dialogue_files import DialogueReader
from parsers.dialogues.sgd.model import Dialogue, Frame, RebuiltDialogue, Turn
from parsers.dialogues.sgd.schema import read_schema
from parsers.dialogues.sgd.schemas import SCHEMA
from parsers.dialogues.sources.multiwoz.acts import ACTS, SpanDialogue, acts_of, read_acts
from parsers.dialogues.sources.multiwoz.calls import Rebuilding
from parsers.dialogues.sources.multiwoz.services import services_of, with_results
from parsers.errors import ParseError


def from_states(folder: Folder) -> Reader:
    """Return a reader that rebuilds calls from states.

    The reader uses the acts of the file beside or above the dialogues. If frames contain acts
    in SGD's format, it rebuilds calls from the acts in the frames instead.
    """
    reader = DialogueReader(SpanDialogue)
    acts = _acts(folder.beside.get(ACTS))
    services = services_of(folder.schema)

    def rebuild(dialogue: SpanDialogue) -> RebuiltDialogue:
        if any(frame.actions for turn in dialogue.turns for frame in turn.frames):
            return rebuild_calls(_plain(dialogue), folder.schema)
        raw = acts.get(dialogue.dialogue_id)
        return Rebuilding(services, None if raw is None else acts_of(raw)).rebuilt(dialogue)

    def read(data: bytes) -> Iterable[ReadDialogue]:
        return rebuilt(reader.read(data), rebuild)

    return read


def _acts(file: AccompanyingFile | None) -> Mapping[str, msgspec.Raw]:
    # A damaged file has no acts here; a separate row reports the damage.
    if file is None or file.fault is not None:
        return {}
    try:
        return read_acts(file.data)
    except ParseError:
        return {}


def _plain(dialogue: SpanDialogue) -> Dialogue:
    turns = []
    for turn in dialogue.turns:
        frames = [Frame(frame.service, frame.actions, state=frame.state) for frame in turn.frames]
        turns.append(Turn(turn.speaker, tuple(frames), turn.utterance))
    return Dialogue(dialogue.dialogue_id, tuple(turns))


READING = FileReading(
    beside={SCHEMA: read_schema, ACTS: read_acts},
    shared_schema=True,
    completing=with_results,
    reader=from_states,
)
