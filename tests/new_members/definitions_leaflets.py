"""Leaflets: a JSON file that lists calls and their parameters."""

from benchloom.core.records import ApiDefinition, Parameter
from parsers.definitions import DefinitionContext, DefinitionFormat, ParsedDefinitions
from parsers.definitions.documents import read_document
from parsers.definitions.values import json_text, list_of, mapping_of, parse_entries, text_of
from parsers.errors import ParseError


def named(name: str) -> bool:
    """Return whether a file has the name of a leaflet."""
    return name.endswith(".leaflet")


def recognises(name: str, data: bytes) -> bool:
    """Return whether a file is a leaflet."""
    return named(name) or data.startswith(b'{"leaflet"')


def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the calls of a leaflet.

    Raises:
        ParseError: not_a_definition, or a fault of the container.
    """
    document = read_document(data)
    calls = list_of(mapping_of(document.root).get("leaflet"))
    if not calls:
        raise ParseError("not_a_definition", "a leaflet without calls")
    entries = [(str(number), call) for number, call in enumerate(calls)]
    return parse_entries(
        data,
        context,
        "leaflets",
        entries,
        lambda _, call: _definition(call, context),
        duplicates=document.duplicates,
    )


def _definition(call: object, context: DefinitionContext) -> ApiDefinition:
    name = text_of(mapping_of(call).get("call"))
    if name is None:
        raise ParseError("bad_entry", "a call without a name")
    takes = [mapping_of(entry) for entry in list_of(mapping_of(call).get("takes"))]
    parameters = tuple(
        Parameter(
            name=text_of(entry.get("name")) or f"unnamed_{index}",
            type="string",
            type_kind="primitive",
            default=json_text(entry["default"]) if isinstance(entry.get("default"), str) else None,
        )
        for index, entry in enumerate(takes)
    )
    return ApiDefinition(
        definition_id="",
        api=name,
        app=context.app,
        source_kind="leaflets",
        title=text_of(mapping_of(call).get("title")),
        parameters=parameters,
        source_uri=context.source_uri,
        source_digest="",
    )


FORMAT = DefinitionFormat("leaflets", recognises, parse, named)
