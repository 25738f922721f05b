"""The formats of API definitions: discovered, and chosen by what a file looks like."""

from functools import cache
from pathlib import Path

from benchloom.errors import RunError
from benchloom.members import member_modules
from parsers.definitions.protocol import DefinitionContext, DefinitionFormat, ParsedDefinitions
from parsers.errors import ParseError

_PACKAGE = __package__ or "parsers.definitions"
_STUB_BYTES = 1024


@cache
def definition_formats() -> dict[str, DefinitionFormat]:
    """Every format by its source kind, in the order of their modules.

    Raises:
        RunError: two modules claim the same source kind.
    """
    found: dict[str, DefinitionFormat] = {}
    for _, module in member_modules(_PACKAGE, [str(Path(__file__).parent)]):
        member = getattr(module, "FORMAT", None)
        if not isinstance(member, DefinitionFormat):
            continue
        if member.source_kind in found:
            raise RunError(f"two definition formats are named '{member.source_kind}'")
        found[member.source_kind] = member
    return found


def parse_definitions(data: bytes, context: DefinitionContext) -> ParsedDefinitions:
    """The definitions of one file, whatever format it has.

    Raises:
        ParseError: empty_file, symlink_stub, not_a_definition, too_deep, or a fault of its
            container.
    """
    if not data:
        raise ParseError("empty_file", "no bytes")
    if is_link_stub(data):
        raise ParseError("symlink_stub", "holds the path of another file, a link that was copied")
    name = context.source_uri.replace("!", "/").rsplit("/", 1)[-1]
    for member in definition_formats().values():
        if member.recognises(name, data):
            return member.parse(data, context)
    known = ", ".join(definition_formats())
    raise ParseError("not_a_definition", f"none of the formats {known}")


def is_link_stub(data: bytes) -> bool:
    """Whether the bytes are a path: what remains of a symbolic link outside its repository."""
    if len(data) > _STUB_BYTES:
        return False
    try:
        text = data.decode().strip()
    except UnicodeDecodeError:
        return False
    if not text or any(mark in text for mark in '\n\0<>{}[]"='):
        return False
    return "/" in text or text.endswith((".intentdefinition", ".actionsdata", ".plist", ".json"))
