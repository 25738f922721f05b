"""Leakage between splits, searched for exactly and independently of how clusters were found.

A set-similarity join with prefix filtering: two sets can only reach a Jaccard similarity t when
they share one of their (1 - t) rarest shingles, so every such pair is met.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from math import ceil
from pathlib import Path

import msgspec

from benchloom.normalise.shortcuts.fingerprints import Fingerprint
from benchloom.normalise.shortcuts.near_duplicates import THRESHOLD, Similarity
from benchloom.workspace import write_file

REPORT = "leakage.json"
JUST_UNDER = 0.7
MOST_PAIRS = 100
_DIGITS = 4


class Pair(msgspec.Struct, frozen=True):
    """Two shortcuts in different splits and how similar they are."""

    similarity: float
    first: str
    second: str
    splits: tuple[str, str]


class LeakageReport(msgspec.Struct, frozen=True, kw_only=True):
    """Rows per split; pairs across splits: equal, near, and just under the threshold.

    `pairs` lists the most similar ones, at most 100.
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
    fingerprints: Sequence[Fingerprint], anchors: Sequence[str], splits: Sequence[str]
) -> LeakageReport:
    """Measure leakage over all shortcuts."""
    reach: Counter[bool] = Counter()

    def counted() -> Iterator[Pair]:
        for pair in similar_pairs(fingerprints, splits, JUST_UNDER):
            reach[pair.similarity >= THRESHOLD] += 1
            yield pair

    pairs = nsmallest(
        MOST_PAIRS, counted(), key=lambda pair: (-pair.similarity, pair.first, pair.second)
    )
    # Shortcuts without actions are clusters of nothing, whatever id they share.
    sizes = Counter(
        anchor for anchor, f in zip(anchors, fingerprints, strict=True) if len(f.shingles)
    )
    clusters = [size for size in sizes.values() if size > 1]
    by_id: dict[str, set[str]] = defaultdict(set)
    for fingerprint, split in zip(fingerprints, splits, strict=True):
        by_id[fingerprint.shortcut_id].add(split)
    return LeakageReport(
        threshold=THRESHOLD,
        just_under=JUST_UNDER,
        rows=dict(sorted(Counter(splits).items())),
        clusters=len(clusters),
        clustered_rows=sum(clusters),
        largest_cluster=max(clusters, default=0),
        exact_across_splits=sum(len(found) > 1 for found in by_id.values()),
        near_across_splits=reach[True],
        just_under_across_splits=reach[False],
        pairs=tuple(pairs),
    )


def similar_pairs(
    fingerprints: Sequence[Fingerprint], splits: Sequence[str], threshold: float
) -> Iterator[Pair]:
    """Every pair in different splits with at least this similarity."""
    similarities = Similarity(fingerprints)
    sizes = similarities.sizes
    counts: Counter[int] = Counter()
    for fingerprint in fingerprints:
        counts.update(fingerprint.shingles.tolist())
    order = sorted(
        (index for index, size in enumerate(sizes) if size),
        key=lambda index: (sizes[index], fingerprints[index].shortcut_id),
    )
    holders: dict[int, list[int]] = defaultdict(list)
    for index in order:
        shingles = fingerprints[index].shingles
        rarest = sorted(shingles.tolist(), key=lambda shingle: (counts[shingle], shingle))
        prefix = rarest[: len(rarest) - ceil(threshold * len(rarest)) + 1]
        candidates = {other for shingle in prefix for other in holders[shingle]}
        for other in candidates:
            if splits[other] == splits[index] or sizes[other] < threshold * sizes[index]:
                continue
            similarity = similarities.of(index, other)
            if similarity >= threshold:
                yield _pair(fingerprints, splits, index, other, similarity)
        for shingle in prefix:
            holders[shingle].append(index)


def _pair(
    fingerprints: Sequence[Fingerprint],
    splits: Sequence[str],
    one: int,
    other: int,
    similarity: float,
) -> Pair:
    ends = sorted((fingerprints[i].shortcut_id, splits[i]) for i in (one, other))
    # Rounded down: a pair under the threshold must not be shown as one that reaches it.
    shown = int(similarity * 10**_DIGITS) / 10**_DIGITS
    return Pair(shown, ends[0][0], ends[1][0], (ends[0][1], ends[1][1]))


def write_report(folder: Path, report: LeakageReport) -> None:
    """Write the report beside the stage's tables."""
    write_file(folder / REPORT, msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
