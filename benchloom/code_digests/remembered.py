"""What roots use, as an earlier run followed it through the same code: to follow it takes a second.

A store is a sealed file in a folder named by the digest of all files of our packages, so nothing in
it can be of other code. It is written again with whatever is learned; one that is missing, damaged
or cannot be written costs no more than following the code again.
"""

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path

import msgspec

from benchloom.code_digests.packages import PACKAGES, package_folder
from benchloom.data_files import tables_folder
from benchloom.identity import digest_of_parts, hex_of
from benchloom.workspace import KEY_DIGITS, read_sealed, write_sealed

_FILE = "closures.json"
_LEFT_OUT = "__pycache__"


class UsedCode(msgspec.Struct, frozen=True):
    """The digest of the definitions and data files that some roots use, and foreign modules."""

    digest: str
    foreign: tuple[str, ...]


_Known = dict[str, UsedCode]
_folder: ContextVar[Path | None] = ContextVar("code", default=None)


@contextmanager
def remembering_code(folder: Path) -> Iterator[None]:
    """Know what lies below a folder, and keep what is followed in the block there."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


def used_code(
    roots: tuple[str, ...], without: tuple[str, ...], follow: Callable[[], UsedCode]
) -> UsedCode:
    """What some roots use; `follow` finds it out where it is not known."""
    folder = _folder.get()
    if folder is None:
        return follow()
    name = digest_of_parts("roots", [*roots, "", *without])
    path = folder / f"code-{_code()}" / _FILE
    known = _read(path)
    if name not in known:
        found = follow()
        # What other processes have learned meanwhile stays.
        _read.cache_clear()
        content = msgspec.json.encode({**_read(path), name: found}, order="sorted")
        with suppress(OSError):
            write_sealed(path, content)
        _read.cache_clear()
        return found
    return known[name]


@cache
def _read(path: Path) -> _Known:
    """What a store tells; nothing where it is not what was written."""
    told = read_sealed(path)
    try:
        return {} if told is None else msgspec.json.decode(told, type=_Known)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}


@cache
def _code() -> str:
    """The digest of all our code, whatever of it somebody uses."""
    folders = [package_folder(name) for name in PACKAGES] + [tables_folder()]
    told = [one for folder in folders for one in digests_of(folder)]
    return hex_of(digest_of_parts("all_code", [sys.version, *told]))[:KEY_DIGITS]


def digests_of(folder: Path) -> list[str]:
    """Every file below a folder with its SHA-256, in order."""
    return [
        f"{path.relative_to(folder).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and _LEFT_OUT not in path.parts
    ]
