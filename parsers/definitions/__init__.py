"""Parse bytes to typed API definitions, with one discovered module per format."""

from benchloom.core.kinds import Kind
from parsers.definitions.protocol import (
    DefinitionContext,
    DefinitionFormat,
    ParsedDefinitions,
    Problem,
    TextTables,
)
from parsers.errors import ParseError

_STUB_BYTES = 1024

DEFINITION_FORMATS = Kind(
    "definition format",
    "parsers.definitions",
    DefinitionFormat,
    attribute="FORMAT",
    names=lambda _, member: (member.source_kind,),
    beside=("building", "bundles", "documents", "protocol", "strings_files"),
)
"""All formats by source kind; the first format that recognises a file parses it."""

__all__ = [
    "DEFINITION_FORMATS",
    "DefinitionContext",
    "DefinitionFormat",
    "Problem",
    "TextTables",
    "parse_definitions",
]


def parse_definitions(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the definitions of one file in any known format.

    Raises:
        ParseError: empty_file, symlink_stub, not_a_definition, too_deep, or an error in the
            file format.
    """
    if not data:
        raise ParseError("empty_file", "no bytes")
    if _is_link_stub(data):
        raise ParseError("symlink_stub", "holds the path of another file, a link that was copied")
    name = context.source_uri.replace("!", "/").rsplit("/", 1)[-1]
    for member in DEFINITION_FORMATS.all().values():
        if member.recognises(name, data):
            return member.parse(data, context)
    format_names = ", ".join(DEFINITION_FORMATS.names())
    raise ParseError("not_a_definition", f"none of the formats {format_names}")


def _is_link_stub(data: bytes) -> bool:
    if len(data) > _STUB_BYTES:
        return False
    try:
        text = data.decode().strip()
    except UnicodeDecodeError:
        return False
    if not text or any(mark in text for mark in '\n\0<>{}[]"='):
        return False
    return "/" in text or text.endswith((".intentdefinition", ".actionsdata", ".plist", ".json"))
