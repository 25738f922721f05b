"""What is made of SGD dialogues."""

import msgspec

from benchloom.errors import RunError
from benchloom.formats import FORMATS
from benchloom.records.planning_path import Mode
from parsers.dialogues.sgd.convert import Droppable

PARQUET = "parquet"


class SgdOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is made of the dialogues.

    `drop` names outcomes whose calls flow mode leaves out. `variant` names an SGD-X schema
    (v1 to v5) under whose names the plans are written; flow mode only.
    """

    mode: Mode = "flow"
    format: str = PARQUET
    drop: tuple[Droppable, ...] = ()
    variant: str | None = None

    def check(self) -> None:
        """Refuse options that do not go together.

        Raises:
            RunError: the message says which.
        """
        if self.format != PARQUET:
            FORMATS.find(self.format, also=(PARQUET,))
        if self.mode == "name" and (self.drop or self.variant):
            raise RunError("--drop and --variant change the published rules: use --mode flow")
