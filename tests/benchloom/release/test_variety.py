"""Tests of variety: distinct n-grams and self-BLEU against a slow computation and known cases."""

import math
import random
import time
from collections import Counter

import pytest

from benchloom.release.sections.queries import distinct, grams, self_bleu, words_of

WORDS = ("book", "a", "table", "for", "two", "tonight", "please", "near", "the", "harbour")


def random_texts(count: int, seed: int) -> list[str]:
    """Return random texts of up to 14 words."""
    drawn = random.Random(seed)
    return [" ".join(drawn.choices(WORDS, k=drawn.randint(1, 14))) for _ in range(count)]


def slow_self_bleu(entries: list[str]) -> float:
    """Return self-BLEU by its definition: each text against every other one."""
    words = [words_of(entry) for entry in entries]
    scores = []
    for at, text_words in enumerate(words):
        others = words[:at] + words[at + 1 :]
        total = 0.0
        for size in (1, 2, 3, 4):
            counts = grams(text_words, size)
            most: Counter[tuple[str, ...]] = Counter()
            for other in others:
                most |= grams(other, size)
            added = 0 if size == 1 else 1
            matched = (counts & most).total() + added
            total += math.log(matched / (counts.total() + added)) if matched else -math.inf
        closest = min((len(other) for other in others), key=lambda n: (abs(n - len(text_words)), n))
        brevity = 1.0 if len(text_words) >= closest else math.exp(1 - closest / len(text_words))
        scores.append(brevity * math.exp(total / 4))
    return sum(scores) / len(scores)


@pytest.mark.parametrize("seed", range(8))
def test_self_bleu_equals_its_definition(seed: int) -> None:
    entries = random_texts(2 + 3 * seed, seed)
    assert self_bleu(entries) == pytest.approx(slow_self_bleu(entries))


def test_self_bleu_of_equal_different_and_empty_texts() -> None:
    assert self_bleu(["open the door for me now"] * 3) == pytest.approx(1.0)
    assert self_bleu(["alpha beta gamma", "delta epsilon zeta"]) == 0.0
    assert self_bleu(["alone"]) is None
    assert self_bleu([]) is None
    assert self_bleu(["", "  "]) is None


def test_distinct_is_the_share_of_different_n_grams() -> None:
    assert distinct(["A b a b"], 1) == 0.5
    assert distinct(["a b a b"], 2) == pytest.approx(2 / 3)
    assert distinct(["a"], 2) == 0.0
    assert distinct([], 1) == 0.0


def test_self_bleu_of_long_texts_is_fast() -> None:
    began = time.process_time()
    assert self_bleu(["word " * 20_000 + str(n) for n in range(200)]) is not None
    assert time.process_time() - began < 5
