"""Tests of skipped rebuilds: when a rebuild does nothing, and which changes make it check again."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchloom.storage.memory import store as memory_store
from benchloom.storage.memory.last_rebuild import (
    Inputs,
    LastRebuild,
    begin_rebuild,
    find_rebuild,
    remember_rebuild,
    request_digest,
    stage_used,
)
from benchloom.storage.workspace import MEMORY
from flows.configuration.secrets import BLOCKS
from scrapers.captures.layout import STATE_ENDINGS
from tests.support.python import python
from tests.support.samples.small_release import small_release, small_stage

REQUEST = b"0123456789abcdef"


@pytest.fixture(scope="module")
def release_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with two releases."""
    workspace = tmp_path_factory.mktemp("built")
    for rows in (3, 4):
        small_release(workspace, rows)
    return workspace


class World:
    """A workspace with a stage and two releases, with its inputs and captures, after a rebuild."""

    def __init__(self, root: Path, built: Path) -> None:
        self.workspace = shutil.copytree(built, root / "workspace")
        self.stage = self.workspace / "stage-4"
        self.releases = self.workspace / "releases"
        self.release = self.releases / "0.1.1"
        self.files = root / "files"
        self.captures = root / "captures"
        for path, text in {
            self.files / "a.shortcut": "first",
            self.files / "inner" / "b.shortcut": "second",
            self.captures / "rcuts" / "rcuts-1.warc.gz": "pages",
            self.captures / "state" / "tombstones.jsonl": "gone",
            self.captures / "state" / "rcuts.run.json": "ended at ten",
        }.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        apps = str(self.workspace / "apps.toml")
        self.inputs = Inputs(
            ((str(self.files), ()), (str(self.captures), STATE_ENDINGS), (apps, ()))
        )
        self.rebuild()

    def rebuild(self, request: bytes = REQUEST) -> None:
        begin_rebuild(self.workspace, self.inputs)
        stage_used(self.stage)
        remember_rebuild(self.workspace, request, self.release, "content:sha256:0", {"rejected": 4})

    def last(self) -> LastRebuild | None:
        return find_rebuild(self.workspace, REQUEST)

    def is_unchanged(self) -> bool:
        last = self.last()
        return last is not None and last.is_unchanged(self.workspace)


@pytest.fixture
def world(tmp_path: Path, release_workspace: Path) -> World:
    return World(tmp_path, release_workspace)


def change_byte(path: Path) -> None:
    """Change one byte of a file but not its size and times, as a disk fault could."""
    before = path.stat()
    content = bytearray(path.read_bytes())
    content[0] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def move_behind_link(path: Path) -> None:
    """Move a file to the parent folder and leave a link in its place."""
    path.symlink_to(path.rename(path.parent.parent / "moved"))


def test_rebuild_of_unchanged_inputs_is_remembered(world: World) -> None:
    last = world.last()
    assert last is not None
    assert last.folder(world.workspace) == world.release
    assert last.content_digest == "content:sha256:0"
    assert last.rows == {"rejected": 4}
    assert world.is_unchanged()


@pytest.mark.parametrize(
    "change",
    [
        lambda world: (world.captures / "state" / "rcuts.run.json").write_text("ended at noon"),
        lambda world: (world.captures / "state" / "rcuts-1.index.parquet").write_text("again"),
        lambda world: (world.release / "manifest.json.minisig").write_text("signed"),
        lambda world: (world.workspace / "completions.sqlite").write_text("replies"),
        lambda world: (world.releases / ".tmp-1-release").mkdir(),
        lambda world: os.utime(world.files / "a.shortcut", (1, 1)),
    ],
    ids=["state of a crawl", "index", "signature", "completion log", "leftover", "times"],
)
def test_change_that_affects_no_row_keeps_the_rebuild_valid(
    world: World, change: Callable[[World], object]
) -> None:
    change(world)
    assert world.is_unchanged()


CHANGES: dict[str, Callable[[World], object]] = {
    "a byte of an input": lambda world: change_byte(world.files / "a.shortcut"),
    "a new input": lambda world: (world.files / "c.shortcut").write_text("x"),
    "an input gone": lambda world: (world.files / "a.shortcut").unlink(),
    "an input renamed": lambda world: (world.files / "a.shortcut").rename(world.files / "z"),
    "an input that became a link": lambda world: move_behind_link(world.files / "a.shortcut"),
    "a pipe among inputs": lambda world: os.mkfifo(world.files / "pipe"),
    "a name that is not UTF-8": lambda world: (
        world.files / os.fsdecode(b"\xff.shortcut")
    ).write_text("x"),
    "all inputs gone": lambda world: shutil.rmtree(world.files),
    "a capture": lambda world: change_byte(world.captures / "rcuts" / "rcuts-1.warc.gz"),
    "captures of another site": lambda world: (world.captures / "new.warc").write_text("x"),
    "a tombstone": lambda world: (world.captures / "state" / "tombstones.jsonl").write_text(
        "gone\nback"
    ),
    "marks on apps that were not there": lambda world: (world.workspace / "apps.toml").write_text(
        "x"
    ),
    "a stage gone": lambda world: shutil.rmtree(world.stage),
    "a stage made again in another way": lambda world: small_stage(world.stage, 5),
    "a damaged stage": lambda world: change_byte(world.stage / "rejected.parquet"),
    "a damaged mark of a stage": lambda world: change_byte(world.stage / "stage.json"),
    "a file that the stage did not write": lambda world: (world.stage / "more").write_text("x"),
    "a damaged table": lambda world: change_byte(next(world.release.glob("rejected/*.parquet"))),
    "a damaged document": lambda world: change_byte(world.release / "README.md"),
    "a damaged manifest": lambda world: change_byte(world.release / "manifest.json"),
    "a damaged digest": lambda world: change_byte(world.release / "manifest.sha256"),
    "a file of the release gone": lambda world: (world.release / "README.md").unlink(),
    "a file added to the release": lambda world: (
        world.release / "rejected" / "more.parquet"
    ).write_text("x"),
    "a folder added to the release": lambda world: (world.release / "more").mkdir(),
    "the release gone": lambda world: shutil.rmtree(world.release),
    "a newer release": lambda world: shutil.copytree(world.release, world.releases / "0.3.0"),
    "an earlier release withdrawn": lambda world: shutil.rmtree(world.releases / "0.1.0"),
    "an earlier manifest": lambda world: change_byte(world.releases / "0.1.0" / "manifest.json"),
    "a damaged pointer": lambda world: change_byte(world.releases / "latest.json"),
    "no releases": lambda world: shutil.rmtree(world.releases),
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_invalidates_the_last_rebuild(world: World, change: str) -> None:
    CHANGES[change](world)
    assert not world.is_unchanged()


def test_write_ahead_log_is_part_of_the_input_digest(tmp_path: Path) -> None:
    database = tmp_path / "tools.sqlite"
    database.write_bytes(b"SQLite format 3\0")
    inputs = Inputs(((str(database), ()),))
    before = inputs.digest(tmp_path)
    (tmp_path / "tools.sqlite-wal").write_bytes(b"log")
    assert inputs.digest(tmp_path) != before


def test_workspace_inside_an_input_folder_is_ignored(world: World, tmp_path: Path) -> None:
    world.inputs = Inputs(((str(tmp_path), ()),))
    world.rebuild()
    (world.workspace / "completions.sqlite").write_text("replies")
    assert world.is_unchanged()
    (tmp_path / "new.shortcut").write_text("x")
    assert not world.is_unchanged()


def test_only_the_latest_rebuild_of_a_request_is_valid(world: World) -> None:
    (world.files / "c.shortcut").write_text("x")
    world.rebuild(b"another request.")
    assert not world.is_unchanged()
    world.rebuild()
    assert world.is_unchanged()


def test_changed_code_finds_no_rebuild(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_store, "code_digest", lambda: "code:sha256:" + "0" * 64)
    assert world.last() is None


def replace_by_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: shutil.rmtree(file.parent),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
        lambda file: file.write_bytes(b"in the way" * 2_000),
        lambda file: file.write_bytes(file.read_bytes().replace(b"0.1.1", b"0.1.0")),
        lambda file: (file.unlink(), file.mkdir()),
        replace_by_pipe,
    ],
    ids=["removed", "empty", "cut", "no database", "edited", "folder", "pipe"],
)
def test_damaged_memory_finds_no_rebuild(world: World, damage: Callable[[Path], object]) -> None:
    (file,) = (world.workspace / MEMORY).glob("*.sqlite")
    damage(file)
    assert world.last() is None
    world.rebuild()
    assert world.is_unchanged()


def test_unwritable_memory_does_not_fail_the_rebuild(world: World) -> None:
    shutil.rmtree(world.workspace / MEMORY)
    (world.workspace / MEMORY).write_text("in the way")
    world.rebuild()
    assert world.last() is None


def test_workspace_path_that_is_not_utf_8_is_not_remembered(
    tmp_path: Path, release_workspace: Path
) -> None:
    world = World(tmp_path / os.fsdecode(b"\xff"), release_workspace)
    assert world.last() is None


def test_unreadable_inputs_are_not_remembered(world: World) -> None:
    shutil.rmtree(world.workspace / MEMORY)
    world.inputs = Inputs((("/proc/self/mem", ()),))
    world.rebuild()
    assert world.last() is None


def test_skipped_rebuilds_add_one_file(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 4_000_000_000)
    before = len(list((world.workspace / MEMORY).rglob("*")))
    for _ in range(3):
        assert world.is_unchanged()
    files = [path for path in (world.workspace / MEMORY).rglob("*") if path.is_file()]
    assert len(files) == before + 1


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration file that sets only the number of workers."""
    path = tmp_path / "rebuild.toml"
    path.write_text("workers = 1\n")
    return path


def test_request_contains_configuration_and_paths(config: Path, tmp_path: Path) -> None:
    before = request_digest(config, tmp_path)
    assert request_digest(config, tmp_path) == before
    assert request_digest(config, tmp_path / "other") != before
    (tmp_path / "other").mkdir()
    copy = tmp_path / "other" / config.name
    copy.write_bytes(config.read_bytes())
    assert request_digest(copy, tmp_path) != before
    change_byte(config)
    assert request_digest(config, tmp_path) != before


@pytest.mark.parametrize(
    "name",
    [
        "BENCHLOOM_GENERATE__MODEL",
        "BENCHLOOM_CRAWL__OPT_OUT",
        "OPENAI_BASE_URL",
        "HOME",
        "PREFECT_API_URL",  # that server may contain secrets
    ],
)
def test_request_contains_environment_variables(
    config: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("BENCHLOOM_RUN", raising=False)
    before = request_digest(config, config.parent)
    monkeypatch.setenv(name, "another")
    assert request_digest(config, config.parent) != before


@pytest.mark.parametrize("secret", BLOCKS)
def test_request_ignores_the_value_of_a_secret(
    config: Path, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv(secret, "one")
    before = request_digest(config, config.parent)
    monkeypatch.setenv(secret, "two")
    assert request_digest(config, config.parent) == before


def test_request_ignores_variables_set_by_runs(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    before = request_digest(config, config.parent)
    for name in ("BENCHLOOM_RUN", "PREFECT_API_URL", "PREFECT_LOGGING_LEVEL", "SHLVL"):
        monkeypatch.setenv(name, "1")
    assert request_digest(config, config.parent) == before


def test_request_contains_python_and_package_versions(
    config: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    (site / "yarn-1.0.dist-info").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(site), str(tmp_path / "none")])
    before = request_digest(config, tmp_path)
    (site / "yarn-1.0.dist-info").rename(site / "yarn-1.1.dist-info")
    after = request_digest(config, tmp_path)
    monkeypatch.setattr(sys, "version", "4.0.0 (main)")
    assert len({before, after, request_digest(config, tmp_path)}) == 3


def test_finding_a_rebuild_imports_no_heavy_packages() -> None:
    heavy = ("pyarrow", "prefect", "pydantic", "numpy", "warcio", "fsspec", "httpx")
    code = (
        "import sys, flows.commands.rebuild, benchloom.storage.memory.last_rebuild\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    assert python("-c", code).stdout.strip() == "[]"
