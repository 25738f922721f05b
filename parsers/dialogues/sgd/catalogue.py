"""The API definitions of an SGD input: one row per distinct definition of an API.

Equal definitions in several splits are merged.
"""

from collections.abc import Iterable

import msgspec

from benchloom.core.records import ApiDefinition


def merged_definitions(definitions: Iterable[ApiDefinition]) -> list[ApiDefinition]:
    """Merge equal definitions of several splits, keeping all their sources, sorted by name."""
    definitions_by_key: dict[tuple[str, str], ApiDefinition] = {}
    for definition in definitions:
        key = (definition.api, definition.definition_id)
        previous_definition = definitions_by_key.get(key)
        if previous_definition is None:
            definitions_by_key[key] = definition
        else:
            sources = (*previous_definition.sources, *definition.sources)
            definitions_by_key[key] = msgspec.structs.replace(previous_definition, sources=sources)
    return [definitions_by_key[key] for key in sorted(definitions_by_key)]
