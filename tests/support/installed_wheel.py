"""Build the wheel from a copy of the tree and install it outside the checkout, once per run."""

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
OUR_PACKAGES = ("benchloom", "demo", "flows", "parsers", "prompts", "scrapers")
OTHER_FOLDERS = ("benchmarks", "datasets", "docs", "examples", "scripts", "tests")
HIDING_MODULE = """
import sys

class Hidden:
    names = {"biplist", "bpe_openai", "httpx2", "huggingface_hub", "minisign", "openai", "s3fs"}
    names |= {"dask", "distributed", "duckdb", "inspect_ai", "xllamacpp"}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""
"""Code of a module that hides the packages of the extras, except the demo's optional browser."""


def run(*command: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> str:
    completed = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        cwd=cwd,
        env=env,
    )
    if completed.returncode != 0 or "Traceback" in completed.stderr:
        words = " ".join(map(str, command))
        pytest.fail(f"{words}: exit code {completed.returncode}\n{completed.stderr}", pytrace=False)
    return completed.stdout


def pip(*arguments: str | Path, cwd: Path) -> str:
    return run(sys.executable, "-m", "pip", "--quiet", *arguments, cwd=cwd)


def copy_tree(folder: Path, ignored: Sequence[str] = ("__pycache__",)) -> Path:
    """Copy the tree into a new folder, without hidden files and by default without bytecode."""
    for name in (*OUR_PACKAGES, *OTHER_FOLDERS):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*ignored))
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel that is built from the source package, as users of an index would build it.

    Both are built in a copy of the tree, because a build leaves files that later builds would use.
    """
    return shared_path(tmp_path_factory, "wheel", build_wheel)


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the `bin` folder of an environment with the wheel and our dependencies.

    The environment does not contain the checkout. It is in a Git repository of its user.
    """
    return shared_path(tmp_path_factory, "project", lambda project: install(wheel, project))


def build_wheel(folder: Path) -> Path:
    """Build the source package of the tree, and the wheel from the source package."""
    sources, dist = copy_tree(folder / "tree"), folder / "dist"
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(dist)!r})"
    run(sys.executable, "-c", build, cwd=sources)
    (source_package,) = dist.glob("*.tar.gz")
    offline = ("--no-index", "--no-deps", "--no-build-isolation")
    pip("wheel", *offline, "--wheel-dir", dist, source_package, cwd=dist)
    (wheel_file,) = dist.glob("*.whl")
    return wheel_file


def install(wheel: Path, project: Path) -> Path:
    """Install the wheel into an environment inside a Git repository; return its `bin` folder."""
    if git := shutil.which("git"):
        author = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        run(git, "init", "--quiet", cwd=project)
        run(git, *author, "commit", "--quiet", "--allow-empty", "-m", "Mine", cwd=project)
    run(sys.executable, "-m", "venv", "--without-pip", "env", cwd=project)
    binaries = project / "env" / "bin"
    words = ("pip", "install", "--no-config", "--no-cache", "--offline", "--no-deps", "--python")
    run(Path(sys.executable).with_name("uv"), *words, binaries / "python", wheel, cwd=project)
    (site_packages,) = (project / "env" / "lib").glob("python*/site-packages")
    # Python ignores .pth files in folders that a .pth file adds, so no editable checkout is found.
    lines = [*site.getsitepackages(), "import without_extras"]
    (site_packages / "dependencies.pth").write_text("\n".join(lines) + "\n")
    (site_packages / "without_extras.py").write_text(HIDING_MODULE)
    return binaries


def plain_environment(home: Path) -> dict[str, str]:
    """Return an environment with its own home and no settings of checkouts or servers."""
    unwanted = ("PREFECT_", "OPENAI_", "PYTHON")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return variables | {"HOME": str(home)}
