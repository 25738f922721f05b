"""ROUGE-L beside values counted by hand, and beside the plain table of the longest subsequence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchloom.evaluate.statistics.rouge import distinct_words_f, lcs, lcs_length, rouge_l

WORDS = st.lists(st.sampled_from("abcd"), max_size=9)
TEXTS = st.text(alphabet="ab C.é_-", max_size=24)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("Your alarm has been set for 7 am.", "The alarm is set for 7 am.", 0.6667),
        ("set alarm", "alarm set", 0.5),
        ("", "any", 0),
        ("any", "", 0),
        ("...", "...", 0),
        ("The Lamp is ON!", "the lamp is on", 1),
        ("one two three four", "one three", 0.6667),
        ("Grüße an Zoë", "grüße an zoë", 1),
        ("a a a", "a", 0.5),
    ],
)
def test_counted_by_hand(reference: str, hypothesis: str, expected: float) -> None:
    assert rouge_l(reference, hypothesis) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("the lamp is on", "the lamp is on", 1),
        ("The lamp is on", "the lamp is on", 0.75),
        ("on.", "on", 1),
        ("set alarm", "alarm set", 0.5),
        ("a a a b", "a b", 1),
        ("it is done. bye now", "bye now. it is done", 1),
        ("", "any", 0),
        ("any", "", 0),
    ],
)
def test_the_package_of_the_paper_counts_distinct_words(
    reference: str, hypothesis: str, expected: float
) -> None:
    assert distinct_words_f(reference, hypothesis) == pytest.approx(expected)


@given(WORDS, WORDS)
@settings(max_examples=60)
def test_the_rows_of_bits_are_the_plain_table(one: list[str], other: list[str]) -> None:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            longer = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else longer
    assert lcs_length(one, other) == table[-1][-1]
    subsequence = lcs(one, other)
    assert len(subsequence) == table[-1][-1]
    for whole in (one, other):
        rest = iter(whole)
        assert all(word in rest for word in subsequence)


@given(TEXTS, TEXTS)
@settings(max_examples=40)
def test_bounds_and_symmetry(one: str, other: str) -> None:
    value = rouge_l(one, other)
    assert 0 <= value <= 1
    assert value == rouge_l(other, one) == rouge_l(one.upper().lower(), f"  {other}!")
    assert 0 <= distinct_words_f(one, other) <= 1
    has_words = any(sign.isalnum() for sign in one)
    assert rouge_l(one, one) == (1 if has_words else 0)


def test_long_texts_take_little_time() -> None:
    words = [f"w{number % 97}" for number in range(4000)]
    assert rouge_l(" ".join(words), " ".join(reversed(words))) < 0.1
    assert distinct_words_f("w1 w2 w3", ". ".join(words)) == pytest.approx(6 / 101, abs=0.001)
