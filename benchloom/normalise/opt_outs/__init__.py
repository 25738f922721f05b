"""Withhold data that their owners do not want published, and all data that depend on them.

A listing can be removed from its site, or its owner can opt out. The form of opt-outs is checked,
because a misspelt opt-out would withhold nothing.
"""

import re
from urllib.parse import urlsplit

from benchloom.core.icloud_links import find_ids

_ICLOUD_ID = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_DIALOGUE_ID = re.compile(r"dialogue:sha256:[0-9a-f]{64}")
_SHORTCUT_ID = re.compile(r"shortcut:sha256:[0-9a-f]{64}")
_EXPECTED = (
    "give the address of a listing (https://...), an iCloud link or id, or the id of a shortcut "
    "(shortcut:sha256:...) or of a dialogue (dialogue:sha256:...)"
)


def opt_out_fault(entry: str) -> str | None:
    """Return why an opt-out can never match any data, or None if it can match."""
    text = entry.strip()
    ids = (_ICLOUD_ID, _SHORTCUT_ID, _DIALOGUE_ID)
    if any(pattern.fullmatch(text) for pattern in ids) or find_ids(text):
        return None
    try:
        address = urlsplit(text)
        host = address.hostname
    except ValueError:
        host = None
    if host is None or address.scheme not in {"http", "https"} or re.search(r"\s", text):
        return f"'{entry}' is not an opt-out: {_EXPECTED}"
    if host.endswith("icloud.com"):
        return f"'{entry}' names no shortcut on iCloud, because its id is missing or incomplete"
    if address.path in {"", "/"} and not address.query:
        return f"'{entry}' names a site, not a listing: {_EXPECTED}"
    return None
