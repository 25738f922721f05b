"""Find e-mail addresses: plain, quoted, and in the encodings of HTML."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder, matches, parts_near
from benchloom.normalise.redaction.placeholders import is_login_stand_in

_AT = r"(?:@|&#0?64;|&#x40;|&commat;|\\u0040)"
_DOMAIN = r"((?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}([^\W\d_]{2,24}))(?![\w@])"
_FORMS = (
    re.compile(rf"([^\W_][\w.+'-]{{0,63}}){_AT}{_DOMAIN}"),
    re.compile(rf"((?:\\?\"|&quot;)[^\"\n\ufffc@]{{1,64}}(?:\\?\"|&quot;)){_AT}{_DOMAIN}"),
    re.compile(r"([^\W_][\w.+'-]{0,63})@\[(?:IPv6:)?[\d.:A-Fa-f]{7,40}(\])()"),
)
_MARK = re.compile(rf"{_AT}(?:\[|(?=[\w-]{{1,63}}\.))")
"""Matches a part of every address. A host name has at least two parts."""
_REACH = 768
_FILE_ENDINGS = frozenset(
    {
        "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "css", "pdf", "heic", "json", "plist",
        "txt", "html", "htm", "xml", "csv", "yaml", "yml", "gz", "warc", "shortcut", "wflow",
        "actionsdata", "strings", "parquet", "mp", "mov",
    }
)  # fmt: skip
"""Endings of file names. `icon@2x.png` is a file name and not an address."""


def _find(text: str) -> Iterable[Span]:
    parts = parts_near(_MARK, text, _REACH)
    for form in _FORMS:
        for match in matches(form, text, parts):
            end = _end(match[2]) if form is not _FORMS[2] else len(match[2])
            if end and not _is_login(match[1], text[max(0, match.start() - 1) : match.start()]):
                yield Span(match.start(), match.start(2) + end, "email")


_PRIVATE_NETWORKS = frozenset({"local", "lan", "internal", "home", "localdomain"})


def _is_login(local: str, before: str) -> bool:
    # `git@github.com`, `https://user:password@host`
    return local.lower() == "git" or (before == ":" and is_login_stand_in(local))


def _end(domain: str) -> int:
    # Endings of file names are left out; 0 if the rest is not a domain.
    labels = domain.split(".")
    while labels and labels[-1].lower() in _FILE_ENDINGS:
        labels.pop()
    is_domain = len(labels) > 1 and len(labels[-1]) > 1 and labels[-1].isalpha()
    is_domain = is_domain and labels[-1].lower() not in _PRIVATE_NETWORKS
    return len(".".join(labels)) if is_domain else 0


FINDER = TextFinder(
    kinds=("email",),
    hint=re.compile(rf"{_AT}[\w\[]"),
    anchors=("@", "40;", "u0040", "64;", "&commat;"),
    find=_find,
)
