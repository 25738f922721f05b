"""Digests of what a rebuild reads and of what stands among its releases.

Neither the size nor the times of a file prove that it holds what it held: bytes are read, always.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from benchloom.identity import digest_of_parts
from benchloom.inputs.own_folders import is_own
from benchloom.sealing import file_digest, kind_of

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
    return digest_of_parts("inputs", (part for one in inputs for part in _told(one, _entry)))


def digest_of_names(inputs: Iterable[MarkedInput]) -> str:
    """The digest of the names of files and folders, and of what kind they are: nothing is read.

    Raises:
        OSError: a folder cannot be read.
    """
    return digest_of_parts("names", (part for one in inputs for part in _told(one, _name)))


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
            parts += _entry(f"{name}/{file.name}", str(file), kind_of(file) or "missing")
    return digest_of_parts("releases", parts)


def _told(one: MarkedInput, told: "_Told") -> Iterator[str]:
    """The place of an input, then what is told of all there is."""
    path = Path(one.path)
    yield ascii(one.path)
    if path.is_dir():
        for name, place, kind in _below(str(path), ""):
            if not name.endswith(one.but):
                yield from told(name, place, kind)
        return
    for name in ("", _WRITE_AHEAD):
        place = one.path + name
        yield from told(name, place, kind_of(Path(place)) or "missing")


class _Told(Protocol):
    """Tells a name, what it is, and more or less of what it holds."""

    def __call__(self, name: str, place: str, kind: str, /) -> Iterable[str]: ...


def _below(folder: str, prefix: str) -> Iterator[tuple[str, str, str]]:
    """Name, place and kind of all there is below a folder, in a stable order."""
    with os.scandir(folder) as found:
        foreign = (entry for entry in found if not is_own(entry))
        entries = sorted(foreign, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _below(entry.path, f"{prefix}{entry.name}/")
        elif entry.is_file(follow_symlinks=False):
            yield prefix + entry.name, entry.path, "file"
        else:
            yield prefix + entry.name, entry.path, kind_of(Path(entry.path)) or "missing"


def _name(name: str, _: str, kind: str) -> tuple[str, str]:
    """A name, and what it is."""
    return ascii(name), kind  # names need not be UTF-8


def _entry(name: str, place: str, kind: str) -> tuple[str, str, str]:
    """The same with the digest of what can be read there; a pipe would never end."""
    is_file = kind == "file" or (kind == "link" and os.path.isfile(place))  # noqa: PTH113
    return ascii(name), kind, file_digest(place) if is_file else ""
