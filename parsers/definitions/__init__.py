"""Parse bytes to typed API definitions, with one discovered module per format."""

from parsers.definitions.protocol import DefinitionContext, DefinitionFormat, Problem, TextTables
from parsers.definitions.registry import DEFINITION_FORMATS, parse_definitions

__all__ = [
    "DEFINITION_FORMATS",
    "DefinitionContext",
    "DefinitionFormat",
    "Problem",
    "TextTables",
    "parse_definitions",
]
