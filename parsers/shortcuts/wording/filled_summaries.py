"""Write the workflow description with the parameter summaries of APIs, filled with values.

Where an API has a definition, its line is the summary whose conditions and parameters fit the
call, with values in place of `${parameter}`, then the other arguments and the output:

    Resize [output: Photo] to "640"  {WFImageHeight: "480"} -> Resized Image

An empty field shows the value that the app fills in; old parameters are converted as the app does.
Control blocks, comments and actions without a summary are shown as in the column `workflow`. An
action without a summary also shows the default choices that its author did not change.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from benchloom.core.built_in_actions import COMMENT, SERIALIZATION, SYSTEM_PREFIX
from benchloom.core.early_offsets import PICKER, literal, with_duration
from benchloom.core.records import Action, ApiDefinition, Argument, Parameter, Summary
from benchloom.core.records.api_definition import PLACEHOLDER
from benchloom.normalise.definitions import holds
from parsers.shortcuts.arguments import declared_input
from parsers.shortcuts.labels import Labels, Names, inputs_before, one_line
from parsers.shortcuts.wording import INDENT, action_text, show_argument
from parsers.shortcuts.wording.app_wording import (
    calculation,
    empty_field,
    is_choice_of_verbs,
    template_with_verb,
)

_ADJUST, _ROUND = f"{SYSTEM_PREFIX}adjustdate", f"{SYSTEM_PREFIX}round"
_REMINDER, _COMBINE = f"{SYSTEM_PREFIX}addnewreminder", f"{SYSTEM_PREFIX}image.combine"
_BETWEEN = f"{SYSTEM_PREFIX}gettimebetweendates"
_MODES = {"Vertical": "Vertically", "Horizontal": "Horizontally"}
_DECIMAL_PLACES = "WFRoundDecimalPlaces"
_QUOTE = '"'
_SIDES = {"Right of Decimal": "right", "Left of Decimal": "left"}
_INPUTS = frozenset({"WFInput", "Input", "input"})
_BARE = frozenset({"WFMathOperation", "WFScientificMathOperation"})
"""Operators, which a formula contains without quotation marks."""
_QUOTED = re.compile(r"\u201c(\$\{[^}$]*\})\u201d")
"""A placeholder in the quotation marks of a summary. Its value already has quotation marks."""
_TEXT = re.compile(r'".+"', re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_STATES = {"0": "false", "1": "true"}
_SWITCHES = frozenset({"true", "false"})
_PLAIN_WORDS = re.compile(r'"[^"\\]+"')


def describe_calls(actions: Sequence[Action], find: Callable[[str], ApiDefinition | None]) -> str:
    """Describe a workflow, one line per action; `find` returns the definition of an API."""
    labels = Labels(actions, _usual_names(actions, find))
    lines: list[str] = []
    for action, previous in zip(actions, inputs_before(actions), strict=True):
        definition = find(action.identifier)
        text = None
        if definition is not None and not action.control and action.identifier != COMMENT:
            text = call_text(action, definition, labels, labels.implicit(previous))
            text = text or action_text(with_choices(action, definition), labels)
        lines.append(INDENT * action.depth + (text or action_text(action, labels)))
    return "\n".join(lines)


def with_choices(action: Action, definition: ApiDefinition) -> Action:
    """Add to an action those default choices of its API that the author did not change."""
    arguments = {argument.name: argument for argument in action.arguments}
    has_no_literal = all(argument.kind != "literal" for argument in action.arguments)
    current = in_current_form(action.identifier, arguments)
    choices = untouched_choices(current, definition, texts=has_no_literal)
    if not choices:
        return action
    return msgspec.structs.replace(action, arguments=(*action.arguments, *choices))


def untouched_choices(
    arguments: dict[str, Argument], definition: ApiDefinition, *, texts: bool = False
) -> tuple[Argument, ...]:
    """Return the parameters that the app fills in, as arguments with their defaults.

    These are parameters with listed values, parameters with numbers, and parameters that count only
    after a certain choice. If `texts` is set, parameters with any other text are included. If the
    arguments contain an outdated parameter, which may have determined other values, only parameters
    with listed values are returned.
    """
    parameters = {parameter.name: parameter for parameter in definition.parameters}
    is_current = arguments.keys() <= parameters.keys()
    return tuple(
        Argument(parameter.name, "literal", parameter.default)
        for parameter in definition.parameters
        if parameter.default is not None
        and not parameter.hidden
        and (
            parameter.default in {_quote(entry.value) for entry in parameter.enum_values}
            or (is_current and (parameter.depends_on or _NUMBER.fullmatch(parameter.default)))
            or (is_current and texts and _TEXT.fullmatch(parameter.default))
        )
        and parameter.name not in arguments
        and all(holds(condition, arguments, parameters) for condition in parameter.depends_on)
    )


def _quote(text: str) -> str:
    return msgspec.json.encode(text).decode()


def call_text(
    action: Action, definition: ApiDefinition, labels: Labels, previous: str
) -> str | None:
    """Return one action as its summary with values; `previous` is shown for an omitted input."""
    names = Names(labels, action)
    argument_by_name = {argument.name: argument for argument in action.arguments}
    arguments = in_current_form(action.identifier, argument_by_name)
    summary = fitting_summary(arguments, definition)
    if summary is None:
        return None
    parameters = {parameter.name: parameter for parameter in definition.parameters}
    template, settled = calculation(action.identifier, arguments) or (summary.template, ())
    template = _QUOTED.sub(r"\1", " ".join(template.split()))
    placeholder_names = {*PLACEHOLDER.findall(template), *settled, SERIALIZATION}
    verb = PLACEHOLDER.match(template) if is_choice_of_verbs(template, parameters) else None
    template = template_with_verb(template, definition, parameters)
    # The parameter that, if not supplied, takes the output of the action before.
    taken = (declared_input(definition) or {}).get("ParameterKey")

    def value(match: re.Match[str]) -> str:
        if match[1] == taken and taken not in arguments:
            return previous
        name = match[1]
        text = _value(name, arguments, parameters, names, previous)
        if text is None:
            parameter = parameters.get(name)
            title = (parameter.title if parameter else None) or name
            text = empty_field(definition, name, parameter) or f"[{title} not given]"
        is_word = match[1] in _BARE or (verb is not None and match[1] == verb[1])
        return _bare(text) if is_word else text

    line = PLACEHOLDER.sub(value, template)
    # An untouched switch adds nothing to a summary, which says what the action does.
    choices = [
        choice
        for choice in untouched_choices(arguments, definition)
        if choice.value not in _SWITCHES
    ]
    others = [
        f"{one_line(argument.name)}: {show_argument(argument, names)}"
        for argument in (*arguments.values(), *choices)
        if argument.name not in placeholder_names
    ]
    if others:
        line += "  {" + ", ".join(others) + "}"
    if action.implicit_input is not None and previous not in line:
        line += f"  {{input: {previous}}}"
    output = labels.texts.get(action.index)
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
) -> str | None:
    # The argument, else the default, else the implicit input.
    parameter = parameters.get(name)
    if name in arguments:
        text = show_argument(arguments[name], names)
        is_switch = parameter is not None and parameter.type == "Boolean"
        return _STATES.get(text, text) if is_switch else text
    if parameter is not None and parameter.default is not None:
        return parameter.default
    if name in _INPUTS:
        return previous
    return None


def _bare(text: str) -> str:
    return text[1:-1] if _PLAIN_WORDS.fullmatch(text) else text


def fitting_summary(arguments: dict[str, Argument], definition: ApiDefinition) -> Summary | None:
    """Return the summary that fits the call best, among those whose conditions do not fail.

    Summaries whose conditions surely hold come before summaries whose conditions can only be
    decided at run time. Among equals, the summary that shows most of the supplied arguments and
    fewest missing arguments is chosen.
    """
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
        undecided = sum(answer is None for answer in answers)
        score = (-undecided, len(answers), present - absent, -len(summary.parameters))
        if best_score is None or score > best_score:
            best, best_score = summary, score
    return best


# Early editors stored an offset or a rounding in other parameters. The app converts them when it
# opens the file, unless the current parameter is present, which then decides.
def in_current_form(api: str, arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    """Return a mapping from name to argument for a call, with outdated arguments replaced."""
    if api == _ADJUST and PICKER in arguments:
        return with_duration(arguments)
    if api == _ROUND and "WFRoundType" in arguments:
        return _rounding_arguments(arguments)
    if api == _REMINDER and "WFAlertTrigger" in arguments:
        return _alert_arguments(arguments)
    if api == _COMBINE and (mode := _MODES.get(_text(arguments, "WFImageCombineDirection"))):
        return {"WFImageCombineMode": literal("WFImageCombineMode", mode), **arguments}
    if api == _BETWEEN and _text(arguments, "WFTimeUntilReferenceDate") == "Other":
        return _since_custom_date(arguments)
    return dict(arguments)


def _text(arguments: Mapping[str, Argument], name: str) -> str:
    argument = arguments.get(name)
    return argument.value.strip(_QUOTE) if argument and argument.kind == "literal" else ""


def _alert_arguments(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    condition = _text(arguments, "WFAlertTrigger")
    if condition == "At Location":
        is_arrival = _text(arguments, "WFAlertLocationProximity") in {"", "Enter"}
        condition = "When I Arrive" if is_arrival else "When I Leave"
    return {
        "WFAlertEnabled": literal("WFAlertEnabled", "Alert"),
        "WFAlertCondition": literal("WFAlertCondition", condition),
        **arguments,
    }


def _since_custom_date(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    rest = dict(arguments)
    date = rest.pop("WFTimeUntilCustomDate", None)
    if date is None or "WFTimeUntilFromDate" in rest:
        return dict(arguments)
    del rest["WFTimeUntilReferenceDate"]
    return rest | {"WFTimeUntilFromDate": msgspec.structs.replace(date, name="WFTimeUntilFromDate")}


def _rounding_arguments(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    side = msgspec.json.decode(arguments["WFRoundType"].value)
    rest = {
        name: argument
        for name, argument in arguments.items()
        if name not in {"WFRoundType", _DECIMAL_PLACES}
    }
    if "WFRoundTo" in rest:
        return rest
    if not isinstance(side, str) or side not in _SIDES:
        return rest if side == "Ones Place" else dict(arguments)
    digits = arguments.get(_DECIMAL_PLACES)
    if digits is not None and digits.kind != "literal":
        return dict(arguments)
    # Early editors proposed no decimal places.
    count = digits.value.strip(_QUOTE) if digits is not None else "0"
    words = f"{count} place{'' if count == '1' else 's'} {_SIDES[side]} of the decimal point"
    rest["WFRoundTo"] = literal("WFRoundTo", words)
    return rest
