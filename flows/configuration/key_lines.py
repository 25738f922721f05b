"""The lines of keys in a TOML file, which no reader of TOML in Python reports.

Only lines that begin like a header or a key are looked at. A line of a long text that looks like a
key may be taken for it; only the line of a fault would be wrong then.
"""

import json
import re
import tomllib
from collections.abc import Mapping

from flows.configuration.keys import KeyPath

_NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_NAMES = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_HEADER = re.compile(rf"\s*\[+\s*({_NAMES})\s*\]+\s*(?:#.*)?$")
_KEY = re.compile(rf"\s*({_NAMES})\s*=")


class KeyLines:
    """The lines of keys and of entries of lists, counted from 1."""

    def __init__(self, text: str = "") -> None:
        # `splitlines` would also cut at letters that end no line in TOML.
        self._lines = text.removeprefix("\ufeff").split("\n")
        self._of_keys: dict[KeyPath, int] = {}
        table: KeyPath = ()
        for number, line in enumerate(self._lines, 1):
            if header := _HEADER.match(line):
                table = _path(header[1])
                self._of_keys.setdefault(table, number)
            elif key := _KEY.match(line):
                path = (*table, *_path(key[1]))
                for length in range(len(table) + 1, len(path) + 1):
                    self._of_keys.setdefault(path[:length], number)

    def line(self, key_path: KeyPath, entry: object = None) -> int | None:
        """The line of a key, or of the nearest table around it; of an entry of a list by its text.

        None if the file has neither the key nor a table around it.
        """
        above = (key_path[:length] for length in range(len(key_path), 0, -1))
        first = next((self._of_keys[path] for path in above if path in self._of_keys), None)
        if first is None or not key_path or not isinstance(key_path[-1], int):
            return first
        end = min((line for line in self._of_keys.values() if line > first), default=None)
        text = json.dumps(entry, ensure_ascii=False, default=str)
        lines = range(first, end or len(self._lines) + 1)
        return next((n for n in lines if text in self._lines[n - 1].replace("'", '"')), first)


def _path(names: str) -> KeyPath:
    """The parts of a dotted name; none if it is not valid TOML."""
    path: list[str] = []
    try:
        values: object = tomllib.loads(f"{names} = 1")
    except ValueError:  # a line of a long text that looks like a key
        return ()
    while isinstance(values, Mapping):
        name, values = next(iter(values.items()))
        path.append(name)
    return tuple(path)
