"""External formats: one module per format, which reads it, writes it, or both.

A module offers `FORMAT`; its name is the value of `--format` and of `import`. The parts of an
example that a format cannot store are reported for that example by a stable word, and never
dropped silently.
"""

from benchloom.core.kinds import Kind
from benchloom.exchange.examples import Loss
from benchloom.exchange.formats.base import Format, LineFormat, Reading, Writing, WritingOptions

__all__ = [
    "FORMATS",
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
