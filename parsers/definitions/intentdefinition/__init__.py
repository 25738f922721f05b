"""SiriKit intent definitions."""

from parsers.definitions.intentdefinition.format import FORMAT

__all__ = ["FORMAT"]
