"""Find the input files that declare APIs, and the facts about the app bundle around each file.

A bundle is a folder with an Info.plist. Inside an app only files named as definitions count; one
rejected row reports all other files. Outside of bundles every file is tried, so that a file passed
by mistake is reported and not ignored. Localised texts are beside a definition, in files `.strings`
(text or property list) and `.xcstrings`.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition, Rejected
from benchloom.storage.inputs import SourceObject
from parsers.definitions import DEFINITION_FORMATS, DefinitionContext, TextTables, parse_definitions
from parsers.definitions.bundle_map import (
    INFO,
    TEXT_SUFFIXES,
    Bundle,
    BundleMap,
    folders_of,
    is_language,
)
from parsers.definitions.documents import read_document
from parsers.definitions.toolkit import JOURNAL_ENDINGS
from parsers.definitions.values import mapping_of, text_of
from parsers.errors import ParseError
from parsers.property_lists import is_binary, xml_start

# Every alternative has an end, so any text is read in one pass.
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
    """Return a mapping from key to text for a `.strings` file; raise ParseError if too large."""
    if len(data) > MAX_BYTES:
        raise ParseError("too_large", f"the file is too large ({len(data)} bytes)")
    if is_binary(data) or (xml_start(data) is not None and b"<plist" in data[:1000]):
        root = mapping_of(read_document(data).root)
        return {key: value for key, value in root.items() if isinstance(value, str)}
    return _read_text(_decode(data))


def _read_text(text: str) -> dict[str, str]:
    # Anything that is not `key = value;` is skipped up to the next semicolon.
    texts: dict[str, str] = {}
    entry: list[str] = []
    for token in _TOKEN.finditer(text):
        quoted, word, mark = token.groups()
        if mark != ";":
            part = _unquote(quoted) if quoted else word or mark
            # An entry with more parts is invalid; one extra part is enough to detect it.
            if part is not None and len(entry) <= _PARTS:
                entry.append(part)
        else:
            if len(entry) == _PARTS and entry[1] == "=":
                texts.setdefault(entry[0], entry[2])
            entry.clear()
    return texts


def _decode(data: bytes) -> str:
    encoding = "utf-8-sig"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif data[:64:2].count(0) > 8 or data[1:64:2].count(0) > 8:
        encoding = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ParseError("bad_strings", f"texts: {error.reason}") from error


def _unquote(token: str) -> str:
    text = _ESCAPE.sub(_unescape, token[1:].removesuffix('"'))
    # Two escaped surrogates are one character; a lone surrogate cannot be stored.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescape(match: re.Match[str]) -> str:
    mark = match[1]
    if len(mark) == 5:
        return chr(int(mark[1:], 16))
    return _ESCAPES.get(mark, mark)


def read_xcstrings(data: bytes) -> dict[str, dict[str, str]]:
    """Return the texts in an `.xcstrings` catalogue, as a mapping from key to text per language.

    The source language comes first.

    Raises:
        ParseError: the file is not a catalogue.
    """
    root = read_document(data).root
    if not isinstance(root, dict) or not isinstance(root.get("strings"), dict):
        raise ParseError("bad_strings", "not a string catalogue: the mapping 'strings' is missing")
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


_REPORTED = frozenset(
    {"path_escape", "encrypted", "unsupported_compression", "inflates_too_much", "link_outside"}
)


class Unit(msgspec.Struct, frozen=True):
    """A definition file that is not read yet, with its bundle and the text tables beside it."""

    source: SourceObject
    app: str | None
    app_version: str | None
    part: str
    locale: str | None
    language: str | None
    texts: tuple[SourceObject, ...] = ()


def _is_named_definition(name: str) -> bool:
    return any(member.named(name) for member in DEFINITION_FORMATS.all().values())


def find_units(
    objects: Sequence[SourceObject], app: str | None = None
) -> tuple[list[Unit], list[Rejected]]:
    """Return the definition files among input objects, and rejected rows about other files.

    `app` is the identifier of the app for definition files outside bundles.
    """
    rejected: list[Rejected] = []
    bundles = BundleMap(objects, rejected)
    units: list[Unit] = []
    other_counts: dict[str, int] = {}
    for source in objects:
        parts = folders_of(source.source_uri)
        name = parts[-1]
        problem = source.problem
        if problem is not None and problem.reason == "system_file":
            continue
        if problem is not None and (problem.reason in _REPORTED or _is_named_definition(name)):
            rejected.append(Rejected("parse", source.source_uri, problem.reason, problem.message))
        elif _is_named_definition(name) or not _is_in_bundle(parts, bundles):
            units.append(_unit(source, parts, bundles, app))
        else:
            depth = bundles.depth_of_bundle(parts)
            if depth is not None and name != INFO and not name.endswith(TEXT_SUFFIXES):
                bundle_uri = source.source_uri[: len("/".join(parts[:depth]))]
                other_counts[bundle_uri] = other_counts.get(bundle_uri, 0) + 1
    rejected.extend(_unused_texts(objects, units, bundles))
    rejected.extend(
        Rejected(
            "parse", bundle_uri or ".", "not_a_definition", f"{count} other files of the bundle"
        )
        for bundle_uri, count in sorted(other_counts.items())
    )
    return units, rejected


def _unused_texts(
    objects: Sequence[SourceObject], units: Sequence[Unit], bundles: BundleMap
) -> Iterator[Rejected]:
    # Text tables outside bundles that no definition file uses define nothing.
    used_uris = {texts.source_uri for unit in units for texts in unit.texts}
    for source in objects:
        parts = folders_of(source.source_uri)
        is_loose = parts[-1].endswith(TEXT_SUFFIXES) and bundles.depth_of_bundle(parts) is None
        if is_loose and source.problem is None and source.source_uri not in used_uris:
            message = "this table of texts lacks the definition file that uses it; pass both files"
            yield Rejected("parse", source.source_uri, "not_a_definition", message)


def _is_in_bundle(parts: list[str], bundles: BundleMap) -> bool:
    name = parts[-1]
    if name == INFO or name.endswith((*TEXT_SUFFIXES, *JOURNAL_ENDINGS)):
        return True
    return bundles.depth_of_bundle(parts) is not None


def _unit(source: SourceObject, parts: list[str], bundles: BundleMap, app: str | None) -> Unit:
    around = bundles.around(parts)
    # An input folder that is a bundle itself has no name here; it is the outermost.
    apps = [entry for entry in around if not entry[0] or entry[0][-1].endswith(".app")]
    identified = [entry for entry in (*apps, *around) if entry[1].identifier]
    root, main = identified[0] if identified else ((), Bundle())
    versions = [bundle.version for _, bundle in reversed(around) if bundle.version]
    locale = None
    if len(parts) > 1 and is_language(parts[-2]):
        language = parts[-2].removesuffix(".lproj")
        locale = None if language == "Base" else language
    return Unit(
        source=source,
        app=main.identifier or app,
        app_version=main.version or next(iter(versions), None),
        part=_part(parts[len(root) :], around) if identified else "loose",
        locale=locale,
        language=main.language,
        texts=bundles.texts_for(parts),
    )


def _part(inside: list[str], around: list[tuple[tuple[str, ...], Bundle]]) -> str:
    if any(part in ("Watch", "com.apple.WatchPlaceholder") for part in inside):
        return "watch"
    extension = next((part for part in inside if part.endswith(".appex")), None)
    if extension is not None:
        points = [bundle.extension_point or "" for _, bundle in around]
        is_widget = "widget" in extension.lower() or any("widget" in point for point in points)
        return "widget" if is_widget else "plugin"
    if any(part.endswith((".framework", ".bundle")) for part in inside):
        return "framework"
    return "main"


def _context_of(unit: Unit, rejected: list[Rejected]) -> DefinitionContext:
    tables: dict[str, dict[str, str]] = {}
    for source in unit.texts:
        try:
            data = source.read()
            if source.source_uri.endswith(".xcstrings"):
                texts_by_language = read_xcstrings(data)
            else:
                folder = folders_of(source.source_uri)[-2:-1]
                language = folder[0].removesuffix(".lproj") if folder else ""
                texts_by_language = {
                    language if is_language("".join(folder)) else "": read_strings(data)
                }
        except RejectedInputError as error:
            rejected.append(Rejected("parse", source.source_uri, error.reason, error.message))
            continue
        for language, texts in texts_by_language.items():
            tables.setdefault(language, {}).update(
                {key: text for key, text in texts.items() if key not in tables.get(language, {})}
            )
    ordered = sorted(tables, key=lambda name: _language_rank(name, unit))
    return DefinitionContext(
        source_uri=unit.source.source_uri,
        app=unit.app,
        app_version=unit.app_version,
        part=unit.part,
        locale=unit.locale,
        texts=TextTables(tuple(tables[language] for language in ordered)),
    )


def _language_rank(language: str, unit: Unit) -> tuple[int, str]:
    # A localised copy's own language, then base, development language, English.
    for rank, preferred_language in enumerate((unit.locale, "Base", "", unit.language, "en")):
        if preferred_language is not None and language == preferred_language:
            return rank, language
    return (5 if language.startswith("en") else 6), language


def parse_unit(unit: Unit, rejected: list[Rejected]) -> tuple[ApiDefinition, ...]:
    """Return the definitions of one file; unreadable parts are added to `rejected`."""
    uri = unit.source.source_uri
    data = b""
    try:
        data = unit.source.read()
        parsed = parse_definitions(data, _context_of(unit, rejected))
    except RejectedInputError as error:
        digest = tagged_digest("file", data) if data else None
        rejected.append(Rejected("parse", uri, error.reason, error.message, digest))
        return ()
    digest = tagged_digest("file", data)
    rejected.extend(
        Rejected("parse", f"{uri}#{problem.location}", problem.reason, problem.message, digest)
        for problem in parsed.problems
    )
    return parsed.definitions
