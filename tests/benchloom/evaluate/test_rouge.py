"""Tests of ROUGE-L against values counted by hand and a plain subsequence table."""

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
def test_rouge_l_equals_values_counted_by_hand(
    reference: str, hypothesis: str, expected: float
) -> None:
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
def test_published_variant_counts_distinct_words(
    reference: str, hypothesis: str, expected: float
) -> None:
    assert distinct_words_f(reference, hypothesis) == pytest.approx(expected)


@given(WORDS, WORDS)
@settings(max_examples=60)
def test_longest_subsequence_agrees_with_the_plain_table(
    reference: list[str], hypothesis: list[str]
) -> None:
    table = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, reference_word in enumerate(reference):
        for j, hypothesis_word in enumerate(hypothesis):
            longer = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if reference_word == hypothesis_word else longer
    assert lcs_length(reference, hypothesis) == table[-1][-1]
    subsequence = lcs(reference, hypothesis)
    assert len(subsequence) == table[-1][-1]
    for words in (reference, hypothesis):
        remaining_words = iter(words)
        assert all(word in remaining_words for word in subsequence)


@given(TEXTS, TEXTS)
@settings(max_examples=40)
def test_rouge_l_is_bounded_and_symmetric(reference: str, hypothesis: str) -> None:
    value = rouge_l(reference, hypothesis)
    assert 0 <= value <= 1
    assert (
        value
        == rouge_l(hypothesis, reference)
        == rouge_l(reference.upper().lower(), f"  {hypothesis}!")
    )
    assert 0 <= distinct_words_f(reference, hypothesis) <= 1
    has_words = any(sign.isalnum() for sign in reference)
    assert rouge_l(reference, reference) == (1 if has_words else 0)


def test_rouge_l_of_long_texts() -> None:
    words = [f"w{number % 97}" for number in range(4000)]
    assert rouge_l(" ".join(words), " ".join(reversed(words))) < 0.1
    assert distinct_words_f("w1 w2 w3", ". ".join(words)) == pytest.approx(6 / 101, abs=0.001)
