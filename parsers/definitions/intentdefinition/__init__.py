"""SiriKit intent definitions."""

from parsers.definitions import DefinitionContext, DefinitionFormat, ParsedDefinitions


def named(name: str) -> bool:
    """Whether a file's name is that of an intent definition."""
    return name.endswith(".intentdefinition")


def recognises(name: str, data: bytes) -> bool:
    """Whether a file is an intent definition, by its name or its first bytes."""
    return named(name) or b"<key>INIntents</key>" in data[:200_000]


def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the intents of one file."""
    from parsers.definitions.intentdefinition import format as definition_format

    return definition_format.parse(data, context)


FORMAT = DefinitionFormat("sirikit", recognises, parse, named)
