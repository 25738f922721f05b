"""Clusters of near duplicates: MinHash proposes pairs, exact Jaccard similarity decides.

The clusters depend on the set of shortcuts alone: not on their order, and not on the hash
functions but for the one pair in ten million at the threshold that no band proposes.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import rensa

from benchloom.normalise.fingerprints import Fingerprint

THRESHOLD = 0.8
PERMUTATIONS = 128
ROWS_PER_BAND = 4
"""32 bands of 4: a pair at 0.8 is missed with probability (1 - 0.8^4)^32 < 1e-7."""
SEED = 20


class Clusters:
    """Shortcuts joined to clusters; the anchor of a cluster is its smallest shortcut id."""

    def __init__(self, fingerprints: Sequence[Fingerprint]) -> None:
        self._fingerprints = fingerprints
        self._parent = list(range(len(fingerprints)))

    def find(self, index: int) -> int:
        """The representative of a shortcut's cluster."""
        parent = self._parent
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    def join(self, one: int, other: int) -> None:
        """Put two shortcuts, and all that is joined to them, into one cluster."""
        first, second = self.find(one), self.find(other)
        if first != second:
            # The smaller id leads, so the representative is the anchor, whatever the order.
            if self._fingerprints[second].shortcut_id < self._fingerprints[first].shortcut_id:
                first, second = second, first
            self._parent[second] = first

    def anchors(self) -> list[str]:
        """The anchor of every shortcut, its own id where it has no near duplicate."""
        return [
            self._fingerprints[self.find(index)].shortcut_id
            for index in range(len(self._fingerprints))
        ]


def find_clusters(fingerprints: Sequence[Fingerprint], threshold: float = THRESHOLD) -> Clusters:
    """Join every pair of shortcuts whose shingles have a Jaccard similarity of `threshold`."""
    clusters = Clusters(fingerprints)
    filled = [index for index, found in enumerate(fingerprints) if len(found.shingles)]
    if not filled:
        return clusters
    signatures = _signatures([fingerprints[index].shingles for index in filled])
    for band in range(0, PERMUTATIONS, ROWS_PER_BAND):
        groups: dict[bytes, list[int]] = defaultdict(list)
        rows = np.ascontiguousarray(signatures[:, band : band + ROWS_PER_BAND])
        for index, row in zip(filled, rows, strict=True):
            groups[row.tobytes()].append(index)
        for group in groups.values():
            if len(group) > 1:
                _join_similar(clusters, fingerprints, group, threshold)
    return clusters


def _signatures(
    sets: Sequence[np.ndarray[tuple[int], np.dtype[np.uint64]]],
) -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    bounds = np.zeros(len(sets) + 1, dtype=np.uint64)
    np.cumsum([len(found) for found in sets], out=bounds[1:])
    matrix = rensa.RMinHash.digest_matrix_from_flat_token_hashes(
        np.concatenate(sets), bounds, PERMUTATIONS, SEED
    )
    return np.array(matrix.to_rows(), dtype=np.uint32)


def _join_similar(
    clusters: Clusters, fingerprints: Sequence[Fingerprint], group: list[int], threshold: float
) -> None:
    """Verify the pairs of a group that are not joined yet, from small to large.

    One member of each cluster met so far is tried first: most groups are one cluster.
    """
    group.sort(
        key=lambda index: (len(fingerprints[index].shingles), fingerprints[index].shortcut_id)
    )
    for position, index in enumerate(group):
        size = len(fingerprints[index].shingles)
        for other in reversed(group[:position]):
            if len(fingerprints[other].shingles) < threshold * size:
                break
            if clusters.find(index) != clusters.find(other) and (
                jaccard(fingerprints[index].shingles, fingerprints[other].shingles) >= threshold
            ):
                clusters.join(index, other)


def jaccard(
    one: np.ndarray[tuple[int], np.dtype[np.uint64]],
    other: np.ndarray[tuple[int], np.dtype[np.uint64]],
) -> float:
    """Similarity of two sets given as sorted distinct values."""
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common)
