"""Tests of the decisions: they check headers, numbers and the index that links every decision."""

import re
from pathlib import Path

import pytest

from docs.decision import DECISIONS, INDEX, DecisionError, read_decisions
from docs.generated.decisions import pages

GOOD = "# 0007 A title\n\nStatus: accepted, 2026-11-22\n\nText.\n"
MAX_LINES = 60
"""Number of lines on a page."""


def test_folder_contains_only_decisions_and_the_index() -> None:
    files = {decision.file for decision in read_decisions()} | {INDEX}
    assert files == {file.name for file in DECISIONS.iterdir()}


def test_decision_fits_on_a_page() -> None:
    lines = {decision.file: len(decision.text.splitlines()) for decision in read_decisions()}
    assert {file: count for file, count in lines.items() if count > MAX_LINES} == {}


def test_index_links_every_decision_once_by_its_title() -> None:
    text_by_page = pages()
    links = re.findall(
        r"\[(\d{4}) (.+?)\]\((\d{4}-[a-z0-9-]+\.md)\)", text_by_page["decisions/index.md"]
    )
    assert sorted(links) == [
        (decision.number, decision.title, decision.file) for decision in read_decisions()
    ]
    for decision in read_decisions():
        assert text_by_page[f"decisions/{decision.file}"] == decision.text


def test_reference_to_a_missing_decision_is_refused(tmp_path: Path) -> None:
    (tmp_path / "0007-a.md").write_text(GOOD + "\nAs 0009 says, at most 0.0123 or 10,0009.\n")
    (tmp_path / INDEX).write_text("- [0007 A title](0007-a.md)\n")
    with pytest.raises(
        DecisionError, match=r"0007-a.md refers to decision 0009, which does not exist"
    ):
        read_decisions(tmp_path)
    (tmp_path / "0009-b.md").write_text(GOOD.replace("0007", "0009"))
    assert read_decisions(tmp_path)[0].references() == {"0007", "0009"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("0007-a.md", GOOD.replace("# 0007", "# 0008")),
        ("0007-a.md", GOOD.replace("0007 A", "0007 - A").replace("# 0007", "0007")),
        ("0007-a.md", GOOD.replace("accepted", "proposed")),
        ("0007-a.md", GOOD.replace("accepted", "superseded by 0008")),
        ("0007-a.md", GOOD.replace("22\n", "22; narrowed by 0008\n", 1)),
        ("0007-a.md", GOOD.replace(", 2026-11-22", "")),
        ("0007-a.md", GOOD.replace("2026-11-22", "22 November")),
        ("0007-a.md", GOOD.replace("\n\nStatus", "\nStatus")),
        ("0007-a.md", "Text.\n"),
        ("0007_a.md", GOOD),
        ("7-a.md", GOOD),
    ],
)
def test_malformed_decision_is_refused(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DecisionError, match=name):
        read_decisions(tmp_path)


def test_two_decisions_with_one_number_are_refused(tmp_path: Path) -> None:
    (tmp_path / "0007-a.md").write_text(GOOD)
    (tmp_path / "0007-b.md").write_text(GOOD)
    with pytest.raises(DecisionError, match=r"0007-a.md and 0007-b.md share a number"):
        read_decisions(tmp_path)
