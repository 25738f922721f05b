"""One catalogue of API definitions: precedence, merging, filling of gaps, and conflicts.

Equal definitions are merged. Gaps of the first definition of an API (see `rank`) are filled from
the next one, and every other difference becomes a conflict. Definitions of unknown apps are merged
only with equal definitions.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from benchloom.core.records import ApiDefinition, Conflict, Parameter
from benchloom.normalise.definitions.gaps import fill_gaps, usable_summaries

_TEXTS = frozenset({"title", "description", "keywords", "category", "notes", "summaries"})

"""Fields in the language of the file; a localised copy always differs in them."""

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
    """The chosen definitions, sorted by name, and their conflicts with the others."""

    definitions: tuple[ApiDefinition, ...]
    conflicts: tuple[Conflict, ...]
    merged: int
    """Definitions that equal a chosen one or have a lower rank."""


def build_catalogue(definitions: Iterable[ApiDefinition]) -> Catalogue:
    """The catalogue of any number of definitions; their order makes no difference."""
    groups: dict[tuple[str, str], dict[str, ApiDefinition]] = {}
    count = 0
    for definition in definitions:
        count += 1
        # Nothing tells whether two files of unknown apps belong together.
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
    """Sort key among definitions of one API: the smallest is kept."""
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
    """The numbers of a version, padded so that an unknown version sorts as the oldest."""
    numbers = [int(digits) for digits in _NUMBER.findall(version or "")[:6]]
    return numbers + [-1] * (6 - len(numbers))


def _with_sources(previous: ApiDefinition, other: ApiDefinition) -> ApiDefinition:
    # The better source comes first.
    first, second = sorted((previous, other), key=rank)
    sources = tuple(dict.fromkeys((*first.sources, *second.sources)))
    oddities = tuple(sorted({*first.oddities, *second.oddities}))
    return msgspec.structs.replace(first, sources=sources, oddities=oddities)


def _with_all_sources(winner: ApiDefinition, losers: list[ApiDefinition]) -> ApiDefinition:
    everyone = [source for loser in losers for source in loser.sources]
    sources = tuple(dict.fromkeys((*winner.sources, *everyone)))
    return msgspec.structs.replace(winner, sources=sources)


def find_conflicts(winner: ApiDefinition, lost: ApiDefinition) -> Iterator[Conflict]:
    """Yield a conflict per field with two different values, and per missing parameter."""
    is_copy = any(source.locale for source in lost.sources[:1])
    for field in _FIELDS:
        if is_copy and field in _TEXTS:
            continue
        here, there = getattr(winner, field), getattr(lost, field)
        if _differs(here, there):
            yield _conflict(winner, lost, field, (_json(here), _json(there)))
    if not is_copy:
        yield from _summary_conflicts(winner, lost)
        yield from _note_conflicts(winner, lost)
    yield from _parameter_conflicts(winner, lost, is_copy=is_copy)


def _differs(here: object, there: object) -> bool:
    # A gap is not a conflict.
    if isinstance(here, bool) or isinstance(there, bool):
        return here is not there
    return here not in (None, ()) and there not in (None, ()) and here != there


def _summary_conflicts(winner: ApiDefinition, lost: ApiDefinition) -> Iterator[Conflict]:
    # A summary that the chosen definition adopts is not a conflict.
    winner_summaries = set(winner.summaries or usable_summaries(winner, lost))
    missing = [summary for summary in lost.summaries if summary not in winner_summaries]
    if missing:
        yield _conflict(winner, lost, "summaries", (_json(winner.summaries), _json(missing)))


def _note_conflicts(winner: ApiDefinition, lost: ApiDefinition) -> Iterator[Conflict]:
    for kind in dict.fromkeys(note.kind for note in lost.notes):
        here = [note.text for note in winner.notes if note.kind == kind]
        there = [note.text for note in lost.notes if note.kind == kind]
        if here and here != there:
            yield _conflict(winner, lost, f"notes.{kind}", (_json(here), _json(there)))


def _parameter_conflicts(
    winner: ApiDefinition, lost: ApiDefinition, *, is_copy: bool
) -> Iterator[Conflict]:
    if not winner.parameters:
        return  # taken over whole
    here = {parameter.name: parameter for parameter in winner.parameters}
    there = {parameter.name: parameter for parameter in lost.parameters}
    if not there:
        return
    for name in [*here, *(name for name in there if name not in here)]:
        ours, theirs = here.get(name), there.get(name)
        if ours is None or theirs is None:
            values = (_json(ours) if ours else None, _json(theirs) if theirs else None)
            yield _conflict(winner, lost, f"parameters.{name}", values)
            continue
        for field in _PARAMETER_FIELDS:
            if is_copy and field in _PARAMETER_TEXTS:
                continue
            left, right = getattr(ours, field), getattr(theirs, field)
            if field == "title" and left == name:
                continue  # only the key again: filled from the other
            if _differs(left, right) or (
                field == "default" and right is not None and left != right
            ):
                values = (_json(left), _json(right))
                yield _conflict(winner, lost, f"parameters.{name}.{field}", values)


def _json(value: object) -> str:
    return _ENCODER.encode(value).decode()


def _conflict(
    winner: ApiDefinition, lost: ApiDefinition, field: str, values: tuple[str | None, str | None]
) -> Conflict:
    return Conflict(
        api=winner.api,
        field=field,
        kept=values[0],
        lost=values[1],
        source=lost.source_uri,
        source_kind=lost.source_kind,
        kept_source=winner.source_uri,
        kept_source_kind=winner.source_kind,
        lost_definition_id=lost.definition_id,
    )
