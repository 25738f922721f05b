"""Tokens with a telling prefix that detect-secrets does not know, or not to their end."""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finder import Span, TextFinder

_EDGE = r"(?<![A-Za-z0-9])"
PATTERNS = {
    "jwt": re.compile(
        _EDGE
        + r"eyJ[A-Za-z0-9_=-]{10,4000}\.[A-Za-z0-9_=-]{2,8000}(?:\.[A-Za-z0-9_.+/=-]{0,4000})?"
    ),
    "google_key": re.compile(_EDGE + r"(?:AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,400})"),
    "openai_key": re.compile(
        _EDGE + r"sk-(?=[A-Za-z_-]{0,80}\d)(?:proj-|svcacct-|ant-|or-)?[A-Za-z0-9_-]{20,240}"
    ),
    "github_token": re.compile(_EDGE + r"github_pat_[A-Za-z0-9_]{22,100}"),
    "hugging_face_token": re.compile(_EDGE + r"hf_[A-Za-z0-9]{30,40}"),
    "slack_token": re.compile(_EDGE + r"xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,80}"),
    "stripe_key": re.compile(_EDGE + r"(?:[rsp]k_(?:live|test)_|whsec_)[0-9a-zA-Z]{16,250}"),
    "notion_token": re.compile(_EDGE + r"(?:secret_|ntn_)[A-Za-z0-9]{36,60}"),
    "airtable_token": re.compile(
        _EDGE + r"(?:pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|key(?=[A-Za-z]{0,13}\d)[A-Za-z0-9]{14})(?!\w)"
    ),
    "facebook_token": re.compile(_EDGE + r"EAA[A-Za-z0-9]{40,300}"),
    "dropbox_token": re.compile(_EDGE + r"sl\.[A-Za-z0-9_-]{60,1200}"),
    "api_token": re.compile(
        _EDGE + r"(?:AKC[a-zA-Z0-9]{50,90}|dop_v1_[a-f0-9]{64}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|"
        r"lin_api_[A-Za-z0-9]{32,48}|"
        r"gsk_[A-Za-z0-9]{40,60}|pplx-[A-Za-z0-9]{40,60}|r8_[A-Za-z0-9]{30,40}|"
        r"NRAK-[A-Z0-9]{27}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|tskey-[a-z]+-[A-Za-z0-9-]{16,60}|"
        r"pk\.eyJ[A-Za-z0-9_-]{20,200}\.[A-Za-z0-9_-]{16,60})"
    ),
}


_MARKS = {
    "jwt": ("eyJ",),
    "google_key": ("AIza", "ya29."),
    "openai_key": ("sk-",),
    "github_token": ("github_pat_",),
    "hugging_face_token": ("hf_",),
    "slack_token": ("xapp-",),
    "stripe_key": ("k_live_", "k_test_", "whsec_"),
    "notion_token": ("secret_", "ntn_"),
    "airtable_token": ("pat", "key"),
    "facebook_token": ("EAA",),
    "dropbox_token": ("sl.",),
    "api_token": ("AKC", "dop_v1_", "shp", "lin_api_", "gsk_", "pplx-", "r8_", "NRAK-", "PMAK-",
                  "tskey-", "pk.eyJ"),
}  # fmt: skip
"""What a text must hold before a pattern is worth trying."""


_KEY = re.compile(
    r"pat[A-Za-z0-9]{14}\.|key(?=[A-Za-z]{0,13}\d)[A-Za-z0-9]{14}|sk-[A-Za-z_-]{0,80}\d"
)
"""The marks that ordinary texts hold too."""
_COMMON = ("pat", "key", "sk-")
_RARE = tuple(mark for marks in _MARKS.values() for mark in marks if mark not in _COMMON)


def _glance(text: str, low: str) -> bool:
    if not any(mark in low for mark in _COMMON):
        return any(mark in text for mark in _RARE)
    return any(mark in text for mark in _RARE) or _KEY.search(text) is not None


def _find(text: str) -> Iterable[Span]:
    for kind, pattern in PATTERNS.items():
        if not any(mark in text for mark in _MARKS[kind]):
            continue
        for found in pattern.finditer(text):
            yield Span(found.start(), found.end(), kind)


FINDER = TextFinder(
    kinds=tuple(PATTERNS),
    hint=re.compile(r"[\w.-]{20}"),
    anchors=tuple(sorted({mark.lower() for marks in _MARKS.values() for mark in marks})),
    glance=_glance,
    find=_find,
)
