"""Tests of near texts: the rule on labelled pairs, and the index against the rule."""

import itertools
import random
from pathlib import Path

import msgspec
import pytest

from benchloom.release.overlap.near_texts import (
    THRESHOLD,
    NearTexts,
    plain_text,
    shingled,
    similarity,
)
from tests.support.soak import samples


class Labelled(msgspec.Struct, frozen=True):
    """Two texts and the label whether they are near."""

    one: str
    other: str
    near: bool


PAIRS = msgspec.yaml.decode(
    (Path(__file__).parent / "near_pairs.yaml").read_bytes(), type=list[Labelled]
)


def is_near(first: str, other: str) -> bool:
    """Return whether two different texts are near by the rule of the index."""
    is_same = plain_text(first) == plain_text(other)
    return not is_same and similarity(shingled(first), shingled(other)) >= THRESHOLD


def precision_and_recall(pairs: list[Labelled]) -> tuple[float, float]:
    """Return precision and recall of the rule on labelled pairs."""
    predictions = [is_near(pair.one, pair.other) for pair in pairs]
    right = sum(
        prediction and pair.near for prediction, pair in zip(predictions, pairs, strict=True)
    )
    return right / sum(predictions), right / sum(pair.near for pair in pairs)


@pytest.mark.parametrize(("held_out", "least"), [(False, (0.9, 0.95)), (True, (0.85, 0.85))])
def test_precision_and_recall_on_labelled_pairs(held_out: bool, least: tuple[float, float]) -> None:
    half = PAIRS[32:] if held_out else PAIRS[:32]
    assert sum(pair.near for pair in half) == 16
    assert len(half) >= 32
    precision, recall = precision_and_recall(half)
    assert (precision >= least[0], recall >= least[1]) == (True, True), (precision, recall)


def test_near_rule_is_symmetric_and_excludes_equal_texts() -> None:
    for pair in PAIRS:
        assert is_near(pair.one, pair.other) == is_near(pair.other, pair.one)
        assert not is_near(pair.one, pair.one.upper().lower())
        assert not is_near(pair.one, f"  {pair.one}!")


def test_texts_without_words_are_near_to_no_text() -> None:
    assert plain_text("?! \u2026") == ""
    assert not is_near("", "?!")
    assert not is_near("", "Play some jazz")


def variants(count: int, seed: int) -> list[str]:
    """Return random requests, each followed by a copy with one more word."""
    chance = random.Random(seed)  # an order, not a secret
    words = [f"{a}{b}{c}" for a, b, c in itertools.product("bdfgk", "aeiou", "lmnrst")]
    texts = []
    for _ in range(count // 2):
        text = "please " + " ".join(chance.choices(words, k=chance.randrange(8, 20)))
        position = chance.randrange(2, 7)
        split = text.split()
        texts += [text, " ".join([*split[:position], "kindly", *split[position:]])]
    return texts


def test_index_matches_equal_those_of_the_rule() -> None:
    request_texts = variants(samples(160, 400), 1)
    texts = [*request_texts, *(pair.one for pair in PAIRS)]
    queries = [*request_texts[::3], *(pair.other for pair in PAIRS)]
    indexed = [shingled(text) for text in texts]
    index = NearTexts(indexed)
    for text, matches in zip(
        queries, index.near([shingled(text) for text in queries]), strict=True
    ):
        expected = {
            number
            for number, shingles in enumerate(indexed)
            if similarity(shingles, shingled(text)) >= THRESHOLD
        }
        assert {number for number, _ in matches} == expected
        assert [score for _, score in matches] == sorted((s for _, s in matches), reverse=True)


def test_query_among_thousands_of_similar_texts_has_few_matches() -> None:
    """The index compares only some of many similar texts, so that time grows with their number."""
    letters = "".maketrans("0123456789", "abcdefghij")
    texts = [f"show me the weather in town {n:04d}".translate(letters) for n in range(3000)]
    indexed = [shingled(text) for text in texts]
    matches = list(NearTexts(indexed).near(indexed[:200]))
    assert all(0 < len(text_matches) <= 24 for text_matches in matches)


def test_distinct_number_finds_its_text_among_similar_texts() -> None:
    texts = [f"show me the weather in town number {n:05d}" for n in range(3000)]
    indexed = [shingled(text) for text in texts]
    queries = [shingled(f"please {text}") for text in texts[:200]]
    matches = NearTexts(indexed).near(queries)
    assert [[number for number, _ in text_matches] for text_matches in matches] == [
        [n] for n in range(200)
    ]


def test_empty_index_or_query_list_has_no_matches() -> None:
    assert list(NearTexts([]).near([shingled("play some jazz")])) == [[]]
    assert list(NearTexts([shingled("play some jazz")]).near([])) == []
