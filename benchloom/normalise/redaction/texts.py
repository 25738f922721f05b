"""Search texts with all text finders, and replace secret and personal values by placeholders."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise, starmap
from typing import NamedTuple

import msgspec

from benchloom.normalise.redaction.encoded_data import FILE, windows, without_data
from benchloom.normalise.redaction.finders import (
    FINDERS,
    FieldFinder,
    Finder,
    HintedFinder,
    Scan,
    Span,
    TextFinder,
    folded,
)
from benchloom.normalise.redaction.placeholders import (
    PLACEHOLDERS_AND_TOKENS,
    is_public_value,
    placeholder,
)
from benchloom.normalise.redaction.shadows import shadows_of
from benchloom.storage.memory import digest as digest_of
from benchloom.storage.memory import memory

MAX_ROUNDS = 8
"""If a text still changes after this many searches, the whole text is replaced."""
_CACHED = 256
_MAX_LONG = 1 << 14
_GENERATED = re.compile(
    r"(?![0-9]{8})(?:[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|"
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
)
"""Matches UUIDs of actions, which are not searched. A UUID that begins with eight digits is
searched, because it can look like a telephone number."""
_UUID = 36
_PIECE = re.compile(r"\n(?=<[a-z0-9]{1,10} id=\")")
"""Matches the end of a part of a page. The next part begins at an element with an id."""
_Hint = tuple[Callable[[str], re.Match[str] | None], bool, tuple[str, ...]]
"""The search function of a finder's hint, whether it needs the lower-case text, and the anchors."""
_Spans = tuple[tuple[int, int, str], ...]
SHORTEST = 5
"""A shorter text cannot contain a match."""


class Edit(NamedTuple):
    """A replacement in a text: the replaced range, and the new length, both in UTF-16 units."""

    start: int
    end: int
    length: int


Edits = tuple[tuple[Edit, ...], ...]
"""The replacements in a text, grouped by the search that found them, in order."""


class Redacted(NamedTuple):
    """A redacted text, the kinds of the replaced values, and the edits, which move offsets."""

    text: str
    kinds: tuple[str, ...] = ()
    edits: Edits = ()


def scan_text(text: str, *, rendered: bool = False) -> tuple[Span, ...]:
    """Return the secret and personal parts of a text, in order and without overlaps."""
    if len(text) < SHORTEST or (len(text) == _UUID and _GENERATED.fullmatch(text)):
        return ()
    if rendered:
        return _scan_pieces(text)
    if len(text) <= _CACHED:
        return _scan_short(text)
    return _scan_long(text)


def _scan_pieces(text: str) -> tuple[Span, ...]:
    # Few pieces of a page change between releases, and the others are cached.
    starts = [0, *(match.end() for match in _PIECE.finditer(text)), len(text)]
    return tuple(
        Span(start + span.start, start + span.end, span.kind)
        for start, end in pairwise(starts)
        for span in _scan_long(text[start:end], rendered=True)
    )


def _scan_long(text: str, *, rendered: bool = False) -> tuple[Span, ...]:
    # Documents and long cells are searched when they are written, and again by the gate.
    digest = search_key(text, scope=b"rendered" if rendered else b"text")
    spans = _long.get(digest)
    if spans is None:
        if len(_long) >= _MAX_LONG:
            _long.clear()
        spans = _long[digest] = _scan(text, rendered=rendered, digest=digest)
    return spans


_long: dict[bytes, tuple[Span, ...]] = {}
"""Cached results for longer texts, by the digest of the text, so that the texts are not stored."""


@lru_cache(maxsize=1 << 16)
def _scan_short(text: str) -> tuple[Span, ...]:
    return _scan(text, rendered=False)


def _scan(text: str, *, rendered: bool, digest: bytes = b"") -> tuple[Span, ...]:
    cache = memory()
    if cache is None:
        return _secret_spans(text, rendered=rendered)
    digest = digest or search_key(text, scope=b"rendered" if rendered else b"text")
    content = cache.get(digest)
    if content is not None:
        return _decoded(content)
    spans = _secret_spans(text, rendered=rendered)
    cache.put(digest, msgspec.msgpack.encode(spans) if spans else b"")
    return spans


def _decoded(content: bytes) -> tuple[Span, ...]:
    return tuple(starmap(Span, msgspec.msgpack.decode(content, type=_Spans))) if content else ()


def search_key(*texts: str, scope: bytes = b"text") -> bytes:
    """Return the cache key of a search of texts. `scope` is the name of the search."""
    return digest_of(scope, *texts)


def has_no_match(key: bytes) -> bool:
    """Return whether it is cached that the search with this key found nothing."""
    cache = memory()
    return cache is not None and cache.get(key) == b""


def have_no_match(keys: Sequence[bytes]) -> list[bool]:
    """Return, for each key in order, whether it is cached that the search found nothing."""
    cache = memory()
    return [False] * len(keys) if cache is None else [v == b"" for v in cache.get_many(keys)]


def cache_no_match(key: bytes) -> None:
    """Store that the search with this key found nothing."""
    if (cache := memory()) is not None:
        cache.put(key)


def _secret_spans(text: str, *, rendered: bool) -> tuple[Span, ...]:
    spans = [
        shadow.back(span)
        for shadow in shadows_of(text)
        for span in _search(shadow.text, rendered=rendered)
    ]
    return merge_spans(text, spans) if spans else ()


def _search(text: str, *, rendered: bool) -> list[Span]:
    spans: list[Span] = []
    searched_text = without_data(text) if len(text) > _CACHED else text
    for finder in finders_for(searched_text):
        if not rendered or finder.in_rendered:
            spans.extend(_find(finder, text))
    return list(_private(text, spans)) if spans else spans


def _private(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans to replace. Public values and bytes of pictures and files are left out."""
    files = [match.span() for match in FILE.finditer(text)]
    for span in spans:
        is_in_file = any(start <= span.start and span.end <= end for start, end in files)
        is_byte = is_in_file and span.kind != "encoded_secret"
        if not is_byte and not is_public_value(text[span.start : span.end]):
            yield span


def may_be_judged(text: str) -> bool:
    """Return whether a name, or a field in JSON, may mark a value as secret or personal.

    The test is fast and only looks for hints, such as "phone". The finders decide afterwards.
    """
    return next(_hinted(text, FieldFinder), None) is not None


def may_hold(text: str) -> bool:
    """Return whether a finder may find something in an argument, which is given as JSON."""
    return next(_hinted(text, HintedFinder), None) is not None


def finders_for(text: str) -> Iterator[TextFinder]:
    """Yield the finders that may find something in a text, or in JSON inside the text."""
    return (finder for finder in _hinted(text, TextFinder) if isinstance(finder, TextFinder))


def _hinted(text: str, kind: type[HintedFinder]) -> Iterator[HintedFinder]:
    low = folded(text)
    # Most texts have no match, so this loop takes most of the time of a search.
    for (search, lowered, anchors), finders in FINDERS.once(_by_hint)[kind]:
        if anchors and not any(map(low.__contains__, anchors)):
            continue
        if search(low if lowered else text) is None:
            continue
        for finder in finders:
            if finder.glance is None or finder.glance(text, low):
                yield finder


def _by_hint(
    finders: Mapping[str, Finder],
) -> Mapping[type[HintedFinder], list[tuple[_Hint, list[HintedFinder]]]]:
    groups: defaultdict[type[HintedFinder], defaultdict[_Hint, list[HintedFinder]]]
    groups = defaultdict(lambda: defaultdict(list))
    for finder in finders.values():
        if not isinstance(finder, HintedFinder):
            continue
        for kind in (HintedFinder, type(finder)):
            groups[kind][finder.hint.search, finder.folded, finder.anchors].append(finder)
    return {kind: list(by_hint.items()) for kind, by_hint in groups.items()}


def _find(finder: TextFinder, text: str) -> Iterable[Span]:
    spans = _spans(finder, text)
    decoded = finder.decoded
    if decoded is None:
        return spans
    inner = ((span, decoded(text[span.start : span.end])) for span in spans)
    return [span for span, hidden in inner if hidden is not None and scan_text(hidden)]


def _spans(finder: TextFinder, text: str) -> Iterable[Span]:
    if finder.whole or len(text) <= _CACHED:
        yield from finder.find(text)
        return
    for first, start, end, stop in windows(text):
        for span in finder.find(text[first:stop]):
            # A match that starts after this window is complete in the next window.
            if start <= span.start + first < end:
                yield Span(span.start + first, span.end + first, span.kind)


def merge_spans(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Join overlapping spans, which get the kind of the first (and longest) one.

    Placeholders and tokens inside a span are left out.
    """
    merged: list[Span] = []
    general = FINDERS.once(_general)
    for span in sorted(spans, key=lambda s: (s.start, -s.end, s.kind in general, s.kind)):
        if merged and span.start < merged[-1].end:
            if span.end > merged[-1].end:
                merged[-1] = merged[-1]._replace(end=span.end)
        elif span.end > span.start:
            merged.append(span)
    return tuple(part for span in merged for part in _literal_parts(text, span))


def _general(finders: Mapping[str, Finder]) -> frozenset[str]:
    return frozenset(kind for finder in finders.values() for kind in finder.general)


def _literal_parts(text: str, span: Span) -> Iterable[Span]:
    start = span.start
    cuts = [match.span() for match in PLACEHOLDERS_AND_TOKENS.finditer(text, span.start, span.end)]
    for left, right in [*cuts, (span.end, span.end)]:
        if any(character.isalnum() for character in text[start:left]):
            yield Span(start, left, span.kind)
        start = right


def _replace_spans(text: str, spans: Sequence[Span]) -> str:
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces += [text[position : span.start], placeholder(span.kind)]
        position = span.end
    return "".join([*pieces, text[position:]])


def _edits(text: str, spans: Sequence[Span]) -> tuple[Edit, ...]:
    edits: list[Edit] = []
    position = units = 0
    for span in spans:
        start = units + _utf16_length(text[position : span.start])
        units = start + _utf16_length(text[span.start : span.end])
        edits.append(Edit(start, units, len(placeholder(span.kind))))
        position = span.end
    return tuple(edits)


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def moved(offset: int, edits: Edits) -> int:
    """Convert an offset in the original text to one in the redacted text, in UTF-16 units."""
    for edit in edits:
        offset = _moved_once(offset, edit)
    return offset


def _moved_once(offset: int, edits: Sequence[Edit]) -> int:
    before = bisect_right([edit.start for edit in edits], offset)
    shift = 0
    for edit in edits[:before]:
        if edit.end > offset:
            return edit.start + shift
        shift += edit.length - (edit.end - edit.start)
    return offset + shift


def redact_text(
    text: str, *, rendered: bool = False, search: Scan | None = None, with_edits: bool = False
) -> Redacted:
    """Redact a text. The search is repeated until it finds no secret or personal value.

    One search is not enough, because a replacement changes the surroundings of the next value.
    """
    scan = search or partial(scan_text, rendered=rendered)
    spans = scan(text)
    if not spans:
        return Redacted(text)
    kinds: list[str] = []
    edits: list[tuple[Edit, ...]] = []
    for number in range(MAX_ROUNDS):
        if not spans:
            break
        if number == MAX_ROUNDS - 1:
            spans = tuple(_literal_parts(text, Span(0, len(text), spans[0].kind)))
        kinds += [span.kind for span in spans]
        if with_edits:
            edits.append(_edits(text, spans))
        text = _replace_spans(text, spans)
        spans = scan(text)
    return Redacted(text, tuple(kinds), tuple(edits))
