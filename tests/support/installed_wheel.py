"""The wheel, built from a copy of the tree and installed outside the checkout; once per run."""

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.support.session_paths import shared_path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("benchloom", "demo", "flows", "parsers", "prompts", "scrapers")
FURTHER = ("benchmarks", "datasets", "docs", "examples", "scripts", "tests")
WITHOUT = """
import sys

class Hidden:
    names = {"biplist", "bpe_openai", "httpx2", "huggingface_hub", "minisign", "openai", "s3fs"}
    names |= {"dask", "distributed", "duckdb", "inspect_ai", "xllamacpp"}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""
"""Module that hides packages of the extras from the wheel, except the demo's optional browser."""


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
    if done.returncode != 0 or "Traceback" in done.stderr:
        words = " ".join(map(str, command))
        pytest.fail(f"{words}: exit code {done.returncode}\n{done.stderr}", pytrace=False)
    return done.stdout


def pip(*arguments: str | Path, cwd: Path) -> str:
    return run(sys.executable, "-m", "pip", "--quiet", *arguments, cwd=cwd)


def copy_tree(folder: Path, ignored: Sequence[str] = ("__pycache__",)) -> Path:
    """Copy the tree into a new folder, without hidden files; by default without bytecode."""
    for name in (*OURS, *FURTHER):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*ignored))
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel made of the source package, as an index would serve both.

    Made of a copy of the tree: building leaves files behind, and finds what earlier builds left.
    """
    return shared_path(tmp_path_factory, "wheel", build_wheel)


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment that has the wheel and our dependencies, and not the checkout.

    It lies in somebody's repository, as environments do.
    """
    return shared_path(tmp_path_factory, "project", lambda project: install(wheel, project))


def build_wheel(folder: Path) -> Path:
    """Build the source package of the tree, and of that the wheel."""
    sources, dist = copy_tree(folder / "tree"), folder / "dist"
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(dist)!r})"
    run(sys.executable, "-c", build, cwd=sources)
    (source_package,) = dist.glob("*.tar.gz")
    offline = ("--no-index", "--no-deps", "--no-build-isolation")
    pip("wheel", *offline, "--wheel-dir", dist, source_package, cwd=dist)
    (wheel_file,) = dist.glob("*.whl")
    return wheel_file


def install(wheel: Path, project: Path) -> Path:
    """Install the wheel into an environment in a repository."""
    if git := shutil.which("git"):
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        run(git, "init", "--quiet", cwd=project)
        run(git, *who, "commit", "--quiet", "--allow-empty", "-m", "Mine", cwd=project)
    run(sys.executable, "-m", "venv", "--without-pip", "env", cwd=project)
    binaries = project / "env" / "bin"
    words = ("pip", "install", "--no-config", "--no-cache", "--offline", "--no-deps", "--python")
    run(Path(sys.executable).with_name("uv"), *words, binaries / "python", wheel, cwd=project)
    (own,) = (project / "env" / "lib").glob("python*/site-packages")
    # A folder that a .pth file names has its own .pth files left alone: no editable checkout.
    lines = [*site.getsitepackages(), "import without_extras"]
    (own / "dependencies.pth").write_text("\n".join(lines) + "\n")
    (own / "without_extras.py").write_text(WITHOUT)
    return binaries


def plain_environment(home: Path) -> dict[str, str]:
    """Environment that leads to no checkout, server or endpoint, with its own home folder."""
    unwanted = ("PREFECT_", "OPENAI_", "PYTHON")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return variables | {"HOME": str(home)}
