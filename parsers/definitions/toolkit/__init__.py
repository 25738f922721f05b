"""The parser for ToolKit databases."""

from parsers.definitions.toolkit.format import FORMAT

__all__ = ["FORMAT"]
