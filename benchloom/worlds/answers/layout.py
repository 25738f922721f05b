"""Rewrite tables and JSON in a reply as lines of `label: value`, which are read like sentences."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from benchloom.core.records.values import Plain

_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$\n?", re.MULTILINE)
_LEADERS = re.compile(r"(?<=[^\W\d_]) ?(?:\.{4,}|(?<= )(?:\u2192|->|=>)(?= )) ?")
"""Matches dots or an arrow between a label and its value."""
_RULE = re.compile(r"[ \t|:+=_-]*[-=_]{2,}[ \t|:+=_-]*")
_DELIMITERS = (
    re.compile(r"[ \t]*\|[ \t]*"),
    re.compile(r" *\t+ *"),
    re.compile(r"(?<! ) {2,}(?! )"),
    re.compile(r"(?<=\S)[,;](?=\S)"),
)
_HAS_DIGIT = re.compile(r"[0-9]")
_OPENS_JSON = re.compile(r"[{\[](?=\s*[\"{\[])")
_MAX_OBJECTS = 100
_DEEP = 4
_ENDS = re.compile(r"[.!?:]")
_COMMAS = 3


def as_statements(text: str) -> str:
    """Return a text in which tables and JSON objects are lines of `label: value`."""
    text = _LEADERS.sub(": ", _json_as_lines(_FENCE.sub("", text)))
    lines: list[str] = []
    for delimiter, group in groupby(text.split("\n"), _delimiter):
        rows = [*group]
        lines += rows if delimiter is None else _table(delimiter, rows)
    return "\n".join(lines)


def _delimiter(line: str) -> tuple[int, int] | None:
    """Return how the cells of a line are delimited, or None if the line is not part of a table.

    The result is the index of the delimiter in `_DELIMITERS`, and the number of its occurrences.
    """
    text = line.strip()
    if _RULE.fullmatch(text) and "|" in text:
        text = text.strip("|")
        return 0, text.count("|") + text.count("+")
    for index, pattern in enumerate(_DELIMITERS):
        inner = text.strip("|") if index == 0 else text
        count = len(pattern.findall(inner))
        if count:
            return index, count
    return None


def _table(delimiter: tuple[int, int], lines: Sequence[str]) -> Iterator[str]:
    index, count = delimiter
    rows = [
        [cell.strip() for cell in _DELIMITERS[index].split(line.strip().strip("|").strip())]
        for line in lines
        if not _RULE.fullmatch(line.strip())
    ]
    ruled = len(rows) < len(lines)
    titled = len(rows) > 1 and (ruled or not _HAS_DIGIT.search("".join(rows[0])))
    sentences = index > 1 and count < 2 and _ENDS.search("".join(rows[0])) is not None
    if not titled or sentences or (index == _COMMAS and count < 2):
        yield from lines
        return
    header, *body = rows
    for row in body:
        yield _line(zip(header, row, strict=False))


def _line(cells: Iterator[tuple[str, str]]) -> str:
    return ", ".join(
        f"{label.rstrip('.')}: {value}" if label.strip("#*_ ") else value
        for label, value in cells
        if value
    )


def _json_as_lines(text: str) -> str:
    decoder = json.JSONDecoder()
    parts: list[str] = []
    position = 0
    for _, match in zip(range(_MAX_OBJECTS), _OPENS_JSON.finditer(text), strict=False):
        if match.start() < position:
            continue
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        parts += [text[position : match.start()], "\n".join(_json_lines(value, _DEEP))]
        position = end
    return "".join([*parts, text[position:]])


def _json_lines(value: Plain, depth: int) -> Iterator[str]:
    if isinstance(value, list):
        if all(not isinstance(item, list | dict) for item in value):
            yield ", ".join(map(_scalar, value))
        elif depth:
            for item in value:
                yield from _json_lines(item, depth - 1)
    elif isinstance(value, dict):
        scalars = {
            key.replace("_", " "): _scalar(leaf)
            for key, leaf in value.items()
            if not isinstance(leaf, list | dict)
        }
        if scalars:
            yield _line(iter(scalars.items()))
        for key, leaf in value.items():
            if isinstance(leaf, list | dict) and depth:
                yield f"{key.replace('_', ' ')}: " + "\n".join(_json_lines(leaf, depth - 1))
    else:
        yield _scalar(value)


def _scalar(value: Plain) -> str:
    return value if isinstance(value, str) else json.dumps(value)
