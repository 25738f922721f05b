"""Supply words of the app that definitions lack: verbs of summaries, and values of empty fields.

Some summaries begin with a value, because the app shows the action's title beside them.
"""

from collections.abc import Mapping

import msgspec

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.records import ApiDefinition, Argument, Parameter
from benchloom.core.records.api_definition import PLACEHOLDER

_MATH = f"{SYSTEM_PREFIX}math"
_SCIENTIFIC = frozenset({"\u2026", "..."})
"""The operation of Calculate that leaves the choice to the list of scientific operations."""
_OF_TWO_NUMBERS = frozenset({"Modulus", "x^y"})
_OF_MATH = frozenset(
    {"WFMathOperation", "WFMathOperand", "WFScientificMathOperation", "WFScientificMathOperand"}
)
_VERBS = {
    "date": "Use the date",
    "location": "Use the location",
    "math": "Calculate",
    "measurement.create": "Use the measurement",
    "number": "Use the number",
    "url": "Use the URL",
}
_EMPTY_FIELDS = {
    ("getitemfromlist", "WFItemRangeStart"): "the first item",
    ("getitemfromlist", "WFItemRangeEnd"): "the last item",
    ("image.resize", "WFImageResizeHeight"): "[automatic height]",
    ("savetocameraroll", "WFCameraRollSelectedGroup"): '"Recents"',
}


def template_with_verb(
    template: str, definition: ApiDefinition, parameters: Mapping[str, Parameter]
) -> str:
    """Return a summary's template that begins with a verb, or with a choice of verbs."""
    match = PLACEHOLDER.match(template)
    if match is None:
        return template
    verb = _VERBS.get(definition.api.removeprefix(SYSTEM_PREFIX))
    if verb is None and is_choice_of_verbs(template, parameters):
        return template
    return f"{verb} {template}" if verb else f"{definition.title or 'Use'}: {template}"


def is_choice_of_verbs(template: str, parameters: Mapping[str, Parameter]) -> bool:
    """Whether a template begins with a parameter whose listed values are verbs."""
    match = PLACEHOLDER.match(template)
    parameter = parameters.get(match[1]) if match is not None else None
    return parameter is not None and parameter.type_kind == "enum"


def empty_field(definition: ApiDefinition, name: str, parameter: Parameter | None) -> str | None:
    """Return the app's value for a field that was left empty, or None if we do not know it."""
    words = _EMPTY_FIELDS.get((definition.api.removeprefix(SYSTEM_PREFIX), name))
    if words is None and parameter is not None and parameter.type == "String":
        is_name = parameter.name == "WFVariableName"
        return None if is_name or parameter.multiple else '""'
    return words


def calculation(api: str, arguments: Mapping[str, Argument]) -> tuple[str, frozenset[str]] | None:
    """Return the sentence and the parameters of a Calculate action, or None for other actions.

    A calculation is basic or scientific. An operation or operand of the kind that is not chosen is
    left over from editing, and is not in the sentence.
    """
    if api != _MATH:
        return None
    operation = _text(arguments.get("WFMathOperation"))
    if operation not in _SCIENTIFIC:
        return "${WFInput} ${WFMathOperation} ${WFMathOperand}", _OF_MATH
    scientific = _text(arguments.get("WFScientificMathOperation"))
    if scientific in _OF_TWO_NUMBERS:
        return "${WFInput} ${WFScientificMathOperation} ${WFScientificMathOperand}", _OF_MATH
    return "${WFScientificMathOperation} of ${WFInput}", _OF_MATH


def _text(argument: Argument | None) -> str | None:
    if argument is None or argument.kind != "literal":
        return None
    value = msgspec.json.decode(argument.value)
    return value if isinstance(value, str) else None
