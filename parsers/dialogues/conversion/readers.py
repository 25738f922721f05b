"""Decode files of dialogues, and rebuild calls that the files do not record."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from parsers.dialogues.material import AccompanyingFile, Refused
from parsers.dialogues.provenance.state_calls import rebuild_calls
from parsers.dialogues.sgd.dialogue_files import D, DialogueReader
from parsers.dialogues.sgd.model import Dialogue, RebuiltDialogue
from parsers.dialogues.sgd.schema import Schema, read_schema
from parsers.dialogues.sgd.schemas import SCHEMA
from parsers.dialogues.sgd.services import Completing, as_declared
from parsers.errors import ParseError

_READER = DialogueReader(Dialogue)
_RECORDED = b'"service_call"'
ReadDialogue = Dialogue | Refused
Reader = Callable[[bytes], Iterable[ReadDialogue]]
"""A function that returns the dialogues of a file in order. It raises ParseError if there are none.
"""


class Folder(msgspec.Struct, frozen=True):
    """The data that readers of a folder's dialogues need: its schema, and accompanying files.

    `beside` maps the name of an accompanying file to the file.
    """

    schema: Schema
    beside: Mapping[str, AccompanyingFile | None] = {}


FolderReader = Callable[[Folder], Reader]
"""A function that returns the reader for one folder."""


def recorded_or_rebuilt(folder: Folder) -> Reader:
    """Return a reader that rebuilds calls from dialogue states if a file records no calls."""

    def read(data: bytes) -> Iterable[ReadDialogue]:
        dialogues = _READER.read(data)
        if _RECORDED in data:
            return dialogues
        return rebuilt(dialogues, lambda dialogue: rebuild_calls(dialogue, folder.schema))

    return read


def rebuilt(
    dialogues: Iterable[D | Refused], rebuild: Callable[[D], RebuiltDialogue]
) -> Iterator[ReadDialogue]:
    """Yield each dialogue with the calls that `rebuild` returns, or a refusal if it raises."""
    for dialogue in dialogues:
        if isinstance(dialogue, Refused):
            yield dialogue
            continue
        try:
            yield rebuild(dialogue)
        except ParseError as error:
            yield Refused(dialogue.dialogue_id, error.reason, error.message)


class FileReading(msgspec.Struct, frozen=True, kw_only=True):
    """The functions and options with which the files of a dataset are read.

    `beside` maps the names of accompanying files to functions that read these files, and that raise
    ParseError if a file is damaged. If `shared_schema`, a schema also applies to all folders below
    its folder. `completing` adds to the services any data that their file lacks; `reader` reads a
    file into dialogues with calls.
    """

    beside: Mapping[str, Callable[[bytes], object]] = msgspec.field(
        default_factory=lambda: {SCHEMA: read_schema}
    )
    shared_schema: bool = False
    completing: Completing = as_declared
    reader: FolderReader = recorded_or_rebuilt
