"""Check releases of real inputs: every single source, every pair, and every published benchmark."""

import json
import shutil
from itertools import combinations
from pathlib import Path
from zipfile import ZipFile

import httpx
import pandas as pd
import pytest

from benchloom.exchange.formats import FORMATS, Writing
from benchloom.release import read_manifest
from tests.support.shared_data import shared_file
from tests.support.soak import SOAK
from tests.support.stranger import Stranger

pytestmark = [pytest.mark.real_data, pytest.mark.slow]
SHORTCUTS = 12
"""Number of real shortcuts: enough for an evaluation, few enough to rebuild every pair."""


def unpack_members(archive: str, folder: Path, name_part: str, limit: int) -> Path:
    """Unpack the first members of an archive whose names contain a text into a folder."""
    folder.mkdir(parents=True)
    with ZipFile(shared_file(archive)) as opened:
        member_names = [name for name in sorted(opened.namelist()) if name_part in name][:limit]
        assert member_names, f"{archive} holds no {name_part}"
        for name in member_names:
            (folder / Path(name).name).write_bytes(opened.read(name))
    return folder


def write_dialogues(folder: Path, splits: tuple[str, ...]) -> Path:
    """Write the first dialogues of some splits of SGD and the schemas of those splits."""
    with ZipFile(shared_file("sgd.zip")) as archive:
        for split in splits:
            (folder / split).mkdir(parents=True)
            for name in ("schema.json", "dialogues_001.json"):
                (archive_name,) = [
                    member
                    for member in archive.namelist()
                    if member.endswith(f"guided-dialogue/{split}/{name}")
                ]
                rows = json.loads(archive.read(archive_name))
                selected_rows = rows if name == "schema.json" else rows[:20]
                (folder / split / name).write_text(json.dumps(selected_rows), encoding="utf-8")
    return folder


def test_release_of_all_real_inputs_matches_its_manifest(
    rebuilt_workspace: Path, tmp_path: Path
) -> None:
    """Compare row counts; only soak runs repeat the full check, which takes very long."""
    if SOAK:
        Stranger(tmp_path, tmp_path / "home").types(
            "release", "check", "--workspace", rebuilt_workspace
        )
    (manifest,) = rebuilt_workspace.glob("releases/*/manifest.json")
    rows = read_manifest(manifest.parent).tables()
    tables = {path.parent for path in rebuilt_workspace.glob("releases/*/*/*.parquet")}
    rows_read = {folder.name: len(pd.read_parquet(folder)) for folder in tables}
    assert rows_read == {name: count for name, count in rows.items() if name in rows_read}
    assert not any(count for name, count in rows.items() if name not in rows_read)
    assert min(rows_read[table] for table in ("shortcuts", "api_definitions", "planning_paths")) > 0


@pytest.fixture(scope="module")
def source_paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, Path]]:
    """Return the key of `[sources]` and the path of each real source, by the source's name."""
    root = tmp_path_factory.mktemp("data")
    toolkit = unpack_members("toolkit_ios26.zip", root / "toolkit", ".sqlite", 1)
    return {
        "shortcuts": (
            "shortcuts",
            unpack_members("shortcuts.zip", root / "s", "unsigned/", SHORTCUTS),
        ),
        "toolkit": ("definitions", toolkit),
        "intents": (
            "definitions",
            unpack_members("api_definitions.zip", root / "i", "intentdef", 3),
        ),
        "wfactions": (
            "definitions",
            unpack_members("api_definitions.zip", root / "w", "WFActions", 1),
        ),
        "sgd": ("sgd", write_dialogues(root / "sgd", ("dev",))),
    }


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace whose stages of one source are reused by the releases of each pair."""
    return tmp_path_factory.mktemp("stages")


SOURCE_NAMES = ("shortcuts", "toolkit", "intents", "wfactions", "sgd")
SHORTCUTS_AND_TOOLKIT = ("shortcuts", "toolkit")
"""The sources of a typical user: shortcuts, and the definitions of the actions they call."""
PAIRS = [pair for pair in combinations(SOURCE_NAMES, 2) if SOAK or "shortcuts" in pair]
"""Pairs of sources; `make soak` also makes releases of two sources without shortcuts."""
SOURCE_SETS = [(name,) for name in SOURCE_NAMES] + PAIRS


@pytest.mark.parametrize("names", SOURCE_SETS, ids="-".join)
def test_every_source_and_every_pair_makes_a_release(
    names: tuple[str, ...],
    source_paths: dict[str, tuple[str, Path]],
    stages: Path,
    tmp_path: Path,
    prefect_url: str,
) -> None:
    shutil.rmtree(stages / "releases", ignore_errors=True)
    (tmp_path / "workspace").symlink_to(stages)
    sources: dict[str, list[str]] = {}
    for name in names:
        key, path = source_paths[name]
        sources.setdefault(key, []).append(str(path))
    lines = [f"{key} = {json.dumps(paths)}" for key, paths in sources.items()]
    (tmp_path / "rebuild.toml").write_text("\n".join(["[sources]", *lines]), encoding="utf-8")
    stranger = Stranger(tmp_path, tmp_path / "home", prefect_url)
    # The rebuild has already run every gate on the release of a pair.
    stranger.types("rebuild")
    if len(names) == 1 or names == SHORTCUTS_AND_TOOLKIT:
        stranger.types("release", "check")
    rows = read_manifest(stages / "releases" / "0.1.0").tables()
    for key, table in (
        ("shortcuts", "shortcuts"),
        ("definitions", "api_definitions"),
        ("sgd", "planning_paths"),
    ):
        assert rows[table] > 0 or key not in sources
    if names == SHORTCUTS_AND_TOOLKIT:
        check_readme_commands(stranger, tmp_path)


def check_readme_commands(stranger: Stranger, folder: Path) -> None:
    """Check the README's commands on a release of shortcuts and a ToolKit database."""
    assert "gold (right" in stranger.types("evaluate", "audit", "shortcuts", "--limit", "20")
    for name, export_format in FORMATS.only(Writing).items():
        if "shortcuts" in export_format.tables and not export_format.pairs:
            out = ("--out", folder / "out" / name, "--all", "--templates")
            output = stranger.types("release", "export", "--format", name, *out, or_code=1)
            # A format that cannot represent any of these rows reports a reason for each row.
            assert "nothing was exported" not in output or "not written:" in output
    with stranger.explores("--port", "0") as address, httpx.Client() as browser:
        assert browser.get(address, follow_redirects=True).status_code == 200


PUBLISHED_BENCHMARKS = {
    "bfcl": ("cases.zip", "two_imports/in1/"),
    "nestful": ("peers.zip", "nestful/executable-"),
    "api-bank": ("peers.zip", "api-bank/"),
    "appbench": ("appbench_gold_sample.json", ""),
}
"""Published benchmarks by format: the archive, and a text that its members' names contain."""


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """Return a user who has imported every published benchmark."""
    folder = tmp_path_factory.mktemp("published")
    stranger = Stranger(folder, folder / "home")
    write_dialogues(folder / "sgd", ("train", "dev", "test"))
    stranger.types("convert", "sgd", "sgd", "--out", "converted")
    for name, (archive, name_part) in PUBLISHED_BENCHMARKS.items():
        set_folder = folder / "sets" / name
        set_folder.mkdir(parents=True)
        if not archive.endswith(".zip"):
            shutil.copy(shared_file(archive), set_folder)
        else:
            with ZipFile(shared_file(archive)) as opened:
                opened.extractall(
                    set_folder,
                    [
                        member
                        for member in opened.namelist()
                        if name_part in member and member[-1] != "/"
                    ],
                )
        # AppBench's files call services of SGD and define none.
        further = ("--definitions", "converted") if name == "appbench" else ()
        import_report = stranger.asks(
            "import", name, set_folder, "--out", f"imported/{name}", *further
        )
        assert import_report["rows"]["planning_paths"] > 0, import_report
    return stranger


@pytest.mark.parametrize(
    "names",
    [
        *((set_name,) for set_name in PUBLISHED_BENCHMARKS if SOAK or set_name == "bfcl"),
        tuple(PUBLISHED_BENCHMARKS),
    ],
    ids="-".join,
)
def test_published_benchmarks_make_a_release_alone_and_together(
    names: tuple[str, ...], published: Stranger, tmp_path: Path
) -> None:
    stages = [word for name in names for word in ("--in", f"imported/{name}")]
    published.types("release", "build", *stages, "--workspace", tmp_path)
    rows = published.asks("release", "check", "--workspace", tmp_path)["rows"]
    assert rows["planning_paths"] > 0
