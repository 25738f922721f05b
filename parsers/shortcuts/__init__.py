"""Shared shortcuts: bytes in, one typed record out."""

from parsers.shortcuts.cross_check import cross_check
from parsers.shortcuts.record import parse_shortcut

__all__ = ["cross_check", "parse_shortcut"]
