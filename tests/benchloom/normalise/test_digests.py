"""Many digests side by side are what a set of them is."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchloom.normalise.redaction.searched import digests as module
from benchloom.normalise.redaction.searched.digests import (
    DIGEST_BYTES,
    Digests,
    GrowingDigests,
)

HALF = DIGEST_BYTES // 2
# Few different halves: many digests begin alike, and some stand twice.
halves = st.sampled_from([bytes(HALF), b"\xff" * HALF, b"\x00" * 7 + b"\x01", b"\x80" + bytes(7)])
digests = st.builds(bytes.__add__, halves, halves)


@given(st.lists(st.lists(digests)), st.lists(digests))
def test_they_hold_what_a_set_holds(runs: list[list[bytes]], asked: list[bytes]) -> None:
    known = {digest for run in runs for digest in run}
    found = Digests(b"".join(run) for run in runs)
    assert list(found) == sorted(known)
    assert len(found) == len(known)
    assert [one in found for one in asked] == [one in known for one in asked]


def test_of_many_none_is_lost_and_none_comes_in_addition() -> None:
    draw = random.Random(7)
    known = [draw.randbytes(DIGEST_BYTES) for _ in range(20_000)]
    others = [draw.randbytes(DIGEST_BYTES) for _ in range(20_000)]
    near = [one[:-1] + bytes([one[-1] ^ 1]) for one in known]
    found = Digests([b"".join(known[:9_000]), b"".join(sorted(known[8_000:]))])
    assert len(found) == len(known)
    assert list(found) == sorted(known)
    assert all(one in found for one in known)
    assert not any(one in found for one in (*others, *near))
    assert Digests([found.content()]) == found


@pytest.mark.parametrize("other", ["a" * DIGEST_BYTES, b"", b"\x00" * 15, None, 0])
def test_what_is_no_digest_is_not_in_it(other: object) -> None:
    assert other not in Digests([bytes(DIGEST_BYTES)])


def test_sets_of_both_kinds_are_put_together() -> None:
    one, two = bytes(DIGEST_BYTES), b"\x01" * DIGEST_BYTES
    assert sorted(Digests([one]) | {two}) == [one, two]
    assert {one}.union(Digests([two])) == {one, two}


@given(st.lists(st.lists(digests)), st.lists(digests), st.data())
def test_what_is_put_together_left_out_and_marked_is_what_sets_say(
    runs: list[list[bytes]], others: list[bytes], data: st.DataObject
) -> None:
    parts = [Digests(run) for run in runs]
    known = {digest for run in runs for digest in run}
    whole = Digests.together(parts)
    assert list(whole) == sorted(known)
    assert list(whole.without(Digests(others))) == sorted(known - set(others))
    assert [whole.place(one) for one in sorted(known)] == list(range(len(known)))
    marks = data.draw(st.lists(st.booleans(), min_size=len(known), max_size=len(known)))
    marked = [one for one, is_marked in zip(sorted(known), marks, strict=True) if is_marked]
    assert list(whole.marked(bytearray(marks))) == marked
    assert list(whole.first(3)) == sorted(known)[:3]


def test_what_comes_one_by_one_and_many_at_once_is_there_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MOST_LOOSE", 50)
    draw = random.Random(11)
    found, known = GrowingDigests(), set[bytes]()
    for number in range(400):
        came = [draw.randbytes(DIGEST_BYTES) for _ in range(draw.randrange(1, 30))]
        if number % 3:
            for one in came:
                found.add(one)
        else:
            found.update(Digests(came))
        known.update(came)
        assert all(one in found for one in (*came, *draw.sample(sorted(known), 5)))
        assert draw.randbytes(DIGEST_BYTES) not in found
        assert len(found) == len(known)
    assert list(found.whole()) == sorted(known)
    assert 1 < len(found._runs) < 12


@given(st.lists(st.lists(digests)), st.lists(digests))
def test_the_places_of_many_are_those_of_each(runs: list[list[bytes]], asked: list[bytes]) -> None:
    found = Digests(b"".join(run) for run in runs)
    places = found.places(asked).tolist()
    # Of digests that begin alike one may be told to be none: then each is asked for by itself.
    assert all(at in {-1, found.place(one)} for at, one in zip(places, asked, strict=True))


@pytest.mark.long
def test_the_places_of_many_different_ones_are_told() -> None:
    draw = random.Random(8)
    known = [draw.randbytes(DIGEST_BYTES) for _ in range(5_000)]
    others = [draw.randbytes(DIGEST_BYTES) for _ in range(5_000)]
    found = Digests(known)
    assert [sorted(known)[at] for at in found.places(known).tolist()] == known
    assert found.places(others).tolist() == [-1] * len(others)
    assert found.places([]).tolist() == Digests().places([]).tolist() == []
    assert Digests().places(others[:2]).tolist() == [-1, -1]
