"""Write a definition as text in this form.

    api(parameter: Type = default, other?: Type) -> name: Type
    Description.
    Parameters:
      parameter (Title): text. One of: "id" (title), ... Used when other is "value". From 0 to 1.

Returns:
      name: Type
    Summaries:
      Template with ${parameter}  [when other is "value"]

A question mark follows the name of a parameter that may be left out and has no default.
"""

from collections.abc import Iterator

from benchloom.core.records import ApiDefinition, Dependency, Parameter, Return, Summary

_RELATIONS = {
    "==": "is",
    "!=": "is not",
    ">": "is greater than",
    ">=": "is at least",
    "<": "is less than",
    "<=": "is at most",
    "contains": "contains",
    "does_not_contain": "does not contain",
    "has_value": "has any value",
    "has_no_value": "has no value",
}
_NOTES = ("result", "input", "note", "requires")


def definition_text(definition: ApiDefinition) -> str:
    """The text of a definition, always the same for the same definition."""
    lines = [signature(definition)]
    title = definition.title or ""
    lines.append(": ".join(part for part in (title, definition.description or "") if part))
    if definition.deprecated:
        replaced = f"; use {definition.replaced_by}" if definition.replaced_by else ""
        lines.append(f"Deprecated{replaced}.")
    if definition.parameters:
        lines.append("Parameters:")
        lines += [f"  {_parameter_note(parameter)}" for parameter in definition.parameters]
    if definition.returns:
        lines.append("Returns:")
        lines += [f"  {_return_note(output)}" for output in definition.returns]
    notes = [note for note in definition.notes if note.kind in _NOTES]
    lines += [f"{note.kind.capitalize()}: {_one_line(note.text)}" for note in notes]
    if definition.summaries:
        lines.append("Summaries:")
        lines += [f"  {_summary_note(summary)}" for summary in definition.summaries]
    return "\n".join(line for line in lines if line) + "\n"


def signature(definition: ApiDefinition) -> str:
    """The signature of a call with types and defaults, and its outputs."""
    declared = ", ".join(_declaration(parameter) for parameter in definition.parameters)
    returned = ", ".join(_returned(output) for output in definition.returns)
    return f"{definition.api}({declared})" + (f" -> {returned}" if returned else "")


def _declaration(parameter: Parameter) -> str:
    default = f" = {parameter.default}" if parameter.default is not None else ""
    mark = "?" if parameter.optional and not default else ""
    return f"{parameter.name}{mark}: {_shape(parameter)}{default}"


def _shape(typed: Parameter | Return) -> str:
    name = typed.type
    if typed.type_kind not in ("primitive", "array") and name.lower() != typed.type_kind:
        name = f"{name} ({typed.type_kind})"
    return f"list of {name}" if typed.multiple else name


def _returned(value: Return) -> str:
    return f"{value.name}: {_shape(value)}" if value.name else _shape(value)


def _parameter_note(parameter: Parameter) -> str:
    title = parameter.title
    head = f"{parameter.name} ({title})" if title and title != parameter.name else parameter.name
    parts = [sentence(parameter.description or ""), *_limits(parameter)]
    if parameter.enum_values:
        word = "One of" if parameter.type_kind == "enum" else "For example"
        values = ", ".join(
            f'"{value.value}" ({value.title})'
            if value.title and value.title != value.value
            else f'"{value.value}"'
            for value in parameter.enum_values
        )
        parts.append(f"{word}: {values}.")
    if parameter.depends_on:
        conditions = " and ".join(condition_text(c) for c in parameter.depends_on)
        parts.append(f"Used when {conditions}.")
    if parameter.optional is False and parameter.default is None:
        parts.append("Required.")
    note = " ".join(part for part in parts if part)
    return f"{head}: {note}" if note else head


def _limits(parameter: Parameter) -> Iterator[str]:
    unit = f" {parameter.unit}" if parameter.unit else ""
    low, high = parameter.minimum, parameter.maximum
    if low is not None and high is not None:
        yield f"From {low:g} to {high:g}{unit}."
    elif low is not None:
        yield f"At least {low:g}{unit}."
    elif high is not None:
        yield f"At most {high:g}{unit}."
    elif unit:
        yield f"In{unit}."
    if parameter.file_types:
        yield f"Accepts {', '.join(parameter.file_types)}."
    if parameter.count_maximum is not None:
        least = parameter.count_minimum or 0
        most = parameter.count_maximum
        yield f"Exactly {most} values." if least == most else f"{least} to {most} values."


def _return_note(output: Return) -> str:
    head = _returned(output)
    return f"{head}. {_one_line(output.description)}" if output.description else head


def _summary_note(summary: Summary) -> str:
    if not summary.conditions:
        return _one_line(summary.template)
    conditions = " and ".join(condition_text(c) for c in summary.conditions)
    return f"{_one_line(summary.template)}  [when {conditions}]"


def condition_text(condition: Dependency) -> str:
    """A condition in words: `mode is "a" or "b"`."""
    relation = _RELATIONS.get(condition.relation, condition.relation)
    values = " or ".join(condition.values)
    return f"{condition.parameter.removeprefix('@')} {relation} {values}".rstrip()


def sentence(text: str) -> str:
    """A text on one line that ends like a sentence."""
    line = _one_line(text)
    return line if not line or line[-1] in ".?!:" else line + "."


def _one_line(text: str) -> str:
    return " ".join(text.split())
