"""Find the functions in the Python files of a folder or zip file.

The folder may contain the file `func_file_map.json`, which maps functions to files. Files that are
not in the map are searched for functions at module level. If several files define a function of the
same name, files outside the map come first, because the published data set has its basic functions
there. A tool uses the first function that has all parameters that the tool declares. This module
imports and runs no functions.
"""

import re
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import Self

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs import SourceObject, list_objects

MAP = "func_file_map.json"
MAX_SOURCE = 256 * 1024  # maximum bytes of a file; functions in larger files are ignored
_MAP = msgspec.json.Decoder(dict[str, str])
_FUNCTION = re.compile(r"^(?:async[ \t]+)?def[ \t]+([^\W\d]\w*)[ \t]*\(", re.MULTILINE)


class Functions:
    """The functions in a folder or zip file; `where` maps each name to the files that define it.

    This is a context manager; files can be read only inside its `with` block.

    Raises RunError if there are no functions, or the file that maps functions to files is damaged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stack = ExitStack()
        self._files: dict[str, SourceObject] = {}
        self.where: dict[str, list[str]] = {}

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._open(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def source(self, key: str) -> str:
        """Return the text of the Python file `key`, or an empty text if it cannot be read."""
        try:
            content = self._files[key].read()
            return content.decode() if len(content) <= MAX_SOURCE else ""
        except (RejectedInputError, UnicodeDecodeError):
            return ""

    def _open(self, stack: ExitStack) -> None:
        objects = sorted(list_objects([self._path], stack), key=lambda source: source.source_uri)
        maps = [source for source in objects if PurePosixPath(source.source_uri).name == MAP]
        self._files = {
            source.source_uri: source for source in objects if source.source_uri.endswith(".py")
        }
        mapped = self._files_by_function(maps[0]) if maps else {}
        mapped_files = set(mapped.values())
        for key in self._files:
            if key not in mapped_files:
                for function_name in dict.fromkeys(_FUNCTION.findall(self.source(key))):
                    self.where.setdefault(function_name, []).append(key)
        for name, key in mapped.items():
            self.where.setdefault(name, []).append(key)
        if not self.where:
            raise RunError(
                f"{self._path} contains no Python file with a function; "
                "pass the folder or zip with the functions of the benchmark"
            )

    def _files_by_function(self, source: SourceObject) -> dict[str, str]:
        try:
            file_names = _MAP.decode(source.read())
        except (msgspec.DecodeError, UnicodeDecodeError, RejectedInputError) as error:
            raise RunError(
                f"{source.source_uri}: expected a JSON object that maps functions to files"
            ) from error
        folder = source.source_uri.removesuffix(MAP)
        beside = {name: f"{folder}{file}" for name, file in file_names.items()}
        return {name: key for name, key in beside.items() if key in self._files}
