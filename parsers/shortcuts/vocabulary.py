"""Names that Apple's files use and that several modules here need."""

from benchloom.core.built_in_actions import built_in

IDENTIFIER = "WFWorkflowActionIdentifier"
PARAMETERS = "WFWorkflowActionParameters"
GROUP = "GroupingIdentifier"
MODE = "WFControlFlowMode"
UUID = "UUID"
CUSTOM_OUTPUT_NAME = "CustomOutputName"
CONDITIONS = "WFConditions"

STRUCTURAL_PARAMETERS = frozenset({UUID, GROUP, MODE, CUSTOM_OUTPUT_NAME})
"""Parameters stored as columns of an action, not as arguments, if they have the usual type."""

PASSING_ON = built_in(
    *("alert", "comment", "delay", "notification", "openapp", "openurl", "playsound"),
    *("setbrightness", "setclipboard", "setvariable", "setvolume", "showresult", "speaktext"),
    *("vibrate", "waittoreturn"),
)
"""Actions that return their input."""
NUMERIC = built_in(
    *("calculateexpression", "count", "detect.number", "gettimebetweendates", "math"),
    *("number", "number.random", "round", "statistics"),
)
"""Actions whose output is a number."""

PROMPTING = built_in(
    *("ask", "choosefrommenu", "choosefromlist", "documentpicker.open", "getclipboard"),
    *("date", "getdevicedetails", "selectphoto", "selectcontacts", "selectphone"),
    *("selectemail", "takephoto", "takevideo", "dictatetext", "recordaudio", "scanbarcode"),
    *("getcurrentlocation", "file.select", "exportsong", "pickplaylist"),
)
"""Actions that ask a person or read the device's state."""
