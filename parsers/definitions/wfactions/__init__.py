"""The parser for WFActions property lists."""

from parsers.definitions.wfactions.format import FORMAT

__all__ = ["FORMAT"]
