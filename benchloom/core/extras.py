"""Optional dependencies (extras): report which extra a command needs if it is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from benchloom.core.errors import RunError


@contextmanager
def extra(name: str, purpose: str, fault: type[RunError] = RunError) -> Iterator[None]:
    """Turn a failed import into `fault`, whose message has the command that installs the extra.

    `purpose` is the subject of the message.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        command = f"pip install 'benchloom[{name}]'"
        raise fault(f"{purpose} need the extra '{name}': {command}") from error
