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
    """A folder to work in, a home folder, and the Prefect server if it is shared."""

    folder: Path
    home: Path
    server: str | None = None

    def environment(self) -> dict[str, str]:
        """Return the variables of a shell in which the tests' environment is active."""
        clean = clean_environment(self.home, self.server)
        return clean | {"PATH": f"{BENCHLOOM.parent}{os.pathsep}{clean['PATH']}"}

    def types(self, *words: object, code: int = 0, or_code: int | None = None) -> str:
        """Run `benchloom WORDS` in the folder; return its output, then its messages.

        Raises:
            AssertionError: it ended with another code than these, or with a traceback.
        """
        command = list(map(str, words))
        # In a fresh interpreter, and on a server of its own, a rebuild costs four times as much.
        if command[0] == "rebuild" and self.server is None:
            done = subprocess.run(
                [BENCHLOOM, *command],
                cwd=self.folder,
                env=self.environment(),
                capture_output=True,
                text=True,
                timeout=1200,
                check=False,
            )
        else:
            done = benchloom(*command, cwd=self.folder, env=self.environment(), timeout=1200)
        output = f"benchloom {' '.join(command)}\n{done.stdout}{done.stderr}"
        assert done.returncode in {code, or_code}, (
            f"exit code {done.returncode}, not {code}: {output}"
        )
        assert "Traceback" not in output, output
        return done.stdout + done.stderr

    def asks(self, *words: object) -> Any:
        """Run a command with `--json` and return the object that it prints."""
        output = self.types(*words, "--json")
        return json.loads(next(line for line in output.splitlines() if line.startswith("{")))

    @contextmanager
    def explores(self, *words: object) -> Iterator[str]:
        """Run `benchloom explore`, yield its address, and end it as Ctrl-C does.

        Raises:
            AssertionError: it ended with another code than 0 or 130.
        """
        with serving("explore", *words, cwd=self.folder, env=self.environment()) as explorer:
            match = re.search(r"http://\S+", explorer.first_line)
            assert match is not None, explorer.first_line
            yield match[0]
        assert explorer.returncode in {0, 130}, explorer.stderr
        assert "Traceback" not in explorer.stderr, explorer.stderr
