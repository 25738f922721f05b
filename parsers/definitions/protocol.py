"""What every definition format offers: bytes in, definitions and typed problems out."""

from collections.abc import Callable, Mapping

import msgspec

from benchloom.core.records import ApiDefinition


class TextTables(msgspec.Struct, frozen=True):
    """Localised texts next to a definition, one table per language, the base language first."""

    tables: tuple[Mapping[str, str], ...] = ()

    def find(self, key: object) -> str | None:
        """The text of a key in the first language that has it."""
        if isinstance(key, str):
            for table in self.tables:
                if key in table:
                    return table[key]
        return None


class DefinitionContext(msgspec.Struct, frozen=True):
    """Where a definition file stood.

    `app` is the identifier of the app it belongs to, None where nothing tells. `part` and
    `locale` are those of benchloom.core.records.DefinitionSource.
    """

    source_uri: str
    app: str | None = None
    app_version: str | None = None
    part: str = "loose"
    locale: str | None = None
    texts: TextTables = TextTables()


class Problem(msgspec.Struct, frozen=True):
    """A part of a file that did not become a definition, or not whole; its neighbours did."""

    place: str
    reason: str
    message: str


class ParsedDefinitions(msgspec.Struct, frozen=True):
    """What one file declares, and what of it could not be read."""

    definitions: tuple[ApiDefinition, ...]
    problems: tuple[Problem, ...] = ()


class DefinitionFormat(msgspec.Struct, frozen=True):
    """One format; every module of this package that offers `FORMAT` is a member.

    `recognises(name, data)` judges by the file's own name and its first bytes. `parse` raises
    ParseError when nothing of the file can be read. `named(name)` says that a file is one by its
    name alone: such a file counts inside an app as well, whose other files are passed over.
    """

    source_kind: str
    recognises: Callable[[str, bytes], bool]
    parse: Callable[[bytes, DefinitionContext], ParsedDefinitions]
    named: Callable[[str], bool] = lambda _: False
