"""Actions that set and read variables, and that run other shortcuts."""

from benchloom.device.call import Call, action, passed_on
from benchloom.device.items import Content
from benchloom.device.items.coercion import content_text


@action("setvariable")
def set_variable(call: Call) -> Content:
    """Set a variable to the input; return the input."""
    content = call.input()
    call.run.variables[call.text("WFVariableName")] = content
    return content


@action("appendvariable")
def append_variable(call: Call) -> Content:
    """Append the input to a variable; return the input (not checked on a device)."""
    content, name = call.input(), call.text("WFVariableName")
    call.run.variables[name] = (*call.run.variables.get(name, ()), *content)
    return content


@action("getvariable")
def get_variable(call: Call) -> Content:
    """Return the content of a variable."""
    return call.content("WFVariable")


comment = passed_on("comment")


@action("nothing")
def nothing(call: Call) -> Content:
    """Return nothing."""
    del call
    return ()


@action("runworkflow")
def run_shortcut(call: Call) -> Content:
    """Run another shortcut by its name.

    The output of a missing shortcut comes from the supplied answers.
    """
    workflow = call.content("WFWorkflow")
    first = workflow[0] if workflow else None
    name = call.text("WFWorkflowName")
    if isinstance(first, dict):
        name = "" if first.get("isSelf") is True else str(first.get("workflowName", name))
    elif first is not None and not name:
        name = content_text(workflow)
    return call.run.run_other(name, call.input())
