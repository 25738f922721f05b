"""Build the catalogue of API definitions: choose one per API, fill its gaps, list conflicts.

Equal definitions are merged. `rank` decides which definition of an API is chosen. Empty fields of
the chosen definition are filled from the dropped definitions, best first, and every other
difference becomes a conflict. Definitions of unknown apps are merged only with equal definitions.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from benchloom.core.records import (
    ApiDefinition,
    Conflict,
    EnumValue,
    FieldOrigin,
    Parameter,
    Summary,
)
from benchloom.core.records.api_definition import PLACEHOLDER

_FILLED = ("title", "description", "parameters", "returns", "category", "keywords", "replaced_by")
_FILLED_IN_PARAMETERS = ("title", "description", "enum_values", "unit")


def fill_gaps(winner: ApiDefinition, losers: Sequence[ApiDefinition]) -> ApiDefinition:
    """Fill each empty field of the chosen definition from the first dropped one that has it."""
    for loser in losers:
        winner = _fill_from(winner, loser)
    return winner


def _fill_from(winner: ApiDefinition, loser: ApiDefinition) -> ApiDefinition:
    changes: dict[str, object] = {}
    filled: list[str] = []
    for field in _FILLED:
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
    """Return the summaries of a dropped definition that use only parameters of the chosen one."""
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
    for field in _FILLED_IN_PARAMETERS:
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
    texts = [parameter.default] if parameter.default is not None else []
    for sibling in winner.parameters:
        for condition in sibling.depends_on:
            if condition.parameter == parameter.name:
                texts.extend(condition.values)
    existing_values = {value.value for value in values}
    decoded = [msgspec.json.decode(text) for text in texts]
    new_values = list(dict.fromkeys(value for value in decoded if isinstance(value, str)))
    return (*values, *(EnumValue(value) for value in new_values if value not in existing_values))


_TEXTS = frozenset({"title", "description", "keywords", "category", "notes", "summaries"})
"""Fields in the language of the file. They differ in every localised copy."""
_FIELDS = (
    "title",
    "description",
    "returns",
    "availability",
    "deprecated",
    "replaced_by",
    "discoverable",
    "category",
    "keywords",
)
_PARAMETER_FIELDS = tuple(
    field.name for field in msgspec.structs.fields(Parameter) if field.name != "name"
)
_PARAMETER_TEXTS = frozenset({"title", "description", "enum_values"})
_ENCODER = msgspec.json.Encoder(order="deterministic")
PRECEDENCE = ("toolkit", "appintents", "sirikit", "wfactions")
OWN = "benchloom"
PARTS = ("main", "loose", "framework", "plugin", "widget", "watch")
_NUMBER = re.compile(r"[0-9]+")


class Catalogue(msgspec.Struct, frozen=True):
    """The chosen API definitions, sorted by name, and their conflicts with dropped definitions."""

    definitions: tuple[ApiDefinition, ...]
    conflicts: tuple[Conflict, ...]
    merged: int
    """The number of definitions that were not chosen."""


def build_catalogue(definitions: Iterable[ApiDefinition]) -> Catalogue:
    """Choose one definition for each API, and list its conflicts with the dropped definitions."""
    groups: dict[tuple[str, str], dict[str, ApiDefinition]] = {}
    count = 0
    for definition in definitions:
        count += 1
        # Two files of unknown apps may or may not belong together.
        group = ("" if definition.app else definition.definition_id, definition.api)
        same = groups.setdefault(group, {})
        previous = same.get(definition.definition_id)
        same[definition.definition_id] = (
            _with_sources(previous, definition) if previous else definition
        )
    winners: list[ApiDefinition] = []
    conflicts: list[Conflict] = []
    for same in groups.values():
        ordered = sorted(same.values(), key=rank)
        winner, losers = ordered[0], ordered[1:]
        for loser in losers:
            conflicts.extend(find_conflicts(winner, loser))
        winners.append(_with_all_sources(fill_gaps(winner, losers), losers))
    winners.sort(key=lambda definition: (definition.api, definition.definition_id))
    conflicts.sort(key=lambda c: (c.api, c.field, c.source, c.lost_definition_id))
    return Catalogue(tuple(winners), tuple(conflicts), count - len(winners))


def rank(definition: ApiDefinition) -> tuple[object, ...]:
    """Return the sort key of a definition. The smallest one of an API's definitions is chosen."""
    source = definition.sources[0] if definition.sources else None
    kind = definition.source_kind
    part = source.part if source else "loose"
    return (
        PRECEDENCE.index(kind) if kind in PRECEDENCE else len(PRECEDENCE),
        kind == OWN,
        [-number for number in version_numbers(definition.app_version)],
        PARTS.index(part) if part in PARTS else len(PARTS),
        bool(source and source.locale),
        not definition.summaries,
        definition.source_uri,
        definition.definition_id,
    )


def version_numbers(version: str | None) -> list[int]:
    """Return the numbers of a version as a sort key. An unknown version sorts as the oldest."""
    numbers = [int(digits) for digits in _NUMBER.findall(version or "")[:6]]
    return numbers + [-1] * (6 - len(numbers))


def _with_sources(previous: ApiDefinition, other: ApiDefinition) -> ApiDefinition:
    # The better source comes first.
    first, second = sorted((previous, other), key=rank)
    sources = tuple(dict.fromkeys((*first.sources, *second.sources)))
    oddities = tuple(sorted({*first.oddities, *second.oddities}))
    return msgspec.structs.replace(first, sources=sources, oddities=oddities)


def _with_all_sources(winner: ApiDefinition, losers: list[ApiDefinition]) -> ApiDefinition:
    other_sources = [source for loser in losers for source in loser.sources]
    sources = tuple(dict.fromkeys((*winner.sources, *other_sources)))
    return msgspec.structs.replace(winner, sources=sources)


def find_conflicts(winner: ApiDefinition, loser: ApiDefinition) -> Iterator[Conflict]:
    """Yield a conflict for each field in which two definitions differ.

    A parameter that only one of them has is a conflict too.
    """
    is_copy = any(source.locale for source in loser.sources[:1])
    for field in _FIELDS:
        if is_copy and field in _TEXTS:
            continue
        chosen, dropped = getattr(winner, field), getattr(loser, field)
        if _differs(chosen, dropped):
            yield _conflict(winner, loser, field, (_json(chosen), _json(dropped)))
    if not is_copy:
        yield from _summary_conflicts(winner, loser)
        yield from _note_conflicts(winner, loser)
    yield from _parameter_conflicts(winner, loser, is_copy=is_copy)


def _differs(chosen: object, dropped: object) -> bool:
    # A gap is not a conflict.
    if isinstance(chosen, bool) or isinstance(dropped, bool):
        return chosen is not dropped
    return chosen not in (None, ()) and dropped not in (None, ()) and chosen != dropped


def _summary_conflicts(winner: ApiDefinition, loser: ApiDefinition) -> Iterator[Conflict]:
    # A summary that the chosen definition adopts is not a conflict.
    winner_summaries = set(winner.summaries or usable_summaries(winner, loser))
    missing = [summary for summary in loser.summaries if summary not in winner_summaries]
    if missing:
        yield _conflict(winner, loser, "summaries", (_json(winner.summaries), _json(missing)))


def _note_conflicts(winner: ApiDefinition, loser: ApiDefinition) -> Iterator[Conflict]:
    for kind in dict.fromkeys(note.kind for note in loser.notes):
        chosen = [note.text for note in winner.notes if note.kind == kind]
        dropped = [note.text for note in loser.notes if note.kind == kind]
        if chosen and chosen != dropped:
            yield _conflict(winner, loser, f"notes.{kind}", (_json(chosen), _json(dropped)))


def _parameter_conflicts(
    winner: ApiDefinition, loser: ApiDefinition, *, is_copy: bool
) -> Iterator[Conflict]:
    if not winner.parameters:
        return  # taken over whole
    chosen = {parameter.name: parameter for parameter in winner.parameters}
    dropped = {parameter.name: parameter for parameter in loser.parameters}
    if not dropped:
        return
    for name in [*chosen, *(name for name in dropped if name not in chosen)]:
        parameter, other = chosen.get(name), dropped.get(name)
        if parameter is None or other is None:
            values = (_json(parameter) if parameter else None, _json(other) if other else None)
            yield _conflict(winner, loser, f"parameters.{name}", values)
            continue
        for field in _PARAMETER_FIELDS:
            if is_copy and field in _PARAMETER_TEXTS:
                continue
            left, right = getattr(parameter, field), getattr(other, field)
            if field == "title" and left == name:
                continue  # only the key again: filled from the other
            if _differs(left, right) or (
                field == "default" and right is not None and left != right
            ):
                values = (_json(left), _json(right))
                yield _conflict(winner, loser, f"parameters.{name}.{field}", values)


def _json(value: object) -> str:
    return _ENCODER.encode(value).decode()


def _conflict(
    winner: ApiDefinition, loser: ApiDefinition, field: str, values: tuple[str | None, str | None]
) -> Conflict:
    return Conflict(
        api=winner.api,
        field=field,
        kept=values[0],
        lost=values[1],
        source=loser.source_uri,
        source_kind=loser.source_kind,
        kept_source=winner.source_uri,
        kept_source_kind=winner.source_kind,
        lost_definition_id=loser.definition_id,
    )
