"""Stems of everyday words: which point at nothing, and which at a service."""

from prompts.checks._paraphrases import paraphrases
from prompts.language.words import POINTLESS, stem


def test_stems_of_everyday_verbs_point_at_nothing() -> None:
    assert {stem("booking"), stem("searches"), stem("given")} & POINTLESS == {"book", "search"}


def test_a_service_is_found_by_a_stem() -> None:
    assert stem("cinema") in paraphrases(frozenset({stem("movies")}))
    assert paraphrases(frozenset({stem("xylophones")})) == set()
