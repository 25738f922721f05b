"""What lets a rebuild do nothing, and everything that takes that away: the decision alone."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from benchloom.errors import RunError
from benchloom.sealing import files_in, seal_files
from benchloom.workspace import StageMark, write_mark
from flows.configuration.secrets import SECRETS
from flows.unchanged import asked as asking
from flows.unchanged.asked import asked_for
from flows.unchanged.finding import difference, unchanged
from flows.unchanged.looking import (
    MarkedInput,
    digest_of_inputs,
    digest_of_names,
    digest_of_releases,
)
from flows.unchanged.mark import (
    FILE_NAME,
    MarkedStage,
    RebuildMark,
    read_rebuild_mark,
    write_rebuild_mark,
)
from scrapers.captures.layout import STATE_ENDINGS

ASKED = "asked:sha256:1"


class World:
    """A workspace with a stage and a release, a folder of inputs and one of captures, marked."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.space = root / "space"
        self.stage = self.space / "parsed" / "shortcuts-0123456789abcdef"
        self.release = self.space / "releases" / "0.2.0"
        self.files = root / "files"
        self.captures = root / "captures"
        for path, text in {
            self.files / "a.shortcut": "first",
            self.files / "inner" / "b.shortcut": "second",
            self.captures / "rcuts" / "rcuts-1.warc.gz": "pages",
            self.captures / "state" / "tombstones.jsonl": "gone",
            self.captures / "state" / "rcuts.run.json": "ended at ten",
            self.stage / "shortcuts" / "shortcuts-00000.parquet": "rows",
            self.release / "shortcuts" / "shortcuts.parquet": "rows",
            self.release / "manifest.json": "{}",
            self.space / "releases" / "0.1.0" / "manifest.json": "{}",
            self.space / "releases" / "latest.json": '{"version":"0.2.0"}',
        }.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        mark = StageMark(
            stage="parse-shortcuts", key="stage:sha256:1", objects=2, rows={}, reasons={}
        )
        sealed = write_mark(self.stage, mark)
        inputs = (
            MarkedInput(str(self.files)),
            MarkedInput(str(self.captures), STATE_ENDINGS),
            MarkedInput(str(self.space / "apps.toml")),
        )
        self.mark = RebuildMark(
            asked=ASKED,
            inputs=inputs,
            read=digest_of_inputs(inputs),
            names=digest_of_names(inputs),
            stages=(MarkedStage(self.stage.relative_to(self.space).as_posix(), sealed.seal),),
            release="0.2.0",
            content_digest="content:sha256:1",
            rows={"shortcuts": 2},
            files=seal_files(self.release, files_in(self.release)),
            may_join=("manifest.json.minisig",),
            releases=digest_of_releases(self.space / "releases"),
            looks_outside=False,
        )
        write_rebuild_mark(self.space, self.mark)

    def difference(self) -> str | None:
        return difference(self.space, ASKED, self.mark)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def with_other_byte(path: Path) -> None:
    """Another byte, at the same size and the same times, as a copying tool or a disk leaves it."""
    before = path.stat()
    content = bytearray(path.read_bytes())
    content[0] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_nothing_new_is_known_from_the_mark_alone(world: World) -> None:
    assert unchanged(world.space, ASKED) == read_rebuild_mark(world.space)
    assert world.difference() is None


@pytest.mark.parametrize(
    "harmless",
    [
        lambda world: (world.captures / "state" / "rcuts.run.json").write_text("ended at noon"),
        lambda world: (world.captures / "state" / "rcuts-1.index.parquet").write_text("again"),
        lambda world: (world.release / "manifest.json.minisig").write_text("signed"),
        lambda world: (world.space / "completions.sqlite").write_text("replies"),
        lambda world: (world.space / "releases" / ".tmp-1-release").mkdir(),
        lambda world: os.utime(world.files / "a.shortcut", (1, 1)),
    ],
    ids=["state of a crawl", "index", "signature", "completion log", "leftover", "times"],
)
def test_what_decides_no_row_changes_nothing(
    world: World, harmless: Callable[[World], object]
) -> None:
    harmless(world)
    assert world.difference() is None


CHANGES: dict[str, tuple[Callable[[World], object], str]] = {
    "a byte of an input, size and times as before": (
        lambda world: with_other_byte(world.files / "a.shortcut"),
        "an input",
    ),
    "a new input": (lambda world: (world.files / "c.shortcut").write_text("x"), "an input"),
    "an input gone": (lambda world: (world.files / "a.shortcut").unlink(), "an input"),
    "an input renamed": (
        lambda world: (world.files / "a.shortcut").rename(world.files / "z.shortcut"),
        "an input",
    ),
    "an input that became a link": (lambda world: as_link(world.files / "a.shortcut"), "an input"),
    "all inputs gone": (lambda world: shutil.rmtree(world.files), "an input"),
    "a capture": (
        lambda world: with_other_byte(world.captures / "rcuts" / "rcuts-1.warc.gz"),
        "an input",
    ),
    "captures of another site": (
        lambda world: (world.captures / "new.warc").write_text("x"),
        "an input",
    ),
    "a tombstone": (
        lambda world: (world.captures / "state" / "tombstones.jsonl").write_text("gone\nback"),
        "an input",
    ),
    "marks on apps that were not there": (
        lambda world: (world.space / "apps.toml").write_text("x"),
        "an input",
    ),
    "a stage gone": (lambda world: shutil.rmtree(world.stage), "the stage in parsed/"),
    "a stage made again in another way": (
        lambda world: write_mark(
            world.stage,
            StageMark(stage="parse-shortcuts", key="other", objects=2, rows={}, reasons={}),
        ),
        "the stage in parsed/",
    ),
    "a damaged stage": (
        lambda world: with_other_byte(world.stage / "shortcuts" / "shortcuts-00000.parquet"),
        "changed: its bytes differ",
    ),
    "a damaged mark of a stage": (
        lambda world: with_other_byte(world.stage / "stage.json"),
        "stage.json",
    ),
    "a damaged table of the release": (
        lambda world: with_other_byte(world.release / "shortcuts" / "shortcuts.parquet"),
        "changed: its bytes differ",
    ),
    "a damaged manifest": (
        lambda world: with_other_byte(world.release / "manifest.json"),
        "the rel",
    ),
    "a file of the release gone": (
        lambda world: (world.release / "shortcuts" / "shortcuts.parquet").unlink(),
        "missing",
    ),
    "a file beside those of the release": (
        lambda world: (world.release / "shortcuts" / "more.parquet").write_text("x"),
        "not of the release",
    ),
    "the release gone": (lambda world: shutil.rmtree(world.release), "the releases"),
    "a newer release": (
        lambda world: shutil.copytree(world.release, world.release.with_name("0.3.0")),
        "the releases",
    ),
    "an earlier release withdrawn": (
        lambda world: shutil.rmtree(world.space / "releases" / "0.1.0"),
        "the releases",
    ),
    "an earlier manifest changed": (
        lambda world: (world.space / "releases" / "0.1.0" / "manifest.json").write_text("[]"),
        "the releases",
    ),
    "a damaged pointer": (
        lambda world: (world.space / "releases" / "latest.json").write_text("{"),
        "the releases",
    ),
    "no releases at all": (lambda world: shutil.rmtree(world.space / "releases"), "No such file"),
}


def as_link(path: Path) -> None:
    """The same bytes behind a link."""
    kept = path.rename(path.parent.parent / "kept")
    path.symlink_to(kept)


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_found_and_named(world: World, change: str) -> None:
    make, named = CHANGES[change]
    make(world)
    told = world.difference()
    assert told is not None
    assert named in told
    assert unchanged(world.space, ASKED) is None


def test_a_pipe_among_inputs_is_not_waited_for(world: World) -> None:
    os.mkfifo(world.files / "pipe")
    assert world.difference() == "an input"


def test_names_need_not_be_utf_8(world: World) -> None:
    (world.files / os.fsdecode(b"\xff.shortcut")).write_text("x")
    assert world.difference() == "an input"


def test_a_log_beside_a_database_is_read_with_it(tmp_path: Path) -> None:
    database = tmp_path / "tools.sqlite"
    database.write_bytes(b"SQLite format 3\0")
    before = digest_of_inputs([MarkedInput(str(database))])
    (tmp_path / "tools.sqlite-wal").write_bytes(b"log")
    assert digest_of_inputs([MarkedInput(str(database))]) != before


def as_pipe(path: Path) -> None:
    """What would never end when it is read."""
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-9]),
        lambda path: path.write_bytes(path.read_bytes().replace(b"0.2.0", b"0.1.0")),
        lambda path: path.write_bytes(b"[" * 100_000),
        lambda path: path.write_bytes(b'{"asked":"\xff"}'),
        lambda path: (path.unlink(), path.mkdir()),
        as_pipe,
        lambda path: (path.rename(path.with_name("kept")), path.symlink_to("kept")),
    ],
    ids=["gone", "empty", "cut", "edited", "nested", "not UTF-8", "folder", "pipe", "link"],
)
def test_a_mark_that_is_not_what_was_written_is_no_mark(
    world: World, damage: Callable[[Path], object]
) -> None:
    damage(world.space / FILE_NAME)
    assert read_rebuild_mark(world.space) is None
    assert unchanged(world.space, ASKED) is None


def test_a_mark_with_more_or_less_in_it_is_no_mark(world: World) -> None:
    told = json.loads((world.space / FILE_NAME).read_bytes())
    for changed in (told | {"more": 1}, {k: told[k] for k in told if k != "files"}):
        (world.space / FILE_NAME).write_bytes(msgspec.json.encode(changed))
        assert read_rebuild_mark(world.space) is None


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration that asks for nothing."""
    path = tmp_path / "rebuild.toml"
    path.write_text("workers = 1\n")
    return path


def test_another_configuration_is_another_question(config: Path, tmp_path: Path) -> None:
    before = asked_for(config)
    assert asked_for(config) == before
    with_other_byte(config)
    assert asked_for(config) != before
    with pytest.raises(RunError, match=r"nothing-here.toml: No such file"):
        asked_for(tmp_path / "nothing-here.toml")


def test_inputs_are_relative_to_the_folder_of_the_configuration(
    config: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    copy = shutil.copy(config, tmp_path / "other" / config.name)
    assert asked_for(Path(copy)) != asked_for(config)


@pytest.mark.parametrize(
    "name", ["BENCHLOOM_GENERATE__MODEL", "BENCHLOOM_CRAWL__OPT_OUT", "OPENAI_BASE_URL", "HOME"]
)
def test_the_environment_counts(config: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = asked_for(config)
    monkeypatch.setenv(name, "another")
    assert asked_for(config) != before


@pytest.mark.parametrize("secret", SECRETS)
def test_of_a_secret_only_that_it_is_set_is_kept(
    config: Path, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv(secret, "one")
    before = asked_for(config)
    monkeypatch.setenv(secret, "two")
    assert asked_for(config) == before


def test_what_runs_start_for_themselves_does_not_count(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    before = asked_for(config)
    for name in ("BENCHLOOM_RUN", "PREFECT_API_URL", "PREFECT_LOGGING_LEVEL", "SHLVL"):
        monkeypatch.setenv(name, "1")
    assert asked_for(config) == before


def test_a_named_server_counts_since_it_may_hold_secrets(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("BENCHLOOM_RUN", raising=False)
    before = asked_for(config)
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:4200/api")
    assert asked_for(config) != before


def test_another_python_counts(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked_for(config)
    monkeypatch.setattr(sys, "version", "4.0.0 (main)")
    assert asked_for(config) != before


def test_another_version_of_a_package_counts(
    config: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "site" / "yarn-1.0.dist-info").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site"), str(tmp_path / "none")])
    before = asked_for(config)
    (tmp_path / "site" / "yarn-1.0.dist-info").rename(tmp_path / "site" / "yarn-1.1.dist-info")
    assert asked_for(config) != before


def test_other_code_is_another_question(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked_for(config)
    monkeypatch.setattr(asking, "code_digest", lambda: "code:sha256:" + "0" * 64)
    assert asked_for(config) != before


def test_looking_imports_nothing_that_it_does_not_use() -> None:
    heavy = ("pyarrow", "prefect", "pydantic", "numpy", "warcio", "fsspec", "httpx")
    code = (
        "import sys, flows.commands.rebuild, benchloom.workspace\n"
        "import flows.unchanged.asked, flows.unchanged.finding\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
