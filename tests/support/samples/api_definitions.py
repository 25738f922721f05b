"""Definitions of APIs, plain but for what a test says of them."""

import msgspec

from benchloom.core.records import ApiDefinition, Parameter, sealed


def api_definition(api: str, *parameters: Parameter, **fields: object) -> ApiDefinition:
    """A definition with these fields; without an id among them its id is that of its content."""
    plain = ApiDefinition(
        definition_id="",
        api=api,
        app=None,
        source_kind="appintents",
        parameters=parameters,
        source_uri="sample",
        source_digest="file:sample",
    )
    definition = msgspec.structs.replace(plain, **fields)
    return definition if definition.definition_id else sealed(definition)
