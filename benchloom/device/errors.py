"""Errors of runs and of answers, and the limits of a run.

BenchloomError
└── RunError
    ├── AnswersError          the file of answers does not fit the shortcut
    └── ShortcutError         the run of the shortcut ends here; its trace is kept
        ├── ActionError       the app would stop with a message
        ├── UnsupportedError  no function of `benchloom.device.actions` does this
        └── LimitError        too many steps, too much text, too deep
"""

import msgspec

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


class Limits(msgspec.Struct, frozen=True):
    """Limits of a run.

    `steps` is the maximum number of executed actions, including those of nested shortcuts. `value`
    is the maximum size of one output, `total` of all outputs and effects together, `read` of all
    variables and outputs that steps read; sizes count characters and list items. `depth` is the
    maximum depth of shortcuts that call each other and of nested values.
    """

    steps: int = 10_000
    value: int = 2_000_000
    total: int = 16_000_000
    read: int = 50_000_000
    depth: int = 24
    trace: int = 2_000


class Meter:
    """Counts the steps and sizes of a run; raises `LimitError` above a limit."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.steps = 0
        self._total = 0
        self._read = 0

    def step(self) -> None:
        """Count one step; raise LimitError above the limit of steps."""
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitError(f"the run has more than {self.limits.steps} steps")

    def use(self, size: int) -> None:
        """Count `size` characters or list items of a new value; raise LimitError above a limit."""
        self._total += size
        if size > self.limits.value:
            raise LimitError(f"a value has more than {self.limits.value} characters and list items")
        if self._total > self.limits.total:
            raise LimitError(
                f"all values together have over {self.limits.total} characters and list items"
            )

    def read(self, size: int) -> None:
        """Count the `size` of content that a step reads; raise LimitError above a limit."""
        self._read += size
        if self._read > self.limits.read:
            raise LimitError(
                f"all steps together read over {self.limits.read} characters and list items"
            )
