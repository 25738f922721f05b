"""Identifiers of the built-in actions of Shortcuts that the code refers to by name."""

SYSTEM_APP = "is.workflow.actions"
"""The app of every built-in action, whatever app it belongs to on the device."""
SYSTEM_PREFIX = f"{SYSTEM_APP}."
ACTIONS = "WFWorkflowActions"
"""The key of the list of actions in the file of a shortcut."""


def built_in(*names: str) -> frozenset[str]:
    """Return the full identifiers of built-in actions: each name with the system's prefix."""
    return frozenset(SYSTEM_PREFIX + name for name in names)


CONDITIONAL = f"{SYSTEM_APP}.conditional"
MENU = f"{SYSTEM_APP}.choosefrommenu"
REPEAT_COUNT = f"{SYSTEM_APP}.repeat.count"
REPEAT_EACH = f"{SYSTEM_APP}.repeat.each"
BRANCHING = frozenset({CONDITIONAL, MENU})
CONTROL = BRANCHING | {REPEAT_COUNT, REPEAT_EACH}
COMMENT = f"{SYSTEM_APP}.comment"
ALERT = f"{SYSTEM_APP}.alert"
UNCOUNTED = CONTROL | {COMMENT, ALERT}
"""Identifiers that count neither in the length nor among the APIs: ShortcutsBench's six."""
UNCOUNTED_OR_NONE = UNCOUNTED | {""}
"""With the empty identifier of an action in a file that has none."""

TEXT = f"{SYSTEM_APP}.gettext"
NUMBER = f"{SYSTEM_APP}.number"
URL = f"{SYSTEM_APP}.url"
RUN_SHORTCUT = f"{SYSTEM_APP}.runworkflow"
VARIABLE_SETTERS = built_in("setvariable", "appendvariable")
