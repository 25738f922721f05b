"""A dataset in SGD's file format: lists of dialogues in a folder per split, and `schema.json`.

Importing the module imports only the description of the dataset; the code that reads files is
imported later.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records.planning_path import Mode
from parsers.dialogues.sources import Conversion, Role

if TYPE_CHECKING:
    from parsers.dialogues.conversion.readers import FileReading
    from parsers.dialogues.material import DialogueInput, PlanOptions

_IGNORED_SUFFIXES = (".txt", ".md", ".py", ".tsv", ".csv")


def sgd_reading() -> "FileReading":
    """Import and return how the files of Schema-Guided Dialogue are read."""
    from parsers.dialogues.conversion.readers import FileReading

    return FileReading()


class SgdFormatSource(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset whose files are in SGD's format.

    See `DialogueSource` for the first seven fields. `reading` imports and returns how the files
    are read.
    """

    name: str
    title: str
    address: str
    licence: str
    redistributable: bool
    modes: tuple[Mode, ...]
    has_variants: bool = False
    reading: Callable[[], "FileReading"] = sgd_reading

    def role_of(self, name: str) -> Role:
        """Return the role of a file; JSON and unknown file types count as dialogues."""
        if name in self.reading().beside:
            return "beside"
        if name.endswith(_IGNORED_SUFFIXES) or name.upper().startswith(("LICENSE", "README")):
            return "other"
        return "dialogues"

    def open(self, dialogue_input: "DialogueInput", options: "PlanOptions") -> Conversion:
        """Return the conversion of an input; raise if the mode or variant does not exist."""
        from parsers.dialogues.conversion.converter import FolderConversion

        if options.mode not in self.modes:
            mode_names = ", ".join(self.modes)
            raise RunError(f"{self.name} has no mode '{options.mode}'; known: {mode_names}")
        if options.variant is not None and not self.has_variants:
            raise RunError(f"the schemas of {self.name} have no variants; omit --variant")
        return FolderConversion(self.name, self.reading(), dialogue_input, options)
