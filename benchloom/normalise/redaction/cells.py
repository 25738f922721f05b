"""Redact the cells of tables: texts, JSON inside texts, paths, and values that are public."""

import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, Self, TypeVar

import msgspec

from benchloom.normalise.redaction.finders import FINDERS, Finder, Scan, Span, kinds_of
from benchloom.normalise.redaction.json_cells import is_json, redact_json
from benchloom.normalise.redaction.texts import (
    SHORTEST,
    cache_no_match,
    has_no_match,
    have_no_match,
    redact_text,
    scan_text,
    search_key,
)
from benchloom.storage.inputs import MEMBER

_TAGGED = re.compile(r"[a-z_]{1,40}:sha256:[0-9a-f]{64}")
_CACHED = 512
_JSON = frozenset({"{", "[", '"'})  # How a text begins that may be JSON with texts in it.
Cell = tuple[str, tuple[str, ...]]
"""A text that may be published, and the kinds of the values that were replaced in it."""


class CachedSearch(NamedTuple):
    """A search for secret values whose result can be cached per text.

    `name` is a part of the cache key.
    """

    name: bytes
    search: Scan


class CellRedactor:
    """Redacts the cells of tables, except addresses in `public`, which are already published."""

    def __init__(self, public: Iterable[str] = ()) -> None:
        self._public = frozenset(public)
        self._numbered: dict[str, str] = {}
        self._digest: str | None = None
        self._plain = lru_cache(1 << 16)(lambda text: _redact_cell(text, self._search, ANY))

    def packed(self) -> bytes:
        """Convert the redactor to bytes, to send it to another process."""
        return msgspec.msgpack.encode((sorted(self._public), self._numbered))

    def digest(self) -> str:
        """Return a digest of the redactor. Redactors with equal digests give equal results."""
        if self._digest is None:
            self._digest = hashlib.sha256(self.packed()).hexdigest()
        return self._digest

    @classmethod
    def unpacked(cls, packed: bytes) -> Self:
        """Return the redactor that `packed` converted to bytes in another process."""
        public, replacements = msgspec.msgpack.decode(packed, type=tuple[list[str], dict[str, str]])
        redactor = cls(public)
        redactor._numbered = replacements
        return redactor

    def plain(self, text: str) -> Cell:
        """Redact a text of any column that has no rule of its own."""
        if is_tagged(text):
            return text, ()
        return self._plain(text) if len(text) <= _CACHED else _redact_cell(text, self._search, ANY)

    def redact_id(self, text: str) -> Cell:
        """Redact a generated id. Such ids look like secret tokens, so tokens are not searched."""
        return _redact_cell(text, _search_id, IDS)

    def public(self, text: str) -> Cell:
        """Redact a value of a published dataset, except its addresses, which are public already."""
        return _redact_cell(text, _search_public, PUBLIC)

    def json(self, text: str, *, public: bool = False) -> Cell:
        """Redact a cell of a JSON column. With `public`, it is from a published dataset."""
        search, cached_search = (_search_public, PUBLIC) if public else (self._search, ANY)
        return _redact_cell(text, search, cached_search, as_json=True)

    def is_numbered(self, path: str) -> bool:
        """Return whether `number_paths` gave this path a number.

        The path must not be that of an archive member.
        """
        return path in self._numbered

    def path(self, text: str) -> Cell:
        """Redact a path; the names of an archive and of its members are redacted separately.

        If `number_paths` gave a name a number, the redacted name contains this number.
        """
        parts: list[str] = []
        kinds: list[str] = []
        for part in text.split(MEMBER):
            redacted_part, part_kinds = _redact_cell(part, scan_text, ANY)
            parts.append(self._numbered.get(part, redacted_part))
            kinds += part_kinds
        return MEMBER.join(parts), tuple(kinds)

    def number_paths(self, paths: Iterable[str]) -> None:
        """Give numbers to paths that redaction would make equal, so that they remain different."""
        names: defaultdict[str, list[str]] = defaultdict(list)
        for run in path_runs(
            sorted({path_part for path in paths for path_part in path.split(MEMBER)}), str
        ):
            key = search_key(*run, scope=b"paths")
            if has_no_match(key):
                continue
            cells = [_redact_cell(part, scan_text, ANY) for part in run]
            for part, (name, part_kinds) in zip(run, cells, strict=True):
                if part_kinds:
                    names[name].append(part)
            if not any(part_kinds for _, part_kinds in cells):
                cache_no_match(key)
        self._digest = None
        self._numbered = {
            part: display_name.replace("]", f"]~{number}", 1) if number > 1 else display_name
            for display_name, parts in names.items()
            for number, part in enumerate(parts, 1)
        }

    def document(self, text: str) -> Cell:
        """Redact a document: cells that are harmless alone may look like a secret side by side."""
        redacted = redact_text(text, search=lambda fragment: self._search(fragment, rendered=True))
        return redacted.text, redacted.kinds

    def _search(self, text: str, *, rendered: bool = False) -> tuple[Span, ...]:
        spans = scan_text(text, rendered=rendered)
        if not spans or not self._public:
            return spans
        kinds = FINDERS.once(_in_published)
        return tuple(
            span
            for span in spans
            if span.kind in kinds or not self._is_public(text[span.start : span.end])
        )

    def _is_public(self, value: str) -> bool:
        return any(value in public_text or public_text in value for public_text in self._public)


def is_tagged(text: str) -> bool:
    """Return whether a text is a digest as we write it, which contains no secret."""
    return _TAGGED.fullmatch(text) is not None


def uncached_texts(texts: Iterable[str], search: CachedSearch) -> list[str]:
    """Return the texts that a search must read.

    Short texts, and texts in which the search is known to find nothing, are left out.
    """
    long = [text for text in texts if len(text) >= SHORTEST]
    no_match = have_no_match([search_key(text, scope=_scope(text, search)) for text in long])
    return [text for text, is_clean in zip(long, no_match, strict=True) if not is_clean]


def _scope(text: str, search: CachedSearch) -> bytes:
    # Without JSON all searches find the same and share one entry, except that `IDS` ignores
    # generated ids.
    return b"cell " + search.name if text[:1] in _JSON or search is IDS else b"text"


def is_public(text: str) -> bool:
    """Return whether a text contains personal values that are allowed in published datasets.

    An example is the web address of a shop.
    """
    return any(span.kind not in FINDERS.once(_in_published) for span in scan_text(text))


def _redact_cell(
    text: str, search: Scan, cached_search: CachedSearch, *, as_json: bool = False
) -> Cell:
    """Replace everything that a search finds in a text. A JSON text remains valid JSON.

    `as_json` is true for columns of JSON. In other columns, a text that begins like a JSON list,
    object or string is also read as JSON, but a number is not. `cached_search` finds at least the
    matches of `search`; a text in which it finds nothing is not searched again.
    """
    # The function that searches a plain text caches the result itself.
    scope = _scope(text, cached_search)
    key = b"" if scope == b"text" else search_key(text, scope=scope)
    if key and has_no_match(key):
        return text, ()
    redact = redact_json if (as_json or text[:1] in _JSON) and is_json(text) else _redact_plain
    if key and not redact(text, cached_search.search)[1]:
        cache_no_match(key)
        return text, ()
    return redact(text, search)


def _redact_plain(text: str, search: Scan) -> Cell:
    return redact_text(text, search=search)[:2]


def _search_id(text: str) -> tuple[Span, ...]:
    return tuple(span for span in scan_text(text) if span.kind in FINDERS.once(_in_ids))


def _search_public(text: str) -> tuple[Span, ...]:
    return tuple(span for span in scan_text(text) if span.kind in FINDERS.once(_in_published))


def _in_ids(finders: Mapping[str, Finder]) -> frozenset[str]:
    return kinds_of(finder for finder in finders.values() if finder.in_ids)


def _in_published(finders: Mapping[str, Finder]) -> frozenset[str]:
    return kinds_of(finder for finder in finders.values() if finder.in_published)


ANY = CachedSearch(b"cell", scan_text)
IDS = CachedSearch(b"cell of ids", _search_id)
PUBLIC = CachedSearch(b"public cell", _search_public)


T = TypeVar("T")
_RUN_PATHS = 16  # Approximate number of paths per search or cached empty result.


def path_runs(values: Iterable[T], path: Callable[[T], str]) -> Iterator[list[T]]:
    """Divide values into runs of about 16. The hash of a value's path decides whether a run ends.

    A changed value changes only its own run, so that cached results of all other runs stay valid.
    """
    run: list[T] = []
    for value in values:
        run.append(value)
        if not zlib.crc32(path(value).encode("utf-8", "surrogatepass")) % _RUN_PATHS:
            yield run
            run = []
    yield run
