"""Search for leakage between splits, exactly and independently of how clusters were formed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from pathlib import Path

import msgspec

from benchloom.core.errors import GateError
from benchloom.normalise.shortcuts.fingerprints import Fingerprints
from benchloom.normalise.shortcuts.near_duplicates import THRESHOLD, Anchors, Similarity
from benchloom.normalise.shortcuts.prefixes import candidate_pairs
from benchloom.normalise.shortcuts.splits import split_of
from benchloom.storage.workspace import write_file

REPORT = "leakage.json"
JUST_UNDER = 0.7
MAX_PAIRS = 100
_DIGITS = 4


class Pair(msgspec.Struct, frozen=True):
    """Two shortcuts in different splits and how similar they are."""

    similarity: float
    first: str
    second: str
    splits: tuple[str, str]


class LeakageReport(msgspec.Struct, frozen=True, kw_only=True):
    """Rows per split, and pairs across splits; `pairs` lists the 100 most similar."""

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
    """Measure leakage over all shortcuts."""
    reach: Counter[bool] = Counter()

    def counted() -> Iterator[Pair]:
        for pair in similar_pairs(fingerprints, splits, JUST_UNDER):
            reach[pair.similarity >= THRESHOLD] += 1
            yield pair

    pairs = nsmallest(
        MAX_PAIRS, counted(), key=lambda pair: (-pair.similarity, pair.first, pair.second)
    )
    # Shortcuts without actions are clusters of nothing, whatever id they share.
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
    """Every pair in different splits with at least this similarity."""
    similarities = Similarity(fingerprints)
    for first, other in candidate_pairs(fingerprints, splits, threshold):
        similarity = similarities.of(first, other)
        if similarity >= threshold:
            yield _pair(fingerprints.shortcut_ids, splits, first, other, similarity)


def _pair(
    shortcut_ids: Sequence[str], splits: Sequence[str], first: int, other: int, similarity: float
) -> Pair:
    ends = sorted((shortcut_ids[i], splits[i]) for i in (first, other))
    # Rounded down: a pair under the threshold must not be shown as one that reaches it.
    rounded_similarity = int(similarity * 10**_DIGITS) / 10**_DIGITS
    return Pair(rounded_similarity, ends[0][0], ends[1][0], (ends[0][1], ends[1][1]))


def refuse_leakage(folder: Path, fingerprints: Fingerprints, anchors: Anchors) -> None:
    """Write the report beside the stage's tables.

    Raises:
        GateError: equal or near duplicates are in different splits.
    """
    clusters = [anchors.get(shortcut_id, shortcut_id) for shortcut_id in fingerprints.shortcut_ids]
    report = report_leakage(fingerprints, clusters, [split_of(anchor) for anchor in clusters])
    write_file(folder / REPORT, msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    if report.exact_across_splits or report.near_across_splits:
        lines = (f"{pair.first} and {pair.second}: {pair.similarity}" for pair in report.pairs)
        raise GateError(f"{folder.name}: duplicates are in different splits", tuple(lines))
