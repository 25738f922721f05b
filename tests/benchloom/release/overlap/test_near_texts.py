"""Near texts: the rule against labelled pairs, the index against the rule, time against size."""

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
    one: str
    other: str
    near: bool


PAIRS = msgspec.yaml.decode(
    (Path(__file__).parent / "near_pairs.yaml").read_bytes(), type=list[Labelled]
)


def is_near(first: str, other: str) -> bool:
    is_same = plain_text(first) == plain_text(other)
    return not is_same and similarity(shingled(first), shingled(other)) >= THRESHOLD


def precision_and_recall(pairs: list[Labelled]) -> tuple[float, float]:
    predictions = [is_near(pair.one, pair.other) for pair in pairs]
    right = sum(
        prediction and pair.near for prediction, pair in zip(predictions, pairs, strict=True)
    )
    return right / sum(predictions), right / sum(pair.near for pair in pairs)


@pytest.mark.parametrize(("held_out", "least"), [(False, (0.9, 0.95)), (True, (0.85, 0.85))])
def test_labelled_pairs(held_out: bool, least: tuple[float, float]) -> None:
    half = PAIRS[32:] if held_out else PAIRS[:32]
    assert sum(pair.near for pair in half) == 16
    assert len(half) >= 32
    precision, recall = precision_and_recall(half)
    assert (precision >= least[0], recall >= least[1]) == (True, True), (precision, recall)


def test_the_rule_is_symmetric_and_leaves_equal_texts_out() -> None:
    for pair in PAIRS:
        assert is_near(pair.one, pair.other) == is_near(pair.other, pair.one)
        assert not is_near(pair.one, pair.one.upper().lower())
        assert not is_near(pair.one, f"  {pair.one}!")


def test_texts_without_words_are_near_to_nothing_else() -> None:
    assert plain_text("?! \u2026") == ""
    assert not is_near("", "?!")
    assert not is_near("", "Play some jazz")


def variants(count: int, seed: int) -> list[str]:
    """Made requests of a few templates with many words, and copies with one word more."""
    chance = random.Random(seed)  # an order, not a secret
    words = [f"{a}{b}{c}" for a, b, c in itertools.product("bdfgk", "aeiou", "lmnrst")]
    texts = []
    for _ in range(count // 2):
        text = "please " + " ".join(chance.choices(words, k=chance.randrange(8, 20)))
        position = chance.randrange(2, 7)
        split = text.split()
        texts += [text, " ".join([*split[:position], "kindly", *split[position:]])]
    return texts


def test_the_index_finds_what_the_rule_says() -> None:
    request_texts = variants(samples(160, 400), 1)
    texts = [*request_texts, *(pair.one for pair in PAIRS)]
    queries = [*request_texts[::3], *(pair.other for pair in PAIRS)]
    held = [shingled(text) for text in texts]
    index = NearTexts(held)
    for text, matches in zip(
        queries, index.near([shingled(text) for text in queries]), strict=True
    ):
        expected = {
            number
            for number, shingles in enumerate(held)
            if similarity(shingles, shingled(text)) >= THRESHOLD
        }
        assert {number for number, _ in matches} == expected
        assert [score for _, score in matches] == sorted((s for _, s in matches), reverse=True)


def test_thousands_of_texts_of_one_template_cost_no_square() -> None:
    """Only some of very many similar texts are compared, and each query still has a match."""
    letters = "".maketrans("0123456789", "abcdefghij")
    texts = [f"show me the weather in town {n:04d}".translate(letters) for n in range(3000)]
    held = [shingled(text) for text in texts]
    matches = list(NearTexts(held).near(held[:200]))
    assert all(0 < len(text_matches) <= 24 for text_matches in matches)


def test_a_value_finds_its_own_text_among_thousands_of_one_template() -> None:
    texts = [f"show me the weather in town number {n:05d}" for n in range(3000)]
    held = [shingled(text) for text in texts]
    queries = [shingled(f"please {text}") for text in texts[:200]]
    matches = NearTexts(held).near(queries)
    assert [[number for number, _ in text_matches] for text_matches in matches] == [
        [n] for n in range(200)
    ]


def test_an_empty_index_has_nothing_near() -> None:
    assert list(NearTexts([]).near([shingled("play some jazz")])) == [[]]
    assert list(NearTexts([shingled("play some jazz")]).near([])) == []
