"""Digests by which it is known what was searched."""

import hashlib
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

DIGEST_BYTES = 16
_HALVES = struct.Struct(">QQ")
_LEAD_BITS = 16
_REST_BITS = 64 - _LEAD_BITS
_MOST_LOOSE = 1 << 16
"""Digests that wait in a set: until they are put in order each takes ten times the memory."""
_LONGER = 4
Halves = NDArray[np.uint64]


class Digests(AbstractSet[bytes]):
    """Many digests in order, as two columns of numbers: 16 bytes for each."""

    def __init__(self, runs: Iterable[bytes | memoryview] = ()) -> None:
        """Digests in runs, each of them one or some; one that stands twice counts once."""
        content = b"".join(runs)
        halves = np.frombuffer(content, ">u8").reshape(-1, 2)
        self._put(halves[:, 0].astype(np.uint64), halves[:, 1].astype(np.uint64))

    @classmethod
    def together(cls, parts: Iterable["Digests"]) -> Self:
        """The digests of some, each once."""
        every = list(parts)
        made = cls()
        if every:
            made._put(
                np.concatenate([part.firsts for part in every]),
                np.concatenate([part.seconds for part in every]),
            )
        return made

    def _put(self, firsts: Halves, seconds: Halves) -> None:
        if not (firsts[1:] > firsts[:-1]).all():
            firsts, seconds = _in_order(firsts, seconds)
        self.firsts, self.seconds = firsts, seconds
        self._first_at, self._second_at = firsts.data, seconds.data

    @cached_property
    def _starts(self) -> list[int]:
        """Where the digests begin that begin with some bits."""
        leads = np.arange((1 << _LEAD_BITS), dtype=np.uint64) << np.uint64(_REST_BITS)
        return [*np.searchsorted(self.firsts, leads).tolist(), len(self)]

    def __contains__(self, digest: object) -> bool:
        """Whether it is one of these."""
        return isinstance(digest, bytes) and self.place(digest) is not None

    def place(self, digest: bytes) -> int | None:
        """The number of a digest in their order, from 0; None where it is none of these."""
        if len(digest) != DIGEST_BYTES:
            return None
        first, second = _HALVES.unpack(digest)
        lead = first >> _REST_BITS
        end = self._starts[lead + 1]
        at = bisect_left(self._first_at, first, self._starts[lead], end)
        while at < end and self._first_at[at] == first:
            if self._second_at[at] == second:
                return at
            at += 1
        return None

    def places(self, digests: Sequence[bytes]) -> NDArray[np.int64]:
        """The number of each of many digests, -1 where it is none of these or may not be."""
        halves = np.frombuffer(b"".join(digests), ">u8").reshape(-1, 2)
        firsts, seconds = halves[:, 0].astype(np.uint64), halves[:, 1].astype(np.uint64)
        found = np.full(len(firsts), -1, np.int64)
        places = np.searchsorted(self.firsts, firsts)
        inside = np.flatnonzero(places < len(self))
        at = places[inside]
        is_same = (self.firsts[at] == firsts[inside]) & (self.seconds[at] == seconds[inside])
        found[inside[is_same]] = at[is_same]
        return found

    def __iter__(self) -> Iterator[bytes]:
        """The digests, in order."""
        content = self.content()
        for start in range(0, len(content), DIGEST_BYTES):
            yield content[start : start + DIGEST_BYTES]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.firsts)

    def without(self, others: "Digests") -> "Digests":
        """Those that are not among others."""
        places = np.searchsorted(others.firsts, self.firsts)
        inside = np.flatnonzero(places < len(others))
        may_be = inside[others.firsts[places[inside]] == self.firsts[inside]]
        is_same = others.seconds[places[may_be]] == self.seconds[may_be]
        stays = np.ones(len(self), bool)
        stays[may_be[is_same]] = False
        # Of first halves that stand more than once, which nobody expects, the first was compared.
        for at in may_be[~is_same].tolist():
            digest = _HALVES.pack(self._first_at[at], self._second_at[at])
            stays[at] = digest not in others
        return self._some(stays)

    def marked(self, marks: bytearray) -> "Digests":
        """Those whose mark, by their numbers, is 1 and not 0."""
        return self._some(np.frombuffer(marks, bool))

    def _some(self, chosen: NDArray[np.bool_]) -> "Digests":
        found = Digests()
        found._put(self.firsts[chosen], self.seconds[chosen])
        return found

    def first(self, most: int) -> "Digests":
        """The first of them in order, at most so many."""
        return self if len(self) <= most else self._some(np.arange(len(self)) < most)

    def content(self) -> bytes:
        """The digests one after another."""
        halves = np.empty((len(self), 2), ">u8")
        halves[:, 0], halves[:, 1] = self.firsts, self.seconds
        return halves.tobytes()


def _in_order(firsts: Halves, seconds: Halves) -> tuple[Halves, Halves]:
    """Sorted, and each once."""
    # Runs are mostly sorted by themselves, which this kind of sorting finds out.
    order = np.argsort(firsts, kind="stable")
    firsts, seconds = firsts[order], seconds[order]
    same = firsts[1:] == firsts[:-1]
    if (same & (seconds[1:] != seconds[:-1])).any():  # which nobody expects
        order = np.lexsort((seconds, firsts))
        firsts, seconds = firsts[order], seconds[order]
        same = firsts[1:] == firsts[:-1]
    stays = np.ones(len(firsts), bool)
    stays[1:] = ~(same & (seconds[1:] == seconds[:-1]))
    return firsts[stays], seconds[stays]


class GrowingDigests:
    """Digests that come one by one or many at once; in memory they are mostly `Digests`.

    They lie in runs of which each is at least four times as long as the next one: a digest is
    looked for in few of them, and put into a longer one as seldom.
    """

    def __init__(self) -> None:
        self._loose: set[bytes] = set()
        self._runs: list[Digests] = []

    def __contains__(self, digest: bytes) -> bool:
        """Whether it is one of these."""
        return digest in self._loose or any(digest in run for run in self._runs)

    def __len__(self) -> int:
        """How many came; one that came among many others may count twice."""
        return len(self._loose) + sum(map(len, self._runs))

    def add(self, digest: bytes) -> None:
        """One more; one that is there may come again."""
        self._loose.add(digest)
        if len(self._loose) >= _MOST_LOOSE:
            self._settle()

    def update(self, digests: Digests) -> None:
        """Some more, of which some may be there."""
        self._runs.append(digests)
        while len(self._runs) > 1 and len(self._runs[-2]) < _LONGER * len(self._runs[-1]):
            self._runs[-2:] = [Digests.together(self._runs[-2:])]

    def _settle(self) -> None:
        loose, self._loose = Digests(self._loose), set()
        self.update(loose)

    def whole(self) -> Digests:
        """All of them."""
        return Digests.together([*self._runs, Digests(self._loose)])


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
