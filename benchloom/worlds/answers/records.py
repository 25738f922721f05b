"""Assign the parts of a reply to the records (objects in a tool's result) that they describe.

A text that only one of several records contains, such as a name, identifies this record. The part
of the reply about a record extends from the words that identify it to those that identify the next
record.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from benchloom.core.records.values import Plain
from benchloom.worlds.answers.question import Record
from benchloom.worlds.answers.reply import Reply

_BOUNDARY = re.compile(r"[,;(]|\b(?:and|or|while|but|unlike|whereas|than)\b")
_ASIDE = re.compile(r"[,;(]? ?\b(?:unlike|while|but|whereas|not|instead of|than)\b")
_CONTINUES = re.compile(r"\W*(?:it|its|it's|they|their|this|that|he|she|his|her|there|both)\b")
_NAME = re.compile(r"(?!.*://)(?!(?:True|False|None)$).{,78}[^\W\d_]{2}.{,78}")
_CAPITALISED = re.compile(r"\b[A-Z]\w{3,}")


def records_at(result: Plain, path: Sequence[str | int | Sequence[str]]) -> tuple[Record, ...]:
    """Return the object that contains the value at a path of a tool's result, then its siblings.

    Siblings are the other objects of the same list. The returned tuple is empty if the path does
    not exist, for example because the world of the task has changed.
    """
    records = [result]
    for step in path[:-1]:
        value = records[0]
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            records = [value[step], *value[:step], *value[step + 1 :]]
        elif isinstance(value, dict) and isinstance(step, str) and step in value:
            records = [value[step]]
        else:
            return ()
    return tuple(record for record in records if isinstance(record, dict))


def keyed(records: Sequence[Record]) -> list[Record]:
    """Return copies of the records that contain only the field that identifies each record.

    This field is a name or a title if there is one, else the field with the shortest texts. The
    copies are empty if no field has a different text in every record.
    """
    sizes = {}
    for field in records[0]:
        texts = [str(record.get(field)) for record in records]
        if len({*texts}) == len(texts) and all(map(_NAME.match, texts)):
            sizes[field] = len("".join(texts)) * (not field.lower().endswith(("name", "title")))
    name = min(sizes, key=lambda field: sizes[field], default="")
    return [{name: record[name]} if name else {} for record in records]


def _names_of(record: Record) -> list[str]:
    return [text for text in record.values() if isinstance(text, str) and _NAME.fullmatch(text)]


def about(reply: Reply, records: Sequence[Record], index: int, *, exclusive: bool = False) -> Reply:
    """Blank out the parts of a reply that describe other records than the record at `index`.

    With `exclusive`, a sentence that names no record belongs to the record named before it.
    """
    letters = list(reply.text)
    for start, end, owner in _parts(reply, records, exclusive=exclusive):
        if owner != index:
            letters[start:end] = re.sub(r"[^\n.!?]", " ", reply.text[start:end])
    return reply.with_text("".join(letters))


def _parts(
    reply: Reply, records: Sequence[Record], *, exclusive: bool
) -> list[tuple[int, int, int]]:
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
    """Find the texts in a reply that only one record contains: start, end and index of the record.

    With `exclusive`, a record whose texts are all missing in the reply is also identified by one of
    its capitalised words.
    """
    texts = [_names_of(record) for record in records]
    names = _matches(reply, texts, range(len(records)), cased=not exclusive)
    if exclusive:
        missing = {*range(len(records))} - {owner for _, _, owner in names}
        words = [_CAPITALISED.findall(" ".join(group)) for group in texts]
        names += _matches(reply, words, missing)
    return sorted(names)


def _matches(
    reply: Reply, texts: Sequence[Sequence[str]], records: Collection[int], *, cased: bool = False
) -> list[tuple[int, int, int]]:
    counts = Counter(low for group in texts for low in {text.lower() for text in group})
    owners = {
        text: index for index in records for text in texts[index] if counts[text.lower()] == 1
    }
    lowered = {text.lower(): index for text, index in owners.items()}
    return [
        (*match.span(), lowered[match[0].lower()])
        for match in _any_of(owners, cased=cased).finditer(reply.text)
    ]


def _any_of(texts: Collection[str], *, cased: bool = False) -> re.Pattern[str]:
    """Return a pattern that matches any of the texts and ignores case.

    With `cased`, a text that is a single word matches only in the same case.
    """
    patterns = [
        re.escape(text) if cased and " " not in text else f"(?i:{re.escape(text)})"
        for text in sorted(texts, key=len, reverse=True)
    ]
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns) or '(?!)'})(?!\w)")


def masked_texts(reply: Reply, record: Record, field: str, request: str) -> Reply:
    """Mask the texts of a record's fields in a reply as `xx`, because they are not the answer.

    Texts of `field` and texts in the request are not masked.
    """
    value = str(record.get(field)).lower()
    texts_beside = [
        text
        for text in _names_of({name: leaf for name, leaf in record.items() if name != field})
        if not text[0].islower()
        and not any(text.lower() in each or each in text.lower() for each in (request, value))
    ]
    text = _any_of(texts_beside).sub(lambda match: "x" * len(match[0]), reply.text)
    return reply if text == reply.text else reply.with_text(text)
