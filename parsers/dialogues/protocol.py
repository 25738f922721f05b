"""What a source of dialogues offers: which files it reads, and what it makes of them.

A member is a module of `parsers/dialogues/sources` that offers `SOURCE`. Nothing here or there
touches a disk: the stage reads the files and hands over their bytes.
"""

from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchloom.core.errors import RejectedInputError
    from benchloom.core.records import ApiDefinition, PlanningPath
    from benchloom.core.records.planning_path import Mode
    from parsers.dialogues.material import DialogueInput, Found, PlanOptions, Refused, Said

Role = Literal["dialogues", "beside", "other"]
"""What a file is: dialogues, something they need (a schema), or a text that nobody reads."""


class Conversion(Protocol):
    """One input, opened under its options."""

    def convert(self, source_uri: str, data: bytes) -> "Iterator[PlanningPath | Refused]":
        """One plan or refusal for each dialogue of a file, in order.

        Raises:
            ParseError: the file holds no dialogues at all.
        """
        ...

    def said(self, data: bytes) -> "Iterator[Said]":
        """What the user said in each dialogue of a file, one for each row of `convert`, in order.

        Nothing where the file holds no dialogues; a damaged dialogue has no words.
        """
        ...

    def found(self, source_uri: str, data: bytes) -> "Iterator[Found]":
        """What services gave back in each dialogue of a file, as `said` tells the words.

        Nothing of a file that records no calls, or under names that are not the file's own.
        """
        ...

    def definitions(self) -> "list[ApiDefinition]":
        """The definitions of every API that the input declares, sorted; plans name their ids."""
        ...

    def fault_of(self, source_uri: str) -> "RejectedInputError | None":
        """Why a file beside the dialogues cannot be used; None for a good one."""
        ...


@runtime_checkable
class DialogueSource(Protocol):
    """One dataset of dialogues.

    `name` is the module, the word on the command line and in the configuration, the `source` of
    plans and the `source_kind` of definitions. `title`, `address` and `licence` tell people what
    it is; `redistributable` whether that licence lets everybody pass the words of the dialogues
    on: without it no table holds them. `modes` are the modes it offers, the default first;
    `has_variants` tells whether its schemas come under other names as well.
    """

    name: str
    title: str
    address: str
    licence: str
    redistributable: bool
    modes: "tuple[Mode, ...]"
    has_variants: bool

    def role_of(self, name: str) -> Role:
        """What a file of this name, without its folder, is."""
        ...

    def open(self, dialogue_input: "DialogueInput", options: "PlanOptions") -> Conversion:
        """The conversion of an input.

        Raises:
            RunError: the options do not fit the input.
        """
        ...
