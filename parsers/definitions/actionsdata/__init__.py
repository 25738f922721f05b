"""The format of App Intents metadata, which is in `Metadata.appintents/extract.actionsdata`."""

from parsers.definitions import DefinitionFormat, parse_by


def named(name: str) -> bool:
    """Whether a file's name is that of App Intents metadata."""
    return name.endswith(".actionsdata")


def recognises(name: str, data: bytes) -> bool:
    """Whether a file is App Intents metadata, by its name or its first bytes."""
    return named(name) or (
        data.lstrip()[:1] == b"{" and b'"autoShortcuts"' in data and b'"actions"' in data
    )


FORMAT = DefinitionFormat("appintents", recognises, parse_by(f"{__name__}.format"), named)
