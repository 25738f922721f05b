"""Digests of the files behind the inputs, for resuming a run and for a release's manifest."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.identity import ALGORITHM
from benchloom.inputs.folder import iter_files, refuse_no_file
from benchloom.inputs.objects import readable_name
from benchloom.inputs.opening import input_labels
from benchloom.sealing import file_digest


class SourceFile(msgspec.Struct, frozen=True):
    """One file under the inputs: its place and the digest of its bytes."""

    source_uri: str
    digest: str
    size: int


def source_files(inputs: Sequence[Path]) -> list[SourceFile]:
    """Every readable file under the inputs, sorted by place; archives count as one file.

    Raises:
        RunError: an input does not exist, or is neither a file nor a folder.
        OSError: a file cannot be read.
    """
    return sorted(_files(inputs), key=lambda found: found.source_uri)


def _files(inputs: Sequence[Path]) -> Iterator[SourceFile]:
    for path, label in zip(inputs, input_labels(inputs), strict=True):
        if not path.is_dir():
            refuse_no_file(path)
            yield source_file(str(path), label)
            continue
        prefix = f"{label}/" if label else ""
        for file, place, problem, is_file in iter_files(path):
            if problem is None and is_file:
                yield source_file(file, prefix + readable_name(place))


def source_file(path: str, source_uri: str) -> SourceFile:
    """One file under the name it is known by.

    Raises:
        OSError: it cannot be read.
    """
    # The digest may be known, and then the file is not opened again.
    digest = file_digest(path)
    return SourceFile(
        source_uri,
        f"file:{ALGORITHM}:{digest}",
        os.stat(path).st_size,  # noqa: PTH116  to make a path of many takes as long as this
    )
