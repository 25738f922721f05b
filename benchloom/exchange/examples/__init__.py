"""Examples of tool use: a request, the calls that fulfil it, and its tools, in no specific format.

Each external format reads and writes examples. An export joins the rows of a release into examples,
and an import splits examples into rows.
"""

from benchloom.core.records.values import Composed, Ref, RuntimeValue, Value
from benchloom.exchange.examples.example import (
    Argument,
    Call,
    Example,
    Finding,
    Loss,
    Result,
    Turn,
)

__all__ = [
    "Argument",
    "Call",
    "Composed",
    "Example",
    "Finding",
    "Loss",
    "Ref",
    "Result",
    "RuntimeValue",
    "Turn",
    "Value",
]
