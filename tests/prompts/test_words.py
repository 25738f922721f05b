"""Check which stems of everyday words are pointless and which point at a service."""

from prompts.checks._paraphrases import paraphrases
from prompts.language.words import POINTLESS, stem


def test_only_stems_of_everyday_verbs_are_pointless() -> None:
    assert {stem("booking"), stem("searches"), stem("given")} & POINTLESS == {"book", "search"}


def test_paraphrases_are_found_by_stem() -> None:
    assert stem("cinema") in paraphrases(frozenset({stem("movies")}))
    assert paraphrases(frozenset({stem("xylophones")})) == set()
