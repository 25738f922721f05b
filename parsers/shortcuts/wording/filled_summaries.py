"""The workflow description with the parameter summaries of the APIs filled in.

Where an API has a definition, its line is the summary whose conditions and parameters fit the
call, with values in place of `${parameter}`, then the other arguments and the output:

    Resize [output: Photo] to "640"  {WFImageHeight: "480"} -> Resized Image

Control blocks, comments and actions without a summary are shown as in `workflow`.
"""

import re
from collections.abc import Callable, Sequence

from benchloom.core.built_in_actions import COMMENT
from benchloom.core.records import Action, ApiDefinition, Argument, Parameter, Summary
from benchloom.core.records.api_definition import PLACEHOLDER
from benchloom.normalise.definitions.index import holds
from parsers.shortcuts.implicit_inputs import declared_input
from parsers.shortcuts.labels import Labels, Names, one_line
from parsers.shortcuts.running import inputs_before
from parsers.shortcuts.wording.workflow import INDENT, action_text, show_argument

_INPUTS = frozenset({"WFInput", "Input", "input"})


def describe_calls(actions: Sequence[Action], find: Callable[[str], ApiDefinition | None]) -> str:
    """Describe a workflow, one line per action; `find` returns the definition of an API."""
    labels = Labels(actions, _usual_names(actions, find))
    lines: list[str] = []
    for action, previous in zip(actions, inputs_before(actions), strict=True):
        definition = find(action.identifier)
        text = None
        if definition is not None and not action.control and action.identifier != COMMENT:
            text = call_text(action, definition, labels, labels.implicit(previous))
        lines.append(INDENT * action.depth + (text or action_text(action, labels)))
    return "\n".join(lines)


def call_text(
    action: Action, definition: ApiDefinition, labels: Labels, previous: str
) -> str | None:
    """Return one action as its summary with values; `previous` is shown for an omitted input."""
    names = Names(labels, action)
    summary = fitting_summary(action, definition)
    if summary is None:
        return None
    arguments = {argument.name: argument for argument in action.arguments}
    parameters = {parameter.name: parameter for parameter in definition.parameters}
    template = " ".join(summary.template.split())
    placeholder_names = set(PLACEHOLDER.findall(template))
    # The parameter that, if not supplied, takes the output of the action before.
    taken = (declared_input(definition) or {}).get("ParameterKey")

    def value(match: re.Match[str]) -> str:
        if match[1] == taken and taken not in arguments:
            return previous
        return _value(match[1], arguments, parameters, names, previous)

    line = PLACEHOLDER.sub(value, template)
    others = [
        f"{one_line(argument.name)}: {show_argument(argument, names)}"
        for argument in action.arguments
        if argument.name not in placeholder_names
    ]
    if others:
        line += "  {" + ", ".join(others) + "}"
    if action.implicit_input is not None and previous not in line:
        line += f"  {{input: {previous}}}"
    output = labels.shown.get(action.index)
    return f"{line} -> {output}" if output else line


def _usual_names(
    actions: Sequence[Action], find: Callable[[str], ApiDefinition | None]
) -> dict[int, str]:
    names: dict[int, str] = {}
    for action in actions:
        definition = find(action.identifier) if action.uuid and not action.control else None
        if definition is not None and definition.returns and definition.returns[0].name:
            names[action.index] = one_line(definition.returns[0].name)
    return names


def _value(
    name: str,
    arguments: dict[str, Argument],
    parameters: dict[str, Parameter],
    names: Names,
    previous: str,
) -> str:
    # The argument, else the default, else the implicit input.
    if name in arguments:
        return show_argument(arguments[name], names)
    parameter = parameters.get(name)
    if parameter is not None and parameter.default is not None:
        return parameter.default
    if name in _INPUTS:
        return previous
    return f"[{(parameter.title if parameter else None) or name} not given]"


def fitting_summary(action: Action, definition: ApiDefinition) -> Summary | None:
    """Return the summary whose conditions do not fail and whose parameters fit the call best.

    Summaries whose conditions surely hold come before summaries whose conditions can only be
    decided at run time. Among equals, the summary that shows most of the supplied arguments and
    fewest missing arguments is chosen.
    """
    arguments = {argument.name: argument for argument in action.arguments}
    parameters = {parameter.name: parameter for parameter in definition.parameters}
    best: Summary | None = None
    best_score: tuple[int, int, int, int] | None = None
    for summary in definition.summaries:
        answers = [holds(condition, arguments, parameters) for condition in summary.conditions]
        if False in answers:
            continue
        present = sum(name in arguments for name in summary.parameters)
        absent = sum(
            name not in arguments
            and name not in _INPUTS
            and (name not in parameters or parameters[name].default is None)
            for name in summary.parameters
        )
        unsure = sum(answer is None for answer in answers)
        score = (-unsure, len(answers), present - absent, -len(summary.parameters))
        if best_score is None or score > best_score:
            best, best_score = summary, score
    return best
