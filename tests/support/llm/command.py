"""The command, as a person starts it, with nothing of this machine's environment."""

import subprocess
import sys


def benchloom(
    *words: object, code: int = 0, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What a command said that must end with `code`."""
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env={"PATH": "", "HOME": "", **environment},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done
