"""Fill the gaps of the best definition of an API from the others, and record their origin."""

from collections.abc import Sequence

import msgspec

from benchloom.core.records import ApiDefinition, EnumValue, FieldOrigin, Parameter, Summary
from benchloom.core.records.api_definition import PLACEHOLDER

_FIELDS = ("title", "description", "parameters", "returns", "category", "keywords", "replaced_by")
_PARAMETER_FIELDS = ("title", "description", "enum_values", "unit")


def fill_gaps(winner: ApiDefinition, losers: Sequence[ApiDefinition]) -> ApiDefinition:
    """Fill each gap of the winner from the first other definition that has the field."""
    for loser in losers:
        winner = _fill_from(winner, loser)
    return winner


def _fill_from(winner: ApiDefinition, loser: ApiDefinition) -> ApiDefinition:
    changes: dict[str, object] = {}
    filled: list[str] = []
    for field in _FIELDS:
        if not getattr(winner, field) and getattr(loser, field):
            changes[field] = getattr(loser, field)
            filled.append(field)
    if "parameters" not in changes:
        parameters = _fill_parameters(winner, loser, filled)
        if parameters != winner.parameters:
            changes["parameters"] = parameters
    summaries = usable_summaries(winner, loser) if not winner.summaries else ()
    if summaries:
        changes["summaries"] = summaries
        filled.append("summaries")
    kinds = {note.kind for note in winner.notes}
    notes = tuple(note for note in loser.notes if note.kind not in kinds)
    if notes:
        changes["notes"] = (*winner.notes, *notes)
        filled.extend(f"notes.{kind}" for kind in dict.fromkeys(note.kind for note in notes))
    if not filled:
        return winner
    origins = tuple(
        FieldOrigin(field, loser.source_kind, loser.source_uri) for field in sorted(filled)
    )
    return msgspec.structs.replace(winner, **changes, origins=(*winner.origins, *origins))


def usable_summaries(winner: ApiDefinition, loser: ApiDefinition) -> tuple[Summary, ...]:
    """The summaries of another definition that mention only parameters of the winner."""
    names = {parameter.name for parameter in (winner.parameters or loser.parameters)}
    return tuple(
        summary
        for summary in loser.summaries
        if names.issuperset(PLACEHOLDER.findall(summary.template))
        and names.issuperset(condition.parameter for condition in summary.conditions)
    )


def _fill_parameters(
    winner: ApiDefinition, loser: ApiDefinition, filled: list[str]
) -> tuple[Parameter, ...]:
    others = {parameter.name: parameter for parameter in loser.parameters}
    return tuple(
        _fill_parameter(parameter, others[parameter.name], winner, filled)
        if parameter.name in others
        else parameter
        for parameter in winner.parameters
    )


def _fill_parameter(
    parameter: Parameter, other: Parameter, winner: ApiDefinition, filled: list[str]
) -> Parameter:
    changes: dict[str, object] = {}
    for field in _PARAMETER_FIELDS:
        present = getattr(parameter, field)
        # A title that is only the key again says nothing.
        is_empty = not present or (field == "title" and present == parameter.name)
        offered = getattr(other, field)
        if is_empty and offered and offered != present:
            if field == "enum_values" and parameter.type_kind != "enum":
                continue
            if field == "enum_values":
                offered = _with_named_values(offered, parameter, winner)
            changes[field] = offered
            filled.append(f"parameters.{parameter.name}.{field}")
    return msgspec.structs.replace(parameter, **changes) if changes else parameter


def _with_named_values(
    values: tuple[EnumValue, ...], parameter: Parameter, winner: ApiDefinition
) -> tuple[EnumValue, ...]:
    # Versions drift: defaults and conditions may use values that the list lacks.
    named = [parameter.default] if parameter.default is not None else []
    for sibling in winner.parameters:
        for condition in sibling.depends_on:
            if condition.parameter == parameter.name:
                named.extend(condition.values)
    existing_values = {value.value for value in values}
    decoded = [msgspec.json.decode(text) for text in named]
    added = list(dict.fromkeys(value for value in decoded if isinstance(value, str)))
    return (*values, *(EnumValue(value) for value in added if value not in existing_values))
