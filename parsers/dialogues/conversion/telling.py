"""Read the bytes of a file into dialogues with calls, either recorded or rebuilt."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from benchloom.core.records.planning_path import Mode
from parsers.dialogues.material import Beside, Refused
from parsers.dialogues.sgd.families import FULL, read_recorded, records_calls
from parsers.dialogues.sgd.model import Dialogue, LeanDialogue
from parsers.dialogues.sgd.schema import Schema
from parsers.dialogues.tracing.state_calls import rebuild_calls
from parsers.errors import ParseError

Told = Dialogue | LeanDialogue | Refused
Tell = Callable[[bytes], Iterator[Told]]
"""The dialogues of a file in order; ParseError (not_dialogues) when it holds none at all."""


class Folder(msgspec.Struct, frozen=True):
    """The context for reading one folder's dialogues: its schema, and other files by name."""

    schema: Schema
    mode: Mode
    beside: Mapping[str, Beside | None] = {}


Telling = Callable[[Folder], Tell]
"""Made once for each folder."""


def recorded_or_rebuilt(folder: Folder) -> Tell:
    """Return a reader that uses recorded calls, or rebuilds calls from the dialogue states."""

    def tell(data: bytes) -> Iterator[Told]:
        if records_calls(data):
            yield from read_recorded(data, folder.mode)
            return
        for dialogue in FULL.read(data):
            if isinstance(dialogue, Refused):
                yield dialogue
                continue
            try:
                yield rebuild_calls(dialogue, folder.schema)
            except ParseError as error:
                yield Refused(dialogue.dialogue_id, error.reason, error.message)

    return tell
