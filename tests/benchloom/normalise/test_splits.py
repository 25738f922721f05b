"""Tests of splits: the split of a cluster depends on its anchor, and exclusions have reasons."""

import hashlib
from collections import Counter

import msgspec
import pytest

from benchloom.core.identity import tagged_digest
from benchloom.normalise.shortcuts.splits import (
    MAX_LENGTH,
    find_exclusions,
    split_of,
)
from tests.support.samples.shortcuts import action, shortcut

OTHERS = {4: "validation", 7: "validation", 20: "validation", 21: "validation", 23: "test"}
PINNED = [OTHERS.get(number, "train") for number in range(24)]


def expected_split(anchor: str) -> str:
    """Return the split of an anchor by the published rule, computed from its bytes."""
    text = anchor.encode()
    digest = hashlib.sha256(len(text).to_bytes(8, "big") + text).hexdigest()
    rest = int(digest, 16) % 100
    return "train" if rest < 80 else "validation" if rest < 90 else "test"


def test_split_of_an_anchor_never_changes() -> None:
    anchors = [tagged_digest("shortcut", str(number).encode()) for number in range(24)]
    assert [split_of(anchor) for anchor in anchors] == PINNED
    assert [split_of(anchor) for anchor in reversed(anchors)] == PINNED[::-1]


def test_split_follows_the_published_rule() -> None:
    anchors = [f"anchor {number}" for number in range(2000)]
    assert [split_of(anchor) for anchor in anchors] == [
        expected_split(anchor) for anchor in anchors
    ]
    shares = Counter(split_of(anchor) for anchor in anchors)
    assert shares.keys() == {"train", "validation", "test"}
    assert 1540 <= shares["train"] <= 1660
    assert 150 <= shares["validation"] <= 250


@pytest.mark.parametrize(
    ("length", "expected"),
    [(0, {"empty"}), (1, set()), (MAX_LENGTH, set()), (MAX_LENGTH + 1, {"too_long"})],
)
def test_length_limits_of_the_evaluation(length: int, expected: set[str]) -> None:
    reasons = find_exclusions(shortcut(action(0, "gettext"), length=length), None, {})
    assert set(reasons) == expected | {"no_definitions"}


def test_no_shortcut_is_for_evaluation_without_definitions() -> None:
    row = shortcut(action(0, "gettext"), action(1, "runworkflow"))
    assert find_exclusions(row, None, {}) == ("no_definitions", "runs_other_shortcut")
    plain = shortcut(action(0, "gettext"))
    assert find_exclusions(plain, None, {}) == ("no_definitions",)
    long = msgspec.structs.replace(row, length=31)
    assert find_exclusions(long, None, {})[-1] == "too_long"
