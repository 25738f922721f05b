"""The split of a cluster by its anchor, and why a shortcut is left out of the evaluation."""

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


def by_hand(anchor: str) -> str:
    """The published rule, said a second time from the bytes on."""
    text = anchor.encode()
    digest = hashlib.sha256(len(text).to_bytes(8, "big") + text).hexdigest()
    rest = int(digest, 16) % 100
    return "train" if rest < 80 else "validation" if rest < 90 else "test"


def test_the_split_of_an_anchor_never_changes() -> None:
    anchors = [tagged_digest("shortcut", str(number).encode()) for number in range(24)]
    assert [split_of(anchor) for anchor in anchors] == PINNED
    assert [split_of(anchor) for anchor in reversed(anchors)] == PINNED[::-1]


def test_every_anchor_is_split_by_the_published_rule() -> None:
    anchors = [f"anchor {number}" for number in range(2000)]
    assert [split_of(anchor) for anchor in anchors] == [by_hand(anchor) for anchor in anchors]
    shares = Counter(split_of(anchor) for anchor in anchors)
    assert shares.keys() == {"train", "validation", "test"}
    assert 1540 <= shares["train"] <= 1660
    assert 150 <= shares["validation"] <= 250


@pytest.mark.parametrize(
    ("length", "expected"),
    [(0, {"empty"}), (1, set()), (MAX_LENGTH, set()), (MAX_LENGTH + 1, {"too_long"})],
)
def test_a_length_is_judged_at_its_bounds(length: int, expected: set[str]) -> None:
    reasons = find_exclusions(shortcut(action(0, "gettext"), length=length), None, {})
    assert set(reasons) == expected | {"no_definitions"}


def test_without_definitions_no_shortcut_is_for_evaluation() -> None:
    row = shortcut(action(0, "gettext"), action(1, "runworkflow"))
    assert find_exclusions(row, None, {}) == ("no_definitions", "runs_other_shortcut")
    plain = shortcut(action(0, "gettext"))
    assert find_exclusions(plain, None, {}) == ("no_definitions",)
    long = msgspec.structs.replace(row, length=31)
    assert find_exclusions(long, None, {})[-1] == "too_long"
