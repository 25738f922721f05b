"""Optional dependencies (extras): name the missing extra when a command needs it."""

from collections.abc import Iterator
from contextlib import contextmanager

from benchloom.core.errors import RunError


@contextmanager
def extra(name: str, purpose: str, fault: type[RunError] = RunError) -> Iterator[None]:
    """Guard imports of packages that only the extra `name` installs.

    `purpose` is the subject of the message.

    Raises:
        RunError: (as `fault`) a package is missing; the message has the command that installs
            it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        command = f"pip install 'benchloom[{name}]'"
        raise fault(f"{purpose} need the extra '{name}': {command}") from error
