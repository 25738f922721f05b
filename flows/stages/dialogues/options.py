"""What is made of dialogues."""

import msgspec

from benchloom.errors import RunError
from benchloom.formats import FORMATS
from parsers.dialogues.material import PlanOptions

PARQUET = "parquet"


class ConversionOptions(PlanOptions, frozen=True, forbid_unknown_fields=True):
    """What is made of the dialogues, and the form it is written in."""

    format: str = PARQUET

    def check(self) -> None:
        """Refuse options that do not go together.

        Raises:
            RunError: the message says which.
        """
        if self.format != PARQUET:
            FORMATS.find(self.format, also=(PARQUET,))
        if self.mode == "name" and (self.drop or self.variant):
            raise RunError("--drop and --variant change the published rules: use --mode flow")

    def of_plans(self) -> PlanOptions:
        """The part that a source of dialogues looks at."""
        return msgspec.convert(
            {name: getattr(self, name) for name in PlanOptions.__struct_fields__}, PlanOptions
        )
