"""Errors that end the run of a shortcut, errors of its answers, and the limits of a run.

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
    """A file of answers that cannot be used; the message lists the questions."""


class ShortcutError(RunError):
    """The run of a shortcut ends."""

    outcome = "failed"


class ActionError(ShortcutError):
    """An action that the app would stop with a message."""


class UnsupportedError(ShortcutError):
    """An action, app or type that the device does not have."""

    outcome = "unsupported"


class LimitError(ShortcutError):
    """A limit of the device."""

    outcome = "limit"


class Limits(msgspec.Struct, frozen=True):
    """Limits of one run.

    `steps` is the maximum number of executed actions, those of nested shortcuts included. `value`
    is the maximum number of characters and items of one output, `total` of all outputs and effects
    together, `read` of all variables and outputs that steps read. `depth` is the maximum depth of
    shortcuts that run each other and of values nested in each other.
    """

    steps: int = 10_000
    value: int = 2_000_000
    total: int = 16_000_000
    read: int = 50_000_000
    depth: int = 24
    trace: int = 2_000


class Meter:
    """Counts what a run has used; raises `LimitError`."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.steps = 0
        self._total = 0
        self._read = 0

    def step(self) -> None:
        """Count one step; raise LimitError above the limit of steps."""
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitError(f"over {self.limits.steps} steps")

    def use(self, size: int) -> None:
        """Count `size` characters or items of a new value; raise LimitError above a limit."""
        self._total += size
        if size > self.limits.value:
            raise LimitError(f"one value has over {self.limits.value} letters and items")
        if self._total > self.limits.total:
            raise LimitError(f"all values together have over {self.limits.total} letters and items")

    def read(self, size: int) -> None:
        """Count `size` characters or items that a step reads; raise LimitError above the limit."""
        self._read += size
        if self._read > self.limits.read:
            raise LimitError(f"all steps together read over {self.limits.read} letters and items")
