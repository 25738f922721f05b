"""Find app bundles among input objects, with the bundles' text tables and Info.plist facts.

A bundle is a folder with an Info.plist. Properties are read when they are first needed.
"""

from collections.abc import Sequence

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import Rejected
from benchloom.storage.inputs import SourceObject
from parsers.property_lists import is_binary, read_binary, read_xml

INFO = "Info.plist"
TEXT_SUFFIXES = (".strings", ".xcstrings")
BUNDLE_SUFFIXES = (".app", ".appex", ".framework", ".bundle")
_TABLES = ("Localizable", "AppIntents", "AppShortcuts", "Intents")
_MAX_TEXT_FILES = 400


class Bundle(msgspec.Struct, frozen=True):
    """The facts in the Info.plist of a bundle.

    `language` is the development language.
    """

    identifier: str | None = None
    version: str | None = None
    language: str | None = None
    extension_point: str | None = None


def folders_of(source_uri: str) -> list[str]:
    """Split the path of an object into folders and the file name; archives count as folders."""
    return source_uri.replace("!", "/").split("/")


class BundleMap:
    """The bundles and text tables among a list of objects."""

    def __init__(self, objects: Sequence[SourceObject], rejected: list[Rejected]) -> None:
        self.rejected = rejected
        self._infos: dict[tuple[str, ...], SourceObject] = {}
        self._read: dict[tuple[str, ...], Bundle] = {}
        self._texts: dict[tuple[str, ...], list[SourceObject]] = {}
        for source in objects:
            parts = folders_of(source.source_uri)
            if parts[-1] == INFO and source.problem is None:
                self._infos.setdefault(_root_of(parts[:-1]), source)
            elif parts[-1].endswith(TEXT_SUFFIXES) and source.problem is None:
                folder = parts[:-2] if parts[-2:-1] and is_language(parts[-2]) else parts[:-1]
                self._texts.setdefault(tuple(folder), []).append(source)

    def around(self, parts: Sequence[str]) -> list[tuple[tuple[str, ...], Bundle]]:
        """Return the bundles that contain a path, the outermost first."""
        prefixes = [tuple(parts[:length]) for length in range(len(parts))]
        return [(prefix, self._bundle(prefix)) for prefix in prefixes if prefix in self._infos]

    def _bundle(self, root: tuple[str, ...]) -> Bundle:
        if root not in self._read:
            source = self._infos[root]
            try:
                self._read[root] = _read_info(source.read())
            except RejectedInputError as error:
                self._read[root] = Bundle()
                self.rejected.append(
                    Rejected("parse", source.source_uri, error.reason, error.message)
                )
        return self._read[root]

    def depth_of_bundle(self, parts: Sequence[str]) -> int | None:
        """Return the depth of the outermost bundle around a path, or None outside of bundles."""
        for depth in range(len(parts)):
            is_bundle = depth > 0 and parts[depth - 1].endswith(BUNDLE_SUFFIXES)
            if is_bundle or tuple(parts[:depth]) in self._infos:
                return depth
        return None

    def texts_for(self, parts: Sequence[str]) -> tuple[SourceObject, ...]:
        """Return the text tables that may contain the texts of the definition file at a path."""
        folder = list(parts[:-1])
        if (folder and is_language(folder[-1])) or (folder and folder[-1].endswith(".appintents")):
            folder.pop()
        names = (parts[-1].rsplit(".", 1)[0], *_TABLES)
        sources = [
            source
            for source in self._texts.get(tuple(folder), ())
            if folders_of(source.source_uri)[-1].rsplit(".", 1)[0] in names
        ]
        return tuple(sources[:_MAX_TEXT_FILES])


def is_language(folder: str) -> bool:
    """Whether a folder, by its name, contains the resources of one language."""
    return folder.endswith(".lproj")


def _root_of(folder: list[str]) -> tuple[str, ...]:
    if folder and folder[-1] in ("Contents", "Resources"):
        folder = folder[:-1]
    if folder[-2:-1] == ["Versions"]:
        folder = folder[:-2]
    return tuple(folder)


def _read_info(data: bytes) -> Bundle:
    root = read_binary(data) if is_binary(data) else read_xml(data)[0]
    if not isinstance(root, dict):
        return Bundle()

    def value(key: str) -> str | None:
        text = root.get(key)
        return text if isinstance(text, str) and text and "$(" not in text else None

    extension = root.get("NSExtension")
    point = extension.get("NSExtensionPointIdentifier") if isinstance(extension, dict) else None
    return Bundle(
        identifier=value("CFBundleIdentifier"),
        version=value("CFBundleShortVersionString") or value("CFBundleVersion"),
        language=value("CFBundleDevelopmentRegion"),
        extension_point=point if isinstance(point, str) else None,
    )
