"""Find the ids in iCloud sharing links, in all spellings that occur in 17,000 listings."""

import re

import msgspec

_LINK = re.compile(
    r"icloud\.com/shortcuts/(?:api/records/)?"
    r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})(?![0-9a-f])",
    re.IGNORECASE,
)
_ANY_ICLOUD_SHORTCUT = re.compile(r"icloud\.com/shortcuts(?:/|$)", re.IGNORECASE)
_LEGACY = re.compile(r"(?:^|[/.@\s])workflow\.is(?:[/?#\s]|$)", re.IGNORECASE)
_URL = re.compile(r"[a-z][a-z0-9+.\-]*://\S+|(?:[a-z0-9\-]+\.)+[a-z]{2,}/\S*", re.IGNORECASE)
_LONGEST_TEXT = 1_000_000

NO_LINK = "no_link"
BAD_ID = "bad_id"
LEGACY_HOST = "legacy_host"
NOT_A_SHORTCUT = "not_a_shortcut"
NOT_A_URL = "not_a_url"


class LinkResult(msgspec.Struct, frozen=True):
    """The distinct ids of shortcuts in a text, in order, or the reason why there are none."""

    ids: tuple[str, ...]
    problem: str | None


def find_ids(text: str) -> tuple[str, ...]:
    """Return the distinct ids of iCloud shortcut links in a text, in order, as 32 hex digits."""
    shortcut_ids = (match.replace("-", "").lower() for match in _LINK.findall(text[:_LONGEST_TEXT]))
    return tuple(dict.fromkeys(shortcut_ids))


def canonical_link(icloud_id: str) -> str:
    """Return the sharing link of an iCloud id, in the only spelling that benchloom writes."""
    return f"https://www.icloud.com/shortcuts/{icloud_id}"


def normalise_link(text: str | None) -> LinkResult:
    """Return the ids in the text of a link field, or the reason why it contains no id.

    A bare word of 32 hex digits is never an id, because other sites use the same shape.
    """
    if text is None or not text.strip():
        return LinkResult((), NO_LINK)
    ids = find_ids(text)
    if ids:
        return LinkResult(ids, None)
    if _ANY_ICLOUD_SHORTCUT.search(text):
        return LinkResult((), BAD_ID)
    if _LEGACY.search(text):
        return LinkResult((), LEGACY_HOST)
    return LinkResult((), NOT_A_SHORTCUT if _URL.search(text) else NOT_A_URL)
