"""Make the Python environment of a client from its lock file, and keep it for later runs."""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
_UV = Path(sys.executable).with_name("uv")


def python_of(name: str) -> Path:
    """Return the Python of a client's environment; skip the test if it cannot be made.

    With `CI=true` the test fails instead. NAME_PYTHON is the Python of a client without a lock.
    """
    lock = FOLDER / f"{name}.txt"
    if not lock.exists():
        variable = f"{name.upper()}_PYTHON"
        if variable not in os.environ:
            pytest.skip(f"set {variable}, see {name}.py")
        return Path(os.environ[variable]).absolute()
    tag = hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()[:16]
    environment_folder = (
        Path(tempfile.gettempdir()) / f"benchloom-clients-{os.getuid()}" / f"{name}-{tag}"
    )
    python = environment_folder / "bin" / "python"
    if not (environment_folder / "whole").exists():
        index = os.environ.get("UV_DEFAULT_INDEX") or os.environ.get("PIP_INDEX_URL")
        environment = {**os.environ, **({"UV_DEFAULT_INDEX": index} if index else {})}
        install = ["pip", "install", "--no-config", "--no-deps", "--require-hashes"]
        for words in (
            ["venv", "--no-config", "--clear", "--python", sys.executable, environment_folder],
            [*install, "--python", python, "-r", lock],
        ):
            command = [str(_UV), *map(str, words)]
            completed = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
            if completed.returncode and os.environ.get("CI"):
                pytest.fail(f"CI needs the packages of {lock.name}: {completed.stderr[-1000:]}")
            if completed.returncode:
                pytest.skip(f"the packages of {lock.name} cannot be installed here")
        (environment_folder / "whole").touch()
    return python
