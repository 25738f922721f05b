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


def _find(text: str) -> Iterable[Span]:
    for kind, pattern in PATTERNS.items():
        for found in pattern.finditer(text):
            yield Span(found.start(), found.end(), kind)


FINDER = TextFinder(
    kinds=tuple(PATTERNS),
    hint=re.compile(
        r"AKC|AIza|eyJ|ya29\.|sk-|github_pat_|hf_|xapp-|[rsp]k_(?:live|test)|whsec_|secret_|ntn_|"
        r"pat[A-Za-z0-9]{14}\.|key[A-Za-z0-9]{14}|EAA|sl\.|dop_v1_|shp[a-z]{2}_|lin_api_|gsk_|"
        r"pplx-|r8_|NRAK-|PMAK-|tskey-|pk\.eyJ"
    ),
    find=_find,
)
