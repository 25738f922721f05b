"""The command in an empty environment."""

from subprocess import CompletedProcess

from tests.support import commands


def benchloom(*words: object, code: int = 0, **environment: str) -> CompletedProcess[str]:
    """Run a command that must exit with `code`; return its output."""
    done = commands.benchloom(*words, env={"PATH": "", "HOME": "", **environment})
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done
