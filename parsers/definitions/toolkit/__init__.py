"""ToolKit's database."""

from parsers.definitions.toolkit.format import FORMAT

__all__ = ["FORMAT"]
