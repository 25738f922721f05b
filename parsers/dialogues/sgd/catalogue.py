"""The API definitions of an SGD input: a row per API and content, whatever splits declare it."""

from collections.abc import Iterable

import msgspec

from benchloom.records import ApiDefinition


def merged_definitions(definitions: Iterable[ApiDefinition]) -> list[ApiDefinition]:
    """Equal definitions of several splits as one, with all their sources, sorted by name."""
    found: dict[tuple[str, str], ApiDefinition] = {}
    for definition in definitions:
        key = (definition.api, definition.definition_id)
        known = found.get(key)
        if known is None:
            found[key] = definition
        else:
            sources = (*known.sources, *definition.sources)
            found[key] = msgspec.structs.replace(known, sources=sources)
    return [found[key] for key in sorted(found)]
