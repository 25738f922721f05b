"""Run the command in an empty environment."""

from subprocess import CompletedProcess

from tests.support import commands


def benchloom(*words: object, code: int = 0, **environment: str) -> CompletedProcess[str]:
    """Run a command that must exit with `code` and return its output."""
    completed = commands.benchloom(*words, env={"PATH": "", "HOME": "", **environment})
    assert completed.returncode == code, completed.stderr
    assert "Traceback" not in completed.stderr
    return completed
