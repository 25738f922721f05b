"""Check that commands use the newest release if the arguments name none."""

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


def test_newest_release_is_the_default(workspace: Path) -> None:
    releases = workspace / "releases"
    assert release_folder(None, workspace) == releases / "0.1.1"
    assert release_folder(Path("0.1.0"), workspace) == releases / "0.1.0"
    assert release_folder(releases / "0.1.0", workspace) == releases / "0.1.0"
    assert gold_path(None, workspace) == releases / "0.1.1"
    assert gold_path(Path(__file__), workspace) == Path(__file__)
    assert release_before(releases / "0.1.1") == releases / "0.1.0"


def test_missing_release_error_lists_existing_releases(workspace: Path) -> None:
    with pytest.raises(RunError, match=r"9\.9\.9 is neither a folder .* contains 0\.1\.0, 0\.1\.1"):
        release_folder(Path("9.9.9"), workspace)
    with pytest.raises(RunError, match=r"no release before 0\.1\.0"):
        release_before(workspace / "releases" / "0.1.0")
    with pytest.raises(RunError, match="contains no release; make one"):
        release_folder(None, workspace / "elsewhere")


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:2]))
def test_release_argument_of_every_command_is_optional(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    done = benchloom(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert "workspace/releases contains no release; make one" in done.stderr


def test_diff_compares_the_last_two_releases_by_default(workspace: Path) -> None:
    done = benchloom("release", "diff", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("0.1.0 -> 0.1.1\n")
