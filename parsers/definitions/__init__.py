"""API definitions: one module per format, discovered; bytes in, typed definitions out."""

from parsers.definitions.protocol import (
    DefinitionContext,
    DefinitionFormat,
    ParsedDefinitions,
    Problem,
    TextTables,
)
from parsers.definitions.registry import definition_formats, parse_definitions

__all__ = [
    "DefinitionContext",
    "DefinitionFormat",
    "ParsedDefinitions",
    "Problem",
    "TextTables",
    "definition_formats",
    "parse_definitions",
]
