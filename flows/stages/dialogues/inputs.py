"""The files of an input, classified by the role that a source of dialogues assigns them."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs import SourceObject, list_objects, planned_objects, unpack_names
from parsers.dialogues.material import Beside, DialogueInput
from parsers.dialogues.places import name_of
from parsers.dialogues.protocol import DialogueSource


class OpenedInput(msgspec.Struct, frozen=True):
    """An input whose archives are open.

    `members` are the files of dialogues and those beside them, in the order of their paths;
    `beside` are the paths of the latter; `given` is what the source needs to know; `others`
    counts the texts that are not read.
    """

    members: list[SourceObject]
    beside: frozenset[str]
    given: DialogueInput
    others: int


def with_files_beside(source: DialogueSource, inputs: Sequence[Path]) -> list[Path]:
    """The inputs, plus accompanying files beside or above each dialogue file named alone."""
    paths = list(inputs)
    for path in inputs:
        if path.suffix == ".json" and path.is_file():
            folder = path.absolute().parent
            beside = {
                other.name: other
                for directory in (folder.parent, folder)
                for other in _files_in(directory)
                if source.role_of(other.name) == "beside"
            }
            absolute_paths = {input_path.absolute() for input_path in paths}
            paths += [other for other in beside.values() if other not in absolute_paths]
    return paths


def _files_in(folder: Path) -> list[Path]:
    """The files of a folder; empty if the folder may not be listed."""
    try:
        return sorted(path for path in folder.iterdir() if path.is_file())
    except PermissionError:
        return []


def open_input(
    source: DialogueSource,
    inputs: Sequence[Path],
    stack: ExitStack,
    planned: bytes = b"",
) -> OpenedInput:
    """Separate the dialogue files from those beside them, and read the latter.

    If names were `planned` (see `pack_names`), exactly these files are the members, even if
    others were added since.

    Raises:
        RunError: there is no file of dialogues at all, or one that was planned is gone.
    """
    members: list[SourceObject] = []
    dialogues: list[str] = []
    beside: list[Beside] = []
    others = 0
    objects = list_objects(inputs, stack)
    if planned:
        objects = planned_objects(objects, unpack_names(planned))
    for file in objects:
        role = source.role_of(name_of(file.source_uri))
        if role == "other":
            others += 1
            continue
        members.append(file)
        if role == "beside":
            beside.append(_read(file))
        else:
            dialogues.append(file.source_uri)
    if not dialogues:
        raise RunError(f"no file of dialogues under {', '.join(map(str, inputs))}")
    first = inputs[0].resolve()
    top = first.name if first.is_dir() else first.parent.name
    dialogue_input = DialogueInput(tuple(dialogues), tuple(beside), top)
    return OpenedInput(
        members, frozenset(beside_file.source_uri for beside_file in beside), dialogue_input, others
    )


def _read(file: SourceObject) -> Beside:
    try:
        return Beside(file.source_uri, file.read())
    except RejectedInputError as error:
        return Beside(file.source_uri, fault=error)
