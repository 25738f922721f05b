"""The errors that benchloom raises. Each is named by what it stops.

BenchloomError
├── RejectedInputError    one input object: it becomes a row of `rejected`, the run goes on
├── RunError              the run: wrong usage, configuration or workspace (exit code 2)
│   ├── NothingReadError  the inputs contain nothing to read (exit code 1)
│   ├── BusyError         another run is writing in the workspace
│   ├── BalanceError      a stage whose inputs are not all accounted for
│   └── UnknownMemberError (benchloom.core.kinds) an unknown name of a site, step, format ...
├── GateError             a release or --strict gate failed (exit code 1)
└── StoppedError          a budget or a site's refusal ended the run early (exit code 3)
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class BenchloomError(Exception):
    """Base class of all errors that a caller may want to catch. The message is one line."""

    exit_code = 2

    def __reduce__(self) -> tuple[object, ...]:
        """Support pickling of subclasses whose constructors take other arguments than a message."""
        return _restore, (type(self), self.args, self.__dict__)


def _restore(
    kind: type[BenchloomError], arguments: tuple[object, ...], state: dict[str, object]
) -> BenchloomError:
    # The constructor is not called, because subclasses have different parameters.
    error = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(state)
    return error


class RejectedInputError(BenchloomError):
    """An input object that cannot become a row.

    Args:
        reason: a stable snake_case word, which is the value of `rejected.reason`.
        message: the fault and its location, for people. It never contains the content itself.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class RunError(BenchloomError):
    """The run cannot start or continue: wrong usage or configuration, or a damaged workspace."""


class NothingReadError(RunError):
    """The inputs exist but contain nothing that benchloom can read."""

    exit_code = 1


class BusyError(RunError):
    """Another run is writing in the workspace."""


class BalanceError(RunError):
    """A stage lost or duplicated inputs, so its output is not declared complete."""

    def __init__(self, stage: str, fault: str) -> None:
        super().__init__(
            f"{stage}: {fault}. The output is incomplete; run it again while no program changes "
            "the inputs, and report a bug of benchloom if the error comes back"
        )


class GateError(BenchloomError):
    """A check (gate) failed. `findings` has one line per fault, in a stable order."""

    exit_code = 1

    def __init__(self, message: str, findings: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.findings = findings


class StoppedError(BenchloomError):
    """A budget or a site's refusal ended the run early. Finished work remains on disk."""

    exit_code = 3


@contextmanager
def extra(name: str, purpose: str, fault: type[RunError] = RunError) -> Iterator[None]:
    """Inside the `with` block, turn a failed import into an error with the command to install it.

    `name` is the optional dependency (extra) of benchloom, and `purpose` is the subject of the
    message, in the plural. The error has the type `fault`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        command = f"pip install 'benchloom[{name}]'"
        raise fault(f"{purpose} need the extra '{name}': {command}") from error


class Explanation(NamedTuple):
    """The meaning of a reason in one plain sentence, and a remedy if the user can do something."""

    text: str
    remedy: str = ""
