"""A dataset in SGD's file format: lists of dialogues in a folder per split, and `schema.json`."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records.planning_path import Mode
from parsers.dialogues.conversion.folders import SgdConversion
from parsers.dialogues.conversion.telling import Telling, recorded_or_rebuilt
from parsers.dialogues.conversion.words import said_in
from parsers.dialogues.material import DialogueInput, PlanOptions, Said
from parsers.dialogues.protocol import Role
from parsers.dialogues.sgd.schema import read_schema
from parsers.dialogues.sgd.schemas import SCHEMA
from parsers.dialogues.sgd.services import Completing, as_declared

_NOBODY_READS = (".txt", ".md", ".py", ".tsv", ".csv")


class SgdFormatSource(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset whose files are in SGD's format.

    See `DialogueSource` for the first seven fields. `beside` maps the names of the files that
    dialogues need to their readers, which raise ParseError on a damaged file. If
    `shared_schema`, a schema also applies to the folders below its own. `completing` adds to
    the services any data that their file lacks; `telling` reads a file into dialogues with
    calls; `words` reads the users' words, one entry for each dialogue in order.
    """

    name: str
    title: str
    address: str
    licence: str
    redistributable: bool
    modes: tuple[Mode, ...]
    has_variants: bool = False
    beside: Mapping[str, Callable[[bytes], object]] = msgspec.field(
        default_factory=lambda: {SCHEMA: read_schema}
    )
    shared_schema: bool = False
    completing: Completing = as_declared
    telling: Telling = recorded_or_rebuilt
    words: Callable[[bytes, Mode], Iterator[Said]] = said_in

    def role_of(self, name: str) -> Role:
        """Return the role of a file; JSON and unknown file types count as dialogues."""
        if name in self.beside:
            return "beside"
        if name.endswith(_NOBODY_READS) or name.upper().startswith(("LICENSE", "README")):
            return "other"
        return "dialogues"

    def open(self, dialogue_input: DialogueInput, options: PlanOptions) -> SgdConversion:
        """Return the conversion of an input."""
        if options.mode not in self.modes:
            mode_names = ", ".join(self.modes)
            raise RunError(f"{self.name} has no mode '{options.mode}'; known: {mode_names}")
        if options.variant is not None and not self.has_variants:
            raise RunError(f"the schemas of {self.name} come in no variants")
        return SgdConversion(self, dialogue_input, options)
