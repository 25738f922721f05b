"""Decisions: a header of one form, numbers of their own, an index that names them all."""

from pathlib import Path

import pytest

from docs.decision import DECISIONS, DecisionError, read_decisions
from docs.generated.decisions import pages

GOOD = "# 0007 A title\n\nStatus: accepted, 2026-11-22\n\nText.\n"


def test_every_decision_has_its_header_and_its_number() -> None:
    decisions = read_decisions()
    assert [decision.file for decision in decisions] == sorted(
        file.name for file in DECISIONS.iterdir()
    )
    assert len({decision.number for decision in decisions}) == len(decisions)


def test_the_index_names_every_decision_with_status_and_date() -> None:
    made = pages()
    rows = [row for row in made["decisions/index.md"].splitlines() if row.startswith("| [")]
    rows += [row for row in made["decisions/index.md"].splitlines() if row[2:6].isdigit()]
    assert len(rows) == len(read_decisions()) == len(made) - 1
    for decision, row in zip(read_decisions(), rows, strict=True):
        assert f"({decision.file})" in row
        assert row.endswith(f"| {decision.date} |")
        assert made[f"decisions/{decision.file}"] == decision.text


def test_a_later_decision_is_linked_from_the_one_it_changes(tmp_path: Path) -> None:
    narrowed = GOOD.replace("22\n", "22; narrowed by 0008 (point 2) and 0009 (point 3)\n", 1)
    (tmp_path / "0007-a.md").write_text(narrowed)
    (tmp_path / "0008-b.md").write_text(GOOD.replace("0007", "0008"))
    with pytest.raises(DecisionError, match=r"0007-a.md names 0009, which is not there"):
        read_decisions(tmp_path)
    (tmp_path / "0009-c.md").write_text(GOOD.replace("0007", "0009"))
    assert read_decisions(tmp_path)[0].later() == ("0008", "0009")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("0007-a.md", GOOD.replace("# 0007", "# 0008")),
        ("0007-a.md", GOOD.replace("0007 A", "0007 - A").replace("# 0007", "0007")),
        ("0007-a.md", GOOD.replace("accepted", "proposed")),
        ("0007-a.md", GOOD.replace("accepted", "superseded by 8")),
        ("0007-a.md", GOOD.replace(", 2026-11-22", "")),
        ("0007-a.md", GOOD.replace("2026-11-22", "22 November")),
        ("0007-a.md", GOOD.replace("\n\nStatus", "\nStatus")),
        ("0007-a.md", "Text.\n"),
        ("0007_a.md", GOOD),
        ("7-a.md", GOOD),
    ],
)
def test_another_form_is_refused(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DecisionError, match=name):
        read_decisions(tmp_path)


def test_two_decisions_of_one_number_are_refused(tmp_path: Path) -> None:
    (tmp_path / "0007-a.md").write_text(GOOD)
    (tmp_path / "0007-b.md").write_text(GOOD)
    with pytest.raises(DecisionError, match=r"0007-a.md and 0007-b.md share a number"):
        read_decisions(tmp_path)
