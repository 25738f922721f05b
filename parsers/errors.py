"""Faults of parsers. A parser raises ParseError and nothing else for bad input.

RejectedInputError (benchloom.core.errors)
└── ParseError            the bytes are not in the expected format; has a reason and a message
UnusualError              inside `property_lists`: a slower reader must read the file
"""

from benchloom.core.errors import RejectedInputError


class ParseError(RejectedInputError):
    """Raised if bytes cannot be read in the expected format."""


class UnusualError(Exception):
    """Raised if a file is not an ordinary property list, so that a slower reader must read it."""
