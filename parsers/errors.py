"""Faults of parsers. A parser raises these and nothing else for bad input.

RejectedInputError (benchloom.core.errors)
└── ParseError            the bytes are not in the expected format; names reason and place
"""

from benchloom.core.errors import RejectedInputError


class ParseError(RejectedInputError):
    """The bytes cannot be read in the expected format."""
