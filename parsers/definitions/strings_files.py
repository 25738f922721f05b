"""Localised texts beside a definition: `.strings` (text or property list) and `.xcstrings`."""

import re

from parsers.definitions.building import mapping_of, text_of
from parsers.definitions.documents import read_document
from parsers.errors import ParseError
from parsers.property_lists import is_binary, xml_start

# Every alternative ends somewhere, so a text is read in one pass whatever it holds.
_TOKEN = re.compile(
    r"/\*.*?(?:\*/|\Z)|//[^\n]*"
    r'|("(?:[^"\\]++|\\(?:.|\Z))*+(?:"|\Z))|([\w.\-]++)|([=;])|[^\w.\-=;"/]++|.',
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(U[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
MAX_BYTES = 8 * 1024 * 1024
_PARTS = 3


def read_strings(data: bytes) -> dict[str, str]:
    """Return the texts of a `.strings` file by key."""
    if len(data) > MAX_BYTES:
        raise ParseError("too_large", f"{len(data)} bytes; the file is too large")
    if is_binary(data) or (xml_start(data) is not None and b"<plist" in data[:1000]):
        root = mapping_of(read_document(data).root)
        return {key: value for key, value in root.items() if isinstance(value, str)}
    return _read_text(_decoded(data))


def _read_text(text: str) -> dict[str, str]:
    # Anything that is not `key = value;` is skipped up to the next semicolon.
    texts: dict[str, str] = {}
    entry: list[str] = []
    for token in _TOKEN.finditer(text):
        quoted, word, mark = token.groups()
        if mark != ";":
            part = _unquoted(quoted) if quoted else word or mark
            # One part too many already makes the entry invalid.
            if part is not None and len(entry) <= _PARTS:
                entry.append(part)
        else:
            if len(entry) == _PARTS and entry[1] == "=":
                texts.setdefault(entry[0], entry[2])
            entry.clear()
    return texts


def _decoded(data: bytes) -> str:
    encoding = "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif data[:64:2].count(0) > 8 or data[1:64:2].count(0) > 8:
        encoding = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ParseError("bad_strings", f"texts: {error.reason}") from error


def _unquoted(token: str) -> str:
    text = _ESCAPE.sub(_unescaped, token[1:].removesuffix('"'))
    # Two escaped surrogates are one character; a lone surrogate cannot be stored.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(match: re.Match[str]) -> str:
    mark = match[1]
    if len(mark) == 5:
        return chr(int(mark[1:], 16))
    return _ESCAPES.get(mark, mark)


def read_xcstrings(data: bytes) -> dict[str, dict[str, str]]:
    """Return the texts of an `.xcstrings` catalogue by language, source language first, and key."""
    root = read_document(data).root
    if not isinstance(root, dict) or not isinstance(root.get("strings"), dict):
        raise ParseError("bad_strings", "a catalogue without strings")
    source = text_of(root.get("sourceLanguage")) or "en"
    texts_by_language: dict[str, dict[str, str]] = {source: {}}
    for key, entry in mapping_of(root["strings"]).items():
        texts_by_language[source][key] = key
        for language, localisation in mapping_of(mapping_of(entry).get("localizations")).items():
            unit = mapping_of(mapping_of(localisation).get("stringUnit"))
            value = text_of(unit.get("value"))
            if value is not None:
                texts_by_language.setdefault(language, {})[key] = value
    return texts_by_language
