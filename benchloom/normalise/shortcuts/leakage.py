"""Search for near duplicates in different splits, independently of how clusters were formed.

A shingle is the hash of two successive actions, and the similarity of two shortcuts is the Jaccard
similarity of their sets of shingles. Pairs that may be similar come from a set-similarity join with
prefix filtering: the prefix of a set is the share (1 - t) of its shingles that are rarest. Two sets
can only reach a similarity t if their prefixes share a shingle, so every pair of similar sets is
proposed. Shortcuts are ranked by their number of shingles. For each shingle in the prefix of a
shortcut, the join has an entry, a 64-bit number: the rank of the shingle is in the high bits, the
rank of the shortcut in the low bits.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchloom.core.errors import GateError
from benchloom.normalise.shortcuts.fingerprints import Fingerprints
from benchloom.normalise.shortcuts.near_duplicates import THRESHOLD, Anchors, Similarity
from benchloom.normalise.shortcuts.splits import split_of
from benchloom.storage.workspace import write_file

SHINGLES_PER_BLOCK = 1_000_000
PAIRS_PER_BLOCK = 200_000
HASHES_PER_RANGE = 1 << 61
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFF_FFFF)


def candidate_pairs(
    fingerprints: Fingerprints, splits: Sequence[str], threshold: float
) -> Iterator[tuple[int, int]]:
    """Yield each pair of shortcuts in different splits whose similarity may reach the threshold.

    Each pair is yielded once.
    """
    sizes = fingerprints.sizes()
    order = np.argsort(sizes, kind="stable")
    entries = _entries(fingerprints, order, threshold)
    starts = _starts(entries, sizes[order], threshold)
    numbers = {split: number for number, split in enumerate(sorted(set(splits)))}
    split_at = np.array([numbers[split] for split in splits], dtype=np.int64)[order]
    # Entries of a shortcut are adjacent, so a pair that shares several shingles counts once.
    turns = np.argsort(entries & _LOW, kind="stable")
    turns = turns[starts[turns] < turns]
    for block in _blocks(turns, entries, starts):
        counts = block - starts[block]
        ends = np.cumsum(counts)
        earlier = np.arange(ends[-1]) + np.repeat(starts[block] - (ends - counts), counts)
        first_ranks = np.repeat(entries[block] & _LOW, counts)
        other_ranks = entries[earlier] & _LOW
        apart = split_at[first_ranks] != split_at[other_ranks]
        pairs = np.unique(first_ranks[apart] << _HALF | other_ranks[apart])
        yield from zip(order[pairs >> _HALF].tolist(), order[pairs & _LOW].tolist(), strict=True)


def _entries(
    fingerprints: Fingerprints, order: NDArray[np.int64], threshold: float
) -> NDArray[np.uint64]:
    # Shingles of a single prefix propose no pair and are left out.
    shared, ranks = _shared_shingles(fingerprints.shingles)
    positions = np.empty(len(order), dtype=np.uint64)
    positions[order] = np.arange(len(order), dtype=np.uint64)
    entry_blocks = [np.empty(0, dtype=np.uint64)]
    if len(shared):
        for start, stop in fingerprints.blocks(SHINGLES_PER_BLOCK):
            bounds = fingerprints.bounds[start : stop + 1]
            shingles = fingerprints.shingles[bounds[0] : bounds[-1]]
            sizes = np.diff(bounds)
            # Look-ups in ascending order are ten times as fast: neighbours are close in memory.
            turns = np.argsort(shingles)
            at = np.empty(len(shingles), dtype=np.int64)
            at[turns] = np.searchsorted(shared, shingles[turns])
            at = np.minimum(at, len(shared) - 1)
            matches = np.flatnonzero(shared[at] == shingles)
            owners = np.repeat(np.arange(len(sizes)), sizes)[matches]
            ranked = ranks[at[matches]]
            ranked = ranked[np.lexsort((ranked, owners))]
            counts = np.bincount(owners, minlength=len(sizes))
            # Shingles of one set are rarer than shared ones: they fill the prefix first.
            prefix_sizes = (
                sizes - np.ceil(threshold * sizes).astype(np.int64) + 1 - (sizes - counts)
            )
            number = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
            prefix_mask = number < prefix_sizes[owners]
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


def _shared_shingles(shingles: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    # Ranks are by (number of sets, shingle).
    shingle_blocks = [np.empty(0, dtype=np.uint64)]
    numbers = [np.empty(0, dtype=np.int64)]
    # Sorted in ranges of hashes: a sorted copy of all hashes would be the peak of memory.
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


REPORT = "leakage.json"
JUST_UNDER = 0.7
MAX_PAIRS = 100
_DIGITS = 4


class Pair(msgspec.Struct, frozen=True):
    """Two shortcuts in different splits, and how similar they are."""

    similarity: float
    first: str
    second: str
    splits: tuple[str, str]


class LeakageReport(msgspec.Struct, frozen=True, kw_only=True):
    """How many shortcuts in different splits are duplicates or near duplicates of each other.

    `near_across_splits` counts pairs with at least the similarity `threshold`,
    `just_under_across_splits` counts those between `just_under` and `threshold`, and
    `exact_across_splits` counts ids in several splits. `pairs` lists the 100 most similar pairs.
    `rows` counts the rows per split.
    """

    threshold: float
    just_under: float
    rows: dict[str, int]
    clusters: int
    clustered_rows: int
    largest_cluster: int
    exact_across_splits: int
    near_across_splits: int
    just_under_across_splits: int
    pairs: tuple[Pair, ...]


def report_leakage(
    fingerprints: Fingerprints, anchors: Sequence[str], splits: Sequence[str]
) -> LeakageReport:
    """Search all shortcuts for similar pairs in different splits, and return the report.

    `anchors` are the ids of the clusters to which the shortcuts belong.
    """
    reach: Counter[bool] = Counter()

    def counted() -> Iterator[Pair]:
        for pair in similar_pairs(fingerprints, splits, JUST_UNDER):
            reach[pair.similarity >= THRESHOLD] += 1
            yield pair

    pairs = nsmallest(
        MAX_PAIRS, counted(), key=lambda pair: (-pair.similarity, pair.first, pair.second)
    )
    # Shortcuts without actions form no cluster, although they share an id.
    filled = fingerprints.sizes().tolist()
    sizes = Counter(anchor for anchor, size in zip(anchors, filled, strict=True) if size)
    clusters = [size for size in sizes.values() if size > 1]
    split_of_id: dict[str, str] = {}
    across = {
        shortcut_id
        for shortcut_id, split in zip(fingerprints.shortcut_ids, splits, strict=True)
        if split_of_id.setdefault(shortcut_id, split) != split
    }
    return LeakageReport(
        threshold=THRESHOLD,
        just_under=JUST_UNDER,
        rows=dict(sorted(Counter(splits).items())),
        clusters=len(clusters),
        clustered_rows=sum(clusters),
        largest_cluster=max(clusters, default=0),
        exact_across_splits=len(across),
        near_across_splits=reach[True],
        just_under_across_splits=reach[False],
        pairs=tuple(pairs),
    )


def similar_pairs(
    fingerprints: Fingerprints, splits: Sequence[str], threshold: float
) -> Iterator[Pair]:
    """Yield all pairs of shortcuts in different splits whose similarity reaches the threshold."""
    similarities = Similarity(fingerprints)
    for first, other in candidate_pairs(fingerprints, splits, threshold):
        similarity = similarities.of(first, other)
        if similarity >= threshold:
            yield _pair(fingerprints.shortcut_ids, splits, first, other, similarity)


def _pair(
    shortcut_ids: Sequence[str], splits: Sequence[str], first: int, other: int, similarity: float
) -> Pair:
    ends = sorted((shortcut_ids[i], splits[i]) for i in (first, other))
    # Rounded down, so that no pair below the threshold seems to reach it.
    rounded_similarity = int(similarity * 10**_DIGITS) / 10**_DIGITS
    return Pair(rounded_similarity, ends[0][0], ends[1][0], (ends[0][1], ends[1][1]))


def refuse_leakage(folder: Path, fingerprints: Fingerprints, anchors: Anchors) -> None:
    """Write `leakage.json` to a stage's folder, and raise if duplicates are in different splits.

    Raises:
        GateError: equal or near duplicates are in different splits.
    """
    clusters = [anchors.get(shortcut_id, shortcut_id) for shortcut_id in fingerprints.shortcut_ids]
    report = report_leakage(fingerprints, clusters, [split_of(anchor) for anchor in clusters])
    write_file(folder / REPORT, msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    if report.exact_across_splits or report.near_across_splits:
        lines = (
            f"{pair.first} and {pair.second} have the similarity {pair.similarity}"
            for pair in report.pairs
        )
        raise GateError(f"{folder.name}: duplicates are in different splits", tuple(lines))
