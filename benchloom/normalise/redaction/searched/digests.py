"""Digests by which it is known what was searched."""

import hashlib
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

import numpy as np

DIGEST_BYTES = 16
_HALVES = struct.Struct(">QQ")
_LEAD_BITS = 16
_REST_BITS = 64 - _LEAD_BITS


class Digests(AbstractSet[bytes]):
    """Many digests as they lie in files, one after another.

    Two million take 74 MiB; a set of as many objects takes 192, and longer to be made.
    """

    def __init__(self, runs: Iterable[bytes] = ()) -> None:
        """Digests in runs, each of them one or some; one that stands twice counts once."""
        halves = np.frombuffer(b"".join(runs), ">u8").reshape(-1, 2).astype(np.uint64)
        # Runs are mostly sorted by themselves, which this kind of sorting finds out.
        halves = halves[np.argsort(halves[:, 0], kind="stable")]
        same = halves[1:] == halves[:-1]
        if (same[:, 0] & ~same[:, 1]).any():  # first halves that are alike, which nobody expects
            halves = halves[np.lexsort((halves[:, 1], halves[:, 0]))]
            same = halves[1:] == halves[:-1]
        differs = np.ones(len(halves), bool)
        differs[1:] = ~same.all(axis=1)
        self._halves = halves[differs]
        firsts = np.ascontiguousarray(self._halves[:, 0])
        leads = np.arange((1 << _LEAD_BITS), dtype=np.uint64) << np.uint64(_REST_BITS)
        self._starts = [*np.searchsorted(firsts, leads).tolist(), len(firsts)]
        self._firsts = firsts.data
        self._seconds = np.ascontiguousarray(self._halves[:, 1]).data

    def __contains__(self, digest: object) -> bool:
        """Whether it is one of these."""
        if not isinstance(digest, bytes) or len(digest) != DIGEST_BYTES:
            return False
        first, second = _HALVES.unpack(digest)
        lead = first >> _REST_BITS
        end = self._starts[lead + 1]
        at = bisect_left(self._firsts, first, self._starts[lead], end)
        while at < end and self._firsts[at] == first:
            if self._seconds[at] == second:
                return True
            at += 1
        return False

    def __iter__(self) -> Iterator[bytes]:
        """The digests, in order."""
        content = self.content()
        for start in range(0, len(content), DIGEST_BYTES):
            yield content[start : start + DIGEST_BYTES]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._halves)

    def content(self) -> bytes:
        """The digests one after another."""
        return self._halves.astype(">u8").tobytes()


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
