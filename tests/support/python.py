"""Run a new Python interpreter, for tests that depend on the process itself."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess


def python(
    *words: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    typed: str | None = None,
    code: int = 0,
) -> CompletedProcess[str]:
    """Run `python WORDS` and return its output.

    Raises:
        AssertionError: the exit code is not `code`.
    """
    command = [sys.executable, *map(str, words)]
    completed = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        input=typed,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert completed.returncode == code, (
        f"exit code {completed.returncode}\n{completed.stdout}{completed.stderr}"
    )
    return completed
