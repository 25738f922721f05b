"""Classify the files of an input by the role that a source of dialogues assigns to them."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

from benchloom.core.errors import NothingReadError, RejectedInputError
from benchloom.storage.inputs import SourceObject, list_objects, planned_objects, unpack_names
from parsers.dialogues.material import AccompanyingFile, DialogueInput, name_of
from parsers.dialogues.sources import DialogueSource


class OpenedInput(msgspec.Struct, frozen=True):
    """The files of an input, read from open archives.

    `members` are the dialogue files and their accompanying files, in the order of their paths;
    `beside` are the paths of the accompanying files; `description` describes the input for the
    source of dialogues; `others` counts the files that are not read.
    """

    members: list[SourceObject]
    beside: frozenset[str]
    description: DialogueInput
    others: int


def with_accompanying_files(source: DialogueSource, inputs: Sequence[Path]) -> list[Path]:
    """Return the inputs, and the files that accompany each input that is a dialogue file.

    Accompanying files are searched in the folder of the dialogue file and in its parent folder.
    """
    paths = list(inputs)
    for path in inputs:
        if path.suffix == ".json" and path.is_file():
            folder = path.absolute().parent
            beside = {
                candidate.name: candidate
                for directory in (folder.parent, folder)
                for candidate in _files_in(directory)
                if source.role_of(candidate.name) == "beside"
            }
            absolute_paths = {input_path.absolute() for input_path in paths}
            paths += [candidate for candidate in beside.values() if candidate not in absolute_paths]
    return paths


def _files_in(folder: Path) -> list[Path]:
    """Return the files of a folder, or an empty list if permission to list it is missing."""
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
    """Separate the dialogue files from accompanying files, and read the accompanying files.

    If `planned` contains packed names (see `pack_names`), exactly these files are the members,
    even if other files were added since.

    Raises:
        RunError: there is no dialogue file at all, or a planned file is missing.
    """
    members: list[SourceObject] = []
    dialogues: list[str] = []
    beside: list[AccompanyingFile] = []
    other_count = 0
    objects = list_objects(inputs, stack)
    if planned:
        objects = planned_objects(objects, unpack_names(planned))
    for file in objects:
        role = source.role_of(name_of(file.source_uri))
        if role == "other":
            other_count += 1
            continue
        members.append(file)
        if role == "beside":
            beside.append(_read(file))
        else:
            dialogues.append(file.source_uri)
    if not dialogues:
        names = ", ".join(map(str, inputs))
        raise NothingReadError(
            f"{names} contains no file of dialogues; pass the folder of the dataset"
        )
    first = inputs[0].resolve()
    top = first.name if first.is_dir() else first.parent.name
    dialogue_input = DialogueInput(tuple(dialogues), tuple(beside), top)
    return OpenedInput(
        members,
        frozenset(beside_file.source_uri for beside_file in beside),
        dialogue_input,
        other_count,
    )


def _read(file: SourceObject) -> AccompanyingFile:
    try:
        return AccompanyingFile(file.source_uri, file.read())
    except RejectedInputError as error:
        return AccompanyingFile(file.source_uri, fault=error)
