"""Errors that end the run of a shortcut, and errors of its answers.

BenchloomError
└── RunError
    ├── AnswersError          the file of answers does not fit the shortcut
    └── ShortcutError         the run of the shortcut ends here; its trace is kept
        ├── ActionError       the app would stop with a message
        ├── UnsupportedError  no function of `benchloom.device.actions` does this
        └── LimitError        too many steps, too much text, too deep
"""

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
