"""The interface of a definition format: bytes in, definitions and typed problems out."""

from collections.abc import Callable, Mapping

import msgspec

from benchloom.core.records import ApiDefinition


class TextTables(msgspec.Struct, frozen=True):
    """Localised texts next to a definition, one table per language, the base language first."""

    tables: tuple[Mapping[str, str], ...] = ()

    def find(self, key: object) -> str | None:
        """Return the text for a key from the first language that has it."""
        if isinstance(key, str):
            for table in self.tables:
                if key in table:
                    return table[key]
        return None


class DefinitionContext(msgspec.Struct, frozen=True):
    """The location of a definition file.

    `app` is the identifier of the app the file belongs to, None if it is unknown. `part` and
    `locale` mean the same as in benchloom.core.records.DefinitionSource.
    """

    source_uri: str
    app: str | None = None
    app_version: str | None = None
    part: str = "loose"
    locale: str | None = None
    texts: TextTables = TextTables()


class Problem(msgspec.Struct, frozen=True):
    """A part of a file with no definition or an incomplete definition; other parts are kept."""

    place: str
    reason: str
    message: str


class ParsedDefinitions(msgspec.Struct, frozen=True):
    """The definitions that one file declares, and the parts of it that could not be read."""

    definitions: tuple[ApiDefinition, ...]
    problems: tuple[Problem, ...] = ()


class DefinitionFormat(msgspec.Struct, frozen=True):
    """A definition format; every module of this package that offers `FORMAT` is a member.

    `recognises(name, data)` decides whether a file has the format, by its name and its first
    bytes. `parse` raises ParseError when nothing in the file can be read. `named(name)` says
    whether the name alone identifies the format: inside an app, only files with such a name are
    read, all other files are skipped.
    """

    source_kind: str
    recognises: Callable[[str, bytes], bool]
    parse: Callable[[bytes, DefinitionContext], ParsedDefinitions]
    named: Callable[[str], bool] = lambda _: False
