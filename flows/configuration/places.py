"""Where in the text of a TOML file a key stands, which the library that reads TOML does not tell.

The text is cut into statements: the fewest lines that are TOML by themselves. What a statement
sets, and on which line each entry of its list begins, is then a matter of reading it alone.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping

Path = tuple[str | int, ...]
_HEADER = re.compile(r"\s*\[")
_MAY_END = re.compile(r"""[]}]|\"\"\"|'''""")
"""A statement of several lines ends with one of these; other lines of it need not be tried."""

_MOST_READ = 100_000
"""Lines of long statements that are read, over and over; what stands behind has no line."""


class Places:
    """The lines of keys and of entries of lists, counted from 1."""

    def __init__(self, text: str = "") -> None:
        self._lines: dict[Path, int] = {}
        table: Path = ()
        # A mark of the order of bytes, and line ends of other systems, are no statements.
        for start, lines in _statements(text.removeprefix("\ufeff").split("\n")):
            parsed_toml = _read("\n".join(lines))
            if parsed_toml is None:
                continue
            if _HEADER.match(lines[0]):
                table = _header(parsed_toml)
                self._lines.setdefault(table, start)
            else:
                self._take(table, parsed_toml, start, lines)

    def line(self, path: Path) -> int | None:
        """The line of a key, or of the nearest thing above it that the file has; None for none."""
        while path:
            if path in self._lines:
                return self._lines[path]
            path = path[:-1]
        return None

    def holds(self, path: Path) -> bool:
        """Whether the file has this very key."""
        return path in self._lines

    def _take(
        self, table: Path, parsed_toml: Mapping[str, object], start: int, lines: list[str]
    ) -> None:
        for name, value in parsed_toml.items():
            path = (*table, name)
            self._lines.setdefault(path, start)
            if isinstance(value, Mapping):
                self._take(path, value, start, [])
            elif isinstance(value, list):
                entries = list(_entries(start, lines)) or [start] * len(value)
                if len(entries) != len(value):
                    entries = [start] * len(value)
                self._lines.update({(*path, i): line for i, line in enumerate(entries)})


def _statements(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Statements with the number of their first line; what is none is passed over."""
    start = read = 0
    while start < len(lines) and read < _MOST_READ:
        if not lines[start].strip() or lines[start].lstrip().startswith("#"):
            start += 1
            continue
        end = start + 1
        if _read(lines[start]) is None:
            while end < len(lines):
                end += 1
                if not _MAY_END.search(lines[end - 1]):
                    continue
                read += end - start
                if _read("\n".join(lines[start:end])) is not None or read > _MOST_READ:
                    break
            else:
                end = start + 1  # no statement at all: go on with the next line
        yield start + 1, lines[start:end]
        start = end


def _entries(start: int, lines: list[str]) -> Iterator[int]:
    """The line of every entry of a list, where each line holds whole entries."""
    if len(lines) < 2:
        return
    for number, line in enumerate(lines):
        opening = line if number == 0 else f"x = [{line}"
        closing = "\n]" if number < len(lines) - 1 else ""
        parsed_toml = _read(opening + closing)
        value = next(iter(parsed_toml.values()), None) if parsed_toml else None
        yield from [start + number] * (len(value) if isinstance(value, list) else 0)


def _header(parsed_toml: Mapping[str, object]) -> Path:
    """The path that a header names."""
    path: list[str] = []
    inner: object = parsed_toml
    while True:
        inner = inner[0] if isinstance(inner, list) else inner
        if not isinstance(inner, Mapping) or not inner:
            return tuple(path)
        name, inner = next(iter(inner.items()))
        path.append(name)


def _read(text: str) -> dict[str, object] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
