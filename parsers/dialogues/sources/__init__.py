"""Every module of this package defines a dataset of dialogues as `SOURCE`.

A new source needs one new module here and a hand-made sample. The command line, the
configuration, the rebuild and the list of known names then include the source. Neither this module
nor the members access the disk: the stage reads the files and passes their bytes. The code that
reads files is imported when it is needed, so that listing the sources stays fast.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.kinds import Kind
from benchloom.core.records.planning_path import Mode

if TYPE_CHECKING:
    from parsers.dialogues.conversion.converter import Conversion
    from parsers.dialogues.conversion.readers import FileReading
    from parsers.dialogues.material import DialogueInput, PlanOptions

Role = Literal["dialogues", "beside", "other"]
"""The role of a file. It contains dialogues, or dialogues need it (such as a schema), or it is not
read."""
_IGNORED_SUFFIXES = (".txt", ".md", ".py", ".tsv", ".csv")


def sgd_reading() -> "FileReading":
    """Import and return the functions that read files of Schema-Guided Dialogue."""
    from parsers.dialogues.conversion.readers import FileReading

    return FileReading()


class DialogueSource(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset of dialogues in SGD's file format.

    It has a folder for each split, with lists of dialogues and `schema.json`.

    `name` is the name of the module, the word on the command line and in the configuration, the
    `source` of plans and the `source_kind` of definitions. `title`, `address` and `licence`
    describe the dataset to people. `redistributable` says whether the licence lets everybody
    pass on the words of the dialogues; if not, no table contains the words. `modes` are the
    supported modes, the default first; `has_variants` says whether the dataset's schemas also
    exist under other names. `reading` imports and returns how the files are read.
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
        """Return the role of a file, given its name; JSON and unknown types count as dialogues."""
        if name in self.reading().beside:
            return "beside"
        if name.endswith(_IGNORED_SUFFIXES) or name.upper().startswith(("LICENSE", "README")):
            return "other"
        return "dialogues"

    def open(self, dialogue_input: "DialogueInput", options: "PlanOptions") -> "Conversion":
        """Return the conversion of an input; raise RunError for an unknown mode or variant."""
        from parsers.dialogues.conversion.converter import Conversion

        if options.mode not in self.modes:
            mode_names = ", ".join(self.modes)
            raise RunError(f"{self.name} has no mode '{options.mode}'; known: {mode_names}")
        if options.variant is not None and not self.has_variants:
            raise RunError(f"the schemas of {self.name} have no variants; omit --variant")
        return Conversion(self.name, self.reading(), dialogue_input, options)


DIALOGUE_SOURCES: Kind[DialogueSource] = Kind(
    "dialogue source", __name__, DialogueSource, attribute="SOURCE"
)
