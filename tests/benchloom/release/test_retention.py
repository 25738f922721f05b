"""Which texts a release keeps, by what checks, judges and people say about them."""

import pytest

from benchloom.core.records.texts import HUMAN, JUDGEMENT
from benchloom.release.query_splits import Verdicts

COPIES = [f"query:{number}" for number in "abcde"]


def verdicts_of(*verdicts: tuple[str, str, bool]) -> Verdicts:
    """Verdicts after six equal texts, of which the checks kept the first."""
    every = Verdicts()
    for copy in COPIES:
        every.add(copy, "near_duplicate", kept=False, evidence="1.00 like query:first")
    for target, check, decision in verdicts:
        every.add(target, check, kept=decision)
    return every


def kept_of(every: Verdicts) -> list[str]:
    return [text for text in ("query:first", *COPIES) if every.keep(text)]


def test_a_copy_of_a_kept_text_is_left_out() -> None:
    assert kept_of(verdicts_of()) == ["query:first"]


@pytest.mark.parametrize("check", [JUDGEMENT + "m", HUMAN + "reader1", "values_stated"])
def test_a_copy_takes_the_place_of_a_text_that_is_dropped_later(check: str) -> None:
    assert kept_of(verdicts_of(("query:first", check, False))) == ["query:a"]


def test_the_best_copy_takes_its_place() -> None:
    judge = JUDGEMENT + "m"
    dropped = ("query:first", judge, False)
    assert kept_of(verdicts_of(dropped, ("query:a", "values_stated", False))) == ["query:b"]
    assert kept_of(verdicts_of(dropped, ("query:c", judge, True))) == ["query:c"]
    read = verdicts_of(dropped, ("query:c", judge, True), ("query:d", HUMAN + "reader1", True))
    assert kept_of(read) == ["query:d"]


def test_where_no_copy_passes_none_is_kept() -> None:
    judge = JUDGEMENT + "m"
    assert kept_of(verdicts_of(*((text, judge, False) for text in ("query:first", *COPIES)))) == []


@pytest.mark.parametrize("evidence", ["", "alike", "1.00 like query:a"])
def test_a_verdict_that_names_no_other_text_drops(evidence: str) -> None:
    every = Verdicts()
    every.add("query:a", "near_duplicate", kept=False, evidence=evidence)
    assert not every.keep("query:a")
