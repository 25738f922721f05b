"""Parse files that declare APIs into typed definitions, with one discovered module per format."""

from collections.abc import Callable, Mapping
from importlib import import_module

import msgspec

from benchloom.core.kinds import Kind
from benchloom.core.records import ApiDefinition
from parsers.errors import ParseError


class TextTables(msgspec.Struct, frozen=True):
    """The localised texts beside a definition file.

    There is one table of texts per language. The table of the base language comes first.
    """

    tables: tuple[Mapping[str, str], ...] = ()

    def find(self, key: object) -> str | None:
        """Return the text for a key from the first language that has it."""
        if isinstance(key, str):
            for table in self.tables:
                if key in table:
                    return table[key]
        return None


class DefinitionContext(msgspec.Struct, frozen=True):
    """The origin of a definition file, and the text tables beside it.

    `app` is the identifier of the app that contains the file, or None if it is unknown. `part` is
    the part of the app, such as main, widget or watch, or loose for a file outside of apps.
    `locale` is the language of a localised copy.
    """

    source_uri: str
    app: str | None = None
    app_version: str | None = None
    part: str = "loose"
    locale: str | None = None
    texts: TextTables = TextTables()


class Problem(msgspec.Struct, frozen=True):
    """A part of a file that has no usable definition; the other parts are still read."""

    location: str
    reason: str
    message: str


class ParsedDefinitions(msgspec.Struct, frozen=True):
    """The definitions that one file declares, and the parts of it that could not be read."""

    definitions: tuple[ApiDefinition, ...]
    problems: tuple[Problem, ...] = ()


class DefinitionFormat(msgspec.Struct, frozen=True):
    """A definition format; every module of this package that offers `FORMAT` is a member.

    `recognises(name, data)` decides whether a file has the format, by its name and its first bytes.
    `parse` raises ParseError when nothing in the file can be read. `named(name)` says whether the
    name alone identifies the format. Inside an app, only files with such a name are read.
    """

    source_kind: str
    recognises: Callable[[str, bytes], bool]
    parse: Callable[[bytes, DefinitionContext], ParsedDefinitions]
    named: Callable[[str], bool] = lambda _: False


def parse_by(
    module: str,
) -> Callable[[bytes, DefinitionContext], ParsedDefinitions]:
    """Return a parser that imports a module only when the first file of its format is read."""

    def parse(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
        parsed: ParsedDefinitions = import_module(module).parse(data, context)
        return parsed

    return parse


_STUB_BYTES = 1024

DEFINITION_FORMATS = Kind(
    "definition format",
    "parsers.definitions",
    DefinitionFormat,
    attribute="FORMAT",
    names=lambda _, member: (member.source_kind,),
    beside=("bundle_map", "documents", "units", "values"),
)
"""All formats, named by the source kind of their definitions. The first format that recognises a
file parses it."""

__all__ = [
    "DEFINITION_FORMATS",
    "DefinitionContext",
    "DefinitionFormat",
    "Problem",
    "TextTables",
    "parse_by",
    "parse_definitions",
]


def parse_definitions(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """Parse the definitions of one file in any known format.

    Raises:
        ParseError: empty_file, symlink_stub, not_a_definition, too_deep, or an error in the
            file format.
    """
    if not data:
        raise ParseError("empty_file", "the file is empty")
    if _is_link_stub(data):
        raise ParseError(
            "symlink_stub",
            "the file contains only the path of another file, "
            "because a link was copied; copy that file",
        )
    name = context.source_uri.replace("!", "/").rsplit("/", 1)[-1]
    for member in DEFINITION_FORMATS.all().values():
        if member.recognises(name, data):
            return member.parse(data, context)
    format_names = ", ".join(DEFINITION_FORMATS.names())
    raise ParseError("not_a_definition", f"the file has none of the formats {format_names}")


def _is_link_stub(data: bytes) -> bool:
    if len(data) > _STUB_BYTES:
        return False
    try:
        text = data.decode().strip()
    except UnicodeDecodeError:
        return False
    if not text or any(mark in text for mark in '\n\0<>{}[]"='):
        return False
    return "/" in text or text.endswith((".intentdefinition", ".actionsdata", ".plist", ".json"))
