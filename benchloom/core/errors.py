"""Errors that benchloom raises, named by what they stop.

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
    """Base class of all errors a caller may want to catch; the message is one line."""

    exit_code = 2

    def __reduce__(self) -> tuple[object, ...]:
        """Support pickling of subclasses whose constructors take more than a message."""
        return _restore, (type(self), self.args, self.__dict__)


def _restore(
    kind: type[BenchloomError], arguments: tuple[object, ...], state: dict[str, object]
) -> BenchloomError:
    error = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(state)
    return error


class RejectedInputError(BenchloomError):
    """An input object that cannot become a row.

    Args:
        reason: stable snake_case word, the value of `rejected.reason`.
        message: the fault and its location, for people; never the content itself.
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
    """A gate failed; `findings` has one line per violation, in a stable order."""

    exit_code = 1

    def __init__(self, message: str, findings: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.findings = findings


class StoppedError(BenchloomError):
    """A budget or a site's refusal ended the run; finished work stays on disk."""

    exit_code = 3


@contextmanager
def extra(name: str, purpose: str, fault: type[RunError] = RunError) -> Iterator[None]:
    """Raise `fault` in place of ImportError; its message has the command to install the extra.

    `purpose` is the subject of the message.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        command = f"pip install 'benchloom[{name}]'"
        raise fault(f"{purpose} need the extra '{name}': {command}") from error


class Explanation(NamedTuple):
    """A reason in one plain sentence, and a remedy if the user can change the outcome."""

    text: str
    remedy: str = ""
