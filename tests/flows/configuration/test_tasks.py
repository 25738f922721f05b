"""Check that [tasks] with unsupported kinds or without input files is a fault."""

from pathlib import Path

import pytest

from flows.configuration.checks import check_configuration
from flows.run.runner import run_whole_below
from flows.stages.tasks import TaskOptions, prepare


@pytest.mark.parametrize(
    ("table", "faults"),
    [
        ("[tasks.request]\nsuites = ['everyday']", []),
        ("[tasks.policy]\nsuites = ['api-bank']", ["suite 'api-bank' draws no requests"]),
        ("[tasks.request]\nsuites = ['api-bank']", ["that [sources] cannot contain"]),
        ("[tasks.dialogue]\nsuites = ['sgd']", ["set sgd in [sources]"]),
        ("[tasks.shortcut]\nsuites = ['phone']", ["set shortcuts in [sources]"]),
        ("[tasks.request]\nsuites = ['phone']", ["suite 'phone' has tasks of kind"]),
    ],
)
def test_unsupported_tasks_are_faults(tmp_path: Path, table: str, faults: list[str]) -> None:
    path = tmp_path / "rebuild.toml"
    path.write_text(f"{table}\n")
    lines = [str(fault) for fault in check_configuration(path)]
    assert len(lines) == len(faults), lines
    assert all(fault in line for fault, line in zip(faults, lines, strict=True)), lines


def test_equal_task_stage_runs_once(tmp_path: Path) -> None:
    options = TaskOptions(count=1, distractors=0)
    first_stage = run_whole_below(tmp_path, "everyday", prepare("everyday", (), options))
    first_mtime_ns = (first_stage.path / "stage.json").stat().st_mtime_ns
    second_stage = run_whole_below(tmp_path, "everyday", prepare("everyday", (), options))
    assert (second_stage.path, second_stage.rows["tasks"]) == (first_stage.path, 1)
    assert (second_stage.path / "stage.json").stat().st_mtime_ns == first_mtime_ns
