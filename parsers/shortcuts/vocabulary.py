"""Names that Apple's files use and that several modules here need."""

from benchloom.core.built_in_actions import built_in

IDENTIFIER = "WFWorkflowActionIdentifier"
PARAMETERS = "WFWorkflowActionParameters"
ACTIONS = "WFWorkflowActions"
GROUP = "GroupingIdentifier"
MODE = "WFControlFlowMode"
UUID = "UUID"
CUSTOM_OUTPUT_NAME = "CustomOutputName"
CONDITIONS = "WFConditions"

STRUCTURAL_PARAMETERS = frozenset({UUID, GROUP, MODE, CUSTOM_OUTPUT_NAME})
"""Parameters that are columns of an action instead of arguments, where they have the usual type."""

PASSING_ON = built_in(
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
"""Actions whose output is the input they were given."""
NUMERIC = built_in(
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
"""Actions whose output is a number."""

PROMPTING = built_in(
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
"""Actions that ask a person or read the device's state."""
