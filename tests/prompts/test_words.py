"""Stems: words of one family meet, others do not."""

import pytest

from prompts.checks._paraphrases import paraphrases
from prompts.language.words import POINTLESS, stem


@pytest.mark.parametrize(
    "family",
    [
        ("stop", "stops", "stopped", "stopping"),
        ("note", "notes", "noted", "noting"),
        ("reserve", "reserved", "reserving"),
        ("weather",),
        ("city", "cities"),
    ],
)
def test_words_of_a_family_have_one_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_other_words_keep_apart_and_short_ones_stay() -> None:
    assert len({stem(word) for word in ("note", "not", "station", "state", "bus", "bed")}) == 6
    assert [stem(word) for word in ("", "a", "us", "été", "天気")] == ["", "a", "us", "été", "天気"]


def test_stems_of_everyday_verbs_point_at_nothing() -> None:
    assert {stem("booking"), stem("searches"), stem("given")} & POINTLESS == {"book", "search"}


def test_a_service_is_found_by_a_stem() -> None:
    assert stem("cinema") in paraphrases(frozenset({stem("movies")}))
    assert paraphrases(frozenset({stem("xylophones")})) == set()
