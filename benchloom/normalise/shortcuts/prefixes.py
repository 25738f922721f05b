"""Pairs of shortcuts that may be similar: a set-similarity join with prefix filtering.

The prefix of a set is the share (1 - t) of its shingles that are rarest. Two sets can only
reach a Jaccard similarity t if their prefixes share a shingle, so every pair of similar sets is
proposed. Shortcuts are ranked by their number of shingles. An entry is one 64-bit number: the
rank of a shingle in the high bits, the rank of a shortcut in the low bits.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from benchloom.normalise.shortcuts.fingerprints import Fingerprints

SHINGLES_PER_BLOCK = 1_000_000
PAIRS_PER_BLOCK = 200_000
HASHES_PER_RANGE = 1 << 61
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFF_FFFF)


def candidate_pairs(
    fingerprints: Fingerprints, splits: Sequence[str], threshold: float
) -> Iterator[tuple[int, int]]:
    """Yield once each pair across splits that may reach the threshold, the larger set first."""
    sizes = fingerprints.sizes()
    order = np.argsort(sizes, kind="stable")
    entries = _entries(fingerprints, order, threshold)
    starts = _starts(entries, sizes[order], threshold)
    numbers = {split: number for number, split in enumerate(sorted(set(splits)))}
    split_at = np.array([numbers[split] for split in splits], dtype=np.int64)[order]
    # Those of one shortcut together: a pair that shares several shingles is told once.
    turns = np.argsort(entries & _LOW, kind="stable")
    turns = turns[starts[turns] < turns]
    for block in _blocks(turns, entries, starts):
        counts = block - starts[block]
        ends = np.cumsum(counts)
        earlier = np.arange(ends[-1]) + np.repeat(starts[block] - (ends - counts), counts)
        ones = np.repeat(entries[block] & _LOW, counts)
        others = entries[earlier] & _LOW
        apart = split_at[ones] != split_at[others]
        pairs = np.unique(ones[apart] << _HALF | others[apart])
        yield from zip(order[pairs >> _HALF].tolist(), order[pairs & _LOW].tolist(), strict=True)


def _entries(
    fingerprints: Fingerprints, order: NDArray[np.int64], threshold: float
) -> NDArray[np.uint64]:
    # Shingles of a single prefix propose no pair and are left out.
    shared, ranks = _shared(fingerprints.shingles)
    positions = np.empty(len(order), dtype=np.uint64)
    positions[order] = np.arange(len(order), dtype=np.uint64)
    entry_blocks = [np.empty(0, dtype=np.uint64)]
    if len(shared):
        for start, stop in fingerprints.blocks(SHINGLES_PER_BLOCK):
            bounds = fingerprints.bounds[start : stop + 1]
            shingles = fingerprints.shingles[bounds[0] : bounds[-1]]
            sizes = np.diff(bounds)
            # In ascending order each is looked up close to the one before: ten times as fast.
            turns = np.argsort(shingles)
            at = np.empty(len(shingles), dtype=np.int64)
            at[turns] = np.searchsorted(shared, shingles[turns])
            at = np.minimum(at, len(shared) - 1)
            held = np.flatnonzero(shared[at] == shingles)
            owners = np.repeat(np.arange(len(sizes)), sizes)[held]
            ranked = ranks[at[held]]
            ranked = ranked[np.lexsort((ranked, owners))]
            counts = np.bincount(owners, minlength=len(sizes))
            # What one set alone holds is rarer than all that several do, and proposes nothing.
            taken = sizes - np.ceil(threshold * sizes).astype(np.int64) + 1 - (sizes - counts)
            number = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
            prefix_mask = number < taken[owners]
            entry_blocks.append(
                ranked[prefix_mask] << _HALF | positions[start:stop][owners[prefix_mask]]
            )
    entries = np.concatenate(entry_blocks)
    del entry_blocks
    entries.sort()
    heads = entries >> _HALF
    again = heads[1:] == heads[:-1]
    several = np.zeros(len(entries), dtype=np.bool_)
    several[1:] |= again
    several[:-1] |= again
    return entries[several]


def _shared(shingles: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    # Ranks are by (number of sets, shingle).
    shingle_blocks = [np.empty(0, dtype=np.uint64)]
    numbers = [np.empty(0, dtype=np.int64)]
    # Range by range of the hashes: a sorted copy of all would be the most that is ever held.
    for low in range(0, 1 << 64, HASHES_PER_RANGE):
        inside = shingles >= np.uint64(low)
        inside &= shingles <= np.uint64(low + HASHES_PER_RANGE - 1)
        ranked = np.sort(shingles[inside])
        again = ranked[1:] == ranked[:-1]
        first = np.flatnonzero(again & ~np.append(False, again[:-1]))
        last = np.flatnonzero(again & ~np.append(again[1:], False))
        shingle_blocks.append(ranked[first])
        numbers.append(last - first)
    order = np.argsort(np.concatenate(numbers), kind="stable")
    ranks = np.empty(len(order), dtype=np.uint64)
    ranks[order] = np.arange(len(order), dtype=np.uint64)
    return np.concatenate(shingle_blocks), ranks


def _starts(
    entries: NDArray[np.uint64], sizes: NDArray[np.int64], threshold: float
) -> NDArray[np.int64]:
    # Per entry: the shingle's first entry with a set large enough for a pair.
    least = np.searchsorted(sizes, threshold * sizes).astype(np.uint64)
    lowest = entries & ~_LOW | least[entries & _LOW]
    starts: NDArray[np.int64] = np.searchsorted(entries, lowest)
    return starts


def _blocks(
    turns: NDArray[np.int64], entries: NDArray[np.uint64], starts: NDArray[np.int64]
) -> Iterator[NDArray[np.int64]]:
    # The pairs of one shortcut stay in one block.
    ends = np.cumsum(turns - starts[turns])
    owners = entries[turns] & _LOW
    start = 0
    while start < len(turns):
        limit = (ends[start - 1] if start else 0) + PAIRS_PER_BLOCK
        last = min(max(int(np.searchsorted(ends, limit, side="right")), start + 1), len(turns)) - 1
        stop = int(np.searchsorted(owners, owners[last], side="right"))
        yield turns[start:stop]
        start = stop
