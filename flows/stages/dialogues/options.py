"""This module defines the options of a conversion of dialogues."""

from benchloom.core.errors import RunError
from benchloom.exchange.formats import FORMATS, LineFormat
from parsers.dialogues.material import PlanOptions

PARQUET = "parquet"


class ConversionOptions(PlanOptions, frozen=True, forbid_unknown_fields=True):
    """The options of a conversion of dialogues: those for the plans, and the output format."""

    format: str = PARQUET

    def check(self) -> None:
        """Raise if two options contradict each other, or if plans cannot be written in the format.

        Raises:
            RunError: the message names the options.
        """
        self.lines()
        if self.mode == "name" and (self.drop or self.variant):
            raise RunError("--mode name allows neither --drop nor --variant; use --mode flow")

    def lines(self) -> LineFormat | None:
        """Return the format that writes one line per dialogue, or None for Parquet.

        Raises:
            RunError: the format is unknown, or it cannot write plans as lines.
        """
        if self.format == PARQUET:
            return None
        line_format = FORMATS.find(self.format, also=(PARQUET,))
        if not isinstance(line_format, LineFormat):
            raise RunError(
                f"'{self.format}' cannot be written during a conversion; build a release, and "
                f"export it with 'benchloom release export'"
            )
        return line_format
