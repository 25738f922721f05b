"""Variables, comments, and running other shortcuts."""

from benchloom.device.call import GUIDE, Call, Example, action, passed_on
from benchloom.device.items import Content, MadeAnswer
from benchloom.device.items.coercion import content_text

_VARIABLES = f"{GUIDE}/apdd02c2780c/ios"


@action(
    "setvariable",
    Example({"WFVariableName": "a", "WFInput": ("x",)}, ("x",)),
    Example({"WFVariableName": "a"}, (1, 2), (1, 2)),
    Example({"WFVariableName": "a"}, ()),
    source=_VARIABLES,
)
def set_variable(call: Call) -> Content:
    """Set a variable to the input, which is passed on."""
    content = call.input()
    call.run.variables[call.text("WFVariableName")] = content
    return content


@action(
    "appendvariable",
    Example({"WFVariableName": "a", "WFInput": ("x",)}, ("x",)),
    Example({"WFVariableName": "a"}, (1, 2), (1, 2)),
    Example({"WFVariableName": "a"}, ()),
    source=_VARIABLES,
)
def append_variable(call: Call) -> Content:
    """Add the input to the end of a variable's list; the input is passed on (guess)."""
    content, name = call.input(), call.text("WFVariableName")
    call.run.variables[name] = (*call.run.variables.get(name, ()), *content)
    return content


@action(
    "getvariable",
    Example({"WFVariable": ("x",)}, ("x",)),
    Example({"WFVariable": (1, 2)}, (1, 2)),
    Example({}, ()),
    source=_VARIABLES,
)
def get_variable(call: Call) -> Content:
    """Return the content of a variable."""
    return call.content("WFVariable")


comment = passed_on("comment")


@action("nothing", Example({}, ()), Example({}, (), ("x",)), Example({}, (), (1, 2)))
def nothing(call: Call) -> Content:
    """Return nothing."""
    del call
    return ()


@action(
    "runworkflow",
    Example({"WFWorkflowName": "Other"}, (MadeAnswer(("answer 0",)),)),
    Example({"WFWorkflowName": "Other", "WFInput": ("x",)}, (MadeAnswer(("answer 0",)),)),
    Example({"WFWorkflow": {"workflowName": "Other"}}, (MadeAnswer(("answer 0",)),)),
)
def run_shortcut(call: Call) -> Content:
    """Run another shortcut, by its name; one that is not there gives an answer."""
    chosen = call.content("WFWorkflow")
    first = chosen[0] if chosen else None
    name = call.text("WFWorkflowName")
    if isinstance(first, dict):
        name = "" if first.get("isSelf") is True else str(first.get("workflowName", name))
    elif first is not None and not name:
        name = content_text(chosen)
    return call.run.run_other(name, call.input())
