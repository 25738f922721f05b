"""Redact the values of an argument: first by the names of fields, then by searching all texts.

Tokens inside a text (attachments) have UTF-16 offsets, which every replacement in the text moves.
"""

import re
from collections import Counter, abc
from functools import lru_cache, partial

from benchloom.normalise.redaction.finders import (
    FINDERS,
    Field,
    FieldFinder,
    Finder,
    Span,
    kinds_of,
)
from benchloom.normalise.redaction.finders._names import LABELS, is_labelled_number, literal_text
from benchloom.normalise.redaction.finders.generated_tokens import is_named_digest
from benchloom.normalise.redaction.finders.labelled_texts import is_value_of_neighbour
from benchloom.normalise.redaction.placeholders import (
    TOKEN,
    is_instruction,
    is_stand_in,
    literal_runs,
    placeholder,
)
from benchloom.normalise.redaction.texts import (
    Edits,
    Redacted,
    may_be_judged,
    merge_spans,
    moved,
    redact_text,
    scan_text,
)

Mapping = dict[str, object]
ATTACHMENTS = "attachmentsByRange"
_ITEMS = "WFDictionaryFieldValueItems"
_RANGE = re.compile(r"\{\s*(\d+)\s*,\s*(\d+)\s*\}")
_FORMAT_KEYS = frozenset(
    {
        "WFSerializationType", "Type", "OutputUUID", "OutputName", "VariableName", "VariableUUID",
        "Aggrandizements", "WFItemType", "WFContactProperty", "WFContactMultivalue", "EntryType",
        "isCurrentLocation", ATTACHMENTS,
    }
)  # fmt: skip
"""The values of these keys are words of the file format, even in a field whose value is secret."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


class ValueRedactor:
    """Redacts the values of one argument.

    `edits` maps the location of a text to its replacements.
    """

    def __init__(self, identifier: str, counts: Counter[str]) -> None:
        self._identifier = identifier
        self._counts = counts
        self._judges = tuple(FINDERS.only(FieldFinder).values())
        self.edits: dict[str, Edits] = {}

    def field(
        self, path: tuple[str, ...], value: object, location: str = "", kind: str | None = None
    ) -> object:
        """Redact a named value.

        `kind` is set if the flow of the shortcut shows that it is secret.
        """
        if kind is None:
            kind = self._judge(Field(self._identifier, path, value))
        if kind is not None and isinstance(value, int) and not isinstance(value, bool):
            return self._number(value, kind)
        return self._value(path, value, location, kind)

    def text(self, text: str, kind: str | None = None) -> str:
        """Redact a text without tokens (attachments)."""
        return text if kind is None and not scan_text(text) else self._redacted(text, kind).text

    def _judge(self, field: Field) -> str | None:
        if not _name_may_be_judged(field.name):
            return None
        for finder in self._judges:
            kind = finder.judge(field)
            if kind is not None:
                return kind
        return None

    def _replaced(self, kind: str) -> str:
        self._counts[kind] += 1
        return placeholder(kind)

    def _number(self, number: float, kind: str) -> float:
        # An integer remains an integer.
        if not number:
            return number  # zero reveals nothing about anybody
        self._counts[kind] += 1
        return 0 if isinstance(number, int) else -0.0

    def _redacted(self, text: str, kind: str | None, *, with_edits: bool = False) -> Redacted:
        # With `kind` all literals are replaced, else only matches of patterns.
        search = None if kind is None else partial(_judged, kind=kind)
        redacted = redact_text(text, search=search, with_edits=with_edits)
        self._counts.update(redacted.kinds)
        return redacted

    def _value(
        self, path: tuple[str, ...], value: object, location: str, kind: str | None
    ) -> object:
        if isinstance(value, str):
            return self.text(value, kind)
        if isinstance(value, list):
            return [
                self._value(path, item, f"{location}/{index}", kind or _kind_behind(label, item))
                for index, (label, item) in enumerate(zip(["", *value], value, strict=False))
            ]
        if isinstance(value, float):
            return value if kind is None else self._number(value, kind)
        if not isinstance(value, dict):
            return value
        if _is_data(value):
            # A digest lets anyone verify a guess of the content, so it is replaced too.
            return value if kind is None else self._replaced(kind)
        if ATTACHMENTS in value and isinstance(value.get("string"), str):
            return self._attributed(path, value, location, kind)
        return self._mapping(path, value, location, kind)

    def _mapping(
        self, path: tuple[str, ...], value: Mapping, location: str, kind: str | None
    ) -> Mapping:
        # The keys of the mapping stay distinct.
        label = literal_text(value.get("WFKey"))
        # The redacted label is judged, so that a second search has the same result.
        label = redact_text(label).text if label else None
        result: Mapping = {}
        for key, child in value.items():
            redacted_key = self.text(key)
            while redacted_key in result or (redacted_key != key and redacted_key in value):
                redacted_key += "_"
            here = f"{location}/{key}"
            if kind is not None:
                inner = None if key in _FORMAT_KEYS else kind
                if key == "Value" and type(child) is int and is_labelled_number(kind, child):
                    result[redacted_key] = self._number(child, kind)
                else:
                    result[redacted_key] = self._value(path, child, here, inner)
            elif key == "WFValue" and label and is_named_digest(label, literal_text(child) or ""):
                result[redacted_key] = child
            elif key == "WFValue" and label:
                result[redacted_key] = self.field((*path, label), child, here)
            elif key in {"WFKey", _ITEMS}:
                result[redacted_key] = self._value(path, child, here, None)
            else:
                result[redacted_key] = self.field((*path, redacted_key), child, here)
        return result

    def _attributed(
        self, path: tuple[str, ...], value: Mapping, location: str, kind: str | None
    ) -> Mapping:
        text = str(value["string"])
        redacted = self._redacted(text, kind, with_edits=True)
        if redacted.edits:
            self.edits[location] = redacted.edits
        result: Mapping = {}
        for key, child in value.items():
            if key == "string":
                result[key] = redacted.text
            elif key == ATTACHMENTS and isinstance(child, dict):
                result[key] = {
                    _move_range(range_key, redacted.edits): self._value(
                        path, token, f"{location}/{key}/{range_key}", None
                    )
                    for range_key, token in child.items()
                }
            else:
                result[key] = self._value(path, child, f"{location}/{key}", kind)
        return result


_name_may_be_judged = lru_cache(maxsize=1 << 12)(may_be_judged)


def _kind_behind(label: object, item: object) -> str | None:
    # In a list of texts, an item may name the next one.
    is_value = is_value_of_neighbour(_item_text(label), _item_text(item))
    return "spoken_secret" if is_value else None


def _item_text(item: object) -> str:
    inner = item.get("WFValue", item) if isinstance(item, dict) else item
    is_entry = isinstance(item, dict) and "WFKey" in item
    return "" if is_entry else literal_text(inner) or ""


def _is_data(value: Mapping) -> bool:
    # The parser stores a digest and a length in place of binary data.
    digest = value.get("sha256")
    return (
        value.keys() == {"sha256", "length"}
        and isinstance(value["length"], int)
        and isinstance(digest, str)
        and _DIGEST.fullmatch(digest) is not None
    )


def _judged(text: str, kind: str) -> tuple[Span, ...]:
    return merge_spans(text, [*_judged_spans(text, kind), *scan_text(text)])


def _judged_spans(text: str, kind: str) -> list[Span]:
    is_value = FINDERS.once(_value_tests)[kind]
    if is_instruction(text):
        return []
    runs = list(literal_runs(text))
    # "Create <variable> passcode" is a prompt; only its variables can be secret.
    is_prompt = TOKEN in text and all(
        word.isalpha() for start, end in runs for word in text[start:end].split()
    )
    if is_prompt and kind in LABELS:
        return []
    return [Span(start, end, kind) for start, end in runs if is_value(text[start:end])]


def _value_tests(finders: abc.Mapping[str, Finder]) -> dict[str, abc.Callable[[str], bool]]:
    tests = dict.fromkeys(kinds_of(finders.values()), lambda value: not is_stand_in(value))
    return tests | {k: test for finder in finders.values() for k, test in finder.values.items()}


def _move_range(key: str, edits: Edits) -> str:
    match = _RANGE.fullmatch(key.strip())
    if match is None or not edits:
        return key
    return f"{{{moved(int(match[1]), edits)}, {match[2]}}}"
