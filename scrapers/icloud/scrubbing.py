"""Removes ids of people and devices from iCloud records before the records are stored."""

import re

import msgspec

PERSONAL_FIELDS = ("userRecordName", "deviceID")
SCRUBBED = "scrubbed"
_MENTIONED = re.compile("|".join(PERSONAL_FIELDS).encode())


def scrub(body: bytes) -> bytes:
    """Replace the values of personal fields in a body, by a pattern if it is not JSON."""
    if not _MENTIONED.search(body):
        return body
    try:
        value: object = msgspec.json.decode(body)
        return msgspec.json.encode(_without_ids(value))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _scrub_text(body)


def _without_ids(value: object) -> object:
    if isinstance(value, dict):
        return {
            key: SCRUBBED if key in PERSONAL_FIELDS else _without_ids(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_without_ids(inner) for inner in value]
    return value


def _scrub_text(body: bytes) -> bytes:
    pattern = rb'("(?:%s)"\s*:\s*)"[^"]*"?' % "|".join(PERSONAL_FIELDS).encode()
    return re.sub(pattern, rb'\1"' + SCRUBBED.encode() + rb'"', body)
