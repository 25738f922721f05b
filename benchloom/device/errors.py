"""Errors of runs and of answers, and the limits of a run.

BenchloomError
└── RunError
    ├── AnswersError          the file of answers does not fit the shortcut
    └── ShortcutError         the run of the shortcut stops; its log so far remains
        ├── ActionError       the app would stop with a message
        ├── UnsupportedError  the device does not implement the action, or this option of it
        └── LimitError        the run exceeds a limit of steps, text or depth
"""

from benchloom.core.errors import RunError


class AnswersError(RunError):
    """Raised if a file of answers does not fit a run; the message says which answers would fit."""


class ShortcutError(RunError):
    """Raised if the run of a shortcut cannot continue."""

    outcome = "failed"


class ActionError(ShortcutError):
    """Raised if the app would show an error and stop."""


class UnsupportedError(ShortcutError):
    """Raised if a shortcut needs an action, a type or an option that the device lacks."""

    outcome = "unsupported"


class LimitError(ShortcutError):
    """Raised if a run exceeds a limit of the device."""

    outcome = "limit"


MAX_STEPS = 10_000
"""The maximum number of steps that a run executes, including the steps of nested shortcuts."""
MAX_VALUE, MAX_TOTAL, MAX_READ = 2_000_000, 16_000_000, 50_000_000
"""The maximum size of one output, of all outputs and effects, and of everything that steps read.

Sizes count characters and list items.
"""
MAX_DEPTH = 24
"""The maximum depth of shortcuts that run each other."""
MAX_TRACE = 2_000
"""The maximum number of steps, and of questions, in the log of a run."""


class Meter:
    """A counter of the steps and the sizes of a run, which raises `LimitError` above a limit."""

    def __init__(self) -> None:
        self.steps = 0
        self._total = 0
        self._read = 0

    def step(self) -> None:
        """Count one step; raise `LimitError` above the limit of steps."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise LimitError(f"the run has more than {MAX_STEPS} steps")

    def use(self, size: int) -> None:
        """Count the `size` of a new value, in characters and list items.

        Raises:
            LimitError: the value is too large, or all values together are.
        """
        self._total += size
        if size > MAX_VALUE:
            raise LimitError(f"a value has more than {MAX_VALUE} characters and list items")
        if self._total > MAX_TOTAL:
            raise LimitError(f"all values together have over {MAX_TOTAL} characters and list items")

    def read(self, size: int) -> None:
        """Count the `size` of content that a step reads; raise `LimitError` above a limit."""
        self._read += size
        if self._read > MAX_READ:
            raise LimitError(
                f"the steps read more than the limit of {MAX_READ} characters and list items"
            )
