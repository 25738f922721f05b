"""Check that `benchloom calibrate` compares automatic checks with labels written by people."""

import json
from pathlib import Path

import pytest

from benchloom.core.records import Verdict
from benchloom.storage.tables import write_table
from tests.support.commands import benchloom


@pytest.fixture
def judged_folder(tmp_path: Path) -> Path:
    """Return a folder of verdicts on four texts: a rule drops the first, a judge the first two."""
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


def write_labels(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_labels_file_measures_the_checks(judged_folder: Path, tmp_path: Path) -> None:
    label_lines = [
        json.dumps({"target_id": f"q{number}", "kept": number > 1, "by": person})
        for number in range(4)
        for person in ("ann", "ben")
    ]
    path = write_labels(tmp_path, *label_lines)
    done = benchloom("calibrate", judged_folder, "--labels", path, "--json")
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
    output = benchloom("calibrate", judged_folder, "--labels", path).stdout
    assert "| faithfulness:one | fault | 1.000 (0.342-1.000, 2 of 2) |" in output
    assert "4 labelled texts: 2 good, 2 flawed, 0 undecided" in output
    assert "| cut_off | 4 | 1.000 (0.207-1.000, 1 of 1) | 0.500 (0.095-0.905, 1 of 2) |" in output


@pytest.mark.parametrize(
    ("line", "code", "message"),
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
def test_invalid_labels_are_one_line_errors(
    judged_folder: Path, tmp_path: Path, line: str, code: int, message: str
) -> None:
    done = benchloom("calibrate", judged_folder, "--labels", write_labels(tmp_path, line))
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_folder_without_verdicts_is_an_error(tmp_path: Path) -> None:
    done = benchloom("calibrate", tmp_path)
    assert (done.returncode, "contains no table 'verdicts'" in done.stderr) == (1, True)
