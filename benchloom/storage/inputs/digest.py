"""Digests of the input files, used to resume a run and in a release's manifest."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.identity import ALGORITHM
from benchloom.storage.inputs.folder import iter_files, refuse_no_file
from benchloom.storage.inputs.objects import readable_name
from benchloom.storage.inputs.opening import input_labels
from benchloom.storage.sealing import file_digest


class SourceFile(msgspec.Struct, frozen=True):
    """One input file: its path and the digest of its bytes."""

    source_uri: str
    digest: str
    size: int


def source_files(inputs: Sequence[Path]) -> list[SourceFile]:
    """List every readable file under the inputs, sorted by path; an archive counts as one file."""
    return sorted(_files(inputs), key=lambda file: file.source_uri)


def refuse_changes(inputs: Sequence[Path], sources: Sequence[SourceFile]) -> None:
    """Raise RunError if a listed file was changed or removed since; added files are ignored."""
    now = {file.source_uri: file.digest for file in source_files(inputs)}
    for file in sources:
        if now.get(file.source_uri) != file.digest:
            fault = "was changed" if file.source_uri in now else "is gone"
            raise RunError(
                f"{file.source_uri} {fault} while the run read its inputs; "
                "run again while nothing changes them"
            )


def _files(inputs: Sequence[Path]) -> Iterator[SourceFile]:
    for path, label in zip(inputs, input_labels(inputs), strict=True):
        if not path.is_dir():
            refuse_no_file(path)
            yield source_file(str(path), label)
            continue
        prefix = f"{label}/" if label else ""
        for file, relative_path, problem, is_file in iter_files(path):
            if problem is None and is_file:
                yield source_file(file, prefix + readable_name(relative_path))


def source_file(path: str, source_uri: str) -> SourceFile:
    """Read one file and return its digest under the name `source_uri`."""
    # The digest may be known, and then the file is not opened again.
    digest = file_digest(path)
    return SourceFile(
        source_uri,
        f"file:{ALGORITHM}:{digest}",
        os.stat(path).st_size,  # noqa: PTH116  to make a path of many takes as long as this
    )
