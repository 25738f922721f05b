"""Datasets of dialogues, one per module; each module defines its dataset as `SOURCE`.

A new source needs one new module here and a hand-made sample. The command line, the
configuration, the rebuild and the list of known names then include the source. Neither this module
nor the members access the disk: the stage reads the files and passes their bytes.
`tests/contracts/test_dialogue_sources.py` runs the same tests on every source.
"""

from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from benchloom.core.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchloom.core.errors import RejectedInputError
    from benchloom.core.records import ApiDefinition
    from benchloom.core.records.planning_path import Mode
    from parsers.dialogues.material import DialogueInput, PlannedDialogue, PlanOptions, Refused


Role = Literal["dialogues", "beside", "other"]
"""A file of dialogues, a file that dialogues need (a schema), or a file that is not read."""


class Conversion(Protocol):
    """The conversion of one input with the options that the user chose."""

    def convert(self, source_uri: str, data: bytes) -> "Iterator[PlannedDialogue | Refused]":
        """Yield one plan or refusal for each dialogue of a file, in order.

        Recorded calls are left out if the plans use other names than the file.

        Raises:
            ParseError: the file contains no dialogues.
        """
        ...

    def definitions(self) -> "list[ApiDefinition]":
        """Return the definitions of all declared APIs, sorted; plans refer to their ids."""
        ...

    def fault_of(self, source_uri: str) -> "RejectedInputError | None":
        """Return why a file beside the dialogues cannot be used, None if all can be used."""
        ...


@runtime_checkable
class DialogueSource(Protocol):
    """A dataset of dialogues.

    `name` is the name of the module, the word on the command line and in the configuration, the
    `source` of plans and the `source_kind` of definitions. `title`, `address` and `licence`
    describe the dataset to people. `redistributable` says whether the licence lets everybody
    pass on the words of the dialogues; if not, no table contains the words. `modes` are the
    supported modes, the default first; `has_variants` says whether the dataset's schemas also
    exist under other names.
    """

    name: str
    title: str
    address: str
    licence: str
    redistributable: bool
    modes: "tuple[Mode, ...]"
    has_variants: bool

    def role_of(self, name: str) -> Role:
        """Return the role of a file by its name without the folder."""
        ...

    def open(self, dialogue_input: "DialogueInput", options: "PlanOptions") -> Conversion:
        """Return the conversion of an input."""
        ...


DIALOGUE_SOURCES: Kind[DialogueSource] = Kind(
    "dialogue source", __name__, DialogueSource, attribute="SOURCE"
)
