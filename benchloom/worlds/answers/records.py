"""Assign the parts of a reply to the objects that they describe.

An object is a record: fields with values. A text that only one of several objects contains, such
as a name, identifies it. A part goes from the words that identify its object to those of the next.
"""

import re
from collections import Counter
from collections.abc import Sequence

from benchloom.core.records.values import Plain
from benchloom.worlds.answers.question import Record
from benchloom.worlds.answers.reply import Reply

_BOUNDARY = re.compile(r"[,;(]|\b(?:and|or|while|but|unlike|whereas|than)\b")
_ASIDE = re.compile(r"[,;(]? ?\b(?:unlike|while|but|whereas|not|instead of|than)\b")
_CONTINUES = re.compile(r"\W*(?:it|its|it's|they|their|this|that|he|she|his|her|there|both)\b")
_WORDED = re.compile(r"[^\W\d_]{2,}")
_CAPITALISED = re.compile(r"\b[A-Z]\w{3,}")
_LONG = 80


def records_at(result: Plain, path: Sequence[str | int | Sequence[str]]) -> tuple[Record, ...]:
    """Return the object of a result that contains the value at a path, and those beside it."""
    siblings: Sequence[Plain] = ()
    for step in path[:-1]:
        if isinstance(result, list) and isinstance(step, int):
            siblings = [each for number, each in enumerate(result) if number != step]
            result = result[step]
        elif isinstance(result, dict) and isinstance(step, str):
            siblings, result = (), result[step]
    records = [result, *siblings] if path else []
    return tuple(record for record in records if isinstance(record, dict))


def keyed(records: Sequence[Record]) -> list[Record]:
    """Return the records with only the field that names them: a title, or the shortest texts."""
    columns: dict[str, list[str]] = {}
    for record in records:
        for field, value in record.items():
            if isinstance(value, str) and _WORDED.search(value) and "://" not in value:
                columns.setdefault(field, []).append(value)
    names = [field for field, texts in columns.items() if len({*texts}) == len(records)]
    sizes = {
        field: 0 if field.endswith(("name", "title")) else len("".join(columns[field]))
        for field in names
    }
    name = min(sizes, key=lambda field: sizes[field], default="")
    return [{name: record[name]} if name else {} for record in records]


def texts_of(record: Record) -> set[str]:
    """Return the texts of a record that have words and are short enough to be names."""
    texts = {text for text in record.values() if isinstance(text, str) and len(text) <= _LONG}
    return {text for text in texts if _WORDED.search(text)} - {"True", "False", "None"}


def about(reply: Reply, records: Sequence[Record], index: int, *, exclusive: bool = False) -> Reply:
    """Return a reply without the parts that describe other records than that at `index`.

    With `exclusive`, a part without words that identify a record belongs to the record before it.
    """
    letters = list(reply.text)
    for start, end, owner in _parts(reply, records, exclusive=exclusive):
        if owner != index:
            letters[start:end] = re.sub(r"[^\n.!?]", " ", reply.text[start:end])
    return reply.with_text("".join(letters))


def _parts(
    reply: Reply, records: Sequence[Record], *, exclusive: bool
) -> list[tuple[int, int, int]]:
    """Return start, end and record of the parts of a reply that belong to a record."""
    names = _identities(reply, records, exclusive=exclusive)
    parts: list[tuple[int, int, int]] = []
    for sentence in reply.sentences:
        inside = [name for name in names if sentence.start <= name[0] < sentence.end]
        start = sentence.start
        if not inside:
            last = parts[-1] if parts else (0, 0, -1)
            between = reply.text[last[1] : start]
            continues = "\n" in between and "\n\n" not in between
            continues |= _CONTINUES.match(reply.lower, start) is not None
            if parts and (exclusive or continues):
                parts.append((start, sentence.end, last[2]))
            continue
        first = inside[0]
        cuts = [*_ASIDE.finditer(reply.lower, start, first[0])]
        start = cuts[-1].start() if cuts and first[2] and not exclusive else start
        for name, following in zip(inside, [*inside[1:], None], strict=True):
            end = sentence.end
            if following is not None:
                cuts = [*_BOUNDARY.finditer(reply.lower, name[1], following[0])]
                end = cuts[-1].start() if cuts else following[0]
            parts.append((start, end, name[2]))
            start = end
    return parts


def _identities(
    reply: Reply, records: Sequence[Record], *, exclusive: bool
) -> list[tuple[int, int, int]]:
    """Return start, end and record of the words that identify records; a longer text wins."""
    texts = [texts_of(record) for record in records]
    names: list[tuple[int, int, int]] = []
    for words in (texts, [{*_CAPITALISED.findall(" ".join(each))} for each in texts]):
        counts = Counter(text.lower() for each in words for text in each)
        missing = {*range(len(records))} - {name[2] for name in names}
        owners = {
            text: index
            for index in (missing if exclusive or words is texts else ())
            for text in words[index]
            if counts[text.lower()] == 1
        }
        for text in sorted(owners, key=len, reverse=True):
            cased = " " not in text and not exclusive
            pattern = rf"(?<!\w){re.escape(text if cased else text.lower())}(?!\w)"
            for match in re.finditer(pattern, reply.text if cased else reply.lower):
                if all(match.end() <= name[0] or name[1] <= match.start() for name in names):
                    names.append((*match.span(), owners[text]))
    return sorted(names)


def masked_texts(reply: Reply, record: Record, field: str, request: str) -> Reply:
    """Return a reply with `xx` for the texts of a record's other fields, except requested texts."""
    value, text = str(record.get(field)).lower(), reply.text
    others = texts_of({name: leaf for name, leaf in record.items() if name != field})
    for other in sorted(others, key=len, reverse=True):
        low = other.lower()
        repeated = low in request or low in value or value in low
        if not repeated and not other[0].islower():
            pattern = re.compile(rf"(?<!\w){re.escape(other)}(?!\w)", re.IGNORECASE)
            text = pattern.sub(lambda match: "x" * len(match[0]), text)
    return reply if text == reply.text else reply.with_text(text)
