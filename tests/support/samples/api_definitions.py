"""API definitions with default fields, which tests override."""

import msgspec

from benchloom.core.records import ApiDefinition, Parameter, sealed


def api_definition(api: str, *parameters: Parameter, **fields: object) -> ApiDefinition:
    """Return a definition with these fields; if no id is given, its content determines it."""
    default_definition = ApiDefinition(
        definition_id="",
        api=api,
        app=None,
        source_kind="appintents",
        parameters=parameters,
        source_uri="sample",
        source_digest="file:sample",
    )
    definition = msgspec.structs.replace(default_definition, **fields)
    return definition if definition.definition_id else sealed(definition)
