"""WFActions, the system's own actions up to 2022."""

from parsers.definitions import DefinitionContext, DefinitionFormat, ParsedDefinitions


def named(name: str) -> bool:
    """Whether a file name says that the file contains actions."""
    return name.startswith("WFActions.")


def recognises(name: str, data: bytes) -> bool:
    """Whether a file may contain actions, judged by its name or its suffix."""
    del data
    return named(name) or name.endswith((".json", ".plist"))


def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the actions of one file."""
    from parsers.definitions.wfactions import format as definition_format

    return definition_format.parse(data, context)


FORMAT = DefinitionFormat("wfactions", recognises, parse, named)
