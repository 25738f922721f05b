"""What earlier searches found in texts and rows, by their digests: they are not searched again.

What a search finds depends on what is searched and on the code of the search alone. A store is a
folder of sealed files, a few for each user (a shard of a stage, a release): the digests of what
this user searched without finding anything (texts, cells with all that their JSON holds, rows that
a gate looked at with all its rules), where in texts something was found, and looks: of a gate at
many rows at once in which it found nothing. The texts themselves are never kept. A file that is
missing, damaged or of other code only costs the searches again.
"""

import hashlib
import struct
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from benchloom.sealing import kind_of
from benchloom.workspace import remove_leftovers, write_file

DIGEST_BYTES = 16
MOST_KNOWN = 1 << 21
"""Digests that are held in memory at most, about 200 MB; other texts are searched again."""
_MOST_BYTES = DIGEST_BYTES * MOST_KNOWN
_MOST_FOUND = MOST_KNOWN // 16
_SEAL_BYTES = 32
_ENDING = ".texts"
_FOUND = ".found"
_LOOKS = ".looks"
Found = tuple[tuple[int, int, str], ...]
"""Where something was found in a text: start, end and kind."""
_AllFound = dict[bytes, Found]


class Known(msgspec.Struct, frozen=True):
    """What a store holds: digests of what holds nothing, and places by the digests of texts.

    `looks` are those that stand for many rows or a whole document.
    """

    nothing: frozenset[bytes] = frozenset()
    found: Mapping[bytes, Found] = MappingProxyType({})
    looks: frozenset[bytes] = frozenset()


class Searched:
    """What is known of texts at the start, and what is used or learned from then on."""

    def __init__(self, known: Known, folder: Path | None = None, user: str = "") -> None:
        self.folder = folder
        self.user = user
        self._known = known.nothing
        self._known_found = known.found
        self._known_looks = known.looks
        self._used: set[bytes] = set()
        self._found: _AllFound = {}
        self._rows: list[bytes] = []
        self._looks: set[bytes] = set()
        self._told_looks: list[bytes] = []
        self._passed_over = False

    def holds_nothing(self, text: bytes) -> bool:
        """Whether a text, by its digest, was searched before and nothing was found."""
        if text in self._used:
            return True
        if text not in self._known:
            return False
        self.add(text)
        return True

    def add(self, text: bytes) -> None:
        """Remember a text, by its digest, in which nothing was found."""
        if len(self._used) < MOST_KNOWN:
            self._used.add(text)

    def found(self, text: bytes) -> Found | None:
        """Where something was found in a text, by its digest; None where that is not known."""
        found = self._found.get(text)
        if found is None and (found := self._known_found.get(text)) is not None:
            self.add_found(text, found)
        return found

    def add_found(self, text: bytes, found: Found) -> None:
        """Remember where something was found in a text."""
        if len(self._found) < _MOST_FOUND:
            self._found[text] = found

    def is_sound(self, row: bytes) -> bool:
        """Whether a row, by its digest, was looked at before and nothing was found."""
        if not self.holds_nothing(row):
            return False
        self._rows.append(row)
        return True

    def add_row(self, row: bytes) -> None:
        """Remember a row, by its digest, in which nothing was found."""
        self.add(row)
        self._rows.append(row)

    def sound_rows(self) -> tuple[bytes, ...]:
        """The sound rows since this was asked last, for whoever remembers them elsewhere."""
        rows = tuple(self._rows)
        self._rows.clear()
        return rows

    def passes_over(self, look: bytes) -> bool:
        """Whether a look at much at once, by its digest, found nothing before.

        What it looked at is not met this time. So nothing is forgotten for once: when it stands in
        another file, it is known row by row and text by text.
        """
        if look not in self._looks and look not in self._known_looks:
            return False
        self.add_look(look)
        return True

    def add_look(self, look: bytes) -> None:
        """Remember a look, by its digest, that found nothing."""
        self.take_looks([look])
        self._told_looks.append(look)

    def sound_looks(self) -> tuple[bytes, ...]:
        """The looks that are known to find nothing, as `sound_rows`."""
        looks = tuple(self._told_looks)
        self._told_looks.clear()
        return looks

    def take_looks(self, looks: Iterable[bytes]) -> None:
        """Know looks that found nothing elsewhere, as if they had been made or passed over here."""
        for look in looks:
            self._passed_over = self._passed_over or look in self._known_looks
            self._looks.add(look)

    def write(self, folder: Path, *, with_known: bool = False) -> None:
        """Write the digests and places that were used, sealed; `with_known` all that are known.

        Those are written where something was passed over, too, unless they have become too many.
        """
        nothing, found, looks = self._used, self._found, self._looks
        if with_known or self._passed_over:
            known = nothing | self._known
            if with_known or len(known) <= MOST_KNOWN:
                nothing, found = known, {**self._known_found, **found}
                looks = looks | self._known_looks
        content = {
            _ENDING: b"".join(sorted(nothing)[:MOST_KNOWN]),
            _FOUND: msgspec.msgpack.encode(dict(sorted(found.items())[:_MOST_FOUND])),
        }
        for ending, told in content.items():
            write_file(folder / f"{self.user}{ending}", hashlib.sha256(told).digest() + told)
        told = b"".join(sorted(looks)[:MOST_KNOWN])
        if told:
            write_file(folder / f"{self.user}{_LOOKS}", hashlib.sha256(told).digest() + told)
        else:
            (folder / f"{self.user}{_LOOKS}").unlink(missing_ok=True)


class SearchStore(NamedTuple):
    """A store as it was when something was written to it, in nanoseconds since 1970."""

    folder: Path
    written: int


_searched: ContextVar[Searched | None] = ContextVar("searched", default=None)


def text_digest(text: str, how: bytes = b"") -> bytes:
    """The digest of a text as it is searched: `how` tells ways apart that find something else."""
    found = hashlib.blake2b(how, digest_size=DIGEST_BYTES)
    found.update(b"\0")
    found.update(text.encode("utf-8", "surrogatepass"))
    return found.digest()


def looked_at(row: bytes, how: bytes) -> bytes:
    """The digest of a row, by its own, as it is looked at.

    `how` tells who looks at it, and digests of what it is held against.
    """
    return hashlib.blake2b(how + b"\0row\0" + row, digest_size=DIGEST_BYTES).digest()


def searched_texts() -> Searched | None:
    """What this context knows of texts; None where nobody remembers them."""
    return _searched.get()


@contextmanager
def remembering(folder: Path, user: str) -> Iterator[None]:
    """Know the texts of a store, and leave those that were searched here to the next run.

    `folder` is named by the digest of the code that searches. What is made without a fault leaves
    what it searched; a store that cannot be written is no fault.
    """
    token = _searched.set(Searched(_known(folder), folder, user))
    try:
        yield
        keep_searches()
    finally:
        _searched.reset(token)


def keep_searches(*, with_known: bool = False) -> SearchStore | None:
    """Write down now what this context has searched; its store, None without one.

    `with_known` keeps what it knew before as well: others may need what it has not used so far.
    """
    searched = _searched.get()
    if searched is None or searched.folder is None:
        return None
    try:
        remove_leftovers(searched.folder)
        searched.write(searched.folder, with_known=with_known)
    except OSError:
        return None
    return SearchStore(searched.folder, time.time_ns())


@contextmanager
def knowing(store: SearchStore | None) -> Iterator[None]:
    """Know the texts of a store, which does not change meanwhile, and leave nothing to it.

    What this context knows already stays; without a store nothing more is known.
    """
    if store is None or _searched.get() is not None:
        yield
        return
    token = _searched.set(_of_store(store))
    try:
        yield
    finally:
        _searched.reset(token)


@lru_cache(maxsize=1)
def _of_store(store: SearchStore) -> Searched:
    """What a process that looks at one part after another knows."""
    return Searched(_held(store))


@lru_cache(maxsize=1)
def _held(store: SearchStore) -> Known:
    return _known(store.folder)


@contextmanager
def learning(store: SearchStore | None, folder: Path, user: str) -> Iterator[None]:
    """Know the texts of a store, and write what is searched here into a folder, for `take_learned`.

    Without a store nothing is known or written. A folder that cannot be written is no fault.
    """
    searched = None if store is None else Searched(_held(store), folder, user)
    token = _searched.set(searched)
    try:
        yield
        if searched is not None:
            with suppress(OSError):
                searched.write(folder)
    finally:
        _searched.reset(token)


def take_learned(folder: Path) -> None:
    """Know what others have searched in this context, as if it had been searched here."""
    searched = _searched.get()
    if searched is not None:
        learned = _known(folder)
        for text in learned.nothing:
            searched.add(text)
        for text, found in learned.found.items():
            searched.add_found(text, found)
        searched.take_looks(sorted(learned.looks))


def _known(folder: Path) -> Known:
    """What the files of a store tell, as much as is held."""
    found: _AllFound = {}
    for path in _newest_first(folder, _FOUND):
        if len(found) < _MOST_FOUND:
            found.update(_places(_sealed(path)))
    return Known(_digests(folder, _ENDING), found, _digests(folder, _LOOKS))


def _newest_first(folder: Path, ending: str) -> list[Path]:
    """The files of a store in the order in which they are held: the last run knows the most."""
    ages: list[tuple[int, str]] = []
    for path in folder.glob(f"[!.]*{ending}"):
        with suppress(OSError):  # another user replaces it meanwhile
            ages.append((-path.stat().st_mtime_ns, path.name))
    return [folder / name for _, name in sorted(ages)]


def _digests(folder: Path, ending: str) -> frozenset[bytes]:
    """The digests in files of a store, as many as are held."""
    found: set[bytes] = set()
    for path in _newest_first(folder, ending):
        content = _sealed(path)[: DIGEST_BYTES * max(0, MOST_KNOWN - len(found))]
        if len(content) % DIGEST_BYTES == 0:
            found.update(digest for (digest,) in struct.iter_unpack(f"{DIGEST_BYTES}s", content))
    return frozenset(found)


def _places(content: bytes) -> _AllFound:
    """The places in a file; none where there is none."""
    if not content:
        return {}
    return msgspec.msgpack.decode(content, type=_AllFound)


def _sealed(path: Path) -> bytes:
    """What is in a file; nothing where it is not what was written."""
    try:
        if kind_of(path) != "file" or path.stat().st_size > _MOST_BYTES + _SEAL_BYTES:
            return b""
        content = path.read_bytes()
    except OSError:
        return b""
    seal, told = content[:_SEAL_BYTES], content[_SEAL_BYTES:]
    return told if hashlib.sha256(told).digest() == seal else b""
