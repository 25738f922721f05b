"""A command that takes a release takes the newest one where none is named."""

from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.release.versions import gold_path, release_before, release_folder
from tests.support.commands import benchloom
from tests.support.samples.small_release import small_release

COMMANDS = (
    ("release", "check"),
    ("release", "diff"),
    ("release", "export", "--format", "jsonl", "--out", "out"),
    ("release", "overlap", "."),
    ("release", "publish", "--to", "out"),
    ("evaluate", "audit", "shortcuts"),
    ("evaluate", "shortcuts", "--predictions", "none.jsonl"),
    ("evaluate", "run", "shortcuts", "--model", "none"),
    ("explore",),
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workspace")
    for rows in (2, 3):
        small_release(folder, rows)
    return folder


def test_the_newest_release_is_taken(workspace: Path) -> None:
    releases = workspace / "releases"
    assert release_folder(None, workspace) == releases / "0.1.1"
    assert release_folder(Path("0.1.0"), workspace) == releases / "0.1.0"
    assert release_folder(releases / "0.1.0", workspace) == releases / "0.1.0"
    assert gold_path(None, workspace) == releases / "0.1.1"
    assert gold_path(Path(__file__), workspace) == Path(__file__)
    assert release_before(releases / "0.1.1") == releases / "0.1.0"


def test_what_is_there_is_told_where_a_release_is_not(workspace: Path) -> None:
    with pytest.raises(RunError, match=r"9\.9\.9 is neither a folder .* contains 0\.1\.0, 0\.1\.1"):
        release_folder(Path("9.9.9"), workspace)
    with pytest.raises(RunError, match=r"no release before 0\.1\.0"):
        release_before(workspace / "releases" / "0.1.0")
    with pytest.raises(RunError, match="contains no release; make one"):
        release_folder(None, workspace / "elsewhere")


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:2]))
def test_no_command_asks_for_a_release_to_be_named(words: tuple[str, ...], tmp_path: Path) -> None:
    done = benchloom(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert "workspace/releases contains no release; make one" in done.stderr


def test_two_releases_are_compared_without_names(workspace: Path) -> None:
    done = benchloom("release", "diff", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("0.1.0 -> 0.1.1\n")
