"""Errors of runs and of answers, and the limits of a run.

BenchloomError
└── RunError
    ├── AnswersError          the file of answers does not fit the shortcut
    └── ShortcutError         the run of the shortcut stops; its log so far remains
        ├── ActionError       the app would stop with a message
        ├── UnsupportedError  the device does not implement the action, or this option of it
        └── LimitError        too many steps, too much text, too deep
"""

from benchloom.core.errors import RunError


class AnswersError(RunError):
    """A file of answers that cannot be used; the message lists the run's questions."""


class ShortcutError(RunError):
    """The run of a shortcut cannot continue."""

    outcome = "failed"


class ActionError(ShortcutError):
    """An error that the app would show; the run stops."""


class UnsupportedError(ShortcutError):
    """An action, app or type that the device lacks."""

    outcome = "unsupported"


class LimitError(ShortcutError):
    """The run exceeds a limit of the device."""

    outcome = "limit"


MAX_STEPS = 10_000
"""The maximum number of executed actions of a run, including those of nested shortcuts."""
MAX_VALUE, MAX_TOTAL, MAX_READ = 2_000_000, 16_000_000, 50_000_000
"""The maximum size of one output, of all outputs and effects, and of everything that steps read.

Sizes count characters and list items.
"""
MAX_DEPTH = 24
"""The maximum depth of shortcuts that run each other."""
MAX_TRACE = 2_000
"""The maximum number of steps, and of questions, in the log of a run."""


class Meter:
    """Counts the steps and sizes of a run; raises `LimitError` above a limit."""

    def __init__(self) -> None:
        self.steps = 0
        self._total = 0
        self._read = 0

    def step(self) -> None:
        """Count one step; raise LimitError above the limit of steps."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise LimitError(f"the run has more than {MAX_STEPS} steps")

    def use(self, size: int) -> None:
        """Count `size` characters or list items of a new value; raise LimitError above a limit."""
        self._total += size
        if size > MAX_VALUE:
            raise LimitError(f"a value has more than {MAX_VALUE} characters and list items")
        if self._total > MAX_TOTAL:
            raise LimitError(f"all values together have over {MAX_TOTAL} characters and list items")

    def read(self, size: int) -> None:
        """Count the `size` of content that a step reads; raise LimitError above a limit."""
        self._read += size
        if self._read > MAX_READ:
            raise LimitError(
                f"the steps read more than the limit of {MAX_READ} characters and list items"
            )
