"""Tests of the wheel: they check its files and its commands in a place without a checkout."""

import json
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from benchloom import __version__
from benchloom.release import read_manifest
from tests.support.commands import benchloom
from tests.support.demo_world import SHORTCUTS
from tests.support.installed_wheel import OTHER_FOLDERS, OUR_PACKAGES, ROOT, plain_environment, run
from tests.support.prefect_server import clean_environment

pytestmark = [pytest.mark.slow, pytest.mark.prefect]

TABLES = "benchloom/storage/tables/definitions"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return plain_environment(tmp_path)


def relative_paths(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_wheel_contains_exactly_the_files_of_our_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
        names = archive.namelist()
    assert len(names) == len(set(names))
    metadata_folder = f"benchloom-{__version__}.dist-info/"
    expected = {f"{name}/{file}" for name in OUR_PACKAGES for file in relative_paths(ROOT / name)}
    expected |= {f"{TABLES}/{file}" for file in relative_paths(ROOT / "datasets")}
    assert {name for name in names if not name.startswith(metadata_folder)} == expected
    our_files = expected - {name for name in expected if name.startswith(TABLES)}
    assert {name for name in our_files if packed[name] != (ROOT / name).read_bytes()} == set()
    assert f"{TABLES}/shortcuts/dataset.yaml" in names


def test_source_package_can_build_and_test_the_wheel(wheel: Path) -> None:
    (source_package,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(source_package) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in (*OUR_PACKAGES, *OTHER_FOLDERS):
        missing = {f"{folder}/{file}" for file in relative_paths(ROOT / folder)} - names
        assert not missing, sorted(missing)[:5]
    assert {"Makefile", "README.md", "requirements.lock", "pyproject.toml", "setup.py"} <= names


def test_wheel_is_imported_and_leaves_the_name_datasets_free(
    installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    output = run(
        installed / "python",
        "-c",
        "import benchloom, importlib.util as u; print(benchloom.__file__);"
        " print(u.find_spec('datasets').origin)",
        cwd=tmp_path,
        env=environment,
    )
    benchloom_path, datasets_path = output.splitlines()
    assert Path(benchloom_path).is_relative_to(installed.parent)
    assert datasets_path.endswith("/site-packages/datasets/__init__.py")
    assert not Path(datasets_path).is_relative_to(installed.parent)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, installed: Path) -> Path:
    """Return a folder with a user's file and the table that the wheel's command made of it."""
    folder = tmp_path_factory.mktemp("world")
    (folder / "mine").mkdir()
    shutil.copy(SHORTCUTS / "read-later.shortcut", folder / "mine")
    cluster = '[engine]\nkind = "dask"\n[sources]\nshortcuts = ["mine"]\n'
    (folder / "cluster.toml").write_text(cluster)
    words = ("parse", "shortcuts", "mine", "--out", "out")
    output = run(installed / "benchloom", *words, cwd=folder, env=plain_environment(folder))
    assert "1 shortcuts" in output
    return folder


def test_commands_work_from_another_folder(
    installed: Path, environment: dict[str, str], world: Path
) -> None:
    command = installed / "benchloom"
    assert run(command, "--version", cwd=world, env=environment) == f"benchloom {__version__}\n"
    assert "routinehub" in run(command, "sites", cwd=world, env=environment)
    assert (world / "out" / "shortcuts.parquet").is_file()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cross-check", ("parse", "shortcuts", "mine", "--out", "checked", "--cross-check")),
        ("llm", ("generate", "query", "--in", "out", "--out", "written", "--writer", "llm")),
        ("cluster", ("rebuild", "--config", "cluster.toml")),
        ("local", ("generate", "query", "--in", "out", "--out", "written", "--model", "local")),
        ("explore", ("explore", "out")),
    ],
)
def test_missing_extra_is_reported_in_one_line(
    installed: Path, environment: dict[str, str], world: Path, name: str, words: tuple[str, ...]
) -> None:
    command = installed / "benchloom"
    completed = subprocess.run(
        [command, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=world,
        env=environment | {"OPENAI_API_KEY": "k"},
        timeout=120,
    )
    assert completed.returncode == 2, completed.stderr
    # On a busy machine progress lines precede the error.
    (line,) = (line for line in completed.stderr.splitlines() if line.startswith("benchloom: "))
    assert f"need the extra '{name}': pip install 'benchloom[{name}]'" in line


@pytest.mark.long
def test_demo_of_the_wheel_equals_that_of_the_checkout(
    demo_release: Path, tmp_path: Path, prefect_url: str
) -> None:
    """The command of the checkout reuses the stages that the wheel's demo made.

    The name of a stage folder contains digests of the code and the inputs that determine its rows.
    """
    manifest = read_manifest(demo_release)
    assert manifest.made.commit is None, "the wheel's demo must run outside a checkout"
    workspace = shutil.copytree(demo_release.parents[1], tmp_path / "w")
    stage_folders_before = stage_folders(workspace)
    assert {"normalised", "generated", "parsed"} <= {
        stage.parent.name for stage in stage_folders_before
    }
    shell = clean_environment(tmp_path / "home", prefect_url)
    process = benchloom("demo", "--workspace", workspace, "--json", env=shell)
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout)["content_digest"] == manifest.content_digest
    assert json.loads(process.stdout)["version"] == manifest.version
    assert stage_folders(workspace) == stage_folders_before


def stage_folders(workspace: Path) -> set[Path]:
    """Return the folders of finished stages; their names contain the digests of their inputs."""
    return {path.parent.relative_to(workspace) for path in workspace.glob("*/*/stage.json")}
