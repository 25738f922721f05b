"""Examples: a request, the calls that fulfil it and the tools it may use, in no format's shape.

Formats read and write them; releases are joined into them, and what is imported is taken apart.
"""

from benchloom.core.records.values import Composed, Given, Ref, Value
from benchloom.exchange.examples.example import Argument, Call, Example, Finding, Result, Turn

__all__ = [
    "Argument",
    "Call",
    "Composed",
    "Example",
    "Finding",
    "Given",
    "Ref",
    "Result",
    "Turn",
    "Value",
]
