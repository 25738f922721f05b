"""Find the tools for the records of a file, in datasets that declare tools in separate files."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from benchloom.core.records import ApiDefinition

_ROLES = ("data", "spec", "specs", "specification", "specifications", "tools")


class Catalogue:
    """The tools of a dataset, grouped by the file that declares them.

    Records of `x-data.json` use the tools of `x-spec.json` in the same folder. Without this file
    they use all tools of their folder, and if the folder has no tools, all tools of the dataset.
    """

    def __init__(self) -> None:
        self._files: dict[str, dict[str, ApiDefinition]] = {}
        self._chosen: dict[str, Mapping[str, ApiDefinition]] = {}

    def add(self, source_uri: str, definitions: Iterable[ApiDefinition]) -> None:
        """Add the tools of one file; of two tools with the same name, the first one counts."""
        file_definitions = self._files.setdefault(source_uri, {})
        for definition in definitions:
            file_definitions.setdefault(definition.api, definition)

    def of(self, source_uri: str) -> Mapping[str, ApiDefinition]:
        """Return a mapping from name to tool for the records of a file."""
        if source_uri not in self._chosen:
            self._chosen[source_uri] = self._find(source_uri)
        return self._chosen[source_uri]

    def _find(self, source_uri: str) -> Mapping[str, ApiDefinition]:
        own, stem = _folder(source_uri), _stem(source_uri)
        near = [uri for uri in self._files if _folder(uri) == own]
        same_stem = [uri for uri in near if _stem(uri) == stem]
        definitions: dict[str, ApiDefinition] = {}
        for uri in same_stem or near or self._files:
            for name, definition in self._files[uri].items():
                definitions.setdefault(name, definition)
        return definitions


def _folder(source_uri: str) -> str:
    return source_uri.rpartition("/")[0] if "/" in source_uri else source_uri.rpartition("!")[0]


def stem_of(source_uri: str) -> str:
    """Return a file's name without folders and without its last extension."""
    return PurePosixPath(source_uri.replace("!", "/")).stem


def _stem(source_uri: str) -> str:
    words = stem_of(source_uri).replace("_", "-").split("-")
    return "-".join(word for word in words if word.casefold() not in _ROLES)
