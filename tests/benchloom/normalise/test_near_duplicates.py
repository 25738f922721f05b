"""Clusters, splits and leakage: against all pairs, in any order, and on copies made elsewhere."""

import plistlib
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from benchloom.identity import tagged_digest
from benchloom.normalise.shortcuts.fingerprints import (
    Fingerprint,
    read_fingerprints,
    read_shingles,
    shingles_of,
    write_fingerprints,
)
from benchloom.normalise.shortcuts.leakage import report_leakage, similar_pairs
from benchloom.normalise.shortcuts.near_duplicates import THRESHOLD, Similarity, find_clusters
from benchloom.normalise.shortcuts.splits import evaluation_reasons, split_of
from benchloom.records import Shortcut
from benchloom.tables import write_table
from parsers.shortcuts import parse_shortcut
from tests.support.samples.redaction import action


def fingerprint(name: str, shingles: list[int]) -> Fingerprint:
    ident = tagged_digest("shortcut", name.encode())
    return Fingerprint(ident, ident, name, np.array(sorted(set(shingles)), dtype=np.uint64))


def variants(seed: int, families: int, members: int) -> list[Fingerprint]:
    """Families of sets that differ by a few shingles, and a few sets without any."""
    chance = Random(seed)
    found: list[Fingerprint] = []
    for family in range(families):
        base = [chance.getrandbits(64) for _ in range(chance.randint(1, 60))]
        for member in range(members):
            kept = [value for value in base if chance.random() > 0.06]
            extra = [chance.getrandbits(64) for _ in range(chance.randint(0, 5))]
            found.append(fingerprint(f"{seed}-{family}-{member}", kept + extra))
    return found


def clusters_of(fingerprints: list[Fingerprint]) -> set[frozenset[str]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for found, anchor in zip(fingerprints, find_clusters(fingerprints).anchors(), strict=True):
        groups[anchor].add(found.source_uri)
    assert all(
        anchor == min(f.shortcut_id for f in fingerprints if f.source_uri in group)
        for anchor, group in groups.items()
    )
    return {frozenset(group) for group in groups.values()}


def by_all_pairs(fingerprints: list[Fingerprint]) -> set[frozenset[str]]:
    """The same by comparing every pair."""
    group = {found.source_uri: {found.source_uri} for found in fingerprints}
    for one, other in combinations(fingerprints, 2):
        a, b = set(one.shingles.tolist()), set(other.shingles.tolist())
        if a and b and len(a & b) / len(a | b) >= THRESHOLD:
            joined = group[one.source_uri] | group[other.source_uri]
            for member in joined:
                group[member] = joined
    return {frozenset(members) for members in group.values()}


@pytest.mark.parametrize("seed", range(4))
def test_clusters_equal_those_of_all_pairs(seed: int) -> None:
    fingerprints = variants(seed, families=25, members=8)
    expected = by_all_pairs(fingerprints)
    assert any(len(group) > 1 for group in expected)
    assert clusters_of(fingerprints) == expected


def test_order_makes_no_difference() -> None:
    fingerprints = variants(9, families=30, members=6)
    anchors = dict(
        zip(
            (f.source_uri for f in fingerprints), find_clusters(fingerprints).anchors(), strict=True
        )
    )
    for seed in range(3):
        shuffled = list(fingerprints)
        Random(seed).shuffle(shuffled)
        again = find_clusters(shuffled).anchors()
        assert {f.source_uri: a for f, a in zip(shuffled, again, strict=True)} == anchors


def test_similar_pairs_across_splits_equal_those_of_all_pairs() -> None:
    fingerprints = variants(3, families=12, members=8)
    splits = [Random(f.source_uri).choice(["train", "test"]) for f in fingerprints]
    similarity = Similarity(fingerprints)
    expected = {
        frozenset({fingerprints[one].shortcut_id, fingerprints[other].shortcut_id})
        for one, other in combinations(range(len(fingerprints)), 2)
        if splits[one] != splits[other] and similarity.of(one, other) >= 0.7
    }
    found = list(similar_pairs(fingerprints, splits, 0.7))
    assert len(found) == len(expected) > 0
    assert {frozenset({pair.first, pair.second}) for pair in found} == expected


def test_no_leakage_between_splits_of_clusters_and_some_without_them() -> None:
    fingerprints = variants(5, families=80, members=6)
    anchors = find_clusters(fingerprints).anchors()
    report = report_leakage(fingerprints, anchors, [split_of(anchor) for anchor in anchors])
    assert report.exact_across_splits == report.near_across_splits == 0
    assert report.clusters > 10
    own = [f.shortcut_id for f in fingerprints]
    careless = report_leakage(fingerprints, own, [split_of(anchor) for anchor in own])
    assert careless.near_across_splits > 0
    assert careless.pairs[0].similarity >= THRESHOLD


def test_splits_have_their_shares_and_stay() -> None:
    counts: dict[str, int] = defaultdict(int)
    for number in range(5_000):
        counts[split_of(tagged_digest("shortcut", str(number).encode()))] += 1
    assert 3_850 < counts["train"] < 4_150
    assert 420 < counts["validation"] < 580
    assert 420 < counts["test"] < 580
    assert split_of(tagged_digest("shortcut", b"a lasting promise")) == "train"


def shortcut(*actions: dict[str, object], uri: str = "x") -> Shortcut:
    return parse_shortcut(plistlib.dumps({"WFWorkflowActions": list(actions)}), uri)


def shingles(tmp_path: Path, *shortcuts: Shortcut) -> list[list[int]]:
    path = tmp_path / "shortcuts.parquet"
    write_table("shortcuts", shortcuts, path)
    return [row[3] for row in read_shingles(path, [0])]


def copy_of_shortcut(uuid: str, output: str) -> Shortcut:
    use = {
        "Value": {"Type": "ActionOutput", "OutputUUID": uuid, "OutputName": output},
        "WFSerializationType": "WFTextTokenAttachment",
    }
    return shortcut(
        action("gettext", WFTextActionText="x", UUID=uuid), action("showresult", Text=use)
    )


def test_generated_ids_make_no_difference(tmp_path: Path) -> None:
    one = copy_of_shortcut("F0E1D2C3-B4A5-9687-7869-5A4B3C2D1E0F", "Text")
    other = copy_of_shortcut("00E1D2C3-B4A5-9687-7869-5A4B3C2D1E00", "Texte")
    different = shortcut(action("gettext", WFTextActionText="y"), action("nothing"))
    first, second, third = shingles(tmp_path, one, other, different)
    assert first == second != third


def test_shingles_of_short_shortcuts(tmp_path: Path) -> None:
    none, single, double = shingles(
        tmp_path, shortcut(), shortcut(action("exit")), shortcut(action("exit"), action("exit"))
    )
    assert (len(none), len(single), len(double)) == (0, 1, 1)
    assert shingles_of([]) == []


def test_fingerprints_round_trip(tmp_path: Path) -> None:
    rows = [("a", "b", "c", [1, 2**64 - 1]), ("d", "e", "f", [])]
    assert write_fingerprints(tmp_path / "f.parquet", iter(rows)) == 2
    found = read_fingerprints([tmp_path / "f.parquet", tmp_path / "f.parquet"])
    assert [f.shingles.tolist() for f in found] == [[1, 2**64 - 1], [], [1, 2**64 - 1], []]
    write_fingerprints(tmp_path / "none.parquet", iter([]))
    assert read_fingerprints([tmp_path / "none.parquet"]) == []
    assert find_clusters([]).anchors() == []


def test_evaluation_follows_the_rules() -> None:
    short = shortcut(action("gettext", WFTextActionText="x"))
    assert evaluation_reasons(short) == ()
    assert evaluation_reasons(short, {"is.workflow.actions.gettext"}) == ()
    assert evaluation_reasons(short, set()) == ("missing_definition",)
    runs = shortcut(action("runworkflow", WFWorkflowName="other"))
    assert evaluation_reasons(runs) == ("runs_other_shortcut",)
    at_most = msgspec.structs.replace(short, length=30)
    assert evaluation_reasons(at_most) == ()
    assert evaluation_reasons(msgspec.structs.replace(short, length=31)) == ("too_long",)
    assert evaluation_reasons(shortcut()) == ("empty",)
