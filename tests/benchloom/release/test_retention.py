"""Tests of retention: checks, judges and people decide which of equal texts a release keeps."""

import pytest

from benchloom.core.records.texts import HUMAN, JUDGEMENT
from benchloom.release.query_splits import Verdicts

COPIES = [f"query:{number}" for number in "abcde"]


def verdicts_with(*verdicts: tuple[str, str, bool]) -> Verdicts:
    """Return verdicts on six equal texts of which the checks kept the first, and further ones."""
    all_verdicts = Verdicts()
    for copy in COPIES:
        all_verdicts.add(copy, "near_duplicate", kept=False, evidence="1.00 like query:first")
    for target, check, decision in verdicts:
        all_verdicts.add(target, check, kept=decision)
    return all_verdicts


def kept_texts(verdicts: Verdicts) -> list[str]:
    """Return the texts that verdicts keep."""
    return [text for text in ("query:first", *COPIES) if verdicts.keep(text)]


def test_copy_of_a_kept_text_is_dropped() -> None:
    assert kept_texts(verdicts_with()) == ["query:first"]


@pytest.mark.parametrize("check", [JUDGEMENT + "m", HUMAN + "reader1", "values_stated"])
def test_copy_replaces_a_text_that_is_dropped_later(check: str) -> None:
    assert kept_texts(verdicts_with(("query:first", check, False))) == ["query:a"]


def test_best_copy_replaces_a_dropped_text() -> None:
    judge = JUDGEMENT + "m"
    dropped = ("query:first", judge, False)
    assert kept_texts(verdicts_with(dropped, ("query:a", "values_stated", False))) == ["query:b"]
    assert kept_texts(verdicts_with(dropped, ("query:c", judge, True))) == ["query:c"]
    read = verdicts_with(dropped, ("query:c", judge, True), ("query:d", HUMAN + "reader1", True))
    assert kept_texts(read) == ["query:d"]


def test_no_copy_is_kept_if_all_are_dropped() -> None:
    judge = JUDGEMENT + "m"
    assert (
        kept_texts(verdicts_with(*((text, judge, False) for text in ("query:first", *COPIES))))
        == []
    )


@pytest.mark.parametrize("evidence", ["", "alike", "1.00 like query:a"])
def test_duplicate_verdict_without_another_text_drops(evidence: str) -> None:
    verdicts = Verdicts()
    verdicts.add("query:a", "near_duplicate", kept=False, evidence=evidence)
    assert not verdicts.keep("query:a")
