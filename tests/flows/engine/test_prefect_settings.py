"""Prefect's files: in the folder that the user has for Prefect, else in a temporary folder."""

import os
import stat
from pathlib import Path

import pytest

from tests.support.commands import benchloom
from tests.support.demo_world import write_shards
from tests.support.python import python

TELL = "import os, flows.engine.prefect_settings; print(os.environ.get('PREFECT_HOME', ''))"


def at_home(home: Path, temporary: Path) -> dict[str, str]:
    """An environment with this home, which need not be there, and this temporary folder."""
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")
    }
    return variables | {"HOME": str(home), "TMPDIR": str(temporary)}


def place(home: Path, temporary: Path, **further: str) -> Path | None:
    """Where Prefect's files lie, None where Prefect decides that itself."""
    temporary.mkdir(exist_ok=True)
    environment = at_home(home, temporary) | further
    output = python("-c", TELL, env=environment).stdout.strip()
    return Path(output) if output else None


def test_the_folder_that_a_user_has_for_prefect_is_used_and_what_is_set_stays(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    (home / ".prefect").mkdir(parents=True)
    assert place(home, tmp_path / "t") is None
    assert place(tmp_path / "none", tmp_path / "t", PREFECT_HOME="/x/y") == Path("/x/y")
    spoilt = tmp_path / "spoilt"
    spoilt.mkdir()
    (spoilt / ".prefect").write_text("a file")
    assert place(spoilt, tmp_path / "t") is not None


@pytest.mark.parametrize("home", ["none", "file", "empty"])
def test_without_it_there_is_one_place_for_this_user_alone(tmp_path: Path, home: str) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "empty").mkdir()
    folder = place(tmp_path / home, tmp_path / "t")
    assert folder is not None
    assert folder.parent == tmp_path / "t"
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IRWXU
    assert place(tmp_path / home, tmp_path / "t") == folder
    assert not (tmp_path / "none").exists()
    assert list((tmp_path / "empty").iterdir()) == []


@pytest.mark.parametrize("made", ["open", "link", "file"])
def test_a_place_that_somebody_else_may_have_made_is_not_used(tmp_path: Path, made: str) -> None:
    first = place(tmp_path / "none", tmp_path / "t")
    assert first is not None
    first.rmdir()
    if made == "open":
        first.mkdir()
        first.chmod(0o777)
    elif made == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        first.symlink_to(tmp_path / "elsewhere")
    else:
        first.write_text("")
    folder = place(tmp_path / "none", tmp_path / "t")
    assert folder is not None
    assert folder != first
    assert stat.S_IMODE(folder.lstat().st_mode) == stat.S_IRWXU
    assert folder.lstat().st_uid == os.getuid()


@pytest.mark.long
@pytest.mark.prefect
def test_a_run_writes_nothing_into_the_folder_of_prefect(tmp_path: Path) -> None:
    """The tests of the demo and of schedules have homes without such a folder."""
    profiles = tmp_path / "home" / ".prefect" / "profiles.toml"
    profiles.parent.mkdir(parents=True)
    profiles.write_text('active = "mine"\n[profiles.mine]\n')
    config = tmp_path / "rebuild.toml"
    shortcuts = write_shards(tmp_path / "in", "*.plist")
    config.write_text(f'[sources]\nshortcuts = ["{shortcuts}"]\n')
    environment = at_home(tmp_path / "home", tmp_path)
    done = benchloom("rebuild", "--config", config, "--out", tmp_path / "w", env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "w" / "releases" / "0.1.0" / "report.html").is_file()
    assert list((tmp_path / "home").rglob("*")) == [profiles.parent, profiles]
    assert [path for path in tmp_path.rglob("benchloom-prefect-*/*") if path.is_file()] == []
    assert "WARNING" not in done.stderr
    assert "Warning" not in done.stderr
