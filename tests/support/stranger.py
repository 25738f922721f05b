"""A user who has installed benchloom and types its commands in a folder."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.commands import benchloom, serving
from tests.support.prefect_server import clean_environment

BENCHLOOM = Path(sys.executable).with_name("benchloom")


@dataclass(frozen=True)
class Stranger:
    """A user with a working folder, a home folder, and a shared Prefect server if any."""

    folder: Path
    home: Path
    server: str | None = None

    def environment(self) -> dict[str, str]:
        """Return the variables of a shell in which the tests' environment is active."""
        clean = clean_environment(self.home, self.server)
        return clean | {"PATH": f"{BENCHLOOM.parent}{os.pathsep}{clean['PATH']}"}

    def types(self, *words: object, code: int = 0, or_code: int | None = None) -> str:
        """Run `benchloom WORDS` in the folder; return its output followed by its messages.

        Raises:
            AssertionError: the command ended with another exit code, or with a traceback.
        """
        command = list(map(str, words))
        # A rebuild without a shared server starts an interpreter, which takes four times as long.
        if command[0] == "rebuild" and self.server is None:
            completed = subprocess.run(
                [BENCHLOOM, *command],
                cwd=self.folder,
                env=self.environment(),
                capture_output=True,
                text=True,
                timeout=1200,
                check=False,
            )
        else:
            completed = benchloom(*command, cwd=self.folder, env=self.environment(), timeout=1200)
        output = f"benchloom {' '.join(command)}\n{completed.stdout}{completed.stderr}"
        assert completed.returncode in {code, or_code}, (
            f"exit code {completed.returncode}, not {code}: {output}"
        )
        assert "Traceback" not in output, output
        return completed.stdout + completed.stderr

    def asks(self, *words: object) -> Any:
        """Run a command with `--json` and return the object that it prints."""
        output = self.types(*words, "--json")
        return json.loads(next(line for line in output.splitlines() if line.startswith("{")))

    @contextmanager
    def explores(self, *words: object) -> Iterator[str]:
        """Run `benchloom explore`, yield its address, and interrupt it as Ctrl-C does.

        Raises:
            AssertionError: the command ended with another exit code than 0 or 130.
        """
        with serving("explore", *words, cwd=self.folder, env=self.environment()) as explorer:
            match = re.search(r"http://\S+", explorer.first_line)
            assert match is not None, explorer.first_line
            yield match[0]
        assert explorer.returncode in {0, 130}, explorer.stderr
        assert "Traceback" not in explorer.stderr, explorer.stderr
