"""Formats of others: one module per format, which reads it, writes it, or both.

A module offers `FORMAT`; its name is the value of `--format` and of `import`. What a format cannot
hold of an example is told for that example by a stable word, and never dropped in silence.
"""

from benchloom.core.kinds import Kind
from benchloom.exchange.formats.base import (
    ExampleWriter,
    Format,
    LineFormat,
    Loss,
    Reading,
    Writing,
    WritingOptions,
)

__all__ = [
    "FORMATS",
    "ExampleWriter",
    "Format",
    "LineFormat",
    "Loss",
    "Reading",
    "Writing",
    "WritingOptions",
]

FORMATS = Kind(
    "format",
    __name__,
    Format,
    attribute="FORMAT",
    dashed=True,
    beside=("base", "messages", "parquet", "records"),
)
