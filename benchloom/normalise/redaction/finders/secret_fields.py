"""Parameters and dictionary entries whose name says that the value is a secret."""

from benchloom.normalise.redaction.finder import Field, FieldFinder
from benchloom.normalise.redaction.finders._names import SECRET_HINT, secret_kind

_VOCABULARY = frozenset({"WFKey", "key", "Key", "DictionaryKey", "WFDictionaryKey"})
"""Keys of the file format and of look-ups."""


def _judge(field: Field) -> str | None:
    if field.name in _VOCABULARY or isinstance(field.value, bool):
        return None
    kind = secret_kind(field.name)
    # A number behind "token" or "session" counts something; behind "password" it is one.
    return None if isinstance(field.value, (int, float)) and kind != "password" else kind


FINDER = FieldFinder(
    kinds=("password", "secret", "token"), hint=SECRET_HINT, folded=True, judge=_judge
)
