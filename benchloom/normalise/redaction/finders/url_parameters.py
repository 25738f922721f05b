"""Find secret parameters in URLs and form bodies: `?api_key=...`, `&token=...`."""

import re
from collections.abc import Iterable
from urllib.parse import unquote

from benchloom.normalise.redaction.finders import Span, TextFinder
from benchloom.normalise.redaction.finders._names import LABELS, secret_kind, words_of
from benchloom.normalise.redaction.placeholders import is_stand_in

_PARAMETER = re.compile(r"(?:[?&#]|^)([A-Za-z][\w.%-]{0,40})=([^&\s\"'#<>\ufffc\[\]{}$()]{4,2000})")
_VAGUE = frozenset({"key", "appid", "apitoken", "access", "code", "hash", "sign", "sid", "uid",
                    "client", "clientid", "license"})  # fmt: skip
_VAGUE_ENDINGS = ("key", "token", "secret", "sig", "sign", "sid")
_SHORTEST_VAGUE = 12


def _find(text: str) -> Iterable[Span]:
    for match in _PARAMETER.finditer(text):
        name, value = match[1], unquote(match[2])
        if is_stand_in(value):
            continue
        plain = "".join(words_of(name))
        is_vague = plain in _VAGUE or plain.endswith(_VAGUE_ENDINGS)
        kind = secret_kind(name)
        is_value = LABELS[kind].is_value if kind is not None else _looks_generated
        if (kind is not None or is_vague) and is_value(value):
            yield Span(match.start(2), match.end(2), "url_secret")


def _looks_generated(value: str) -> bool:
    return (
        len(value) >= _SHORTEST_VAGUE
        and sum(character.isdigit() for character in value) >= 2
        and any(character.isalpha() for character in value)
        and value.isascii()
        and " " not in value
    )


FINDER = TextFinder(
    kinds=("url_secret",), hint=re.compile(r"[A-Za-z]=[^&\s]{4}"), find=_find, in_rendered=False
)
