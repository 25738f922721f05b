"""The wheel: what it holds, and that it works where there is no checkout."""

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
from tests.support.installed_wheel import FURTHER, OURS, ROOT, plain_environment, run
from tests.support.prefect_server import clean_environment

pytestmark = [pytest.mark.slow, pytest.mark.prefect]

TABLES = "benchloom/storage/tables/definitions"


@pytest.fixture
def plain(tmp_path: Path) -> dict[str, str]:
    return plain_environment(tmp_path)


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_file_of_our_packages_and_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
        names = archive.namelist()
    assert len(names) == len(set(names))
    about = f"benchloom-{__version__}.dist-info/"
    expected = {f"{name}/{file}" for name in OURS for file in files(ROOT / name)}
    expected |= {f"{TABLES}/{file}" for file in files(ROOT / "datasets")}
    assert {name for name in names if not name.startswith(about)} == expected
    ours = expected - {name for name in expected if name.startswith(TABLES)}
    assert {name for name in ours if packed[name] != (ROOT / name).read_bytes()} == set()
    assert f"{TABLES}/shortcuts/dataset.yaml" in names


def test_the_source_package_holds_what_makes_and_tries_the_wheel(wheel: Path) -> None:
    (source_package,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(source_package) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in (*OURS, *FURTHER):
        missing = {f"{folder}/{file}" for file in files(ROOT / folder)} - names
        assert not missing, sorted(missing)[:5]
    assert {"Makefile", "README.md", "requirements.lock", "pyproject.toml", "setup.py"} <= names


def test_what_is_imported_is_the_wheel_and_the_name_datasets_stays_free(
    installed: Path, plain: dict[str, str], tmp_path: Path
) -> None:
    output = run(
        installed / "python",
        "-c",
        "import benchloom, importlib.util as u; print(benchloom.__file__);"
        " print(u.find_spec('datasets').origin)",
        cwd=tmp_path,
        env=plain,
    )
    ours, theirs = output.splitlines()
    assert Path(ours).is_relative_to(installed.parent)
    assert theirs.endswith("/site-packages/datasets/__init__.py")
    assert not Path(theirs).is_relative_to(installed.parent)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, installed: Path) -> Path:
    """Another folder, with one file of the user's in it, and what the command reads of it."""
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
    installed: Path, plain: dict[str, str], world: Path
) -> None:
    command = installed / "benchloom"
    assert run(command, "--version", cwd=world, env=plain) == f"benchloom {__version__}\n"
    assert "routinehub" in run(command, "sites", cwd=world, env=plain)
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
def test_a_missing_extra_is_one_line_that_names_it(
    installed: Path, plain: dict[str, str], world: Path, name: str, words: tuple[str, ...]
) -> None:
    command = installed / "benchloom"
    done = subprocess.run(
        [command, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=world,
        env=plain | {"OPENAI_API_KEY": "k"},
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    # On a busy machine lines of progress come first.
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("benchloom: "))
    assert f"need the extra '{name}': pip install 'benchloom[{name}]'" in line


@pytest.mark.long
def test_the_demo_of_the_wheel_is_the_demo_of_the_checkout(
    demo_release: Path, tmp_path: Path, prefect_url: str
) -> None:
    """The demo of the wheel is the checkout's: the checkout's command reuses its stages.

    Folders of stages are named by the digests of the code and of the inputs that decide their rows.
    """
    manifest = read_manifest(demo_release)
    assert manifest.made.commit is None, "it was made where no checkout is"
    workspace = shutil.copytree(demo_release.parents[1], tmp_path / "w")
    before = stages(workspace)
    assert {"normalised", "generated", "parsed"} <= {stage.parent.name for stage in before}
    environment = clean_environment(tmp_path / "home", prefect_url)
    process = benchloom("demo", "--workspace", workspace, "--json", env=environment)
    assert process.returncode == 0, process.stderr
    assert json.loads(process.stdout)["content_digest"] == manifest.content_digest
    assert json.loads(process.stdout)["version"] == manifest.version
    assert stages(workspace) == before


def stages(workspace: Path) -> set[Path]:
    """The folders of finished stages; their names hold the digests of all they were made of."""
    return {path.parent.relative_to(workspace) for path in workspace.glob("*/*/stage.json")}
