"""The format of SiriKit intent definitions, which are in files `.intentdefinition`."""

from parsers.definitions import DefinitionFormat, parse_by


def named(name: str) -> bool:
    """Whether a file's name is that of an intent definition."""
    return name.endswith(".intentdefinition")


def recognises(name: str, data: bytes) -> bool:
    """Whether a file is an intent definition, by its name or its first bytes."""
    return named(name) or b"<key>INIntents</key>" in data[:200_000]


FORMAT = DefinitionFormat("sirikit", recognises, parse_by(f"{__name__}.format"), named)
