"""App Intents metadata (`extract.actionsdata`)."""

from parsers.definitions.actionsdata.format import FORMAT

__all__ = ["FORMAT"]
