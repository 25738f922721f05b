"""The wheel: what it holds, and that it works where there is no checkout."""

import os
import shutil
import site
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchloom import __version__
from benchloom.release import Manifest, read_manifest
from tests.support.demo_world import SHORTCUTS

pytestmark = [pytest.mark.slow, pytest.mark.prefect]

ROOT = Path(__file__).resolve().parents[2]
OURS = ("benchloom", "demo", "flows", "parsers", "prompts", "scrapers")
FURTHER = ("benchmarks", "datasets", "docs", "examples", "scripts", "tests")
TABLES = "benchloom/tables/definitions"
WITHOUT = """
import sys

class Hidden:
    names = {"biplist", "bpe_openai", "httpx2", "huggingface_hub", "minisign", "openai", "s3fs"}
    names |= {"inspect_ai", "xllamacpp"}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""
"""What the extras install is hidden from the wheel, but for the browser that the demo may use."""


def run(*command: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        cwd=cwd,
        env=env,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def pip(*arguments: str | Path, cwd: Path) -> str:
    return run(sys.executable, "-m", "pip", "--quiet", *arguments, cwd=cwd)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree: building leaves files behind, and finds what earlier builds left."""
    copy = tmp_path_factory.mktemp("wheel") / "tree"
    copy.mkdir()
    for name in (*OURS, *FURTHER):
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, copy)
    return copy


@pytest.fixture(scope="module")
def wheel(sources: Path) -> Path:
    """The wheel made of the source package, as an index would serve both."""
    dist = sources.parent / "dist"
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(dist)!r})"
    run(sys.executable, "-c", build, cwd=sources)
    (source_package,) = dist.glob("*.tar.gz")
    offline = ("--no-index", "--no-deps", "--no-build-isolation")
    pip("wheel", *offline, "--wheel-dir", dist, source_package, cwd=dist)
    (made,) = dist.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """The `bin` of an environment that has the wheel and our dependencies, and not the checkout.

    It lies in somebody's repository, as environments do.
    """
    project = wheel.parents[1] / "project"
    project.mkdir()
    if git := shutil.which("git"):
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        run(git, "init", "--quiet", cwd=project)
        run(git, *who, "commit", "--quiet", "--allow-empty", "-m", "Mine", cwd=project)
    run(sys.executable, "-m", "venv", "--without-pip", "env", cwd=project)
    binaries = project / "env" / "bin"
    offline = ("--no-index", "--no-deps")
    pip("--python", binaries / "python", "install", *offline, wheel, cwd=project)
    (own,) = (project / "env" / "lib").glob("python*/site-packages")
    # A folder that a .pth file names has its own .pth files left alone: no editable checkout.
    lines = [*site.getsitepackages(), "import without_extras"]
    (own / "dependencies.pth").write_text("\n".join(lines) + "\n")
    (own / "without_extras.py").write_text(WITHOUT)
    return binaries


@pytest.fixture
def plain(tmp_path: Path) -> dict[str, str]:
    """The environment without what leads to a checkout, a server or an endpoint."""
    unwanted = ("PREFECT_", "OPENAI_", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return kept | {"HOME": str(tmp_path)}


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_every_file_of_our_packages_and_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert len(names) == len(set(names))
    about = f"benchloom-{__version__}.dist-info/"
    expected = {f"{name}/{file}" for name in OURS for file in files(ROOT / name)}
    expected |= {f"{TABLES}/{file}" for file in files(ROOT / "datasets")}
    assert {name for name in names if not name.startswith(about)} == expected
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
    told = run(
        installed / "python",
        "-c",
        "import benchloom, importlib.util as u; print(benchloom.__file__);"
        " print(u.find_spec('datasets').origin)",
        cwd=tmp_path,
        env=plain,
    )
    ours, theirs = told.splitlines()
    assert Path(ours).is_relative_to(installed.parent)
    assert theirs.endswith("/site-packages/datasets/__init__.py")
    assert not Path(theirs).is_relative_to(installed.parent)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Another folder, with one file of the user's in it."""
    (tmp_path / "mine").mkdir()
    shutil.copy(SHORTCUTS / "read-later.shortcut", tmp_path / "mine")
    return tmp_path


def test_commands_work_from_another_folder(
    installed: Path, plain: dict[str, str], world: Path
) -> None:
    command = installed / "benchloom"
    assert run(command, "--version", cwd=world, env=plain) == f"benchloom {__version__}\n"
    assert "routinehub" in run(command, "sites", cwd=world, env=plain)
    told = run(command, "parse", "shortcuts", "mine", "--out", "out", cwd=world, env=plain)
    assert "1 shortcuts" in told
    assert (world / "out" / "shortcuts.parquet").is_file()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cross-check", ("parse", "shortcuts", "mine", "--out", "checked", "--cross-check")),
        ("llm", ("generate", "query", "--in", "out", "--out", "written", "--writer", "llm")),
        ("local", ("generate", "query", "--in", "out", "--out", "written", "--model", "local")),
    ],
)
def test_a_missing_extra_is_one_line_that_names_it(
    installed: Path, plain: dict[str, str], world: Path, name: str, words: tuple[str, ...]
) -> None:
    command = installed / "benchloom"
    run(command, "parse", "shortcuts", "mine", "--out", "out", cwd=world, env=plain)
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
    (line,) = done.stderr.splitlines()
    assert f"need the extra '{name}': pip install 'benchloom[{name}]'" in line


def test_the_demo_of_the_wheel_is_the_demo_of_the_checkout(
    installed: Path, plain: dict[str, str], tmp_path: Path, demo_release: Path
) -> None:
    told = run(installed / "benchloom", "demo", cwd=tmp_path, env=plain)
    assert "pd.read_parquet(" in told
    made = read_manifest(tmp_path / "demo-output" / "releases" / "0.1.0")
    expected = read_manifest(demo_release)
    assert made.tables() == expected.tables()
    assert made.made.commit is None

    def rows(manifest: Manifest) -> dict[str, str]:
        # Captures hold the time of the crawl, and of these there were two.
        return {
            file.path: file.sha256
            for file in manifest.files
            if file.path.endswith(".parquet") and not file.path.startswith("captures/")
        }

    assert rows(made) == rows(expected)
