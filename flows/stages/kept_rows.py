"""Rows that a stage makes of one thing each, kept for the next run by what they were made of.

A shard leaves a store named after its run and its number, and looks in all stores of the run
before: new input moves rows from one shard to the next. Older runs are forgotten.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import pyarrow as pa

from benchloom.cleaning import REUSED
from benchloom.workspace import KEY_DIGITS, KEYED
from flows.stages.kept_results import KEY_BYTES, KeptResults
from flows.stages.sharded import stage_path

R = TypeVar("R")
_CODEC = "zstd"
_LENGTH_BYTES = 8


class KeptRows(Generic[R]):
    """Makes the rows of a shard; without a store it makes each of them."""

    def __init__(self, kept: KeptResults | None, kind: type[R]) -> None:
        self._kept = kept
        self._decoder = msgspec.msgpack.Decoder(kind)
        self._encoder = msgspec.msgpack.Encoder()

    def made(self, told: Iterable[bytes], make: Callable[[], R]) -> R:
        """The row of what `told` tells wholly, besides the code and the options of the store."""
        if self._kept is None:
            return make()
        digest = hashlib.blake2b(digest_size=KEY_BYTES)
        for part in told:
            digest.update(len(part).to_bytes(_LENGTH_BYTES))
            digest.update(part)
        key = digest.digest()
        known = self._kept.find(key)
        if known is not None:
            self._kept.keep(key, known)
            return self._decoder.decode(_unpacked(known))
        row = make()
        self._kept.keep(key, _packed(self._encoder.encode(row)))
        return row


@contextmanager
def kept_rows(
    out: Path, stage: str, decides: str, number: int, kind: type[R]
) -> Iterator[KeptRows[R]]:
    """What makes the rows of a shard of a stage in the folder `out`; in a workspace it remembers.

    `decides` is the digest of code and options that decide a row.
    """
    if not KEYED.search(out.name):
        yield KeptRows(None, kind)
        return
    folder = stage_path(out.parent.parent / REUSED, stage, decides)
    run = out.name[-KEY_DIGITS:]
    name = f"{run}-{number:05d}"
    others = [one for one in _stores(folder, run) if one != name]
    with KeptResults(folder, name, others) as kept:
        yield KeptRows(kept, kind)


def _stores(folder: Path, run: str) -> list[str]:
    """The stores of this run and of the one before it; what older ones left is removed."""
    written: dict[str, int] = {run: 0}
    found: dict[str, list[str]] = {run: []}
    for path in folder.glob("[!.]*.index"):
        with suppress(OSError):  # another shard has just removed it
            of_run = path.stem[:KEY_DIGITS]
            written[of_run] = max(written.get(of_run, 0), path.stat().st_mtime_ns)
            found.setdefault(of_run, []).append(path.stem)
    others = sorted(found.keys() - {run}, key=lambda one: (-written[one], one))
    for gone in others[1:]:
        for name in found[gone]:
            for ending in ("index", "results"):
                with suppress(OSError):
                    (folder / f"{name}.{ending}").unlink()
    return [name for one in (run, *others[:1]) for name in sorted(found[one])]


def _packed(content: bytes) -> bytes:
    packed: bytes = pa.compress(content, codec=_CODEC, asbytes=True)
    return len(content).to_bytes(_LENGTH_BYTES) + packed


def _unpacked(content: bytes) -> bytes:
    length = int.from_bytes(content[:_LENGTH_BYTES])
    found: bytes = pa.decompress(content[_LENGTH_BYTES:], length, codec=_CODEC, asbytes=True)
    return found
