"""List the files and archive members in the INPUT arguments of a command, in a stable order.

Each file or member is an object that can be read. Resumed runs and the manifests of releases
identify input files by the digests that are computed here.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.core.errors import NothingReadError, RejectedInputError, RunError
from benchloom.core.identity import ALGORITHM
from benchloom.storage.inputs.archive import (
    is_archive,
    is_web_archive,
    iter_archive,
    iter_members,
    open_archive,
)
from benchloom.storage.inputs.objects import (
    InputLimits,
    SourceObject,
    file_object,
    iter_files,
    readable_name,
    real_path,
    refuse_no_file,
    refuse_own,
    refused,
)
from benchloom.storage.inputs.reached import captures_reached, files_reached, members_reached
from benchloom.storage.inputs.stretches import Stretch
from benchloom.storage.seals import file_digest


def list_objects(
    inputs: Sequence[Path], stack: ExitStack, limits: InputLimits | None = None
) -> list[SourceObject]:
    """List every object in the inputs, sorted by `source_uri`.

    The order of the inputs is irrelevant. A `source_uri` is the file's name, the path below a
    folder, `archive.zip!member`, or `archive.warc.gz!url`; if two inputs have the same name, their
    parent folders precede it. `stack` keeps archives open until the objects have been read. Raises
    NothingReadError if there are no objects.
    """
    bounds = limits or InputLimits()
    objects: list[SourceObject] = []
    for input_file in each_file(inputs):
        objects += input_file.objects(stack, bounds)
    if not objects:
        raise nothing_under(inputs)
    return sorted(objects, key=lambda source_object: source_object.source_uri)


def each_object(
    inputs: Sequence[Path], limits: InputLimits | None = None
) -> Iterator[SourceObject]:
    """Yield the objects of `list_objects` unsorted, with at most one archive open."""
    bounds = limits or InputLimits()
    has_objects = False
    for file in each_file(inputs):
        with ExitStack() as stack:
            for source_object in file.objects(stack, bounds):
                has_objects = True
                yield source_object
    if not has_objects:
        raise nothing_under(inputs)


def nothing_in(path: Path, message: str) -> RunError:
    """Return the error to raise if a path contains nothing that can be read.

    It is a RunError (exit code 2) if the path does not exist, and otherwise a NothingReadError.
    """
    return NothingReadError(message) if path.exists() else RunError(message)


def nothing_under(inputs: Sequence[Path]) -> NothingReadError:
    """Return the error to raise if the inputs contain no files."""
    names = ", ".join(map(str, inputs)) or "no input"
    return NothingReadError(f"nothing to read under {names}; put files there, or pass other inputs")


class InputFile(NamedTuple):
    """A file in the inputs, with its path and the name by which rows refer to it.

    `fault` is set if the file must not be opened.
    """

    path: str
    source_uri: str
    is_file: bool
    fault: SourceObject | None = None

    def is_web_archive(self) -> bool:
        """Return whether the file is to be read as a web archive."""
        return self.fault is None and self.is_file and is_web_archive(self.path)

    def is_zip(self) -> bool:
        """Return whether the file is to be opened as a zip archive."""
        if self.fault is not None or not self.is_file:
            return False
        return not is_web_archive(self.path) and is_archive(self.path)

    def objects(self, stack: ExitStack, limits: InputLimits) -> Iterator[SourceObject]:
        """Yield the objects of the file. An opened archive remains open until `stack` closes it."""
        if self.fault is not None:
            yield self.fault
        elif self.is_web_archive():
            yield from iter_archive(Path(self.path), self.source_uri, limits)
        elif self.is_zip():
            yield from self._members(stack, limits)
        else:
            yield file_object(self.path, self.source_uri, limits)

    def reached(self, limits: InputLimits, within: Stretch) -> Iterator[SourceObject]:
        """Yield the objects of the file that are in the range `within` of the list of inputs."""
        path = Path(self.path)
        if self.is_web_archive():
            yield from captures_reached(path, self.source_uri, limits, within)
            return
        source_object = self.fault
        if self.is_zip():
            try:
                yield from members_reached(path, self.source_uri, limits, within)
            except RejectedInputError as error:
                source_object = refused(self.source_uri, error)
            else:
                return
        source_object = source_object or file_object(self.path, self.source_uri, limits)
        if within.reaches(source_object.source_uri):
            yield source_object

    def _members(self, stack: ExitStack, limits: InputLimits) -> Iterator[SourceObject]:
        path = Path(self.path)
        try:
            archive = stack.enter_context(open_archive(path))
        except RejectedInputError as error:
            yield refused(self.source_uri, error)
            return
        yield from iter_members(archive, self.source_uri, limits)


def each_file(inputs: Sequence[Path], within: Stretch | None = None) -> Iterator[InputFile]:
    """Yield every file in the inputs.

    `within` is a range of the sorted list of objects. If it is set, files that cannot contain an
    object of this range are skipped.
    """
    for path, label in zip(inputs, input_labels(inputs), strict=True):
        if not path.is_dir():
            refuse_no_file(path)
            if within is None or within.may_reach(label):
                yield InputFile(str(path), label, is_file=True)
            continue
        prefix = f"{label}/" if label else ""
        files = iter_files(path) if within is None else files_reached(path, prefix, within)
        for file, relative_path, problem, is_file in files:
            source_uri = prefix + readable_name(relative_path)
            fault = None if problem is None else refused(source_uri, problem)
            yield InputFile(file, source_uri, is_file, fault)


def input_labels(inputs: Sequence[Path]) -> list[str]:
    """Return a short unique name for each input: the shortest end of its path that is unique.

    If the only input is a folder, its name is empty. Raises RunError if an input occurs twice.
    """
    refuse_own(inputs)
    if len(inputs) == 1 and inputs[0].is_dir():
        return [""]
    resolved = [real_path(path) for path in inputs]
    if len(set(resolved)) != len(resolved):
        twice = next(
            path for path, real in zip(inputs, resolved, strict=True) if resolved.count(real) > 1
        )
        raise RunError(f"{twice} occurs twice among the inputs; pass each input once")
    for depth in range(1, max((len(path.parts) for path in resolved), default=1) + 1):
        labels = [readable_name("/".join(path.parts[-depth:])) for path in resolved]
        if len(set(labels)) == len(labels):
            return labels
    return [readable_name(path.as_posix()) for path in resolved]


class SourceFile(msgspec.Struct, frozen=True):
    """An input file: the name by which rows refer to it, the digest of its bytes, and its size."""

    source_uri: str
    digest: str
    size: int


def source_files(inputs: Sequence[Path]) -> list[SourceFile]:
    """List every readable file in the inputs, sorted by path. An archive is one file."""
    readable = (file for file in each_file(inputs) if file.fault is None and file.is_file)
    files = (source_file(file.path, file.source_uri) for file in readable)
    return sorted(files, key=lambda file: file.source_uri)


def refuse_changes(inputs: Sequence[Path], sources: Sequence[SourceFile]) -> None:
    """Raise RunError if one of the `sources` was changed or removed. New files are ignored."""
    now = {file.source_uri: file.digest for file in source_files(inputs)}
    for file in sources:
        if now.get(file.source_uri) != file.digest:
            fault = "was changed" if file.source_uri in now else "is gone"
            raise RunError(
                f"{file.source_uri} {fault} while the run read its inputs; "
                "run again while no program changes them"
            )


def source_file(path: str, source_uri: str) -> SourceFile:
    """Return the record of an input file: its name `source_uri`, its digest and its size."""
    # A cached digest saves opening the file.
    digest = file_digest(path)
    return SourceFile(
        source_uri,
        f"file:{ALGORITHM}:{digest}",
        os.stat(path).st_size,  # noqa: PTH116  for many files, making a Path takes as long as the stat
    )
