"""Digests of what a rebuild reads and of what stands among its releases.

Neither the size nor the times of a file prove that it holds what it held: bytes are read, always.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from benchloom.identity import digest_of_parts
from benchloom.sealing import file_digest, files_in, kind_of

_WRITE_AHEAD = "-wal"
"""The end of the name of the log beside a database, which is read with it."""


class MarkedInput(msgspec.Struct, frozen=True):
    """A file or folder that a rebuild reads; in a folder, files with names that end so are not."""

    path: str
    but: tuple[str, ...] = ()


def digest_of_inputs(inputs: Iterable[MarkedInput]) -> str:
    """The digest of files and folders by what they hold; one that is not there counts as well.

    Raises:
        OSError: a file cannot be read.
    """
    return digest_of_parts("inputs", (part for one in inputs for part in _told(one)))


def digest_of_releases(releases: Path) -> str:
    """The digest of the names in a folder of releases, of their manifests and of the pointer.

    Raises:
        OSError: a file cannot be read.
    """
    names = sorted(name for name in os.listdir(releases) if not name.startswith("."))  # noqa: PTH208
    parts: list[str] = []
    for name in names:
        entry = releases / name
        for file in sorted(entry.glob("*.json")) if entry.is_dir() else [entry]:
            parts += _entry(f"{name}/{file.name}", file)
    return digest_of_parts("releases", parts)


def _told(one: MarkedInput) -> Iterator[str]:
    """The place of an input, then path, kind and digest of all there is."""
    path = Path(one.path)
    yield ascii(one.path)
    if path.is_dir():
        for file in files_in(path):
            if not file.name.endswith(one.but):
                yield from _entry(file.relative_to(path).as_posix(), file)
        return
    yield from _entry("", path)
    yield from _entry(_WRITE_AHEAD, path.with_name(path.name + _WRITE_AHEAD))


def _entry(name: str, path: Path) -> Iterator[str]:
    """A name, what it is, and the digest of what can be read there; a pipe would never end."""
    yield ascii(name)  # names need not be UTF-8
    yield kind_of(path) or "missing"
    yield file_digest(path) if path.is_file() else ""
