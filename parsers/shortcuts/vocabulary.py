"""Names that Apple's files use and that several modules here need."""

IDENTIFIER = "WFWorkflowActionIdentifier"
PARAMETERS = "WFWorkflowActionParameters"
ACTIONS = "WFWorkflowActions"
GROUP = "GroupingIdentifier"
MODE = "WFControlFlowMode"
UUID = "UUID"
OUTPUT_UUID = "OutputUUID"
OUTPUT_NAME = "OutputName"
CUSTOM_OUTPUT_NAME = "CustomOutputName"
ATTACHMENTS = "attachmentsByRange"
SERIALIZATION = "WFSerializationType"

SYSTEM_PREFIX = "is.workflow.actions."
CONDITIONAL = SYSTEM_PREFIX + "conditional"
MENU = SYSTEM_PREFIX + "choosefrommenu"
REPEAT_COUNT = SYSTEM_PREFIX + "repeat.count"
REPEAT_EACH = SYSTEM_PREFIX + "repeat.each"
BRANCHING = frozenset({CONDITIONAL, MENU})
CONTROL = BRANCHING | {REPEAT_COUNT, REPEAT_EACH}
COMMENT = SYSTEM_PREFIX + "comment"
ALERT = SYSTEM_PREFIX + "alert"
UNCOUNTED = CONTROL | {COMMENT, ALERT, ""}
"""Identifiers that count neither in the length nor among the APIs: ShortcutsBench's six, and the
empty one of an action that has none."""

STRUCTURAL_PARAMETERS = frozenset({UUID, GROUP, MODE, CUSTOM_OUTPUT_NAME})
"""Parameters that are columns of an action instead of arguments."""

INPUT_TOKENS = frozenset({"Ask", "Clipboard", "CurrentDate", "DeviceDetails", "ExtensionInput"})
LEGACY_INPUT = "Input"
"""Token type of early files: the output of the action before, and no need for input."""

VARIABLE_SETTERS = frozenset({SYSTEM_PREFIX + "setvariable", SYSTEM_PREFIX + "appendvariable"})
PASSING_ON = frozenset(
    SYSTEM_PREFIX + name
    for name in (
        "alert",
        "comment",
        "delay",
        "notification",
        "openapp",
        "openurl",
        "playsound",
        "setbrightness",
        "setclipboard",
        "setvariable",
        "setvolume",
        "showresult",
        "speaktext",
        "vibrate",
        "waittoreturn",
    )
)
"""Actions whose output is the input they were given."""
NUMERIC = frozenset(
    SYSTEM_PREFIX + name
    for name in (
        "calculateexpression",
        "count",
        "detect.number",
        "gettimebetweendates",
        "math",
        "number",
        "number.random",
        "round",
        "statistics",
    )
)
"""Actions whose output is a number."""

PROMPTING = frozenset(
    SYSTEM_PREFIX + name
    for name in (
        "ask",
        "choosefrommenu",
        "choosefromlist",
        "documentpicker.open",
        "getclipboard",
        "date",
        "getdevicedetails",
        "selectphoto",
        "selectcontacts",
        "selectphone",
        "selectemail",
        "takephoto",
        "takevideo",
        "dictatetext",
        "recordaudio",
        "scanbarcode",
        "getcurrentlocation",
        "file.select",
        "exportsong",
        "pickplaylist",
    )
)
"""Actions that ask a person or read the device's state."""
