"""Files with what was searched: sealed, a few for each user, the newest read first.

What a user searched without finding anything stands in two files: one that is written anew when
what it holds changes by much, and one with what came later. So a run that learns little writes
little, and a process that knows the first reads the second alone.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from benchloom.normalise.redaction.searched.digests import DIGEST_BYTES, Digests
from benchloom.workspace import read_sealed, write_sealed

MOST_KNOWN = 1 << 24
"""Digests that are kept at most, 256 MiB; other texts are searched again.

A shortcut has about ten of them, with the rows and pages of a release that it stands in.
"""
_MOST_BYTES = DIGEST_BYTES * MOST_KNOWN + 1024
"""Of a file, with its seal."""
MOST_FOUND = 1 << 17
"""Texts in which something was found; each takes some hundred bytes."""
WHOLE = ".texts"
NEWER = ".newer"
FOUND = ".found"
LOOKS = ".looks"
Found = tuple[tuple[int, int, str], ...]
"""Where something was found in a text: start, end and kind."""
AllFound = dict[bytes, Found]


class Known(msgspec.Struct, frozen=True):
    """What a store holds: digests of what holds nothing, and places by the digests of texts.

    `newer` are digests that came after those of the `whole`. `looks` are those that stand for many
    rows or a whole document.
    """

    whole: Digests = Digests()
    newer: Digests = Digests()
    found: Mapping[bytes, Found] = MappingProxyType({})
    looks: Digests = Digests()


def read_known(folder: Path, user: str = "*") -> Known:
    """What the files of a store tell, or those of one user, as much as is held."""
    found: AllFound = {}
    for path in _newest_first(folder, user + FOUND):
        if len(found) < MOST_FOUND:
            found.update(_places(read_sealed(path, _MOST_BYTES)))
    whole = tuple(map(_state, _newest_first(folder, user + WHOLE)))
    return Known(
        _whole(whole) if whole else Digests(),
        _digests(_newest_first(folder, user + NEWER)),
        found,
        _digests(_newest_first(folder, user + LOOKS)),
    )


def write_digests(path: Path, digests: Digests) -> None:
    """Write digests, as many as are held; without any the file goes.

    Raises:
        OSError: they cannot be written.
    """
    told = digests.first(MOST_KNOWN).content()
    if told:
        write_sealed(path, told)
    else:
        path.unlink(missing_ok=True)


def write_places(path: Path, found: Mapping[bytes, Found]) -> None:
    """Write where something was found, as much as is held.

    Raises:
        OSError: it cannot be written.
    """
    told = msgspec.msgpack.encode(dict(sorted(found.items())[:MOST_FOUND]))
    write_sealed(path, told)


class _State(NamedTuple):
    """A file as it is now."""

    path: Path
    written: int
    size: int


def _state(path: Path) -> _State:
    with suppress(OSError):  # another user replaces it meanwhile
        found = path.stat()
        return _State(path, found.st_mtime_ns, found.st_size)
    return _State(path, 0, 0)


@lru_cache(maxsize=1)
def _whole(files: tuple[_State, ...]) -> Digests:
    """The digests in files that are as they were: a process reads them once."""
    return _digests([file.path for file in files])


def _newest_first(folder: Path, name: str) -> list[Path]:
    """The files of a store in the order in which they are held: the last run knows the most."""
    ages: list[tuple[int, str]] = []
    for path in folder.glob(name):
        with suppress(OSError):  # another user replaces it meanwhile
            ages.append((-path.stat().st_mtime_ns, path.name))
    return [folder / name for _, name in sorted(ages) if name[0] != "."]


def _digests(paths: Iterable[Path]) -> Digests:
    """The digests in files of a store, as many as are held."""
    parts: list[Digests] = []
    held = 0
    for path in paths:
        content = read_sealed(path, _MOST_BYTES)
        if content is None or len(content) % DIGEST_BYTES:
            continue
        if held + len(content) // DIGEST_BYTES > MOST_KNOWN:
            parts = [Digests.together(parts)]
            held = len(parts[0])
        parts.append(Digests([content]).first(max(0, MOST_KNOWN - held)))
        held += len(parts[-1])
    return Digests.together(parts)


def _places(content: bytes | None) -> AllFound:
    """The places in a file; none where there is none."""
    if not content:
        return {}
    return msgspec.msgpack.decode(content, type=AllFound)
