"""Find parameters, entries and HTTP headers whose name says that the value is a secret."""

import re

from benchloom.normalise.redaction.finders import Field, FieldFinder
from benchloom.normalise.redaction.finders._labels import NAMES
from benchloom.normalise.redaction.finders._names import (
    LABELS,
    is_labelled_number,
    literal_text,
    secret_kind,
)
from benchloom.normalise.redaction.finders.labelled_texts import LABEL_HINT, is_labelled_secret

_HEADER = re.compile(
    r"(?i)(?:proxy-)?authorization|(?:set-)?cookie|.{0,40}api[-_]?key|.{0,40}[-_]token|x-auth.{0,40}|"
    r".{0,40}secret.{0,40}|.{0,40}access[-_]?key|.{0,40}subscription-key|.{0,40}-signature|.{0,40}session"
)
_LONGEST = 256
_VOCABULARY = frozenset({"WFKey", "key", "Key", "DictionaryKey", "WFDictionaryKey"})
"""Names that contain "key" but belong to the file format or to look-ups."""


def _judge(field: Field) -> str | None:
    if _HEADER.fullmatch(field.name) and any("eader" in part for part in field.path[:-1]):
        return "cookie" if "cookie" in field.name.lower() else "auth_header"
    if field.name.lower() == "authorization":
        return "auth_header"
    if field.name in _VOCABULARY or isinstance(field.value, bool):
        return None
    kind = secret_kind(field.name)
    text = literal_text(field.value) if kind is None or kind in NAMES else None
    if text is not None and len(text) <= _LONGEST and is_labelled_secret(field.name, text):
        return "spoken_secret"
    if kind is None or not isinstance(field.value, (int, float)):
        return kind
    return kind if is_labelled_number(kind, field.value) else None


FINDER = FieldFinder(
    kinds=("auth_header", "cookie", "spoken_secret", *LABELS),
    general=("spoken_secret", *NAMES),
    hint=LABEL_HINT,
    folded=True,
    judge=_judge,
    values={kind: label.is_value for kind, label in LABELS.items()},
)
