"""Check that Prefect's files are in the user's Prefect folder or in a temporary folder."""

import os
import stat
from pathlib import Path

import pytest

from tests.support.commands import benchloom
from tests.support.demo_world import write_shards
from tests.support.python import python

PRINT_PREFECT_HOME = (
    "import os, flows.engine.prefect_settings; print(os.environ.get('PREFECT_HOME', ''))"
)


def environment_of(home: Path, temporary: Path) -> dict[str, str]:
    """Return an environment with this home, which need not exist, and this temporary folder."""
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")
    }
    return variables | {"HOME": str(home), "TMPDIR": str(temporary)}


def prefect_folder(home: Path, temporary: Path, **variables: str) -> Path | None:
    """Return the folder of Prefect's files, or None if Prefect chooses it."""
    temporary.mkdir(exist_ok=True)
    environment = environment_of(home, temporary) | variables
    output = python("-c", PRINT_PREFECT_HOME, env=environment).stdout.strip()
    return Path(output) if output else None


def test_existing_prefect_folder_and_setting_are_kept(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    (home / ".prefect").mkdir(parents=True)
    assert prefect_folder(home, tmp_path / "t") is None
    assert prefect_folder(tmp_path / "none", tmp_path / "t", PREFECT_HOME="/x/y") == Path("/x/y")
    home_with_file = tmp_path / "spoilt"
    home_with_file.mkdir()
    (home_with_file / ".prefect").write_text("a file")
    assert prefect_folder(home_with_file, tmp_path / "t") is not None


@pytest.mark.parametrize("home", ["none", "file", "empty"])
def test_temporary_prefect_folder_is_private_and_reused(tmp_path: Path, home: str) -> None:
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "empty").mkdir()
    folder = prefect_folder(tmp_path / home, tmp_path / "t")
    assert folder is not None
    assert folder.parent == tmp_path / "t"
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IRWXU
    assert prefect_folder(tmp_path / home, tmp_path / "t") == folder
    assert not (tmp_path / "none").exists()
    assert list((tmp_path / "empty").iterdir()) == []


@pytest.mark.parametrize("kind", ["open", "link", "file"])
def test_untrusted_temporary_folder_is_not_used(tmp_path: Path, kind: str) -> None:
    first_folder = prefect_folder(tmp_path / "none", tmp_path / "t")
    assert first_folder is not None
    first_folder.rmdir()
    if kind == "open":
        first_folder.mkdir()
        first_folder.chmod(0o777)
    elif kind == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        first_folder.symlink_to(tmp_path / "elsewhere")
    else:
        first_folder.write_text("")
    folder = prefect_folder(tmp_path / "none", tmp_path / "t")
    assert folder is not None
    assert folder != first_folder
    assert stat.S_IMODE(folder.lstat().st_mode) == stat.S_IRWXU
    assert folder.lstat().st_uid == os.getuid()


@pytest.mark.long
@pytest.mark.prefect
def test_run_writes_nothing_into_the_prefect_folder(tmp_path: Path) -> None:
    """Other tests of runs use homes without a Prefect folder."""
    profiles = tmp_path / "home" / ".prefect" / "profiles.toml"
    profiles.parent.mkdir(parents=True)
    profiles.write_text('active = "mine"\n[profiles.mine]\n')
    config = tmp_path / "rebuild.toml"
    shortcuts = write_shards(tmp_path / "in", "*.plist")
    config.write_text(f'[sources]\nshortcuts = ["{shortcuts}"]\n')
    environment = environment_of(tmp_path / "home", tmp_path)
    done = benchloom("rebuild", "--config", config, "--out", tmp_path / "w", env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "w" / "releases" / "0.1.0" / "report.html").is_file()
    assert list((tmp_path / "home").rglob("*")) == [profiles.parent, profiles]
    assert [path for path in tmp_path.rglob("benchloom-prefect-*/*") if path.is_file()] == []
    assert "WARNING" not in done.stderr
    assert "Warning" not in done.stderr
