"""Redact the texts and numbers of a JSON document. The result has the same structure.

A text remains a quoted text and contains a placeholder. A number becomes minus zero, as an integer
if it was an integer. Lists keep their length and objects their members, so a redacted argument
still fits its schema. Readers can recognise replaced numbers: no encoder writes `-0`, and data
rarely contain `-0.0`.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from benchloom.normalise.redaction.finders import Scan, Span
from benchloom.normalise.redaction.placeholders import placeholder
from benchloom.normalise.redaction.texts import MAX_ROUNDS, redact_text

_TOKEN = re.compile(r'("(?:[^"\\]++|\\.)*+")(\s*+:)?|(-?\d[\d.eE+-]*+)|([{}])', re.DOTALL)
"""Matches a text or key, a number, or a brace of an object, in valid JSON."""
_VALID = msgspec.json.Decoder()


class _Leaf(NamedTuple):
    # `owner` is the number of the object that contains the key.
    start: int
    end: int
    is_number: bool
    owner: int | None


class _Edit(NamedTuple):
    leaf: _Leaf
    written: str
    kinds: tuple[str, ...]


def is_json(text: str) -> bool:
    """Return whether a text is one JSON document."""
    try:
        _VALID.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return False
    return True


def redact_json(text: str, search: Scan) -> tuple[str, tuple[str, ...]]:
    """Replace each match of a search in a JSON document, which remains valid JSON.

    A match may extend over several texts and numbers.
    """
    kinds: list[str] = []
    for _ in range(MAX_ROUNDS):
        edits = _edits_inside(text, search) or _edits_across(text, search)
        if not edits:
            break
        kinds += (kind for edit in edits for kind in edit.kinds)
        text = _edited(text, edits)
    return text, tuple(kinds)


REDACTED_NUMBER = re.compile(r"(?<![\w.+-])-0(?:\.0)?(?![\w.])")
"""Matches a replaced number in a JSON document."""


def _redacted_number(number: float) -> str:
    return "-0" if isinstance(number, int) else "-0.0"


def _leaves(text: str) -> Iterator[_Leaf]:
    owners: list[int] = []
    for count, match in enumerate(_TOKEN.finditer(text)):
        if match[4] == "{":
            owners.append(count)
        elif match[4] == "}":
            owners.pop()
        elif match[3] is not None:
            yield _Leaf(*match.span(3), is_number=True, owner=None)
        else:
            owner = owners[-1] if match[2] is not None else None
            yield _Leaf(*match.span(1), is_number=False, owner=owner)


def _edits_inside(text: str, search: Scan) -> list[_Edit]:
    edits: list[_Edit] = []
    for leaf in _leaves(text):
        if leaf.is_number:
            continue
        inner: str = _VALID.decode(text[leaf.start : leaf.end])
        redacted = redact_text(inner, search=search)
        if redacted.text != inner:
            edits.append(_Edit(leaf, _written(redacted.text), redacted.kinds))
    return edits


def _edits_across(text: str, search: Scan) -> list[_Edit]:
    # A match may span leaves: a pair of numbers, or a value that its key marks.
    spans = search(text)
    if not spans:
        return []
    leaves = list(_leaves(text))
    starts = [leaf.start for leaf in leaves]
    parts: defaultdict[_Leaf, list[Span]] = defaultdict(list)
    for span in spans:
        for leaf in leaves[max(0, bisect_right(starts, span.start) - 1) :]:
            if leaf.start >= span.end:
                break
            if span.start < leaf.end:
                parts[leaf].append(span)
    edits = (_edit_of(text, leaf, leaf_spans) for leaf, leaf_spans in parts.items())
    return [edit for edit in edits if edit is not None]


def _edit_of(text: str, leaf: _Leaf, spans: list[Span]) -> _Edit | None:
    written = text[leaf.start : leaf.end]
    if leaf.is_number:
        number = _VALID.decode(written)
        return _Edit(leaf, _redacted_number(number), (spans[0].kind,)) if number else None
    pieces: list[str] = []
    kinds: tuple[str, ...] = ()
    position = leaf.start
    for span in spans:
        start, end = max(span.start, leaf.start + 1), min(span.end, leaf.end - 1)
        if any(character.isalnum() for character in text[start:end]):
            pieces += [text[position:start], placeholder(span.kind)]
            kinds += (span.kind,)
            position = end
    if not kinds:
        return None
    redacted_leaf = "".join([*pieces, text[position : leaf.end]])
    # A span may begin or end inside an escape.
    return _Edit(
        leaf, redacted_leaf if is_json(redacted_leaf) else _written(placeholder(kinds[0])), kinds
    )


def _edited(text: str, edits: Iterable[_Edit]) -> str:
    # The keys of each object stay distinct.
    keys: defaultdict[int, set[str]] = defaultdict(set)
    if any(edit.leaf.owner is not None for edit in edits):
        for leaf in _leaves(text):
            if leaf.owner is not None:
                keys[leaf.owner].add(_VALID.decode(text[leaf.start : leaf.end]))
    pieces: list[str] = []
    position = 0
    for leaf, written, _ in sorted(edits, key=lambda edit: edit.leaf.start):
        if leaf.owner is not None:
            key: str = _VALID.decode(written)
            while key in keys[leaf.owner]:
                key += "_"
            keys[leaf.owner].add(key)
            written = _written(key)  # noqa: PLW2901  the loop ends with the first free key
        pieces += [text[position : leaf.start], written]
        position = leaf.end
    return "".join([*pieces, text[position:]])


def _written(text: str) -> str:
    return msgspec.json.encode(text).decode()
