"""Checks beside people's word, by command."""

import json
from pathlib import Path

import pytest

from benchloom.core.records import Verdict
from benchloom.storage.tables import write_table
from tests.support.commands import benchloom


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Four texts, of which a rule drops the first and a judge the first two."""
    rows = [
        Verdict(
            target_id=f"q{number}",
            check=check,
            kept=number >= drops,
            reason="ok" if number >= drops else "fault",
            score=None,
            evidence="",
        )
        for check, drops in (("cut_off", 1), ("faithfulness:one", 2))
        for number in range(4)
    ]
    folder = tmp_path / "judged"
    folder.mkdir()
    rows.sort(key=lambda row: (row.target_id, row.check))
    write_table("verdicts", rows, folder / "verdicts.parquet")
    return folder


def labels(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_labels_of_a_file_judge_the_checks(judged: Path, tmp_path: Path) -> None:
    label_lines = [
        json.dumps({"target_id": f"q{number}", "kept": number > 1, "by": who})
        for number in range(4)
        for who in ("ann", "ben")
    ]
    path = labels(tmp_path, *label_lines)
    done = benchloom("calibrate", judged, "--labels", path, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    calibration = json.loads(done.stdout)["found"]
    assert (calibration["labelled"], calibration["good"], calibration["people"]["alpha"]) == (
        4,
        2,
        1.0,
    )
    shares = {
        rater["rater"]: (rater["recall"]["hits"], rater["recall"]["of"])
        for rater in calibration["raters"]
    }
    assert shares == {
        "all rules": (1, 2),
        "cut_off": (1, 2),
        "faithfulness:one": (2, 2),
        "kept": (2, 2),
        "panel": (2, 2),
    }
    output = benchloom("calibrate", judged, "--labels", path).stdout
    assert "| faithfulness:one | fault | 1.000 (0.342-1.000, 2 of 2) |" in output
    assert "4 labelled texts: 2 good, 2 flawed, 0 undecided" in output
    assert "| cut_off | 4 | 1.000 (0.207-1.000, 1 of 1) | 0.500 (0.095-0.905, 1 of 2) |" in output


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ('{"target_id": "q1"}', 1, "line 1 is not a label: Object missing required field `kept`"),
        (
            '{"target_id": "elsewhere", "kept": true}',
            2,
            "no labelled text was judged",
        ),
        ("", 1, "no text has a label of a person"),
    ],
)
def test_what_is_no_label_is_told_in_a_line(
    judged: Path, tmp_path: Path, line: str, code: int, told: str
) -> None:
    done = benchloom("calibrate", judged, "--labels", labels(tmp_path, line))
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_without_verdicts_is_named(tmp_path: Path) -> None:
    done = benchloom("calibrate", tmp_path)
    assert (done.returncode, "contains no table 'verdicts'" in done.stderr) == (1, True)
