"""One catalogue of API definitions: precedence, merging, filling of gaps, and conflicts.

Equal definitions are merged. Gaps of the first definition of an API (see `rank`) are filled from
the next one, and every other difference becomes a conflict. Definitions of unknown apps are merged
only with equal definitions.
"""

import re
from collections.abc import Iterable

import msgspec

from benchloom.core.records import ApiDefinition, Conflict
from benchloom.normalise.definitions.conflicts import find_conflicts
from benchloom.normalise.definitions.gaps import fill_gaps

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
