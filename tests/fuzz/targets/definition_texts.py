"""Fuzz the localised texts beside a definition, in `.strings` and `.xcstrings` files."""

from parsers.definitions.units import read_strings, read_xcstrings
from tests.fuzz import Target
from tests.support.samples.bundles import brew_members

_WORDS = (b'"', b"\\", b"/*", b"*/", b"//", b"=", b";", b"\\Ud83d", b"\\U12", b"\xff\xfe", b"{}")


def seeds() -> list[bytes]:
    """Return the texts of an invented app in three encodings."""
    members = brew_members()
    texts = [data for name, data in members.items() if name.endswith((".strings", ".xcstrings"))]
    return [*texts, *(data.decode().encode("utf-16-le") for data in texts if data[:1] == b"/")]


def read(data: bytes) -> int:
    """Read a string catalogue or, if the data is none, a table of strings."""
    if b'"strings"' in data:
        return len(read_xcstrings(data))
    texts = read_strings(data)
    return sum(len(text.encode()) for text in texts.values())


TARGET = Target("definition-texts", seeds, read, words=_WORDS)
