"""Tests of near duplicates: clusters, splits and leakage equal those of comparing all pairs."""

import plistlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from math import floor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from benchloom.core.identity import tagged_digest
from benchloom.core.records import Shortcut
from benchloom.normalise.shortcuts import leakage, near_duplicates
from benchloom.normalise.shortcuts.fingerprints import (
    TABLE,
    Fingerprints,
    joined_fingerprints,
    read_fingerprints,
    read_shingles,
    shingles_of,
    write_fingerprints,
)
from benchloom.normalise.shortcuts.leakage import Pair, report_leakage, similar_pairs
from benchloom.normalise.shortcuts.near_duplicates import THRESHOLD, find_clusters
from benchloom.normalise.shortcuts.splits import split_of
from benchloom.storage.stages import part_path
from benchloom.storage.tables import write_table
from parsers.shortcuts import parse_shortcut
from tests.support.samples.redaction import action


def id_of(name: str) -> str:
    """Return the shortcut id that is derived from a name."""
    return tagged_digest("shortcut", name.encode())


def fingerprints_of(sets: Mapping[str, AbstractSet[int]]) -> Fingerprints:
    """Return fingerprints of these sets, in their order, with ids derived from their names."""
    return fingerprints_with_ids([(id_of(name), shingles) for name, shingles in sets.items()])


def fingerprints_with_ids(rows: Sequence[tuple[str, AbstractSet[int]]]) -> Fingerprints:
    """Return fingerprints of (id, shingles) rows."""
    return joined_fingerprints(
        [shortcut_id for shortcut_id, _ in rows],
        [np.array(sorted(shingles), dtype=np.uint64) for _, shingles in rows],
        [np.array([len(shingles) for _, shingles in rows], dtype=np.int64)],
    )


def variants(seed: int, families: int, members: int) -> dict[str, set[int]]:
    """Return sets by name: families of sets that differ by a few shingles."""
    chance = Random(seed)
    shingle_sets: dict[str, set[int]] = {}
    for family in range(families):
        base = [chance.getrandbits(64) for _ in range(chance.randint(1, 60))]
        for member in range(members):
            remaining_shingles = [value for value in base if chance.random() > 0.06]
            extra = [chance.getrandbits(64) for _ in range(chance.randint(0, 5))]
            shingle_sets[f"{seed}-{family}-{member}"] = {*remaining_shingles, *extra}
    return shingle_sets


def clusters_of(sets: Mapping[str, AbstractSet[int]]) -> set[frozenset[str]]:
    """Return the clusters that `find_clusters` finds, as groups of names."""
    groups: dict[str, set[str]] = defaultdict(set)
    for name, anchor in zip(sets, find_clusters(fingerprints_of(sets)).anchors(), strict=True):
        groups[anchor].add(name)
    assert all(anchor == min(map(id_of, group)) for anchor, group in groups.items())
    return {frozenset(group) for group in groups.values()}


def clusters_by_all_pairs(sets: Mapping[str, AbstractSet[int]]) -> set[frozenset[str]]:
    """Return the expected clusters: those of comparing every pair."""
    group = {name: {name} for name in sets}
    for first_id, other in combinations(sets, 2):
        a, b = sets[first_id], sets[other]
        if a and b and len(a & b) / len(a | b) >= THRESHOLD:
            joined = group[first_id] | group[other]
            for member in joined:
                group[member] = joined
    return {frozenset(members) for members in group.values()}


@pytest.mark.parametrize("seed", range(4))
def test_clusters_equal_those_of_comparing_all_pairs(seed: int) -> None:
    sets = variants(seed, families=25, members=8)
    expected = clusters_by_all_pairs(sets)
    assert any(len(group) > 1 for group in expected)
    assert clusters_of(sets) == expected


ALIKE = set(range(1, 21))
EDGE_CASES: dict[str, dict[str, AbstractSet[int]]] = {
    "none": {},
    "one": {"a": {1}},
    "without shingles": {"a": set(), "b": set(), "c": set()},
    "a pair": {"a": ALIKE, "b": ALIKE | {100}, "c": {200}},
    "some without": {"a": set(), "b": {7}, "c": set(), "d": {7}, "e": {7, 8}},
    "single shingles": {str(number): {number % 5} for number in range(40)},
    "one cluster": {str(number): ALIKE | {100 + number} for number in range(60)},
    "equal": {str(number): ALIKE for number in range(30)},
    "a chain": {str(number): set(range(number, number + 40)) for number in range(50)},
    "just apart": {"a": ALIKE, "b": set(range(1, 16)), "c": set(range(1, 17))},
    "extremes": {"a": {0, 2**64 - 1}, "b": {0, 2**64 - 1}, "c": {0}, "d": {2**64 - 1}},
}


@pytest.mark.parametrize("sets", EDGE_CASES.values(), ids=EDGE_CASES)
def test_edge_cases_equal_those_of_comparing_all_pairs(sets: dict[str, AbstractSet[int]]) -> None:
    assert clusters_of(sets) == clusters_by_all_pairs(sets)
    for seed in range(3):
        assert_pairs_equal_those_of_all_pairs([(id_of(name), s) for name, s in sets.items()], seed)


def assert_pairs_equal_those_of_all_pairs(
    rows: Sequence[tuple[str, AbstractSet[int]]], seed: int
) -> int:
    """Check similar pairs across random splits; return their number."""
    chance = Random(seed)
    splits = [chance.choice(["train", "validation", "test"]) for _ in rows]
    for threshold in (0.5, 0.7, THRESHOLD, 1.0):
        expected = []
        for (shortcut_id, a, split), (other, b, other_split) in combinations(
            [(row_id, s, split) for (row_id, s), split in zip(rows, splits, strict=True)], 2
        ):
            if split != other_split and a and b and len(a & b) / len(a | b) >= threshold:
                score = floor(len(a & b) / len(a | b) * 10_000) / 10_000
                (first, first_split), (second, second_split) = sorted(
                    [(shortcut_id, split), (other, other_split)]
                )
                expected.append(Pair(score, first, second, (first_split, second_split)))
        pairs = similar_pairs(fingerprints_with_ids(rows), splits, threshold)
        assert sorted(pairs, key=str) == sorted(expected, key=str)
    return len(expected)


@pytest.mark.parametrize("seed", range(4))
def test_similar_pairs_of_rows_with_equal_ids(seed: int) -> None:
    chance = Random(seed)
    common = range(12)
    rows = [
        (id_of(str(chance.randrange(60))), set(chance.sample(common, chance.randint(0, 9))))
        for _ in range(120)
    ]
    assert assert_pairs_equal_those_of_all_pairs(rows, seed) > 0


def test_blocks_contain_at_most_the_given_shingles() -> None:
    sizes = [2, 0, 3, 9, 0, 1, 4, 1]
    sets = {str(number): set(range(size)) for number, size in enumerate(sizes)}
    blocks = list(fingerprints_of(sets).blocks(5))
    assert blocks == [(0, 3), (3, 4), (4, 7), (7, 8)]


def test_block_size_does_not_change_results(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = {**variants(6, families=20, members=6), **EDGE_CASES["single shingles"]}
    fingerprints = fingerprints_of(sets)
    splits = [Random(name).choice(["train", "test"]) for name in sets]
    anchors = find_clusters(fingerprints).anchors()
    pairs = list(similar_pairs(fingerprints, splits, 0.7))
    assert pairs
    monkeypatch.setattr(near_duplicates, "SETS_PER_BLOCK", 7)
    monkeypatch.setattr(leakage, "SHINGLES_PER_BLOCK", 40)
    monkeypatch.setattr(leakage, "PAIRS_PER_BLOCK", 3)
    assert find_clusters(fingerprints).anchors() == anchors
    assert list(similar_pairs(fingerprints, splits, 0.7)) == pairs


def test_clusters_are_independent_of_the_order() -> None:
    sets = variants(9, families=30, members=6)
    anchors = dict(zip(sets, find_clusters(fingerprints_of(sets)).anchors(), strict=True))
    for seed in range(3):
        names = list(sets)
        Random(seed).shuffle(names)
        shuffled = {name: sets[name] for name in names}
        shuffled_anchors = find_clusters(fingerprints_of(shuffled)).anchors()
        assert dict(zip(names, shuffled_anchors, strict=True)) == anchors


def test_split_by_cluster_leaks_nothing_and_split_by_id_does() -> None:
    fingerprints = fingerprints_of(variants(5, families=80, members=6))
    anchors = find_clusters(fingerprints).anchors()
    report = report_leakage(fingerprints, anchors, [split_of(anchor) for anchor in anchors])
    assert report.exact_across_splits == report.near_across_splits == 0
    assert report.clusters > 10
    row_ids = fingerprints.shortcut_ids
    id_report = report_leakage(fingerprints, row_ids, [split_of(anchor) for anchor in row_ids])
    assert id_report.near_across_splits > 0
    assert id_report.pairs[0].similarity >= THRESHOLD


def test_id_in_several_splits_is_counted_once() -> None:
    fingerprints = fingerprints_with_ids([("a", {1}), ("b", {2}), ("a", {3}), ("a", set())])
    report = report_leakage(fingerprints, ["a", "b", "a", "a"], ["x", "x", "y", "z"])
    assert report.exact_across_splits == 1
    assert (report.clusters, report.clustered_rows) == (1, 2)


def shortcut(*actions: dict[str, object], uri: str = "x") -> Shortcut:
    """Return a parsed shortcut with these actions."""
    return parse_shortcut(plistlib.dumps({"WFWorkflowActions": list(actions)}), uri)


def shingles(tmp_path: Path, *shortcuts: Shortcut) -> list[list[int]]:
    """Write shortcuts to a table and return the shingles of each row."""
    path = tmp_path / "shortcuts.parquet"
    write_table("shortcuts", shortcuts, path)
    return [row[3] for row in read_shingles(path)]


def copy_of_shortcut(uuid: str, output: str) -> Shortcut:
    """Return the same two actions with another generated id and output name."""
    use = {
        "Value": {"Type": "ActionOutput", "OutputUUID": uuid, "OutputName": output},
        "WFSerializationType": "WFTextTokenAttachment",
    }
    return shortcut(
        action("gettext", WFTextActionText="x", UUID=uuid), action("showresult", Text=use)
    )


def test_generated_ids_do_not_change_shingles(tmp_path: Path) -> None:
    shortcut_copy = copy_of_shortcut("F0E1D2C3-B4A5-9687-7869-5A4B3C2D1E0F", "Text")
    other = copy_of_shortcut("00E1D2C3-B4A5-9687-7869-5A4B3C2D1E00", "Texte")
    different = shortcut(action("gettext", WFTextActionText="y"), action("nothing"))
    first, second, third = shingles(tmp_path, shortcut_copy, other, different)
    assert first == second != third


def test_short_shortcuts_have_at_most_one_shingle(tmp_path: Path) -> None:
    none, single, double = shingles(
        tmp_path, shortcut(), shortcut(action("exit")), shortcut(action("exit"), action("exit"))
    )
    assert (len(none), len(single), len(double)) == (0, 1, 1)
    assert shingles_of([]) == []


def test_written_fingerprints_are_read_back(tmp_path: Path) -> None:
    rows = [("a", "b", "c", [1, 2**64 - 1]), ("d", "e", "f", [])]
    for number in range(2):
        assert write_fingerprints(part_path(tmp_path, TABLE, number), iter(rows)) == 2
    fingerprints = read_fingerprints(tmp_path)
    assert fingerprints.shortcut_ids == ["a", "d", "a", "d"]
    assert [fingerprints.of(at).tolist() for at in range(4)] == [
        [1, 2**64 - 1],
        [],
        [1, 2**64 - 1],
        [],
    ]
    write_fingerprints(part_path(tmp_path / "none", TABLE, 0), iter([]))
    for folder in (tmp_path / "none", tmp_path / "nothing"):
        none = read_fingerprints(folder)
        assert len(none) == len(none.shingles) == 0
        assert find_clusters(none).anchors() == []
