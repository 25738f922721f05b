"""The external formats: each module reads a format, writes it, or both.

Each module defines `FORMAT`; the module's name is the value of `--format` and of `import`. If a
format cannot store a part of an example, its writer reports a loss with a stable word.
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
