"""Check that finished stages are chosen, opened and checked, or the folders to pass are named."""

import os
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.storage.workspace import STAGE_FILE
from flows.run.finished import open_stage, open_stages, stage_with
from tests.support.samples.small_release import small_stage


@pytest.fixture
def normalised(tmp_path: Path) -> Path:
    """Return a folder with two stages of one table, of which the first by name is the newer one."""
    for name, age in (("shortcuts-a", 2000), ("shortcuts-b", 1000)):
        small_stage(tmp_path / "normalised" / name)
        os.utime(tmp_path / "normalised" / name / STAGE_FILE, (age, age))
    return tmp_path / "normalised"


def test_newest_stage_with_the_table_is_chosen(normalised: Path) -> None:
    assert stage_with(normalised, ["rejected"]) == normalised / "shortcuts-a"
    assert stage_with(normalised.parent, ["rejected"]) == normalised / "shortcuts-a"
    assert stage_with(normalised / "shortcuts-b", ["rejected"]) == normalised / "shortcuts-b"


def test_message_lists_stages_below_a_folder_without_a_match(
    normalised: Path, tmp_path: Path
) -> None:
    with pytest.raises(RunError, match=r"no stage with planning_paths; pass .*-b \(rejected\)"):
        stage_with(normalised, ["planning_paths"])
    with pytest.raises(RunError, match=r"no finished stage; pass one .*shortcuts-a \(rejected\)"):
        open_stage(normalised)
    assert stage_with(tmp_path / "empty", ["planning_paths"]) == tmp_path / "empty"


def test_equal_stages_open_once_and_another_stage_is_refused(normalised: Path) -> None:
    stage = open_stage(normalised / "shortcuts-a")
    assert open_stages([stage.path, normalised / "shortcuts-b"]) == [stage]
    with pytest.raises(RunError, match=f"contains the finished stage '{stage.name}', not 'join'"):
        open_stage(stage.path, "join")
